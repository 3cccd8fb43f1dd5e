"""The documents: their code runs and prints what they say, their scenes are valid, their links and paths exist."""

import contextlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
# Files that docs/extending.md has a reader write.
EXAMPLES = ("gent", "bowl", "bowl_test", "shift_kinematics", "shift_kinematics_test", "gauss_seidel", "conjugate_direction", "conjugate_direction_test", "csv_frames", "tet_file", "tet_file_test")
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def blocks(page):
    """(language, text, line) of the fenced blocks of a page."""
    found, language, start = [], None, 0
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if language is None and line.startswith("```"):
            language, start, text = line[3:].strip(), number, []
        elif language is not None and line == "```":
            found.append((language, "\n".join(text) + "\n", start))
            language = None
        elif language is not None:
            text.append(line)
    return found


def same_output(found, expected):
    """Words are equal, numbers to 0.5 % or to one in the last place that the page shows."""
    if NUMBER.sub("#", found).split() != NUMBER.sub("#", expected).split():
        return False
    for a, b in zip(NUMBER.findall(found), NUMBER.findall(expected)):
        digits = len(b.split(".")[1]) if "." in b and "e" not in b else 0
        if abs(float(a) - float(b)) > max(0.005 * abs(float(b)), 1.01 * 10**-digits if "." in b else 0):
            return False
    return True


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
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile("\n" * line + text, str(page), "exec"), names)  # lines as in the page
            ran += 1
            if k + 1 < len(listed) and listed[k + 1][0] == "text":
                expected = listed[k + 1][1]
                self.assertTrue(same_output(out.getvalue(), expected),
                                f"{page.name}:{line}: prints\n{out.getvalue()}but the page says\n{expected}")
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
        return (pathlib.Path(sinew.__file__).resolve().parents[1] / "bin/sinew-mesh").exists()


class Pages(unittest.TestCase):

    @staticmethod
    def prose(page):
        return re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)

    @staticmethod
    def anchors(page):
        heads = re.findall(r"^#+ (.*)$", page.read_text(), flags=re.M)
        return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}

    def test_links_lead_somewhere(self):
        for page in PAGES:
            for link in re.findall(r"\]\(([^)\s]+)\)", self.prose(page)):
                if "://" in link:
                    continue
                path, _, anchor = link.partition("#")
                target = page.parent / path if path else page
                with self.subTest(page=page.name, link=link):
                    self.assertTrue(target.exists())
                    if anchor:
                        self.assertIn(anchor, self.anchors(target))

    def test_paths_exist(self):
        folders = [ROOT, ROOT / "src/sinew"]
        for page in PAGES:
            for path in re.findall(r"`((?:[a-z_]+/)+[\w.]+\.(?:cpp|h|py|json|txt))`", page.read_text()):
                if path.startswith(("build/", "out/")) or pathlib.PurePath(path).stem in EXAMPLES:
                    continue
                with self.subTest(page=page.name, path=path):
                    self.assertTrue(any((folder / path).exists() for folder in folders))

    def test_keys_are_those_of_the_schema(self):
        schema = json.loads((ROOT / "docs/scene.schema.json").read_text())["properties"]
        for page in PAGES:
            for block, key in re.findall(r"`(time|contact|solver|output|compare)\.(\w+)", page.read_text()):
                with self.subTest(page=page.name, key=f"{block}.{key}"):
                    self.assertIn(key, list(schema[block]["properties"]))

    def test_every_page_is_in_the_index(self):
        index = (ROOT / "docs/README.md").read_text()
        for page in (ROOT / "docs").glob("*.md"):
            if page.name != "README.md":
                self.assertIn(f"({page.name})", index)


if __name__ == "__main__":
    sys.exit(unittest.main())
