"""sinew view: serves the folder of a run on this machine, and nothing else.

Usage: view_test.py SINEW [unittest arguments]
"""

import http.client
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import unittest

from runs import SINEW, run, scene


class View(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="sinew-view-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.root = pathlib.Path(cls.folder.name)
        cls.run_folder = cls.root / "run"
        run(cls.run_folder, scene(time={"step": 0.01, "steps": 2}))
        (cls.root / "secret.txt").write_text("secret")
        os.symlink(cls.root / "secret.txt", cls.run_folder / "link.txt")

    def serve(self, folder, *options):
        process = subprocess.Popen([SINEW, "view", str(folder), "--no-open", *options], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        line = process.stdout.readline()
        match = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        self.assertTrue(match, line or process.stderr.read())
        return process, int(match.group(1))

    def get(self, port, path, method="GET", host=None):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.putrequest(method, path, skip_host=host is not None)
        if host is not None:
            connection.putheader("Host", host)
        connection.endheaders()
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return response, body

    def refusal(self, *arguments):
        done = subprocess.run([SINEW, "view", *arguments], capture_output=True, text=True, timeout=20)
        self.assertEqual(done.returncode, 2, done.stderr)
        return done.stderr

    def test_serves_page_and_data(self):
        process, port = self.serve(self.run_folder)
        page = (self.run_folder / "report.html").read_bytes()
        for path in ("/", "/report.html", "/report.html?x=1"):
            response, body = self.get(port, path)
            self.assertEqual(response.status, 200)
            self.assertEqual(body, page)
            self.assertIn("text/html", response.getheader("Content-Type"))
        response, body = self.get(port, "/report/frames_000000.js")
        self.assertEqual(body, (self.run_folder / "report/frames_000000.js").read_bytes())
        self.assertIn("text/javascript", response.getheader("Content-Type"))
        response, body = self.get(port, "/report.html", "HEAD")
        self.assertEqual((response.status, body), (200, b""))
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(10), 0)

    def test_serves_nothing_else(self):
        _, port = self.serve(self.run_folder)
        for path in ("/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/report/../../secret.txt",
                     "//" + str(self.root / "secret.txt"), str(self.root / "secret.txt"), "/link.txt", "/report",
                     "/nothing.html", "/%00", "/report.html%00.txt"):
            response, body = self.get(port, path)
            self.assertIn(response.status, (400, 403, 404), path)
            self.assertNotIn(b"secret", body.replace(b"secret.txt", b""), path)
        for method in ("POST", "PUT", "DELETE", "OPTIONS"):
            self.assertIn(self.get(port, "/report.html", method)[0].status, (405, 400, 403, 411, 501), method)
        self.assertTrue((self.run_folder / "report.html").exists())
        self.assertEqual(self.get(port, "/", host="evil.example")[0].status, 403)
        self.assertEqual(self.get(port, "/", host=f"localhost:{port}")[0].status, 200)

    def test_listens_on_this_machine_alone(self):
        _, port = self.serve(self.run_folder)
        addresses = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
        for address in addresses - {"127.0.0.1"}:
            with self.assertRaises(OSError):
                socket.create_connection((address, port), timeout=2)

    def test_makes_a_missing_page(self):
        folder = self.root / "without"
        run(folder, scene(time={"step": 0.01, "steps": 2}))
        page = (folder / "report.html").read_bytes()
        (folder / "report.html").unlink()
        _, port = self.serve(folder)
        self.assertEqual(self.get(port, "/")[1], page)
        self.assertEqual((folder / "report.html").read_bytes(), page)

    def test_errors(self):
        missing = self.root / "missing"
        self.assertRegex(self.refusal(str(missing)), r"missing: expected the output folder of a run, found nothing")
        self.assertRegex(self.refusal(str(self.root / "secret.txt")), r"found a file; for example: sinew view")
        self.assertRegex(self.refusal(str(self.root)), r'found neither report.html nor .*"html" in output.formats')
        self.assertRegex(self.refusal(str(self.run_folder), "--port", "70000"), r"from 0 to 65535")
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            self.assertRegex(self.refusal(str(self.run_folder), "--no-open", "--port", str(port)),
                             rf"cannot listen on 127\.0\.0\.1:{port}: .*--port")


if __name__ == "__main__":
    unittest.main()
