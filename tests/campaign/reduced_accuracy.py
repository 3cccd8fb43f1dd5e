"""Accepted steps of the reduced methods against the same steps solved 1e4 times tighter.

Each scene of the gallery for these methods goes its way; every step is made twice from the same positions and velocities,
once to the scene's tolerance and once to 1e-4 of it. The distance of the two ends over h, in the norm of the tolerance,
should not exceed a few tolerances.
"""

import argparse
import json
import pathlib
import sys

import numpy as np

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENES = ROOT / "scenes/gallery"
NAMES = ("candy_twist", "octobot", "crab", "creature", "pendulum", "gator", "creature_stairs")
TOLERANCE, TIGHTER = 1e-3, 1e-4


def simulation(name, method, norm, tolerance):
    import sinew

    scene = json.loads((SCENES / f"{name}.json").read_text())
    scene["size"] = "small"
    scene["solver"] = {"method": method, "handles": 16, "cubature": 400, "tolerance": tolerance, "norm": norm}
    # Rounds of lagged friction end at 5 % of the forces, far above the tolerances that are compared here.
    scene.setdefault("contact", {})["friction_iterations"] = 1
    return sinew.Simulation(scene, base_dir=str(SCENES)), scene["time"]["step"]


def errors(name, method, norm, steps):
    """Over the tolerance, of each step; and how many steps of either did not converge."""
    loose, h = simulation(name, method, norm, TOLERANCE)
    tight, _ = simulation(name, method, norm, TIGHTER * TOLERANCE)
    over, unconverged = [], 0
    for _ in range(steps):
        unconverged += sum(not sim.step()["converged"] for sim in (loose, tight))
        apart = np.linalg.norm(loose.positions - tight.positions, axis=1) / h
        over.append((apart.max() if norm == "max" else apart.mean()) / TOLERANCE)
        x, v = loose.positions, loose.velocities
        for sim in (loose, tight):  # both without history
            sim.positions = x
            sim.velocities = v
    return np.array(over), unconverged


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--scenes", type=lambda text: text.split(","), default=NAMES)
    parser.add_argument("--allowed", type=float, default=3, help="largest error in tolerances (default: 3)")
    arguments = parser.parse_args()
    faults = 0
    for norm in ("max", "mean"):
        for name in arguments.scenes:
            for method in ("mixed", "reduced"):
                over, unconverged = errors(name, method, norm, arguments.steps)
                bad = int((over > arguments.allowed).sum()) + unconverged
                faults += bad
                print(f"{name}, {method}, {norm}: {arguments.steps} steps, largest error {over.max():.2g} tolerances, "
                      f"{(over > 1).sum()} over 1, {unconverged} not converged{': FAULT' if bad else ''}", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
