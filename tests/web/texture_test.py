"""Textures on the page: where an image lies on bodies, and when it shows.

Usage: texture_test.py SINEW [unittest arguments]
"""

import pathlib
import sys
import unittest

from browser import PageTest
from runs import run

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

import image_file  # noqa: E402

# The side towards +z of a cube has the image upside down.
SURFACE = """v -0.05 -0.05 -0.05
v 0.05 -0.05 -0.05
v 0.05 0.05 -0.05
v -0.05 0.05 -0.05
v -0.05 -0.05 0.05
v 0.05 -0.05 0.05
v 0.05 0.05 0.05
v -0.05 0.05 0.05
vt 1 1
vt 0 1
vt 0 0
vt 1 0
f 5/1 6/2 7/3 8/4
f 1/1 4/1 3/1 2/1
f 1/1 2/1 6/1 5/1
f 2/1 3/1 7/1 6/1
f 3/1 4/1 8/1 7/1
f 4/1 1/1 5/1 8/1
"""


def scene(material="wall", **changes):
    soft = {"model": "neo_hookean", "young": 1e5, "poisson": 0.4, "density": 1000}
    return {
        "sinew": 1, "time": {"step": 0.01, "steps": 4}, "gravity": [0, 0, 0], "contact": {"enabled": False},
        "materials": {"wall": {**soft, "look": {"texture": "quarters.png", "roughness": 0.9}}},
        "bodies": [{"name": "cube", "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]}}, "material": material,
                    "velocity": [5, 0, 0], **changes}],
        "output": {"formats": ["vtu", "html"]}}  # yapf: disable


class Textures(PageTest):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        image_file.write_png(cls.root / "quarters.png", image_file.quarters())
        (cls.root / "cube.obj").write_text(SURFACE)
        run(cls.root / "projected", scene())
        run(cls.root / "placed", scene(render="cube.obj"))

    def colors(self):
        """Bright channels at the middles of the four quarters of the cube, which fills the middle of the view."""
        pixels = self.browser.pixels()
        height, width, _ = pixels.shape
        reach = height // 10
        return ["".join(name for name, value in zip("rgb", pixels[height // 2 + y * reach, width // 2 + x * reach]) if value > 120)
                for y in (-1, 1) for x in (-1, 1)]  # yapf: disable

    def test_a_projected_image_stands_upright_on_each_side_and_stays_on_the_body(self):
        for step in (0, 4):  # the cube has moved by twice its size
            for azimuth in (0, 90, 180, 270):
                self.open(f"#bare=1&play=0&step={step}&fit=frame&view={azimuth}:0", self.root / "projected/report.html")
                self.assertEqual(["r", "g", "b", "rg"], self.colors(), (step, azimuth))

    def test_texture_coordinates_of_a_render_surface(self):
        for step in (0, 4):
            self.open(f"#bare=1&play=0&step={step}&fit=frame&view=0:0", self.root / "placed/report.html")
            self.assertEqual(["rg", "b", "g", "r"], self.colors(), step)

    def test_other_colours_have_no_image(self):
        for color in ("body", "speed"):
            self.open(f"#bare=1&play=0&step=4&fit=frame&view=0:0&color={color}", self.root / "projected/report.html")
            self.assertEqual(1, len(set(self.colors())), color)

    def test_a_clear_body(self):
        content = scene()
        content["materials"]["wall"]["look"]["opacity"] = 0.9
        run(self.root / "clear", content)
        self.open("#bare=1&play=0&step=0&fit=frame&view=0:0", self.root / "clear/report.html")
        self.assertEqual(4, len({tuple(sorted(c)) for c in self.colors()}))

    def test_the_page_needs_no_other_file(self):
        (self.root / "alone.html").write_bytes((self.root / "projected/report.html").read_bytes())
        self.open("#bare=1&play=0&fit=frame&view=0:0", self.root / "alone.html")
        self.assertEqual(["r", "g", "b", "rg"], self.colors())


if __name__ == "__main__":
    unittest.main()
