"""The multilevel method against newton, from the same hard state of the gallery's scenes.

Usage: quality_test.py SINEW [SCENE...]    (default: all scenes, in both norms of the tolerance)
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENES = sorted(path.stem for path in (ROOT / "scenes/gallery").glob("*.json"))

# Over the scene's diagonal. Where bodies balance or slip past an edge the tolerance itself leaves a vertex further off:
# there newton with another linear solver must be about as far.
LARGEST_ERROR_OF_A_STEP = 0.01
OVER_ANOTHER_SOLVER = 2
MEAN_ERROR_OF_TEN_STEPS = 0.002


def compare(name, steps, norm, method="multilevel"):
    """What `sinew compare` says of the method beside newton."""
    with tempfile.TemporaryDirectory() as folder:
        numbers = pathlib.Path(folder) / "compare.json"
        done = subprocess.run(
            [SINEW, "compare", ROOT / f"scenes/gallery/{name}.json", "--methods", f"newton,{method}", "--steps",
             str(steps), "--set", "size=small", "--set", f"solver.norm={norm}", "--set", "solver.cubature=stiffness",
             "--json", numbers],
            capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(f"{name}: {done.stderr}")
        if "did not converge" in done.stdout + done.stderr:
            raise AssertionError(f"{name}: {done.stdout}{done.stderr}")
        return json.loads(numbers.read_text())["methods"][1]


class Quality(unittest.TestCase):

    def test_errors_are_small(self):
        for name in NAMES:
            for norm in NORMS:
                with self.subTest(name, norm=norm):
                    one, ten = compare(name, 1, norm), compare(name, 10, norm)
                    print(f"{name}, {norm}: {one['max_error']:.5f} after one step; after ten {ten['max_error']:.5f}, "
                          f"mean {ten['mean_error']:.5f}", flush=True)
                    if one["max_error"] >= LARGEST_ERROR_OF_A_STEP:
                        other = compare(name, 1, norm, "newton-pcg")["max_error"]
                        print(f"  newton-pcg: {other:.5f}", flush=True)
                        self.assertLess(one["max_error"], OVER_ANOTHER_SOLVER * other)
                    if ten["mean_error"] >= MEAN_ERROR_OF_TEN_STEPS:
                        other = compare(name, 10, norm, "newton-pcg")["mean_error"]
                        print(f"  newton-pcg, mean after ten: {other:.5f}", flush=True)
                        self.assertLess(ten["mean_error"], OVER_ANOTHER_SOLVER * other)


if __name__ == "__main__":
    SINEW = sys.argv[1]
    NAMES = sys.argv[2:] or SCENES
    NORMS = ("mean",) if sys.argv[2:] else ("mean", "max")
    unittest.main(argv=sys.argv[:1])
