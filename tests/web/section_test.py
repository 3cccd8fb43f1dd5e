"""Cuts that show a field: colours of the section, several bodies and materials, and bodies whose cuts stay grey.

Usage: section_test.py SINEW [unittest arguments]
"""

import unittest

import numpy as np

from runs import run, scene
from browser import PageTest
from vtu import read_vtu

CUT_GREY = (0x76, 0x7E, 0x89)


def spinning(cells=(8, 8, 8), **changes):
    """A block that turns about the vertical axis: its first frame has the speed omega r, also inside."""
    content = scene(time={"step": 0.01, "steps": 2}, obstacles=[], gravity=[0, 0, 0])
    content["bodies"] = [{"name": "block", "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": list(cells)}},
                          "material": "rubber", "angular_velocity": [0, 0, 10]}]
    content.update(changes)
    return content


class Section(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = cls.root / "block"
        run(cls.folder, spinning())
        cls.page = cls.folder / "report.html"

    def color_at(self, place):
        """The mean colour of the picture around a place in the scene's coordinates."""
        pixel = self.browser.run("const o = sinew.origin; return sinew.pixelOf(arguments[0].map((c, a) => c - o[a]));",
                                 list(place))
        x, y = round(pixel["x"]), round(pixel["y"])
        return self.picture[y - 1:y + 2, x - 1:x + 2, :3].mean(axis=(0, 1))

    def map_color(self, part):
        """Of the colour map, as the legend has it."""
        return np.array(self.browser.run("""
            const bar = document.querySelector('#legend .bar');
            const canvas = Object.assign(document.createElement('canvas'), {width: 1, height: 1001});
            const context = canvas.getContext('2d');
            const gradient = context.createLinearGradient(0, 1001, 0, 0);
            const stops = getComputedStyle(bar).backgroundImage.match(/rgba?\\([^)]*\\)/g);
            stops.forEach((c, k) => gradient.addColorStop(k / (stops.length - 1), c));
            context.fillStyle = gradient;
            context.fillRect(0, 0, 1, 1001);
            return [...context.getImageData(0, Math.round(1000 * (1 - arguments[0])), 1, 1).data].slice(0, 3);""",
                                         float(part)))

    def test_the_section_has_the_colours_of_the_values_inside(self):
        most = 10 * 0.05 * 2**0.5
        self.open(f"#bare=1&step=0&color=speed&range=0:{most}&clip=z:0.5&view=0:60&quality=fast")
        self.picture = self.browser.pixels()
        z = self.browser.run("return document.getElementById('clip-value').textContent;")
        self.assertIn("z =", z)
        for x, y in ((0.003, 0.002), (0.02, 0.01), (-0.03, 0.005), (0.035, -0.035), (0.01, 0.04)):
            wanted = self.map_color(10 * np.hypot(x, y) / most)
            found = self.color_at((x, y, 0))
            self.assertLess(np.abs(found - wanted).max(), 14, (x, y, found, wanted))
        self.assertEqual(self.browser.complaints(), [])

    def test_the_section_is_where_the_plane_is_and_follows_frames(self):
        self.open("#bare=1&step=0&color=speed&clip=x:0.3")
        counts = [self.browser.run("return sinew.sections()[0];")]
        self.assertGreater(counts[0], 8 * 8 * 2 - 1)
        self.browser.goto(2)
        counts.append(self.browser.run("return sinew.sections()[0];"))
        self.assertGreater(counts[1], 100)
        for changes in ({"clip": None}, {"colorBy": "material"}):
            self.browser.run("sinew.set(arguments[0]);", changes)
            self.assertEqual(self.browser.run("return sinew.sections();"), [0])

    def test_values_inside_are_those_of_the_run(self):
        self.open("#step=2&color=von_mises&clip=x:0.5")
        frame = read_vtu(self.folder / "frames/boxes_000002.vtu")
        x = frame["Points"]
        found = self.browser.run("const i = sinew.frame().insides[0]; return [[...i.positions], [...i.fields[2]]];")
        places = np.array(found[0]).reshape(-1, 3) + np.array(self.browser.run("return sinew.origin;"))
        self.assertEqual(len(places), len(x))
        speed = np.linalg.norm(frame["velocity"], axis=1)
        distance = np.linalg.norm(places[:, None] - x[None], axis=2)
        nearest = distance.argmin(axis=1)
        self.assertEqual(len(set(nearest)), len(x))
        self.assertLess(distance.min(axis=1).max(), 0.1 / 8000)
        self.assertLess(np.abs(np.array(found[1]) - speed[nearest]).max(), speed.max() / 250)

    def test_several_bodies_of_several_materials(self):
        folder = self.root / "pair"
        content = spinning((4, 4, 4))
        content["bodies"].append({"name": "foam block", "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [3, 3, 3]}},
                                  "material": "foam", "transform": {"translate": [0.2, 0, 0]}, "velocity": [0, 0, 1]})
        run(folder, content)
        self.open("#bare=1&step=0&color=speed&range=0:2&clip=y:0.5&view=0:20&quality=fast", folder / "report.html")
        self.picture = self.browser.pixels()
        counts = self.browser.run("return sinew.sections();")
        self.assertTrue(all(count > 0 for count in counts), counts)
        for x, speed in ((0.02, 0.2), (0.19, 1)):
            found, wanted = self.color_at((x, 0, 0.015)), self.map_color(speed / 2)
            self.assertLess(np.abs(found - wanted).max(), 14, (x, found, wanted))
        self.browser.run("sinew.set({hidden: new Set(['foam block'])});")
        self.picture = self.browser.pixels()
        self.assertGreater(np.abs(self.color_at((0.19, 0, 0.015)) - self.map_color(0.5)).max(), 40)

    def test_cuts_without_values_inside_stay_grey_and_say_why(self):
        folder = self.root / "rendered"
        corners = [[x, y, z] for x in (-0.05, 0.05) for y in (-0.05, 0.05) for z in (-0.05, 0.05)]
        quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
        lines = [f"v {x} {y} {z}" for x, y, z in corners]
        lines += [f"f {' '.join(str(v + 1) for v in quad)}" for quad in quads]
        (self.root / "box.obj").write_text("\n".join(lines) + "\n")
        content = spinning((4, 4, 4))
        content["bodies"][0]["render"] = "box.obj"
        run(folder, content)
        self.open("#step=0&color=speed&range=0:1&clip=z:0.5&view=0:60&quality=fast", folder / "report.html")
        self.picture = self.browser.pixels()
        self.assertLess(np.abs(self.color_at((0.01, 0, 0)) - CUT_GREY).max(), 25)
        self.assertIn("cut grey in block: render surfaces", self.browser.text("#legend"))
        self.assertEqual(self.browser.run("return sinew.sections();"), [0])
        self.open("#step=0&color=speed&clip=z:0.5")
        self.assertNotIn("grey", self.browser.text("#legend"))

    def test_edges_show_the_tets(self):
        self.open("#bare=1&step=0&color=speed&clip=z:0.5&view=0:60&quality=fast")
        smooth = self.browser.pixels()
        self.browser.run("sinew.set({edges: 'over'});")
        meshed = self.browser.pixels()
        self.assertGreater((np.abs(smooth - meshed).max(axis=2) > 12).sum(), 2000)


if __name__ == "__main__":
    unittest.main()
