"""sinew live in the browser: a page pulls at a simulation, changes its method, records it.

Usage: live_test.py SINEW [unittest arguments]
"""

import json
import pathlib
import re
import signal
import socket
import subprocess
import time

import numpy as np

from runs import SINEW
from browser import PageTest
from live_page_test import until

SCENES = pathlib.Path(__file__).resolve().parents[2] / "scenes"


class Live(PageTest):
    def start(self, *options, size="small"):
        """The page of the creature, thrashed by a force."""
        command = [SINEW, "live", SCENES / "gallery/creature.json", "--set", f"size={size}", "-o", self.root / "live",
                   "--set", 'output.formats=["html"]', *options]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.stop, process)
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        self.assertTrue(found, line + (process.stderr.read() if not found else ""))
        self.url = found[0]
        self.open(page=self.url)
        until(lambda: self.status()["frame"] >= 1, what="no frame was drawn")
        return process

    def stop(self, process):
        self.browser.driver.get("about:blank")
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(20), 0, process.stderr.read())
        process.stdout.close()
        process.stderr.close()

    def js(self, script, *arguments):
        return self.browser.run(script, *arguments)

    def status(self):
        return self.js("return sinew.live();")

    def place(self, vertex):
        return np.array(self.js("return sinew.place(0, arguments[0]);", vertex))

    def test_a_drag_is_followed_and_the_plots_move(self):
        self.start("--set", "gravity=[0,0,0]", "--set", "bodies.0.acceleration=[0,0,0]")
        self.assertEqual(self.status()["method"], "mixed")
        self.assertLessEqual(self.status()["bytes"], 4096)
        before = self.browser.driver.get_screenshot_as_png()
        width, height = self.js("const r = sinew.canvas().getBoundingClientRect(); return [r.width, r.height];")
        found = None
        for at in ((0.5, 0.5), (0.45, 0.45), (0.55, 0.5), (0.5, 0.4), (0.4, 0.5), (0.6, 0.45)):
            x, y = int(at[0] * width), int(at[1] * height)
            found = self.js("const r = sinew.canvas().getBoundingClientRect();"
                            "return sinew.pick(r.left + arguments[0], r.top + arguments[1]);", x, y)
            if found:
                break
        self.assertTrue(found, "no body in the middle of the page")
        start = self.place(found["vertex"])
        left, top = self.js("const r = sinew.canvas().getBoundingClientRect(); return [r.left, r.top];")
        mouse = lambda kind, dx, dy: self.browser.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
            "type": kind, "x": left + x + dx, "y": top + y + dy, "button": "left", "buttons": 1, "clickCount": 1})
        mouse("mousePressed", 0, 0)
        for k in range(1, 9):
            mouse("mouseMoved", 10 * k, -8 * k)
            time.sleep(0.05)
        until(lambda: np.linalg.norm(self.place(found["vertex"]) - start) > 0.02, what="the body did not follow")
        self.assertNotEqual(before, self.browser.driver.get_screenshot_as_png())
        mouse("mouseReleased", 80, -64)
        step = self.status()["step"]
        until(lambda: self.status()["step"] > step + 30)

    def test_methods_change_and_a_recording_opens(self):
        self.start()
        self.js("sinew.send({type: 'record', on: true});")
        until(lambda: (self.root / "live_1/steps.jsonl").exists())
        for method in ("reduced", "newton", "mixed"):
            self.js("sinew.send({type: 'method', name: arguments[0]});", method)
            until(lambda: self.status()["method"] == method, what=f"method {method}")
            step = self.status()["step"]
            until(lambda: self.status()["step"] > step + 3, what=f"steps of {method}")
        self.js("sinew.send({type: 'record', on: false});")
        page = self.root / "live_1/report.html"
        until(lambda: page.exists() and (self.root / "live_1/script.json").exists(), what="no recording")
        rows = [json.loads(line) for line in (self.root / "live_1/steps.jsonl").read_text().splitlines()]
        self.assertGreater(len(rows), 12)
        self.open(page=page)
        self.assertGreater(self.js("return sinew.header.objects.length;"), 0)

    def test_refusals(self):
        command = [SINEW, "live", SCENES / "ball_drop.json"]
        refused = lambda *options: subprocess.run(command + list(options), capture_output=True, text=True, timeout=60)
        for options, words in ((("--address", "0.0.0.0"), "token"), (("--port", "70000"), "from 0 to 65535"),
                               (("--address", "nowhere"), "nowhere"), (("--speed", "-1"), "--speed"),
                               (("--method", "magic"), "magic")):
            result = refused(*options)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(words, result.stderr)
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = str(taken.getsockname()[1])
            self.assertRegex(refused("--port", port).stderr, rf"cannot listen on 127\.0\.0\.1:{port}: .*--port")

    def test_positions_of_the_graphics_processor_are_those_of_the_engine(self):
        self.start("--paused")
        for _ in range(3):
            self.js("sinew.send({type: 'step'});")
            time.sleep(0.2)
        until(lambda: self.status()["step"] >= 1)
        self.js("sinew.send({type: 'method', name: 'reduced'});")
        until(lambda: self.status()["method"] == "reduced")
        time.sleep(0.5)
        skinned = np.array(self.js("return Array.from(sinew.skinned(0));")).reshape(-1, 3)
        # Full space sends positions; they are rounded to 1/65535 of their box.
        self.js("sinew.send({type: 'method', name: 'newton'});")
        until(lambda: self.status()["method"] == "newton")
        time.sleep(0.5)
        places = np.array([self.place(v) for v in range(0, len(skinned), 97)])
        size = np.ptp(skinned, axis=0).max()
        self.assertLess(abs(places - skinned[::97]).max(), 3e-5 * size)


if __name__ == "__main__":
    import unittest

    unittest.main()
