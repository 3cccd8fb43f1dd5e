"""scripts/study: the list of every paper, its pages, what it refuses, and one study at a tiny size.

Usage: study_test.py SINEW
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/study"
sys.path.insert(0, str(ROOT))
from studies import papers
from studies.frame import numbers, page, results
from studies.frame.engine import variant
from studies.frame.paper import Verdict
from studies.frame.plots import axes, lines, save


class Frame(unittest.TestCase):

    def test_slopes(self):
        self.assertAlmostEqual(numbers.slope([(n, 3 * n**-1.5) for n in (1, 2, 5, 9)]), -1.5)
        self.assertEqual(numbers.local_slopes([(1, 1), (2, 4), (4, 4)])[1:], [2, 0])

    def test_numbers(self):
        self.assertEqual([numbers.short(x) for x in (0.1234, 12.34, 123.4, float("nan"), None)], ["0.12", "12", "123", "-", "-"])
        self.assertEqual(numbers.error(1.23e-5), "1.2e-5")
        self.assertEqual(numbers.iterations({"newton_iterations": 7, "steps_failed": 2}), "7 (2 not converged)")
        self.assertEqual(results.rounded_numbers({"a": [0.123456789, 2]}), {"a": [0.123457, 2]})

    def test_variants_are_what_compare_reads(self):
        self.assertEqual(variant("multilevel", handles=3, multilevel__basis="rbf"), "multilevel:handles=3:multilevel.basis=rbf")

    def test_verdicts_need_their_reasons(self):
        for word, because in (("differs", ""), ("not done", ""), ("good", "why")):
            with self.assertRaises(ValueError):
                Verdict(word, "ours", because)

    def test_plots_are_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "plot.png"
            figure, ax = axes()
            lines(ax, {"a": [(1, 2), (2, 3)], "b": [(1, None), (2, 1)]}, x="x", y="y", log="xy")
            save(figure, path)
            self.assertEqual(path.read_bytes()[1:4], b"PNG")


class Papers(unittest.TestCase):

    def test_every_item_has_what_the_page_needs(self):
        for paper in papers.load_all():
            keys = [item.key for item in paper.items if item.verdict is None]
            for item in paper.items:
                with self.subTest(paper=paper.key, item=item.name):
                    self.assertTrue(item.theirs)
                    if item.verdict is None:
                        module = paper.module(item)
                        self.assertTrue(module.__doc__.strip())
                        self.assertTrue(callable(module.measure) and callable(module.verdict))
            self.assertTrue(keys)

    def test_figures_and_tables_stand_in_order(self):
        for paper in papers.load_all():
            for kind in ("Figure", "Table"):
                found = [int(item.name.split()[1]) for item in paper.items
                         if item.name.split()[0] == kind and item.name.split()[1].isdigit()]
                self.assertEqual(found, sorted(found), paper.key)

    def test_pages_are_up_to_date(self):
        for paper in papers.load_all():
            with self.subTest(paper.key):
                kept = ROOT / "docs/papers" / f"{paper.key}.md"
                self.assertEqual(kept.read_text(), page.page(paper),
                                 f"write it again with: scripts/study {paper.key} --page")

    def test_pictures_of_pages_exist(self):
        for paper in papers.load_all():
            for item in paper.measured():
                result = results.read_kept(paper, item.key)
                for name in result["pictures"] if result else ():
                    self.assertTrue((results.KEPT_PICTURES / f"{paper.key}_{name}").is_file(), name)


class Script(unittest.TestCase):

    def call(self, *words):
        return subprocess.run([sys.executable, SCRIPT, "--sinew", SINEW, *words], capture_output=True, text=True)

    def test_errors(self):
        for words, text in ((["figures"], "invalid choice: 'figures'"),
                            (["sms", "figure_99"], "ITEM: found figure_99, expected some of "),
                            (["all", "figure_8"], "ITEM: name a paper instead of all"),
                            (["sms", "--threads", "0"], "--threads: found 0, expected at least 1"),
                            (["sms", "--sinew", "/none"], "/none: no such program")):
            with self.subTest(words):
                done = self.call(*words)
                self.assertEqual(done.returncode, 2)
                self.assertIn(text, done.stderr)

    def test_what_sinew_says_is_the_failure(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.call("sms", "figure_8", "--size", "1000", "--out", folder)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "failed: sms figure_8: ")

    def test_the_list_names_every_item(self):
        done = self.call("all", "--list")
        self.assertEqual(done.returncode, 0, done.stderr)
        for paper in papers.load_all():
            for item in paper.items:
                self.assertIn(item.name, done.stdout)

    def test_a_study(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.call("sms", "figure_9", "--size", "0.03", "--out", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            result = json.loads((pathlib.Path(folder) / "sms/figure_9.json").read_text())
            self.assertTrue((pathlib.Path(folder) / "sms/figure_9.png").is_file())
        self.assertEqual((result["paper"], result["item"], result["size"]), ("sms", "figure_9", "0.03"))
        # A reader who types a command of the result gets its numbers.
        command = result["commands"][0]
        self.assertTrue(command.startswith("sinew compare scenes/gallery/cantilever_dirichlet.json --set size=0.03 "), command)
        again = subprocess.run([SINEW, *command.split()[1:]], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual(again.returncode, 0, again.stderr)


if __name__ == "__main__":
    SINEW = sys.argv.pop(1)
    unittest.main()
