"""How many places a mode the weights of energies need: gallery scenes in dense modes, against the same modes with all tets.

Usage: PYTHONPATH=build/release/python PATH=$PATH:build/release/bin /usr/bin/python3 tests/campaign/energy_places.py [--steps N] [--modes N]

For each scene and number of places: points that get a weight, and the largest distance of a vertex to the run with all
tets over the steps, over the largest motion of that run.
"""

import argparse
import json
import pathlib

import numpy as np

import sinew

SCENES = pathlib.Path(__file__).resolve().parents[2] / "scenes/gallery"
NAMES = ("candy_twist", "octobot", "crab", "creature", "pendulum", "gator")


def run(name, modes, cubature, steps):
    scene = json.loads((SCENES / f"{name}.json").read_text())
    scene["size"] = "small"
    scene["solver"] = {"method": "reduced", "subspace": "inertia_derivatives", "handles": modes, "cubature": cubature}
    simulation = sinew.Simulation(scene, base_dir=str(SCENES))
    frames = [np.array(simulation.positions)]
    failed = 0
    for _ in range(steps):
        failed += not simulation.step()["converged"]
        frames.append(np.array(simulation.positions))
    return np.stack(frames), len(simulation.subspace["tets"]), failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--modes", type=int, default=20)
    arguments = parser.parse_args()
    rules = [("modal_forces", "modal_forces")]
    rules += [(f"{k} a mode", {"rule": "energies", "points": k * arguments.modes}) for k in (4, 8, 12, 16)]
    print("| scene | all tets: failed | " + " | ".join(f"{name}: points, off, failed" for name, _ in rules) + " |")
    print("|---" * (2 + len(rules)) + "|")
    for name in NAMES:
        try:
            whole, _, failed = run(name, arguments.modes, "all", arguments.steps)
            moved = np.linalg.norm(whole - whole[0], axis=2).max()
            row = [name, str(failed)]
            for _, rule in rules:
                frames, points, failed = run(name, arguments.modes, rule, arguments.steps)
                row.append(f"{points}, {np.linalg.norm(frames - whole, axis=2).max() / moved:.3f}, {failed}")
        except sinew.InputError as error:
            row = [name, str(error)[:120]]
        print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
