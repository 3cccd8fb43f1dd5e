"""A sheet of springs, 1 m wide, hangs from two corners and swings down from the horizontal, with ten iterations a
frame. "Realistic" means near to steps that are solved to the tolerance: in the positions, and in the mean angle
between neighbouring cells of the sheet as a measure of wrinkles. Means are over the frames after the fall."""

import numpy as np

from studies.frame.numbers import percent, short
from studies.frame.paper import Table, Verdict

from .sims import rms, time

FRAMES, FROM = 60, 20
CELLS = {"small": 24, "medium": 80, "large": 80}
VARIANTS = {"L-BFGS (m = 5)": {"iterations": 10}, "Projective Dynamics (m = 0)": {"iterations": 10,
                                                                                  "quasi_newton": {"history": 0}},
            "converged": {"iterations": 0, "tolerance": 1e-2, "max_iterations": 400}}


def scene(cells, solver):
    corners = [{"sphere": {"center": [sign * 0.5, 0, -0.5], "radius": 1e-3}} for sign in (-1, 1)]
    return {
        "time": time(), "contact": {"enabled": False},
        "materials": {"cotton": {"model": "mass_spring", "young": 1e6, "thickness": 5e-4, "bending": 0.05,
                                 "density": 400}},
        "bodies": [{"name": "sheet", "mesh": {"sheet": {"size": [1, 1], "cells": [cells, cells]}}, "material": "cotton",
                    "fix": [{"any": corners}]}],
        "solver": {"method": "quasi_newton", **solver}}


def hinges(x, n):
    """Mean angle in degrees between the normals of neighbouring cells of the grid."""
    grid = x.reshape(n + 1, n + 1, 3)
    normals = np.cross(grid[1:, 1:] - grid[:-1, :-1], grid[1:, :-1] - grid[:-1, 1:])
    normals /= np.linalg.norm(normals, axis=2, keepdims=True)
    cosines = [(normals[1:] * normals[:-1]).sum(2), (normals[:, 1:] * normals[:, :-1]).sum(2)]
    return float(np.degrees(np.mean([np.arccos(np.clip(c, -1, 1)).mean() for c in cosines])))


def measure(engine):
    sinew, n = engine.python(), CELLS.get(engine.size, CELLS["small"])
    numbers = {"vertices": (n + 1)**2, "runs": {}}
    engine.note(f"Simulation: {FRAMES} frames of a sheet of {n} x {n} cells", program="Python")
    paths = {}
    for name, solver in VARIANTS.items():
        sim = sinew.Simulation(scene(n, solver))
        angles, path, energies = [], [], []
        for _ in range(FRAMES):
            row = sim.step()
            angles.append(hinges(sim.positions, n))
            path.append(sim.positions)
            energies.append(row["energies"])
        paths[name] = path
        numbers["runs"][name] = {"angles": angles, "kinetic": [e["kinetic"] for e in energies],
                                 "springs": [e["elastic"] + e["springs"] for e in energies]}
    for name, path in paths.items():
        numbers["runs"][name]["distance"] = [rms(a - b) for a, b in zip(path, paths["converged"])]
    return numbers


def draw(numbers, plots):
    figure, (left, right) = plots.axes(2)
    plots.lines(left, {name: [((i + 1) / 30, a) for i, a in enumerate(run["angles"])] for name,
                       run in numbers["runs"].items()},
                x="time [s]", y="mean angle between cells [degrees]")
    plots.lines(right, {name: [((i + 1) / 30, 1e3 * a) for i, a in enumerate(run["distance"])]
                        for name, run in numbers["runs"].items() if name != "converged"},
                x="time [s]", y="rms distance to converged steps [mm]")
    return figure


def mean(values):
    return sum(values[FROM:]) / len(values[FROM:])


def tables(numbers):
    return [Table(f"Sheet of {numbers['vertices']:,} vertices, means over frames {FROM + 1} to {FRAMES}",
                  ["run", "angle [degrees]", "distance to converged [mm]", "kinetic energy [J]"],
                  [[name, short(mean(run["angles"]), 3), short(1e3 * mean(run["distance"]), 2),
                    short(mean(run["kinetic"]), 2)]
                   for name, run in numbers["runs"].items()])]


def verdict(numbers):
    fast, plain, exact = numbers["runs"].values()
    far = [1e3 * mean(run["distance"]) for run in (fast, plain)]
    angles = [mean(run["angles"]) for run in (fast, plain, exact)]
    ours = (f"rms distance to converged steps {short(far[0], 2)} mm with L-BFGS, {short(far[1], 2)} mm without; mean "
            f"angle between cells {short(angles[0], 2)} and {short(angles[1], 2)} degrees ({short(angles[2], 2)} in "
            "converged steps)")
    if far[0] < 0.5 * far[1] and abs(angles[0] - angles[2]) < abs(angles[1] - angles[2]):
        return Verdict("same", ours)
    return Verdict("differs", ours, "L-BFGS is not clearly nearer to converged steps")
