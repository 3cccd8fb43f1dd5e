"""Every script of examples/python runs and says what it should."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import sinew

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples/python"
# By script: a pattern of its output, and a check of the numbers in it.
EXPECTED = {
    "gripper.py": (r"ball: \d+ vertices, \d+ tets, ([\d.]+) g", lambda m: 10 < m < 14),
    "planning.py": (r"round 3: the best of 12 plans ends (\d+) mm from the goal", lambda d: d < 120),
    "grasp.py": (r"grip ([\d.]+) N; lifted by ([\d.]+) mm\ncontacts carry ([\d.]+) of the weight",
                 lambda grip, lift, share: grip > 0 and 45 < lift < 55 and abs(share - 1) < 0.1),
    "touch.py": (r"pairs carry ([\d.]+) of the weight", lambda share: abs(share - 1) < 0.02),
    "many_runs.py": (r"(\d+) steps a second; tips lie within ([\d.]+) mm", lambda rate, spread: rate > 0 and spread > 1),
    "gym_env.py": (r"tips end (\d+) mm from rest, reward (-[\d.]+)", lambda tip, reward: tip < 100),
    "tendon.py": (r"tendon lifts the tip by ([\d.]+) mm\npressure lifts the tip by ([\d.]+) mm\nmuscle lifts the tip by ([\d.]+) mm",
                  lambda *lifts: all(lift > 1 for lift in lifts)),
    "camera.py": (r"ball: (\d+) pixels, nearest point ([\d.]+) m away", lambda pixels, near: pixels > 500 and 0.25 < near < 0.4),
    "notebook.py": (r"simulated ([\d.]+) s", lambda seconds: seconds > 0),
    "sweep.py": (r"4000000 Pa, g =  9.81: the tip sinks by ([\d.]+) mm", lambda sag: abs(sag - 6.18) < 0.1),
    "threads.py": (r"one after the other ([\d.]+) s, together ([\d.]+) s", lambda alone, both: both < 1.3 * alone),
}


class Examples(unittest.TestCase):

    def test_each_script_is_tested(self):
        self.assertEqual({path.name for path in EXAMPLES.glob("*.py")}, set(EXPECTED))

    def test_scripts(self):
        for name, (pattern, holds) in EXPECTED.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                result = subprocess.run([sys.executable, "-B", EXAMPLES / name], capture_output=True, text=True, cwd=folder,
                                        env={**os.environ, "PYTHONPATH": str(pathlib.Path(sinew.__file__).parents[1])})  # yapf: disable
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                match = re.search(pattern, result.stdout)
                self.assertIsNotNone(match, result.stdout)
                self.assertTrue(holds(*map(float, match.groups())), result.stdout)
                self.assertEqual(list(pathlib.Path(folder).iterdir()), [])

    def test_the_docs_name_them_all(self):
        page = (EXAMPLES.parents[1] / "docs/howto/roboticists.md").read_text()
        self.assertEqual(set(re.findall(r"^\| `(\w+\.py)`", page, re.M)), set(EXPECTED))


if __name__ == "__main__":
    sys.exit(unittest.main())
