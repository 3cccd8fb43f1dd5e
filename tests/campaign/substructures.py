"""Reduced simulations in the modes of substructures: what they cost and keep.

Usage: PYTHONPATH=build/release/python /usr/bin/python3 tests/campaign/substructures.py PART [--tets N] [--steps N] [--domains N]
       [--cubature RULE] [--compare] [--out FILE]

speed    steps a second of a bar that swings by its weight, on one thread, by tets and modes
tumble   angular momentum that a thrown bar keeps, beside newton, by time integrator
stairs   15 bodies fall down a staircase, with friction
tree     a tree of --domains in gusts of wind
wire     a coiled wire of 120 modes that is let go
bend     how far a cantilever bends by its weight, in statics beside newton, and what steps of dynamics cost: modes that
         stay straight, modes with warping, and derivatives of modes

--out writes the scene of the part, for the program.
"""

import argparse
import json
import os
import tempfile
import time

import numpy as np

import sinew
from mode_meshes import box_mesh, cells_of, lumped
from mode_tables import scene_of

CORNERS = np.stack(np.meshgrid((0, 1), (0, 1), (0, 1), indexing="ij"), -1).reshape(-1, 3)


def cell_mesh(cells, edge):
    """The tet mesh of cubes of an edge [m] at integer places (m, 3), each cut into six tets around a diagonal."""
    places = (cells[:, None, :] + CORNERS).reshape(-1, 3)
    vertices, number = np.unique(places, axis=0, return_inverse=True)
    number = number.reshape(-1, 8)
    index = lambda c: number[:, 4 * c[0] + 2 * c[1] + c[2]]
    tets = []
    for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (1, 0, 2), (0, 2, 1), (2, 1, 0)):
        path = [np.zeros(3, dtype=int)]
        for axis in order:
            path.append(path[-1] + np.eye(3, dtype=int)[axis])
        if np.linalg.det(np.array(path[1:])) < 0:
            path[1:3] = path[2:0:-1]
        tets.append(np.stack([index(c) for c in path], -1))
    return sinew.Mesh(vertices * edge, np.concatenate(tets))


def cells_near(segments, edge):
    """Cells within a radius of any of segments (from, to, radius)."""
    found = []
    for a, b, radius in segments:
        low = np.floor((np.minimum(a, b) - radius) / edge).astype(int)
        high = np.ceil((np.maximum(a, b) + radius) / edge).astype(int)
        grid = np.stack(np.meshgrid(*(np.arange(l, h) for l, h in zip(low, high)), indexing="ij"), -1).reshape(-1, 3)
        centers = (grid + 0.5) * edge
        along = np.clip((centers - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
        found.append(grid[np.linalg.norm(centers - a - along[:, None] * (b - a), axis=1) <= radius])
    cells = np.unique(np.concatenate(found), axis=0)
    return largest_piece(cells)


def largest_piece(cells):
    """Those that hang together by faces, of several the most."""
    number = {tuple(c): k for k, c in enumerate(cells)}
    label = -np.ones(len(cells), dtype=int)
    for start in range(len(cells)):
        if label[start] >= 0:
            continue
        stack = [start]
        label[start] = start
        while stack:
            c = cells[stack.pop()]
            for axis in range(3):
                for sign in (-1, 1):
                    n = c.copy()
                    n[axis] += sign
                    k = number.get(tuple(n))
                    if k is not None and label[k] < 0:
                        label[k] = start
                        stack.append(k)
    values, counts = np.unique(label, return_counts=True)
    return cells[label == values[counts.argmax()]]


def run(scene, steps, show=None):
    """Milliseconds and Newton iterations a step, and steps that did not converge."""
    start = time.perf_counter()
    simulation = sinew.Simulation(scene)
    made = time.perf_counter() - start
    seconds, iterations, failed, contacts, least = 0, 0, 0, 0, np.inf
    for k in range(steps):
        start = time.perf_counter()
        report = simulation.step()
        seconds += time.perf_counter() - start
        iterations += report["newton_iterations"]
        failed += not report["converged"]
        contacts = max(contacts, report["contacts"])
        if report["contacts"]:
            least = min(least, report["min_distance"])
        if show:
            show(k, simulation)
    return simulation, {"made": made, "ms": 1000 * seconds / steps, "iterations": iterations / steps, "failed": failed,
                        "contacts": contacts, "least": least}


def speed(arguments):
    os.sched_setaffinity(0, {0})
    print("| tets | modes | cubature | prepared [s] | ms a step | steps a second | iterations a step | not converged |"
          "\n|---|---|---|---|---|---|---|---|")
    for tets in (5000, 20000, 80000):
        for count in (30, 60, 120):
            scene = scene_of(cells_of(tets), subspace="inertia_derivatives", handles=count, cubature=arguments.cubature)
            scene["gravity"] = [0, -25, 0]
            scene["time"] = {"step": 0.01, "steps": 200, "integrator": "bdf2"}
            _, got = run(scene, arguments.steps or 100)
            print(f"| {tets} | {count} | {arguments.cubature} | {got['made']:.1f} | {got['ms']:.2f} | {1000 / got['ms']:.0f} "
                  f"| {got['iterations']:.1f} | {got['failed']} |", flush=True)


def angular_momentum(simulation, mass):
    x, v = np.array(simulation.positions), np.array(simulation.velocities)
    center = (mass[:, None] * x).sum(0) / mass.sum()
    return np.linalg.norm((mass[:, None] * np.cross(x - center, v)).sum(0))


def tumble(arguments):
    mesh = box_mesh(cells_of(arguments.tets))
    mass = lumped(mesh, 1000.0)[::3]
    box = os.path.join(tempfile.mkdtemp(), "box.vtu")
    sinew.write_mesh(box, mesh)
    print("| integrator | method | angular momentum kept after 2 s | not converged |\n|---|---|---|---|")
    for integrator in ("implicit_euler", "bdf2", "newmark"):
        for method, solver in (("newton", {}), ("reduced", {"subspace": "inertia", "handles": 30})):
            scene = {"gravity": [0, 0, 0], "contact": {"enabled": False},
                     "time": {"step": 0.01, "steps": 200, "integrator": integrator},
                     "bodies": [{"name": "bar", "mesh": box, "angular_velocity": [1, 3, 5],
                                 "material": {"model": "stable_neo_hookean", "young": 1e6, "poisson": 0.4, "density": 1000}}],
                     "solver": {"method": method, **solver}}
            simulation = sinew.Simulation(scene)
            start = angular_momentum(simulation, mass)
            failed = sum(not simulation.step()["converged"] for _ in range(200))
            print(f"| {integrator} | {method} | {angular_momentum(simulation, mass) / start:.5f} | {failed} |", flush=True)


def stairs_scene(arguments):
    """Bars and blocks that fall onto the upper steps of a staircase and down it."""
    rng = np.random.default_rng(7)
    bodies = []
    for k in range(15):
        size = [[0.5, 0.2, 0.2], [0.3, 0.3, 0.3], [0.4, 0.12, 0.4]][k % 3]
        cells = [max(2, round(s / 0.3 * (arguments.tets / 6) ** (1 / 3))) for s in size]
        place = [0.1 + 0.55 * (k % 3), 1.75 + 0.55 * (k // 3), -0.3 + 0.3 * (k % 3)]
        bodies.append({"name": f"body {k}", "mesh": {"box": {"size": size, "cells": cells}}, "material": "rubber",
                       "transform": {"rotate": {"axis": rng.normal(size=3).tolist(), "degrees": float(rng.uniform(0, 90))},
                                     "translate": place},
                       "velocity": [1.2, 0, 0], "angular_velocity": rng.normal(size=3).tolist()})
    obstacles = [{"plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}]
    for k in range(5):
        obstacles.append({"mesh": {"box": {"size": [0.7, 0.3, 3], "cells": [2, 1, 4]}},
                          "transform": {"translate": [0.2 + 0.7 * k, 1.3 - 0.27 * k, 0]}})
    return {"sinew": 1, "materials": {"rubber": {"model": "stable_neo_hookean", "young": 4e5, "poisson": 0.4, "density": 1000}},
            "bodies": bodies, "obstacles": obstacles, "contact": {"friction": 0.4},
            "time": {"step": 0.01, "steps": 300, "integrator": "implicit_euler"},
            "solver": {"method": "reduced", "subspace": "inertia_derivatives", "handles": 24}}


def stairs(arguments):
    show(stairs_scene(arguments), arguments)


def tree_scene(arguments):
    """Branches part in three, five times: 1 + 3 + ... + 243 of them, in voxels."""
    rng = np.random.default_rng(3)
    segments = []

    def grow(at, direction, length, radius, depth):
        end = at + length * direction
        segments.append((at, end, radius))
        if depth == 0:
            return
        side = np.cross(direction, rng.normal(size=3))
        side /= np.linalg.norm(side)
        for k in range(3):
            angle = 2 * np.pi * k / 3
            out = np.cos(angle) * side + np.sin(angle) * np.cross(direction, side)
            grow(end, (0.75 * direction + 0.66 * out) / np.linalg.norm(0.75 * direction + 0.66 * out), 0.72 * length,
                 0.66 * radius, depth - 1)

    grow(np.zeros(3), np.array([0.0, 1.0, 0.0]), 1.6, 0.16, 5)
    edge = (1.2 / arguments.tets) ** (1 / 3)
    mesh = cell_mesh(cells_near([(a, b, max(r, 0.9 * edge)) for a, b, r in segments], edge), edge)
    path = "/tmp/tree.vtu" if not arguments.out else arguments.out.removesuffix(".json") + ".vtu"
    sinew.write_mesh(path, mesh)
    gusts = {"times": [0, 0.5, 1, 1.5, 2, 2.5, 3], "values": [[0, 0, 0], [4, 0, 1], [-2, 0, 2], [5, 0, -2], [0, 0, 3], [3, 0, 0], [0, 0, 0]]}
    return {"sinew": 1, "materials": {"wood": {"model": "stable_neo_hookean", "young": 2e7, "poisson": 0.3, "density": 600}},
            "bodies": [{"mesh": path, "material": "wood", "fix": [{"box": [[-9, -9, -9], [9, 0.1, 9]]}],
                        "acceleration": gusts}],
            "contact": {"enabled": False}, "time": {"step": 0.02, "steps": 150, "integrator": "bdf2"},
            "solver": {"method": "reduced", "subspace": "inertia", "handles": 6, "domains": arguments.domains}}


def tree(arguments):
    show(tree_scene(arguments), arguments)


def wire_scene(arguments):
    """Three turns of a coil that is held at one end and pulled long, then let go."""
    turns, radius, thick = 3, 0.3, 0.04
    angle = np.linspace(0, 2 * np.pi * turns, 60 * turns + 1)
    path = np.stack([radius * np.cos(angle), 0.16 * angle / (2 * np.pi), radius * np.sin(angle)], 1)
    edge = thick / 1.8
    mesh = cell_mesh(cells_near([(a, b, thick) for a, b in zip(path, path[1:])], edge), edge)
    file = "/tmp/wire.vtu" if not arguments.out else arguments.out.removesuffix(".json") + ".vtu"
    sinew.write_mesh(file, mesh)
    x = np.asarray(mesh.vertices)
    return {"sinew": 1, "materials": {"steel": {"model": "stvk", "young": 2e9, "poisson": 0.3, "density": 7800}},
            "bodies": [{"mesh": file, "material": "steel", "fix": [{"box": [[-9, -9, -9], [9, float(x[:, 1].min()) + 0.03, 9]]}]}],
            "contact": {"enabled": False}, "time": {"step": 0.01, "steps": 200, "integrator": "bdf2"},
            "gravity": [0, -9.81, 0],
            "solver": {"method": "reduced", "subspace": "inertia_derivatives", "handles": 120}}


def wire(arguments):
    show(wire_scene(arguments), arguments)


def bend(arguments):
    bar = box_mesh(cells_of(arguments.tets))
    size = np.ptp(np.asarray(bar.vertices), axis=0)
    mesh = sinew.Mesh(np.asarray(bar.vertices) / size * [1, 0.1, 0.1], np.asarray(bar.tets))
    path = os.path.join(tempfile.mkdtemp(), "bar.vtu")
    sinew.write_mesh(path, mesh)
    low = np.asarray(mesh.vertices)[:, 0].min()
    solvers = {"newton": {"method": "newton"},
               "straight": {"method": "reduced", "subspace": "linear", "handles": 30, "cubature": "all"},
               "warped": {"method": "reduced", "subspace": "linear", "handles": 30, "warping": True},
               "derivatives": {"method": "reduced", "subspace": "inertia_derivatives", "handles": 30},
               "modal_forces": {"method": "reduced", "subspace": "inertia_derivatives", "handles": 30, "cubature": "modal_forces"}}
    print("| gravity [m/s^2] | solver | prepared [s] | tip moves [m] | off newton | ms a step of dynamics | iterations | "
          "not converged |\n|---|---|---|---|---|---|---|---|")
    for gravity in (0.5, 2, 10):
        for name, solver in solvers.items():
            scene = {"gravity": [0, -gravity, 0], "contact": {"enabled": False}, "time": {"mode": "static", "steps": 8},
                     "bodies": [{"mesh": path, "fix": [{"box": [[low - 1e-6, -9, -9], [low + 1e-6, 9, 9]]}],
                                 "material": {"model": "stable_neo_hookean", "young": 1e6, "poisson": 0.4, "density": 1000}}],
                     "solver": solver}
            simulation, static = run(scene, 8)
            u = np.asarray(simulation.positions) - np.asarray(sinew.Simulation(scene).positions)
            reference = u if name == "newton" else reference
            _, swing = run({**scene, "time": {"step": 0.01, "steps": 200, "integrator": "bdf2"}}, arguments.steps or 100)
            print(f"| {gravity} | {name} | {static['made']:.2f} | {np.linalg.norm(u, axis=1).max():.3f} "
                  f"| {np.linalg.norm(u - reference) / np.linalg.norm(reference):.3f} | {swing['ms']:.2f} "
                  f"| {swing['iterations']:.1f} | {static['failed'] + swing['failed']} |", flush=True)


def show(scene, arguments):
    scene["solver"]["cubature"] = arguments.cubature
    if arguments.out:
        with open(arguments.out, "w") as file:
            json.dump(scene, file, indent=1)
        return
    steps = arguments.steps or scene["time"]["steps"]
    simulation, got = run(scene, steps)
    parts = simulation.subspace["substructures"]
    print(f"{len(simulation.positions)} vertices, {len(parts)} substructures, {sum(p['floats'] for p in parts)} of them float, "
          f"{len(simulation.reduced_coordinates)} coordinates, {len(simulation.subspace['tets'])} points")
    if arguments.compare:
        exact, full = run({**scene, "solver": {"method": "newton"}}, steps)
        x, reference, rest = (np.asarray(a) for a in (simulation.positions, exact.positions, sinew.Simulation(scene).positions))
        moved = np.linalg.norm(reference - rest, axis=1).max()
        print(f"newton takes {full['ms']:.1f} ms a step; the largest distance to it at the end is "
              f"{np.linalg.norm(x - reference, axis=1).max() / moved:.3f} of the largest motion, {moved:.3g} m")
    print(f"prepared in {got['made']:.1f} s; {got['ms']:.2f} ms and {got['iterations']:.1f} iterations a step over {steps} steps; "
          f"{got['failed']} not converged; at most {got['contacts']} contacts, least distance {got['least']:.3g} m")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("part", choices=["speed", "tumble", "stairs", "tree", "wire", "bend"])
    parser.add_argument("--tets", type=int, default=2000)
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--domains", type=int, default=500)
    parser.add_argument("--cubature", default="energies", help="of speed, stairs, tree and wire")
    parser.add_argument("--compare", action="store_true", help="with newton")
    parser.add_argument("--out", metavar="FILE")
    arguments = parser.parse_args()
    globals()[arguments.part](arguments)


if __name__ == "__main__":
    main()
