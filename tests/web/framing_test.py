"""Where the camera of a run looks at first: at the action, from the side and above, near enough.

Usage: framing_test.py SINEW [unittest arguments]
"""

import pathlib
import unittest

import numpy as np

from runs import run
from browser import PageTest

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "web/src/action.js"
VIEW = 32  # vertical, in degrees
BAND = (0.45, 1.0)  # of the picture's height or width that the action fills


def body(name, place, velocity=(0, 0, 0), size=0.1):
    return {"name": name, "mesh": {"box": {"size": [size] * 3, "cells": [1, 1, 1]}}, "material": "rubber",
            "transform": {"translate": list(place)}, "velocity": list(velocity)}


def flight(*bodies, **changes):
    return {"sinew": 1, "name": "flight", "time": {"step": 0.02, "steps": 30}, "gravity": [0, -9.81, 0],
            "materials": {"rubber": {"model": "stable_neo_hookean", "young": 1e6, "poisson": 0.4, "density": 1000}},
            "contact": {"enabled": False}, "bodies": list(bodies), "output": {"formats": ["html"]}, **changes}


class Action(PageTest):
    """The box of the action, from boxes of made up frames."""

    def box(self, focus):
        self.browser.driver.get("about:blank")
        return np.array(self.browser.wait(
            """const url = URL.createObjectURL(new Blob([arguments[0]], {type: 'text/javascript'}));
               import(url).then(({actionBox}) => done(actionBox(arguments[1])), (e) => done(String(e)));""",
            SOURCE.read_text(), focus))

    @staticmethod
    def moving(centers, half=0.5):
        return [[[c - half for c in center], [c + half for c in center]] for center in centers]

    def test_what_rests_is_its_own_box(self):
        np.testing.assert_allclose(self.box(self.moving([[1, 2, 3]] * 9)), [[0.5, 1.5, 2.5], [1.5, 2.5, 3.5]])

    def test_a_path_is_shown_but_for_its_ends(self):
        low, high = self.box(self.moving([[0.1 * t, 0, 0] for t in range(101)]))
        self.assertTrue(-0.5 <= low[0] <= 0.6 and 9.4 <= high[0] <= 10.5, (low, high))
        np.testing.assert_allclose([low[1:], high[1:]], [[-0.5] * 2, [0.5] * 2])

    def test_a_jump_at_the_end_counts_little_more_than_the_motion(self):
        slow = [[0.05 * t, 0, 0] for t in range(60)]
        low, high = self.box(self.moving(slow + [[3 + 0.05 * t, 0, 0] for t in range(3)]))
        self.assertLess(high[0], 4)

    def test_long_rest_does_not_hide_the_motion(self):
        low, high = self.box(self.moving([[0, 0, 0]] * 2000 + [[0.2 * t, 0, 0] for t in range(40)]))
        self.assertGreater(high[0], 4)


class Framing(PageTest):
    """The camera of runs, by the positions in their pages."""

    def look(self, name, content, size=(900, 600)):
        run(self.root / name, content)
        self.browser.size(*size)
        self.browser.features({"prefers-reduced-motion": "reduce"})
        self.open("#panel=0&legend=0", self.root / name / "report.html")
        camera = np.array(self.browser.state()["camera"])
        width, height = self.browser.run("const c = document.querySelector('#view canvas');"
                                         "return [c.clientWidth, c.clientHeight];")
        frames = []
        for step in range(content["time"]["steps"] + 1):
            self.browser.goto(step)
            places = self.browser.run("return sinew.header.objects.map((o, k) => [...sinew.places(k)]);")
            frames.append([np.reshape(p, (-1, 3)) + self.browser.run("return sinew.origin;") for p in places])
        return camera, width / height, frames

    def project(self, camera, aspect, points):
        """To [-1, 1] in both directions of the picture."""
        eye, target = camera[:3], camera[3:]
        forward = (target - eye) / np.linalg.norm(target - eye)
        right = np.cross(forward, [0, 1, 0])
        right /= np.linalg.norm(right)
        local = (points - eye) @ np.array([right, np.cross(right, forward), forward]).T
        half = np.tan(np.radians(VIEW / 2))
        return local[:, :2] / local[:, 2:] / [half * aspect, half]

    def check(self, camera, aspect, points):
        seen = self.project(camera, aspect, points)
        low, high = seen.min(axis=0), seen.max(axis=0)
        self.assertLess(np.abs((low + high) / 2).max(), 0.2, "the middle of the action")
        fills = ((high - low) / 2).max()
        self.assertTrue(BAND[0] <= fills <= BAND[1], f"the action fills {fills:.2f} of the picture")
        # A three-quarter view: neither from the front nor from the side, and from above.
        way = camera[:3] - camera[3:]
        way /= np.linalg.norm(way)
        azimuth = np.degrees(np.arctan2(way[0], way[2]))
        self.assertTrue(15 < abs(azimuth) < 75, azimuth)
        self.assertTrue(10 < np.degrees(np.arcsin(way[1])) < 40)

    def test_a_body_that_flies_away_is_shown_on_its_way(self):
        camera, aspect, frames = self.look("away", flight(body("ball", (0, 0, 0), (3, 5, 0))))
        self.check(camera, aspect, np.concatenate([f[0] for f in frames[2:-2]]))

    def test_a_slow_and_a_fast_body(self):
        for name, speed in (("slow", 0.05), ("fast", 20)):
            scene = flight(body("ball", (0, 0, 0), (speed, 0, 0)), gravity=[0, 0, 0])
            camera, aspect, frames = self.look(name, scene)
            self.check(camera, aspect, np.concatenate([f[0] for f in frames[3:-3]]))

    def test_a_body_at_rest_stays_in_the_picture(self):
        scene = flight(body("still", (0, 0, 0), size=0.4), body("ball", (-0.6, 0, 0), (2, 0, 0)), gravity=[0, 0, 0])
        camera, aspect, frames = self.look("rest", scene)
        still = self.project(camera, aspect, frames[0][0])
        self.assertLess(np.abs(still).max(), 1)
        self.check(camera, aspect, np.concatenate([np.concatenate(f) for f in frames[2:-2]]))

    def test_a_window_of_another_shape_shows_as_much(self):
        scene = flight(body("ball", (0, 0, 0), (3, 5, 0)))
        for size in ((390, 844), (1200, 420)):
            camera, aspect, frames = self.look(f"shape{size[0]}", scene, size)
            self.check(camera, aspect, np.concatenate([f[0] for f in frames[2:-2]]))
        self.browser.size(390, 844)  # and so does one that changes
        self.browser.wait("setTimeout(done, 300);")
        changed = np.array(self.browser.state()["camera"])
        self.check(changed, 390 / self.browser.run("return document.querySelector('#view canvas').clientHeight;"),
                   np.concatenate([f[0] for f in frames[2:-2]]))


if __name__ == "__main__":
    unittest.main()
