"""A bar, held at one end and thrown at the other, so that stretches stay within the strain limits. Projective
Dynamics has a soft constraint, and strain limits that never act; the paper approximates the polynomial stress so. A
second run lacks the limits, which changes the energy by nothing. Both are computed in numpy with ten iterations a
frame, and converged. The polynomial material runs in sinew, with ten iterations and converged."""

import numpy as np

from studies.frame.engine import temporary_folder
from studies.frame.numbers import percent
from studies.frame.paper import Table, Verdict

from .comparator import Solid, factored, rotations, write_box
from .sims import time

STEP, FRAMES = 1 / 30, 30
SIZE, CELLS = [1, 0.2, 0.2], [10, 2, 2]
SOFT, LIMIT, WITHIN = 1e4, 2e5, 0.2  # k of the soft constraint and of the limits [Pa], strain where limits begin
SPEED = 0.4  # [m/s] of the free end
POLYNOMIAL = 4e4  # mu of the polynomial material [Pa]


def start_velocity(vertices):
    v = np.zeros_like(vertices)
    v[:, 1] = SPEED * (vertices[:, 0] + 0.5)**2
    return v


def limited(F):
    """Nearest matrices with stretches within the limits."""
    u, s, v = np.linalg.svd(F)
    return (u * np.clip(s, 1 - WITHIN, 1 + WITHIN)[:, None, :]) @ v


def outside(s):
    return s - np.clip(s, 1 - WITHIN, 1 + WITHIN)


def projective(solid, limits, iterations):
    """Mechanical energy after each frame."""
    k = SOFT + (LIMIT if limits else 0)
    solve = factored(solid.constant_matrix(2 * k))
    x, v = solid.rest.copy(), start_velocity(solid.rest)
    v[~solid.free] = 0
    energies = []
    for _ in range(FRAMES):
        y, old = x + STEP * v, x
        x = y.copy()
        for _ in range(iterations):
            F = solid.deformation(x)
            P = 2 * SOFT * (F - rotations(F))
            if limits:
                P = P + 2 * LIMIT * (F - limited(F))
            g = solid.gather(np.einsum("m,mij,maj->mai", solid.volumes, P, solid.gradients))
            g += (solid.mass / STEP**2)[:, None] * (x - y)
            g[~solid.free] = 0
            d = -solve(g)
            x = x + d
            if np.abs(d).max() < 1e-7:
                break
        v = (x - old) / STEP
        F = solid.deformation(x)
        elastic = SOFT * solid.volumes @ ((F - rotations(F))**2).sum((1, 2))
        if limits:
            elastic += LIMIT * solid.volumes @ ((F - limited(F))**2).sum((1, 2))
        energies.append(float(elastic + 0.5 * solid.mass @ (v**2).sum(1)))
    return energies


def polynomial(sinew, mesh, iterations):
    sim = sinew.Simulation({
        "gravity": [0, 0, 0], "time": time(), "contact": {"enabled": False},
        "bodies": [{"mesh": str(mesh), "material": {"model": "polynomial", "mu": POLYNOMIAL},
                    "fix": [{"halfspace": {"point": [-0.5, 0, 0], "normal": [-1, 0, 0]}}]}],
        "solver": {"method": "quasi_newton", "iterations": iterations}})
    sim.velocities = start_velocity(sim.positions)
    energies = []
    for _ in range(FRAMES):
        row = sim.step()
        energies.append(row["energies"]["kinetic"] + row["energies"]["elastic"])
    return energies


def measure(engine):
    sinew = engine.python()
    with temporary_folder() as folder:
        mesh, vertices, tets = write_box(sinew, folder, SIZE, CELLS)
        held = np.flatnonzero(vertices[:, 0] < -0.5 + 1e-9)
        solid = Solid(vertices, tets, None, STEP, held)
        engine.note("Simulation: the polynomial bar", program="Python")
        s = np.linspace(0.4, 1.6, 49)
        return {
            "stress": {"polynomial": [(float(x), float(4 * POLYNOMIAL * (x - 1)**3)) for x in s],
                       "two constraints": [(float(x), float(2 * SOFT * (x - 1) + 2 * LIMIT * outside(x))) for x in s]},
            "energy": {
                "limits, 10 iterations": projective(solid, True, 10),
                "no limits, 10 iterations": projective(solid, False, 10),
                "converged, both": projective(solid, False, 300),
                "polynomial, 10 iterations": polynomial(sinew, mesh, 10),
                "polynomial, converged": polynomial(sinew, mesh, 0),
            }}


def draw(numbers, plots):
    figure, (left, right) = plots.axes(2)
    plots.lines(left, {name: [(x, y / 1e3) for x, y in points] for name, points in numbers["stress"].items()},
                x="stretch",
                y="stress [kPa]")
    plots.lines(right, {name: [((i + 1) / 30, 1e3 * e) for i, e in enumerate(energies)]
                        for name, energies in numbers["energy"].items()}, x="time [s]", y="mechanical energy [mJ]")
    return figure


def mean(values):
    return sum(values) / len(values)


def shares(numbers):
    """Mean mechanical energy relative to converged steps."""
    energy = {name: mean(values) for name, values in numbers["energy"].items()}
    return (energy["limits, 10 iterations"] / energy["converged, both"], energy["no limits, 10 "
                                                                                "iterations"] / energy["converged, "
                                                                                                       "both"],
            energy["polynomial, 10 iterations"] / energy["polynomial, converged"])


def tables(numbers):
    names = ("strain limits that do not act", "no strain limits", "polynomial, quasi-Newton")
    return [Table(f"Mean mechanical energy of ten iterations over converged steps, {FRAMES} frames", ["run", "energy"],
                  [[name, percent(share, 0)] for name, share in zip(names, shares(numbers))])]


def verdict(numbers):
    limits, free, ours_ = shares(numbers)
    ours = (f"mean mechanical energy over that of converged steps: {percent(limits, 0)} with limits that do not act, "
            f"{percent(free, 0)} without, {percent(ours_, 0)} with the polynomial material and quasi-Newton")
    if limits < 0.9 * free and abs(ours_ - 1) < 0.5 * (1 - limits):
        return Verdict("same", ours)
    return Verdict("differs", ours, "limits that do not act cost little energy here" if limits >= 0.9 * free else
                   "quasi-Newton changes the energy of the polynomial bar as much")
