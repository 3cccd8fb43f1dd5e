"""Colours of bodies: the same everywhere, and told apart with any kind of colour vision."""

import itertools
import pathlib
import re
import sys
import unittest

import numpy as np

sys.argv[1:2] = []  # the binary is not needed
ROOT = pathlib.Path(__file__).resolve().parents[2]

# What someone sees who lacks one kind of cones, in linear sRGB (Machado, Oliveira, Fernandes, A physiologically-based
# model for simulation of color vision deficiency, 2009, severity 1).
SIGHT = {
    "usual": np.eye(3),
    "no red cones": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "no green cones": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "no blue cones": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
# Linear sRGB to Oklab (B. Ottosson, 2020).
CONES = np.array([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
                  [0.0883024619, 0.2817188376, 0.6299787005]])
OKLAB = np.array([[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
                  [0.0259040371, 0.7827717662, -0.8086757660]])
SMALLEST = 0.1  # between two of the palette; a usual one of ten colours has 0.02 to 0.04


def linear(color):
    c = np.array([int(color[at:at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055)**2.4)


def oklab(rgb):
    return OKLAB @ np.cbrt(np.clip(CONES @ rgb, 0, None))


def palette(path, pattern):
    return re.findall(r"#[0-9a-f]{6}", re.search(pattern, (ROOT / path).read_text(), re.S).group(1))


class Palette(unittest.TestCase):
    def setUp(self):
        self.colors = palette("web/src/colors.js", r"const palette = \[(.*?)\]")

    def test_colours_differ_with_any_colour_vision(self):
        self.assertEqual(len(self.colors), 8)
        for sight, matrix in SIGHT.items():
            seen = [oklab(np.clip(np.array(matrix) @ linear(color), 0, 1)) for color in self.colors]
            pairs = itertools.combinations(range(8), 2)
            least, a, b = min((np.linalg.norm(seen[i] - seen[j]), self.colors[i], self.colors[j]) for i, j in pairs)
            self.assertGreater(least, SMALLEST, f"{sight}: {a} and {b}")

    def test_charts_and_pictures_have_these_colours(self):
        lines = [color for color in self.colors if color not in ("#edd489", "#99c8e6")]  # too light for lines on white
        self.assertEqual(palette("src/sinew/app/svg_chart.cpp", r"series_colors\{(.*?)\}"), lines)
        self.assertEqual(palette("python/sinew/_sweep/page.html", r"COLORS = \[(.*?)\]"), lines)
        text = (ROOT / "src/sinew/render/render_scene.cpp").read_text()
        numbers = re.search(r"body_color.*?colors = \{(.*?)\};", text, re.S).group(1)
        self.assertEqual([f"#{number}" for number in re.findall(r"0x([0-9a-f]{6})", numbers)], self.colors)


if __name__ == "__main__":
    unittest.main()
