"""Steps of one iteration under random pulls: no number overflows, and the rest shape comes back after release.

Each scene of the gallery for the reduced methods, without contact, at h = 1/60: a spring on a random place of the surface
is pulled to random places for the first nine tenths of the steps, then let go; gravity is off and bodies lose momentum to
the air, so that the end shows the rest shape.
"""

import argparse
import json
import pathlib
import sys

import numpy as np

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENES = ROOT / "scenes/gallery"
SETTLED = 5000  # steps, of which the last tenth is long enough to come to rest
NAMES = ("candy_twist", "octobot", "crab", "creature", "pendulum", "gator")


def pulled(name, steps, method, seed):
    """The scene, and when the spring lets go [s]."""
    import sinew

    random = np.random.default_rng(seed)
    scene = json.loads((SCENES / f"{name}.json").read_text())
    h = 1 / 60
    end = 0.9 * steps * h
    scene["size"] = "small"
    scene["time"] = {"step": h, "steps": steps}
    scene["gravity"] = [0, 0, 0]
    scene["solver"] = {"method": method, "handles": 16, "cubature": 400, "iterations": 1}
    body = scene["bodies"][0]
    body.pop("acceleration", None)
    body["springs"] = []
    body["fix"] = [fix for fix in body.get("fix", []) if "until" not in fix]
    body["damping"] = {"mass": 2}
    rest = sinew.Simulation(scene, base_dir=str(SCENES)).positions
    size = np.linalg.norm(rest.max(axis=0) - rest.min(axis=0))
    place = rest[random.integers(len(rest))]
    times = np.arange(0, end, 0.5)
    values = random.normal(0, 0.4 * size, (len(times), 3))
    values[0] = 0
    body["springs"] = [{"sphere": {"center": place.tolist(), "radius": 0.05 * size}, "to": place.tolist(),
                        "stiffness": 100, "until": end,
                        "motion": {"translate": {"times": times.tolist(), "values": values.tolist()}}}]
    return sinew.Simulation(scene, base_dir=str(SCENES)), rest, size


def shape_distance(x, rest):
    """The largest distance after the best rigid motion, so that free bodies may be anywhere."""
    a, b = x - x.mean(axis=0), rest - rest.mean(axis=0)
    u, _, vt = np.linalg.svd(a.T @ b)
    turn = u @ np.diag([1, 1, np.sign(np.linalg.det(u @ vt))]) @ vt
    return np.linalg.norm(a @ turn - b, axis=1).max()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=10000)
    parser.add_argument("--scenes", type=lambda text: text.split(","), default=NAMES)
    parser.add_argument("--methods", type=lambda text: text.split(","), default=("mixed", "reduced"))
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    faults = 0
    for name in arguments.scenes:
        for method in arguments.methods:
            sim, rest, size = pulled(name, arguments.steps, method, arguments.seed)
            largest = 0.0
            for step in range(arguments.steps):
                row = sim.step()
                largest = max(largest, row["energies"]["kinetic"])
                if row["outcome"] == "failed":
                    print(f"{name}, {method}: step {row['step']}: {row['reason']}")
                    faults += 1
                    break
            left = shape_distance(sim.positions, rest) / size
            bad = not np.isfinite(largest) or not np.isfinite(left) or (arguments.steps >= SETTLED and left > 1e-2)
            faults += bad
            print(f"{name}, {method}: {arguments.steps} steps, largest kinetic energy {largest:.3g} J, "
                  f"distance from the rest shape at the end {left:.1e} of the diagonal{': too far' if bad else ''}", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
