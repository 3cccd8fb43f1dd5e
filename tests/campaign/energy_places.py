"""How many places a mode the weights of energies need: gallery scenes in dense modes, against the same modes with all tets.

Usage: PYTHONPATH=build/release/python PATH=$PATH:build/release/bin /usr/bin/python3 tests/campaign/energy_places.py [--steps N] [--modes N] [--scenes NAME,...] [--most OFF]

For each scene and number of places: points that get a weight, and the largest distance of a vertex to the run with all
tets over the steps, over the largest motion of that run. --most: fails where the default is farther off than that.
"""

import argparse
import json
import pathlib
import sys

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
    parser.add_argument("--scenes", default=",".join(NAMES))
    parser.add_argument("--most", type=float)
    arguments = parser.parse_args()
    rules = [("modal_forces", "modal_forces")]
    rules += [(f"{k} a mode", {"rule": "energies", "points": k * arguments.modes}) for k in (4, 8, 16)]
    rules += [("default", "energies")]
    if arguments.most:
        rules = rules[-1:]
    good = True
    print("| scene | all tets: failed | " + " | ".join(f"{name}: points, off, failed" for name, _ in rules) + " |")
    print("|---" * (2 + len(rules)) + "|")
    for name in arguments.scenes.split(","):
        try:
            whole, _, failed = run(name, arguments.modes, "all", arguments.steps)
            moved = np.linalg.norm(whole - whole[0], axis=2).max()
            row = [name, str(failed)]
            for _, rule in rules:
                frames, points, failed = run(name, arguments.modes, rule, arguments.steps)
                off = np.linalg.norm(frames - whole, axis=2).max() / moved
                row.append(f"{points}, {off:.3f}, {failed}")
                good = good and not (arguments.most and (off > arguments.most or failed))
        except sinew.InputError as error:
            row = [name, str(error)[:120]]
            good = False
        print("| " + " | ".join(row) + " |", flush=True)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
