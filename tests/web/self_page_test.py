"""The page that simulates by itself: it steps, follows pulls, and is small.

Usage: self_page_test.py SINEW [unittest arguments]
"""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import time
import unittest

from browser import PageTest
from runs import SINEW

WEB = pathlib.Path(__file__).resolve().parents[2] / "web"


def scene(**changes):
    """A box that falls onto a floor."""
    result = {
        "sinew": 1, "name": "box", "time": {"step": 0.01, "steps": 100},
        "materials": {"rubber": {"model": "neo_hookean", "young": 1e5, "poisson": 0.4, "density": 1000}},
        "bodies": [{"name": "box", "mesh": {"box": {"size": [0.3, 0.1, 0.1], "cells": [9, 3, 3]}}, "material": "rubber",
                    "transform": {"translate": [0, 0.1, 0]}}],
        "obstacles": [{"name": "ground", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}],
        "solver": {"method": "reduced", "handles": 4},
    }
    result.update(changes)
    return result


def export(page, content, *options):
    path = page.with_suffix(".json")
    path.write_text(json.dumps(content))
    return subprocess.run([SINEW, "export", str(path), "--web", str(page), *options], capture_output=True, text=True,
                          timeout=300, env={**os.environ, "XDG_CACHE_HOME": str(page.parent / "cache")})


class Bundle(unittest.TestCase):
    def test_is_built_from_its_sources(self):
        names = [f"self/{path.name}" for path in (WEB / "self").iterdir()] + ["build_self.mjs", "dist/solver.wasm"]
        total = hashlib.sha256()
        for name in sorted(names):
            total.update(f"{name}\n".encode())
            total.update((WEB / name).read_bytes())
        found = re.search(r"sources ([0-9a-f]{64})", (WEB / "dist/self.html").read_text()).group(1)
        self.assertEqual(found, total.hexdigest(), "web/dist/self.html is stale: cd web && npm ci && node build_self.mjs")


class SelfPage(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = cls.root / "ball.html"
        done = export(cls.page, scene())
        if done.returncode != 0:
            raise AssertionError(done.stderr)

    def setUp(self):
        super().setUp()
        self.open()
        self.browser.run("sinew.pause();")

    def clock(self):
        return self.browser.run("return sinew.clock();")

    def coordinates(self):
        return self.browser.run("return sinew.coordinates();")

    def test_is_small(self):
        self.assertLess(self.page.stat().st_size, 2.5e6)

    def test_steps_by_itself(self):
        before = self.clock()["step"]
        self.browser.run("sinew.play();")
        end = time.monotonic() + 30
        while self.clock()["step"] < before + 5 and time.monotonic() < end:
            time.sleep(0.1)
        self.assertGreaterEqual(self.clock()["step"], before + 5)

    def test_starts_anew(self):
        self.browser.run("sinew.steps(3);")
        self.browser.wait("sinew.reset().then(() => done());")
        self.assertEqual(self.clock()["step"], 0)
        self.assertEqual(max(map(abs, self.coordinates())), 0)

    def test_a_pull_moves_the_body(self):
        self.browser.wait("sinew.reset().then(() => done());")
        self.browser.run("sinew.set({gravity: [0, 0, 0]});")
        place = self.browser.run("return sinew.place(0, 0);")
        target = [place[0] + 0.1, place[1], place[2]]
        self.browser.run("sinew.pull(0, 0, arguments[0]);", target)
        self.browser.wait("requestAnimationFrame(() => requestAnimationFrame(() => done()));")
        self.assertEqual(self.browser.run("return sinew.held();"), 1)
        self.browser.run("sinew.steps(30);")
        moved = self.browser.run("return sinew.place(0, 0);")
        self.assertGreater(moved[0], place[0] + 0.05)
        self.browser.run("sinew.release();")
        self.assertEqual(self.browser.run("return sinew.held();"), 0)

    def test_a_pointer_pulls(self):
        self.browser.wait("sinew.reset().then(() => done());")
        held = self.browser.run("""
            const canvas = document.querySelector('#view canvas');
            const box = canvas.getBoundingClientRect();
            const at = sinew.pixel(0, 0);
            const event = (type, x, y) => new PointerEvent(type, {pointerId: 7, pointerType: 'touch', button: 0,
              buttons: 1, clientX: box.left + x, clientY: box.top + y, bubbles: true, cancelable: true});
            canvas.setPointerCapture = () => {};
            const x = box.width / 2, y = box.height / 2;
            for (let dx = -0.4; dx <= 0.4; dx += 0.05) {
              for (let dy = -0.4; dy <= 0.4; dy += 0.05) {
                canvas.dispatchEvent(event('pointerdown', x + dx * box.width, y + dy * box.height));
                document.dispatchEvent(event('pointermove', x + dx * box.width + 60, y + dy * box.height));
              }
            }
            return at !== null;""")
        self.assertTrue(held)
        self.browser.wait("requestAnimationFrame(() => requestAnimationFrame(() => done()));")
        self.assertEqual(self.browser.run("return sinew.held();"), 1)

    def test_says_nothing_in_the_console(self):
        self.browser.run("sinew.steps(10);")
        errors = [entry for entry in self.browser.driver.get_log("browser") if entry["level"] == "SEVERE"]
        self.assertEqual(errors, [])


class Refusals(PageTest):
    def test_other_methods_are_refused_by_name(self):
        done = export(self.root / "newton.html", scene(solver={"method": "newton"}))
        self.assertEqual(done.returncode, 2)
        self.assertIn('"newton"', done.stderr)
        self.assertIn("--set solver.method=reduced", done.stderr)
        self.assertFalse((self.root / "newton.html").exists())


if __name__ == "__main__":
    unittest.main()
