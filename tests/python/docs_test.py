"""The documents: the code of the tutorial and of README.md runs and prints what they say, examples of scenes are valid."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import sinew

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "docs"))
from pages import ROOT, blocks, output_of, same_output


class Code(unittest.TestCase):

    def run_page(self, page, folder):
        """Runs the Python blocks of a page in one namespace; a text block behind one is what it prints."""
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder)
        names = {"__name__": "__main__"}
        listed = blocks(page)
        ran = 0
        for k, (language, text, line) in enumerate(listed):
            if language != "python":
                continue
            out = output_of(page, text, line, names)
            ran += 1
            if k + 1 < len(listed) and listed[k + 1][0] == "text":
                expected = listed[k + 1][1]
                self.assertTrue(same_output(out, expected), f"{page.name}:{line}: prints\n{out}but the page says\n{expected}")
        return ran

    def test_the_tutorial(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertGreaterEqual(self.run_page(ROOT / "docs/python.md", folder), 10)

    def test_the_readme(self):
        self.assertGreaterEqual(self.run_page(ROOT / "README.md", ROOT), 1)


class Scenes(unittest.TestCase):

    def test_the_scene_of_the_readme(self):
        texts = [text for language, text, _ in blocks(ROOT / "README.md") if language == "json"]
        self.assertTrue(texts)
        for text in texts:
            sinew.Simulation(json.loads(text))

    def test_the_reference_is_up_to_date(self):
        result = subprocess.run([ROOT / "scripts/scene_reference", "--check"], stderr=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_the_examples_of_the_reference(self):
        base = {"bodies": [{"mesh": {"sphere": {"radius": 0.1}}}]}
        for name, example in json.loads((ROOT / "docs/scene.examples.json").read_text()).items():
            with self.subTest(name):
                scene = {**base, **example}
                if name in ("materials", "from_data"):
                    cloth = {"sheet": {"size": [0.1, 0.1], "cells": [2, 2]}}
                    scene["bodies"] = [{
                        "mesh": cloth if "thickness" in content else base["bodies"][0]["mesh"],
                        "material": material,
                        "transform": {
                            "translate": [k, 0, 0]
                        }
                    } for k, (material, content) in enumerate(scene["materials"].items())]
                if name == "shapes" and not self.has_mesher():
                    self.skipTest("sinew-mesh is not built")
                sinew.Simulation(scene, ROOT / "scenes")  # where the files are

    @staticmethod
    def has_mesher():
        return (pathlib.Path(sinew.__file__).resolve().parents[2] / "bin/sinew-mesh").exists()


if __name__ == "__main__":
    sys.exit(unittest.main())
