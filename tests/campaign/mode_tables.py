"""Times of bases and reduced models: the tables of Yang et al. 2015.

Usage: PYTHONPATH=build/release/python /usr/bin/python3 tests/campaign/mode_tables.py {whole,linear,cubature} [...]

whole     table 1: 30 modes from 12 inertia modes and 78 derivatives, poses and weights, of boxes of CELLS
linear    table 2: inertia modes beside modes of vibration by shift-invert Lanczos, in one run
cubature  table 3: modal beside optimised cubature, at equal errors of the forces
"""

import argparse
import os
import tempfile
import time

import sinew
from mode_meshes import SIZE, box_mesh, cells_of, held_end


def scene_of(cells, **solver):
    """A rubber box that is held at one end."""
    return {
        "sinew": 1,
        "materials": {"rubber": {"model": "stvk", "young": 1e6, "poisson": 0.4, "density": 1000}},
        "bodies": [{
            "mesh": {"box": {"size": SIZE, "cells": cells}},
            "material": "rubber",
            "fix": [{"box": [[-1, -1, -1], [-0.4999, 1, 1]]}]
        }],
        "solver": {"method": "reduced", **solver},
        "contact": {"enabled": False},
        "output": {"formats": []},
    }


def timed(call):
    start = time.perf_counter()
    result = call()
    return result, time.perf_counter() - start


def whole(arguments):
    print("| tets | vertices | poses | error | seconds, all |\n|---|---|---|---|---|")
    for tets in arguments.tets:
        scene = scene_of(cells_of(tets), subspace="inertia_derivatives", handles=30)
        simulation, seconds = timed(lambda: sinew.Simulation(scene))
        subspace = simulation.subspace
        print(f"| {tets} | {len(simulation.positions)} | {subspace['poses'].shape[1]} | {subspace['training_error']:.3f} "
              f"| {seconds:.2f} |", flush=True)


def linear(arguments):
    print("| tets | modes | Lanczos [s] | inertia [s] | faster by |\n|---|---|---|---|---|")
    material = sinew.Material("stvk", young=1e6, poisson=0.4)
    for tets in arguments.tets:
        mesh = box_mesh(cells_of(tets))
        fixed = held_end(mesh)
        for modes in arguments.modes:
            _, lanczos = timed(lambda: sinew.modes.linear(mesh, material, modes, fixed=fixed))
            _, inertia = timed(lambda: sinew.modes.inertia(mesh, material, modes, fixed=fixed))
            print(f"| {len(mesh.tets)} | {modes} | {lanczos:.2f} | {inertia:.2f} | {lanczos / inertia:.1f} |", flush=True)


def cubature(arguments):
    print("| tets | rule | points | error | seconds |\n|---|---|---|---|---|")
    for tets in arguments.tets:
        basis = dict(subspace="inertia_derivatives", handles=arguments.modes[0])
        _, modes_alone = timed(lambda: sinew.Simulation(scene_of(cells_of(tets), cubature="all", **basis)))
        for rule, points in (("modal_forces", (30, 60, 120, 240)), ("optimized", (15, 30, 60, 90))):
            for count in points:
                settings = {"rule": rule, "points": count, "poses": arguments.poses}
                if rule == "optimized":
                    settings["tolerance"] = 1e-4
                simulation, seconds = timed(lambda: sinew.Simulation(scene_of(cells_of(tets), cubature=settings, **basis)))
                subspace = simulation.subspace
                print(f"| {tets} | {rule} | {len(subspace['tets'])} | {subspace['training_error']:.4f} "
                      f"| {seconds - modes_alone:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("table", choices=["whole", "linear", "cubature"])
    parser.add_argument("--tets", type=lambda text: [int(t) for t in text.split(",")], default=[50000, 100000, 194000])
    parser.add_argument("--modes", type=lambda text: [int(t) for t in text.split(",")], default=[30, 60, 120, 240])
    parser.add_argument("--poses", type=int, default=1000, help="of cubature")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache  # nothing is read from earlier runs
        globals()[arguments.table](arguments)


if __name__ == "__main__":
    main()
