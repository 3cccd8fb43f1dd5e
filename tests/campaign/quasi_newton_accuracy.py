"""Accepted steps of quasi_newton against those that newton makes 1e4 times tighter, from the same states.

Prints for each scene of the gallery the largest and smallest distance over h of the two ends, in tolerances, and the
iterations of a step, with the rotations of parts and without.
"""

import argparse
import json
import pathlib
import sys

import numpy as np

SCENES = pathlib.Path(__file__).resolve().parents[2] / "scenes/gallery"
NAMES = ("candy_twist", "crab", "octobot", "pendulum")
TOLERANCE = 1e-3  # [m/s]


def simulation(name, **solver):
    import sinew

    scene = json.loads((SCENES / f"{name}.json").read_text())
    scene["size"] = "small"
    scene["solver"] = solver
    return sinew.Simulation(scene, base_dir=str(SCENES)), scene["time"]["step"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=25)
    parser.add_argument("--scenes", type=lambda text: text.split(","), default=NAMES)
    parser.add_argument("--allowed", type=float, default=3, help="largest error in tolerances (default: 3)")
    arguments = parser.parse_args()
    faults = 0
    for name in arguments.scenes:
        exact, h = simulation(name, method="newton", tolerance=1e-4 * TOLERANCE)
        tried = [simulation(name, method="quasi_newton", tolerance=TOLERANCE, iterations=0,
                            quasi_newton={"rotations": on})[0] for on in (True, False)]
        errors, iterations, failed = [[], []], [[], []], [0, 0]
        for _ in range(arguments.steps):
            exact.step()
            for k, sim in enumerate(tried):
                row = sim.step()
                failed[k] += not row["converged"]
                iterations[k].append(row["newton_iterations"])
                errors[k].append(np.linalg.norm(sim.positions - exact.positions, axis=1).max() / h / TOLERANCE)
                sim.positions = exact.positions
                sim.velocities = exact.velocities
            exact.velocities = exact.velocities  # none has history
        bad = failed[0] > 0 or max(errors[0]) > arguments.allowed
        faults += bad
        for k, what in enumerate(("with rotations", "without")):
            print(f"{name}, {what}: errors {min(errors[k]):.2g} to {max(errors[k]):.3g} tolerances, "
                  f"{min(iterations[k])} to {max(iterations[k])} iterations, {failed[k]} not converged"
                  f"{': FAULT' if bad and k == 0 else ''}", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
