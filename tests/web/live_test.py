"""sinew live in the browser: a page pulls at a simulation, changes its method, records it.

Usage: live_test.py SINEW [unittest arguments]
"""

import json
import socket
import subprocess
import time

import numpy as np

from runs import SINEW
from live_browser import SCENES, LiveTest
from live_page_test import until


class Live(LiveTest):
    def test_a_drag_is_followed_and_the_plots_move(self):
        self.start("--set", "gravity=[0,0,0]", "--set", "bodies.0.acceleration=[0,0,0]")
        self.assertEqual(self.status()["method"], "mixed")
        self.assertLessEqual(self.status()["bytes"], 4096)
        self.drag(0.02)

    def test_a_pinned_point_stays(self):
        self.start("--set", "gravity=[0,-9.81,0]")
        self.js("sinew.set({probe: {object: 0, vertex: 100}});")
        self.browser.key("n")
        target = np.array(self.js("return sinew.pulls()[0].target;"))
        for method in ("mixed", "newton"):
            self.js("sinew.send({type: 'method', name: arguments[0]});", method)
            until(lambda: self.status()["method"] == method, what=f"method {method}")
            step = self.status()["step"]
            until(lambda: self.status()["step"] > step + 15, what=f"steps of {method}")
            self.assertLess(np.linalg.norm(self.place(100) - target), 0.01, method)
        self.browser.key("n")
        self.assertEqual(self.js("return sinew.pulls();"), [])
        step = self.status()["step"]
        until(lambda: self.status()["step"] > step + 15)
        self.assertEqual(self.browser.complaints(), [])

    def test_methods_change_and_a_recording_opens(self):
        self.start()
        self.js("sinew.send({type: 'record', on: true});")
        until(lambda: (self.root / "live_1/steps.jsonl").exists())
        for method in ("reduced", "newton", "quasi_newton", "mixed"):
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
