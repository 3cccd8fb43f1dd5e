"""Modes and modal cubature in numbers: the figures of Yang et al. 2015.

Usage: PYTHONPATH=build/release/python /usr/bin/python3 tests/campaign/mode_figures.py {spans,poses,reduction,deformation} [...]

spans        figure 5: the largest angle between the lowest modes of vibration and the span of inertia modes
poses        figure 9: the error of weights in the poses that they were fitted to, and in others
reduction    figure 13: seconds for 30 modes out of 18 linear ones and 171 derivatives, by principal components and at random
deformation  figure 14: the error of a large deformation against newton, by kind and number of modes
"""

import argparse
import os
import tempfile
import time

import numpy as np

import sinew
from mode_meshes import box_mesh, cells_of, held_end, lumped
from mode_tables import scene_of, timed

MATERIAL = sinew.Material("stvk", young=1e6, poisson=0.4)


def spans(arguments):
    mesh = box_mesh(cells_of(arguments.tets))
    fixed = held_end(mesh)
    root = np.sqrt(lumped(mesh, 1000.0))[:, None]
    lowest = root * sinew.modes.linear(mesh, MATERIAL, 12, fixed=fixed)[1]
    print("| inertia modes | largest angle to the 6 lowest modes [degrees] | to the 12 lowest |\n|---|---|---|")
    for count in (6, 12, 18, 24, 36, 48, 60):
        basis = np.linalg.qr(root * sinew.modes.inertia(mesh, MATERIAL, count, fixed=fixed)[1])[0]
        angles = [np.degrees(np.arcsin(min(1.0, np.linalg.norm(low - basis @ (basis.T @ low), 2))))
                  for low in (lowest[:, :6], lowest)]
        print(f"| {count} | {angles[0]:.3g} | {angles[1]:.3g} |", flush=True)


def poses(arguments):
    print("| poses | error of the fit |\n|---|---|")
    for count in (30, 60, 120, 240, 480, 960, "auto"):
        scene = scene_of(cells_of(arguments.tets), subspace="inertia_derivatives", handles=30,
                         cubature={"rule": "modal_forces", "poses": count})
        subspace = sinew.Simulation(scene).subspace
        print(f"| {count} ({subspace['poses'].shape[1]}) | {subspace['training_error']:.4f} |", flush=True)


def reduction(arguments):
    print("| tets | principal components [s] | at random [s] |\n|---|---|---|")
    for tets in (10000, 50000, arguments.tets):
        mesh = box_mesh(cells_of(tets))
        fixed = held_end(mesh)
        seconds = []
        for reduce in ("pca", "random"):
            _, elapsed = timed(lambda: sinew.modes.inertia_derivatives(mesh, MATERIAL, 30, fixed=fixed, linear=18, reduce=reduce))
            seconds.append(elapsed)
        print(f"| {len(mesh.tets)} | {seconds[0]:.2f} | {seconds[1]:.2f} |", flush=True)


def deformation(arguments):
    """A bar that bends by its weight, 40 steps of 0.02 s: the largest error over time, over its largest motion."""
    def run(**solver):
        scene = scene_of(cells_of(arguments.tets), **solver)
        scene["gravity"] = [0, -25, 0]
        scene["time"] = {"step": 0.02, "steps": 40, "integrator": "bdf2"}
        simulation = sinew.Simulation(scene)
        positions = [np.array(simulation.positions)]
        start = time.perf_counter()
        unconverged = 0
        for _ in range(40):
            unconverged += not simulation.step()["converged"]
            positions.append(np.array(simulation.positions))
        return np.array(positions), (time.perf_counter() - start) / 40, unconverged

    exact, seconds, _ = run(method="newton")
    moved = np.linalg.norm(exact - exact[0], axis=2).max()
    print(f"newton: {seconds:.3f} s a step, moves by {moved:.3f} m\n")
    print("| modes | kind | cubature | largest error | ms a step | not converged |\n|---|---|---|---|---|---|")
    for count in (10, 30, 60):
        for kind in ("linear", "derivatives", "inertia_derivatives"):
            for rule in ("all", "modal_forces"):
                x, seconds, unconverged = run(subspace=kind, handles=count, cubature=rule)
                error = np.linalg.norm(x - exact, axis=2).max() / moved
                print(f"| {count} | {kind} | {rule} | {error:.4f} | {1000 * seconds:.2f} | {unconverged} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("figure", choices=["spans", "poses", "reduction", "deformation"])
    parser.add_argument("--tets", type=int, default=20000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache  # nothing is read from earlier runs
        globals()[arguments.figure](arguments)


if __name__ == "__main__":
    main()
