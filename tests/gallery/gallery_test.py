"""scripts/gallery: what it calls wrong, and that every scene of the gallery is right and has its page.

Usage: gallery_test.py SINEW [--steps N]
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/gallery"
SCENES = sorted(path.stem for path in (ROOT / "scenes/gallery").glob("*.json"))
PAGES = ROOT / "docs/gallery"

sys.path.append(str(ROOT / "tests/support"))
from script import load_script

gallery = load_script("gallery")


TOLERANCES = {"muscle": 3e-4}  # where it must resolve the speed of slip [m/s]

# Bodies with Poisson's ratios of 0.45 that are few tets thick: the outsole of the shoe, the walls of the boat.
FEW_LAYERS = {"shoe": "1 layer", "iceberg_boat": "[1-3] layers?"}

# What touches follows few coordinates, or is cloth: these have few tets, or none.
FOLLOWERS = ("dice", "gears", "pumpkins", "flag", "air_bed")


def rows(count, **changes):
    """Steps without a fault, but for changes of the last."""
    good = {"outcome": "converged", "min_jacobian": 0.5, "min_distance": None, "newton_iterations": 3, "contacts": 0}
    steps = [{**good, "step": step + 1} for step in range(count)]
    steps[-1].update(changes)
    return steps


class Judgement(unittest.TestCase):

    def refused(self, steps, expected, text):
        with self.assertRaisesRegex(gallery.Failure, text):
            gallery.judge(steps, expected)

    def test_good_steps_pass(self):
        gallery.judge(rows(3), 3)
        gallery.judge(rows(3, min_distance=1e-9), 3)

    def test_bad_steps_do_not(self):
        self.refused(rows(3, outcome="failed"), 3, "step 3 did not converge")
        self.refused(rows(3, min_jacobian=0), 3, "a tet is inverted after step 3")
        self.refused(rows(3, min_distance=0), 3, "surfaces touch after step 3")
        self.refused(rows(3), 4, "found 3 steps, expected 4")

    def test_the_hardest_step_is_one_with_contact(self):
        steps = rows(4)
        steps[0]["newton_iterations"] = 99
        self.assertEqual(gallery.hardest_step(steps), 1)
        steps[2].update(contacts=5, newton_iterations=20)
        self.assertEqual(gallery.hardest_step(steps), 3)


class Script(unittest.TestCase):

    def call(self, *words):
        return subprocess.run([sys.executable, SCRIPT, "--sinew", SINEW, *words], capture_output=True, text=True)

    def test_errors(self):
        for words, text in ((["shoes"], "found no scene shoes"), (["--steps", "0"], "expected at least 1"),
                            (["--sinew", "/none"], "/none: no such program")):
            done = self.call(*words)
            self.assertEqual(done.returncode, 2)
            self.assertIn(text, done.stderr)

    def test_a_scene_that_cannot_run_is_a_failure(self):
        done = self.call("--size", "1000", "--check-only", "basketball_drop")
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAILED", done.stdout)
        self.assertIn("basketball_drop: check: error: ", done.stderr)

    def test_all_scenes_are_right(self):
        with tempfile.TemporaryDirectory() as folder:
            numbers = pathlib.Path(folder) / "numbers.json"
            done = self.call("--output", folder, "--json", numbers, "--set", "solver.method=newton", *STEPS)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            scenes = json.loads(numbers.read_text())["scenes"]
        self.assertEqual(sorted(scenes), SCENES)
        for name, scene in scenes.items():
            with self.subTest(name):
                if name in FEW_LAYERS:
                    self.assertEqual(len(scene["warnings"]), 1)
                    self.assertRegex(scene["warnings"][0], f"{FEW_LAYERS[name]} of tets across")
                else:
                    self.assertEqual(scene["warnings"], [])
                paper = gallery.TRADING_SPACES.get(name)
                self.assertEqual(scene["tolerance"], paper[3] if paper else TOLERANCES.get(name, 1e-3))
                self.assertGreater(scene["faces"] if name in FOLLOWERS else scene["tets"], 2000)
                self.assertLess(scene["tets"], 40000)
                if not STEPS and scene["contacts"] > 0:  # what `sinew compare` starts from is followed by it
                    self.assertLessEqual(scene["compare_from"], scene["hardest_step"])
                    self.assertLessEqual(scene["hardest_step"], scene["compare_from"] + 45)

    def test_all_scenes_are_right_with_multilevel(self):
        with tempfile.TemporaryDirectory() as folder:
            tets = [name for name in SCENES if "mass_spring" not in (ROOT / f"scenes/gallery/{name}.json").read_text()]
            done = self.call("--output", folder, "--set", "solver.method=multilevel", "--set", "solver.norm=mean",
                             "--set", "solver.cubature=stiffness", *STEPS, *tets)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Documents(unittest.TestCase):

    def test_every_scene_has_its_page_and_picture(self):
        index = (PAGES / "README.md").read_text()
        for name in SCENES:
            with self.subTest(name):
                self.assertIn(f"({name}.md)", index)
                page = (PAGES / f"{name}.md").read_text()
                self.assertIn(f"scenes/gallery/{name}.json", page)
                pictures = re.findall(r"!\[[^\]]*\]\(([^)]+\.(?:png|jpg|webp))\)", page)
                self.assertTrue(pictures)
                pictures += re.findall(rf'src="({name}\.[a-z]+)"', index)
                for picture in pictures:
                    self.assertLess((PAGES / picture).stat().st_size, 1.5e6 if picture.endswith(".webp") else 150e3)

    def moduli_are_within(self, scene, text):
        moduli = [material["young"] for material in scene["materials"].values()]
        bounds = [float(bound) for bound in text.split("-")]
        self.assertTrue(bounds[0] <= min(moduli) and max(moduli) <= bounds[-1], (moduli, text))

    def test_scenes_of_the_papers_have_their_parameters(self):
        for name, paper in gallery.PAPER.items():
            scene = json.loads((ROOT / f"scenes/gallery/{name}.json").read_text())
            with self.subTest(name):
                self.assertEqual(scene["time"]["step"], paper[4])
                self.assertEqual(scene["contact"]["friction"], paper[5])
                self.assertEqual(scene["time"]["integrator"], {"IE": "implicit_euler", "BDF2": "bdf2"}[paper[6]])
                self.moduli_are_within(scene, paper[3])
        for name, (_, moduli, step, tolerance) in gallery.TRADING_SPACES.items():
            scene = json.loads((ROOT / f"scenes/gallery/{name}.json").read_text())
            with self.subTest(name):
                self.assertEqual(scene["time"]["step"], step)
                self.assertEqual(scene["solver"]["tolerance"], tolerance)
                self.assertEqual(scene["time"]["integrator"], "bdf2")
                self.moduli_are_within(scene, moduli)


if __name__ == "__main__":
    SINEW = sys.argv.pop(1)
    STEPS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
