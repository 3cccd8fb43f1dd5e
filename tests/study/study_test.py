"""scripts/study: its arithmetic, what it refuses, and one study at tiny sizes.

Usage: study_test.py SINEW
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/study"

sys.path.append(str(ROOT / "tests/support"))
from script import load_script

study = load_script("study")


class Arithmetic(unittest.TestCase):

    def test_slopes(self):
        self.assertAlmostEqual(study.slope([(n, 3 * n**-1.5) for n in (1, 2, 5, 9)]), -1.5)
        self.assertAlmostEqual(study.slope([(1, 1), (2, 0), (4, 16)]), 2)  # an error of zero has no logarithm
        self.assertTrue(math.isnan(study.slope([(1, 1)])))
        first, *others = study.local_slopes([(1, 1), (2, 4), (4, 4)])
        self.assertTrue(math.isnan(first))
        self.assertEqual(others, [2, 0])

    def test_variants_are_what_compare_reads(self):
        self.assertEqual(study.variant("multilevel", handles=3, **study.printed(refinement=0), multilevel__basis="rbf"),
                         "multilevel:handles=3:multilevel.printed.refinement=0:multilevel.basis=rbf")

    def test_numbers(self):
        self.assertEqual([study.short(x) for x in (0.1234, 12.34, 123.4, math.nan, None)], ["0.12", "12", "123", "-", "-"])
        self.assertEqual(study.error(1.23e-5), "1.2e-5")
        self.assertEqual(study.iterations({"newton_iterations": 7, "steps_failed": 2}), "7 (2 not converged)")


class Script(unittest.TestCase):

    def call(self, *words):
        return subprocess.run([sys.executable, SCRIPT, "--sinew", SINEW, *words], capture_output=True, text=True)

    def test_errors(self):
        for words, text in ((["figures"], "invalid choice: 'figures'"), (["speed", "--handles", "3"], "speed has no such choice"),
                            (["bases", "--handles", "3,0"], "found 0, expected more than 0"),
                            (["bases", "--handles", "3,x"], "invalid list of int value: '3,x'"),
                            (["speed", "--scenes", "shoes"], "found shoes, expected some of"),
                            (["bases", "--json", "/none/x.json"], "/none does not exist; create it first"),
                            (["bases", "--sinew", "/none"], "/none: no such program")):
            with self.subTest(words):
                done = self.call(*words)
                self.assertEqual(done.returncode, 2)
                self.assertIn(text, done.stderr)

    def test_what_sinew_says_is_the_failure(self):
        done = self.call("speed", "--size", "1000", "--scenes", "kooshball")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "speed: check: error: ")

    def test_a_study(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "numbers.json"
            done = self.call("dirichlet", "--size", "0.03", "--handles", "4", "--steps", "10", "--markdown", "--json", file)
            self.assertEqual(done.returncode, 0, done.stderr)
            numbers = json.loads(file.read_text())
        first = numbers["tables"][0]
        self.assertEqual(len(first["rows"]), 4)
        self.assertTrue(all(len(row) == len(first["columns"]) for row in first["rows"]))
        self.assertIn("| " + " | ".join(first["rows"][0]) + " |", done.stdout)
        sag = {(row["dirichlet"], row["refined"]): row["over_newton"] for row in numbers["numbers"]["sag"]}
        # Bases that know of the fixed end bend there; refinement finds what others miss.
        self.assertLess(sag[False, False], sag[True, False])
        self.assertLess(abs(sag[True, True] - 1), 0.01)
        self.assertLess(abs(sag[False, True] - 1), 0.01)
        # A reader who types a command of the page gets its numbers.
        command = first["commands"][0]
        self.assertRegex(command, "^sinew compare scenes/gallery/cantilever_dirichlet.json --set size=0.03 ")
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "compare.json"
            again = subprocess.run([SINEW, *command.split()[1:], "--json", file], cwd=ROOT, capture_output=True, text=True)
            self.assertEqual(again.returncode, 0, again.stderr)
            errors = [method["max_error"] for method in json.loads(file.read_text())["methods"]]
        self.assertEqual(errors, [method["max_error"] for method in numbers["numbers"]["report"]["methods"]])

    def test_adaptive(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "numbers.json"
            done = self.call("adaptive", "--size", "0.025", "--scenes", "materials", "--json", file)
            self.assertEqual(done.returncode, 0, done.stderr)
            table = json.loads(file.read_text())["tables"][0]
        self.assertEqual([row[0] for row in table["rows"]], ["jello_soft", "jello_rubber", "jello_stiff"])
        self.assertTrue(all(len(row) == len(table["columns"]) for row in table["rows"]))
        self.assertEqual(len(table["commands"]), 3)


if __name__ == "__main__":
    SINEW = sys.argv.pop(1)
    unittest.main()
