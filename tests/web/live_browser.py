"""What tests of `sinew live` in the browser share: the server with the page, and a drag with the mouse."""

import pathlib
import re
import signal
import subprocess
import time

import numpy as np

from runs import SINEW
from browser import PageTest
from live_page_test import until

SCENES = pathlib.Path(__file__).resolve().parents[2] / "scenes"


class LiveTest(PageTest):
    def start(self, *options, size="small", seconds=20, scene=None):
        """The page of a scene, or of the creature, thrashed by a force."""
        what = [scene] if scene else [SCENES / "gallery/creature.json", "--set", f"size={size}"]
        command = [SINEW, "live", *what, "-o", self.root / "live", "--set", 'output.formats=["html"]', *options]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.stop, process)
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        self.assertTrue(found, line + (process.stderr.read() if not found else ""))
        self.url = found[0]
        self.open(page=self.url)
        until(lambda: self.status()["frame"] >= 1, seconds, what="no frame was drawn")
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

    def place(self, vertex, body=0):
        return np.array(self.js("return sinew.place(arguments[0], arguments[1]);", body, vertex))

    def drag(self, least, seconds=20):
        """Drags what is in the middle of the page to the right and up; it has to follow by `least` [m], and other pixels to
        show. Returns its number."""
        before = self.browser.driver.get_screenshot_as_png()
        left, top, width, height = self.js(
            "const r = sinew.canvas().getBoundingClientRect(); return [r.left, r.top, r.width, r.height];")
        found = None
        for at in ((0.5, 0.5), (0.45, 0.45), (0.55, 0.5), (0.5, 0.4), (0.4, 0.5), (0.6, 0.45)):
            x, y = left + int(at[0] * width), top + int(at[1] * height)
            found = self.js("return sinew.pick(arguments[0], arguments[1]);", x, y)
            if found:
                break
        self.assertTrue(found, "no body in the middle of the page")
        at = (found["vertex"], found["object"])
        start = self.place(*at)
        mouse = lambda kind, dx, dy: self.browser.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
            "type": kind, "x": x + dx, "y": y + dy, "button": "left", "buttons": 1, "clickCount": 1})
        mouse("mousePressed", 0, 0)
        for k in range(1, 9):
            mouse("mouseMoved", 10 * k, -8 * k)
            time.sleep(0.05)
        until(lambda: np.linalg.norm(self.place(*at) - start) > least, seconds,
              what="the body did not follow")
        self.assertNotEqual(before, self.browser.driver.get_screenshot_as_png())
        mouse("mouseReleased", 80, -64)
        step = self.status()["step"]
        until(lambda: self.status()["step"] > step + 30, seconds)
        return found["object"]
