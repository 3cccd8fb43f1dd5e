"""Videos and pictures that the page saves, and the sound of a run on it.

Usage: video_test.py SINEW [unittest arguments]
"""

import base64
import json
import shutil
import struct
import subprocess
import time
import unittest

import numpy as np

from runs import run, scene
from browser import PageTest
from live_page_test import until


def struck():
    """A steel bar that a ball strikes: a third of a second, of which the sound lasts longer."""
    steel = {"model": "neo_hookean", "young": 2e11, "poisson": 0.3, "density": 7800}
    return {
        "sinew": 1, "name": "struck", "time": {"step": 0.002, "steps": 150}, "materials": {"steel": steel},
        "gravity": [0, -9.81, 0],
        "bodies": [
            {"name": "bar", "mesh": {"box": {"size": [0.3, 0.01, 0.03], "cells": [12, 1, 1]}}, "material": "steel",
             "fix": [{"box": [[-0.16, -1, -1], [-0.149, 1, 1]]}]},
            {"name": "hammer", "mesh": {"box": {"size": [0.02, 0.02, 0.02], "cells": [1, 1, 1]}}, "material": "steel",
             "transform": {"translate": [0.13, 0.04, 0.003]}, "velocity": [0, -1, 0]}],
        "contact": {"distance": 2e-4}, "output": {"formats": ["html", "wav"], "sound": {"tail": 0.4}}}


def probe(path):
    """What ffprobe finds in a file: streams, and the times of their packets [s]."""
    command = ["ffprobe", "-v", "error", "-show_streams", "-show_packets", "-of", "json", path]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    times = {s["index"]: [float(p["pts_time"]) for p in found["packets"] if p["stream_index"] == s["index"]]
             for s in found["streams"]}
    return found["streams"], times


@unittest.skipUnless(shutil.which("ffprobe"), "ffmpeg is not installed")
class Video(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        run(cls.root / "boxes", scene())
        cls.page = cls.root / "boxes/report.html"
        run(cls.root / "struck", struck())
        cls.sounding = cls.root / "struck/report.html"

    def setUp(self):
        super().setUp()
        self.browser.size(720, 420)
        self.browser.features({"prefers-color-scheme": "light", "prefers-reduced-motion": "reduce"})  # pages rest

    def video(self, name, **options):
        text = self.browser.wait("sinew.video(arguments[0]).then(done, (e) => done('error: ' + e.message));", options)
        self.assertFalse(text.startswith("error"), text)
        path = self.root / name
        path.write_bytes(base64.b64decode(text))
        return path

    def pictures(self, path, width, height):
        command = ["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
        data = subprocess.run(command, check=True, capture_output=True).stdout
        return np.frombuffer(data, np.uint8).reshape(-1, height, width, 3).astype(int)

    def test_a_video_has_each_picture_at_its_time(self):
        self.open("#step=4")
        canvas = "const c = document.querySelector('#view canvas'); return [c.width, c.height, c.clientWidth];"
        before = self.browser.run(canvas)
        path = self.video("boxes.webm", width=320, height=200, fps=25, speed=0.2)
        (stream,), times = probe(path)
        self.assertIn(stream["codec_name"], ("vp8", "vp9"))
        self.assertEqual((stream["width"], stream["height"]), (320, 200))
        np.testing.assert_allclose(times[0], np.arange(26) / 25, atol=6e-4)  # 0.2 s, five times as slow; none is left out
        pictures = self.pictures(path, 320, 200)
        self.assertEqual(len(pictures), 26)
        moved = lambda a, b: (np.abs(pictures[a] - pictures[b]).max(axis=2) > 40).sum()
        self.assertGreater(moved(0, 12), 300)
        self.assertGreater(moved(12, 25), 100)
        self.assertEqual(self.browser.state()["step"], 4)  # the page is as before
        self.assertEqual(self.browser.run(canvas), before)
        length = self.browser.wait("""
            const bytes = Uint8Array.from(atob(arguments[0]), (c) => c.charCodeAt(0));
            const video = Object.assign(document.createElement('video'), {muted: true});
            video.onloadedmetadata = () => done([video.duration, video.videoWidth]);
            video.onerror = () => done(video.error.message);
            video.src = URL.createObjectURL(new Blob([bytes], {type: 'video/webm'}));""",
                                   base64.b64encode(path.read_bytes()).decode())
        self.assertEqual(length, [1.04, 320])

    def test_the_dialog_saves_and_can_be_left(self):
        self.open()
        self.browser.run("""window.saved = []; HTMLAnchorElement.prototype.click = function () {
            if (this.download) saved.push(this.download); };""")
        self.browser.key("e")
        self.assertTrue(self.browser.run("return document.getElementById('video').open;"))
        self.assertRegex(self.browser.text("#video-size option"), r"this page, \d+ × \d+")
        self.browser.run("""document.getElementById('video-size').options[0].value = '160x120';
                            document.getElementById('video-speed').value = '0.2';
                            document.getElementById('video-save').click();""")
        until(lambda: self.browser.run("return saved;") == ["boxes.webm"])
        self.assertFalse(self.browser.run("return document.getElementById('video').open;"))
        self.browser.key("e")
        self.browser.run("""document.getElementById('video-size').options[0].value = '160x120';
                            document.getElementById('video-speed').selectedIndex = 0;
                            document.getElementById('video-save').click();""")
        until(lambda: self.browser.run("return document.getElementById('video-progress').checkVisibility();"))
        self.browser.run("document.getElementById('video-close').click();")
        until(lambda: not self.browser.run("return document.getElementById('video-save').disabled;"))
        self.assertEqual(self.browser.run("return saved;"), ["boxes.webm"])

    def test_a_saved_picture_has_twice_the_pixels(self):
        self.open("#step=4")
        self.browser.run("""
            window.picture = null;
            URL.createObjectURL = (blob) => { blob.arrayBuffer().then((b) => { picture = [...new Uint8Array(b)]; });
                                              return 'about:blank'; };
            HTMLAnchorElement.prototype.click = () => {};
            window.canvas = document.querySelector('#view canvas');""")
        size = self.browser.run("return [canvas.clientWidth, canvas.clientHeight];")
        self.browser.key("p")
        until(lambda: self.browser.run("return Boolean(picture);"))
        data = bytes(self.browser.run("return picture;"))
        self.assertEqual(list(struct.unpack(">II", data[16:24])), [2 * n for n in size])
        self.assertEqual(self.browser.run("return [canvas.width, canvas.height];"), size)

    def test_the_sound_follows_the_clock(self):
        self.open("", self.sounding)
        status = lambda: self.browser.run("return sinew.sound();")
        self.assertTrue(self.browser.run("return document.getElementById('sound').checkVisibility();"))
        speeds = self.browser.run("return [...document.getElementById('speed').options].map((o) => o.value);")
        self.assertIn("1", speeds)  # though the run is short
        self.assertIsNone(status()["heard"])
        # A click of the user's: browsers play nothing without.
        x, y = self.browser.run("""const r = document.getElementById('sound').getBoundingClientRect();
                                   return [r.left + r.width / 2, r.top + r.height / 2];""")
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
                "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1})
        self.assertEqual(self.browser.run("return document.getElementById('sound').ariaPressed;"), "true")
        for speed in (1, 0.25):
            self.browser.run("sinew.set({speed: arguments[0], playing: true});", speed)
            until(lambda: status()["rate"] == speed)
            for _ in range(4):
                time.sleep(0.1)
                now = status()
                if now["heard"] is not None:
                    self.assertLess(abs(now["heard"] - now["wanted"]) / speed, 0.35, now)
        self.browser.run("sinew.set({speed: 0.01});")  # so slow that nothing would be heard
        until(lambda: status()["heard"] is None)
        self.browser.run("sinew.set({speed: 0.25}); sinew.goto(0);")
        until(lambda: status()["heard"] is not None)
        self.browser.run("sinew.set({sound: false});")
        until(lambda: status()["heard"] is None)
        self.assertEqual(self.browser.complaints(), [])

    def test_a_video_has_the_sound(self):
        self.open("", self.sounding)
        path = self.video("struck.webm", width=160, height=120, fps=24, speed=1)
        streams, times = probe(path)
        self.assertEqual([s["codec_type"] for s in streams], ["video", "audio"])
        self.assertEqual((streams[1]["codec_name"], streams[1]["sample_rate"]), ("opus", "48000"))
        wav = self.root / "struck/sound.wav"
        samples = lambda file: np.frombuffer(
            subprocess.run(["ffmpeg", "-v", "error", "-i", file, "-f", "f32le", "-ac", "1", "-ar", "48000", "-"],
                           check=True, capture_output=True).stdout, np.float32)
        given, found = samples(wav), samples(path)
        self.assertAlmostEqual(len(found) / len(given), 1, delta=0.05)
        count = min(len(given), len(found))
        shift = lambda n: np.corrcoef(given[:count - 2000], found[n:count - 2000 + n])[0, 1]
        best = max(range(0, 1200, 4), key=shift)
        self.assertLess(best / 48000, 0.02)
        self.assertGreater(shift(best), 0.8)
        self.assertGreater(times[0][-1], 0.6)  # the last picture stays until the sound has ended

    def test_runs_without_sound_have_no_button(self):
        self.open()
        self.assertFalse(self.browser.run("return document.getElementById('sound').checkVisibility();"))


if __name__ == "__main__":
    unittest.main()
