"""Times of bases and reduced models: the tables of Yang et al. 2015.

Usage: PYTHONPATH=build/release/python /usr/bin/python3 tests/campaign/mode_tables.py {whole,linear,cubature} [...]

whole     table 1: 30 modes from 12 inertia modes and 78 derivatives, poses and weights, of boxes of CELLS
linear    table 2: inertia modes beside modes of vibration by shift-invert Lanczos, in one run
cubature  table 3: modal beside optimised cubature at equal errors of the forces of the same poses (--poses, --size)

factor, of the table `linear`, and `cubature` are timed by bench_modes, which is built beside the module.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import time

import numpy as np

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


def in_mesh(scene, path):
    """The same of the mesh of a file, held at its end of least x."""
    x = np.asarray(sinew.read_mesh(path).vertices)
    low, high = x.min(0), x.max(0)
    reach = 1e-3 * (high - low)
    scene["bodies"][0].update(mesh=os.path.abspath(path), fix=[{
        "box": [(low - reach).tolist(), [low[0] + reach[0], *(high + reach)[1:]]]
    }])
    return scene


def timed(call):
    start = time.perf_counter()
    result = call()
    return result, time.perf_counter() - start


def bench(part, scene, *numbers):
    """The rows of bench_modes for a scene, as they come."""
    program = pathlib.Path(sinew.__file__).resolve().parents[2] / "bin/bench_modes"
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(scene, file)
        file.flush()
        with subprocess.Popen([program, part, file.name, *map(str, numbers)], stdout=subprocess.PIPE, text=True) as run:
            for line in run.stdout:
                yield json.loads(line)
    if run.returncode:
        raise SystemExit(f"bench_modes {part}: exit code {run.returncode}")


def whole(arguments):
    print("| tets | vertices | poses | error | seconds, all |\n|---|---|---|---|---|")
    for tets in arguments.tets:
        scene = scene_of(cells_of(tets), subspace="inertia_derivatives", handles=30)
        simulation, seconds = timed(lambda: sinew.Simulation(scene))
        subspace = simulation.subspace
        print(f"| {tets} | {len(simulation.positions)} | {subspace['poses'].shape[1]} | {subspace['training_error']:.3f} "
              f"| {seconds:.2f} |", flush=True)


def linear(arguments):
    print("| tets | modes | Lanczos [s] | inertia [s] | of it the factorisation [s] | faster by |\n|---|---|---|---|---|---|")
    material = sinew.Material("stvk", young=1e6, poisson=0.4)
    for tets in arguments.tets:
        cells = cells_of(tets)
        mesh = box_mesh(cells)
        fixed = held_end(mesh)
        factor, = bench("factor", scene_of(cells, subspace="inertia"))
        for modes in arguments.modes:
            _, lanczos = timed(lambda: sinew.modes.linear(mesh, material, modes, fixed=fixed))
            _, inertia = timed(lambda: sinew.modes.inertia(mesh, material, modes, fixed=fixed))
            print(f"| {len(mesh.tets)} | {modes} | {lanczos:.2f} | {inertia:.2f} | {factor['factor']:.2f} "
                  f"| {lanczos / inertia:.1f} |", flush=True)


LEVELS = (0.6, 0.25, 0.1, 0.05, 0.03, 0.02, 0.01, 0.005)


def first_within(rows, level):
    """The row of the fewest points whose error is within the level."""
    return min((row for row in rows if row["error"] <= level), key=lambda row: row["points"], default=None)


def cubature(arguments):
    points = arguments.points or [8, 16, 32, 64, 96, 128, 192, 256, 384, 512, 768]
    for tets in arguments.tets[:1] if arguments.mesh else arguments.tets:
        scene = scene_of(cells_of(tets), subspace="inertia_derivatives", handles=arguments.modes[0],
                         cubature={"rule": "modal_forces", "points": points[0], "poses": 1, "pose_size": arguments.size})
        if arguments.mesh:
            in_mesh(scene, arguments.mesh)
        rows = list(bench("cubature", scene, arguments.poses, arguments.most, *points))
        of = lambda rule: [row for row in rows if row["rule"] == rule]
        drawn, = of("poses")
        print(f"{drawn['tets']} tets, {drawn['modes']} modes, {drawn['poses']} poses of {drawn['size']} of the diagonal: "
              f"{drawn['draw']:.2f} s drawn, {drawn['forces']:.2f} s forces of all tets\n")
        print("| modal: points | error | in other poses | equation 12 | forces at points [ms] | fit [ms] |\n|---|---|---|---|---|---|")
        for row in of("modal_forces"):
            print(f"| {row['points']} | {row['error']:.4f} | {row['other']:.4f} | {row['error_12']:.4f} "
                  f"| {1000 * row['at_points']:.1f} | {1000 * row['fit']:.1f} |")
        print("\n| error | points, optimised | fit [s] | and forces of candidates [s] | points, modal | fit [ms] "
              "| and forces at points [ms] | fit faster by | with forces by |\n|---|---|---|---|---|---|---|---|---|")
        for level in LEVELS:
            a, b = first_within(of("optimized"), level), first_within(of("modal_forces"), level)
            cells = [f"{a['points']} | {a['fit']:.2f} | {a['fit'] + a['at_points']:.2f}" if a else "- | - | -"]
            cells.append(f"{b['points']} | {1000 * b['fit']:.1f} | {1000 * (b['fit'] + b['at_points']):.1f}" if b else "- | - | -")
            cells.append(f"{a['fit'] / b['fit']:.0f} | {(a['fit'] + a['at_points']) / (b['fit'] + b['at_points']):.0f}"
                         if a and b else "- | -")
            print(f"| {100 * level:g} % | {' | '.join(cells)} |")
        end, = of("optimized_end")
        print(f"\noptimised, {end['points']} points: error {end['error']:.4f}, in other poses {end['other']:.4f}\n", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("table", choices=["whole", "linear", "cubature"])
    parser.add_argument("--tets", type=lambda text: [int(t) for t in text.split(",")], default=[50000, 100000, 194000])
    parser.add_argument("--modes", type=lambda text: [int(t) for t in text.split(",")], default=[30, 60, 120, 240])
    parser.add_argument("--poses", type=int, default=1000, help="of cubature")
    parser.add_argument("--size", type=float, default=0.1, help="of a pose, over the diagonal")
    parser.add_argument("--mesh", help="of cubature, in the place of boxes of --tets")
    parser.add_argument("--points", type=lambda text: [int(t) for t in text.split(",")], help="of modal cubature")
    parser.add_argument("--most", type=int, default=200, help="points of optimised cubature")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache  # nothing is read from earlier runs
        globals()[arguments.table](arguments)


if __name__ == "__main__":
    main()
