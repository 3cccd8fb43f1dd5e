"""Bodies of the sizes of Table 1 with the same models, thrown and twisted. One frame of 1/30 s begins from the same state
for both methods: ten iterations with m = 5 as printed, and one Newton iteration. Times are the shortest of several
frames and include neither the constant factor nor the symbolic factorisation. The small size has the bodies up to 4,000
vertices."""

import json
import pathlib

from studies.frame.engine import temporary_folder, variant
from studies.frame.numbers import error, short
from studies.frame.paper import Table, Verdict

STEP = 1 / 30
POLYNOMIAL = {"model": "polynomial", "mu": 4e5}
RUBBER = {"young": 1e5, "poisson": 0.4}
STIFF_A = {"x": [0.2, 0.5, 0.8, 1, 1.25, 1.75, 2.5], "dy": [-1e6, -3e5, -6e4, 0, 2e4, 4e4, 9e4]}
STIFF_B = {"x": [0.2, 0.5, 0.8, 1, 1.25, 1.75, 2.5], "dy": [-1e5, -5e4, -1.8e4, 0, 6e4, 3e5, 1e6]}
VOLUME = {"x": [0.3, 0.6, 1, 2], "dy": [-4e5, -1e5, 0, 2e5]}


def box(size, cells):
    return {"box": {"size": size, "cells": cells}}


# Name, mesh, material, and the paper's vertices, elements, line-search steps, ms and error of ten iterations, ms and
# error of Newton's one.
BODIES = [
    ("Thin sheet", box([2, 0.05, 2], [18, 1, 17]), POLYNOMIAL, (660, 1932, 10.8, 4.4, 2.7e-8, 184, 8.8e-4)),
    ("Sphere", {"sphere": {"radius": 0.5, "size": 0.11}}, {"model": "spline", "a": STIFF_A, "c": VOLUME},
     (889, 1821, 24.5, 21.2, 2.7e-7, 188, 6.9e-4)),
    ("Sphere", {"sphere": {"radius": 0.5, "size": 0.11}}, {"model": "spline", "a": STIFF_B, "c": VOLUME},
     (889, 1821, 21.8, 19.7, 6.9e-6, 187, 2.5e-4)),
    ("Shaking bar", box([2, 0.4, 0.4], [22, 4, 4]), {"model": "corotated", **RUBBER}, (574, 1647, 10.1, 7.2, 1.6e-4,
                                                                                       171, 4.4e-3)),
    ("Shaking bar", box([2, 0.5, 0.5], [28, 6, 6]), {"model": "neo_hookean", **RUBBER},
     (1454, 4140, 11.7, 17.8, 3.0e-5, 305, 1.6e-3)),
    ("Hippo", {"sphere": {"radius": 0.5, "size": 0.078}}, {"model": "corotated", **RUBBER},
     (2387, 8406, 11.9, 40.6, 2.2e-3, 640, 3.7e-2)),
    ("Twisting bar", box([3, 0.7, 0.7], [42, 8, 8]), {"model": "neo_hookean", **RUBBER},
     (3472, 10441, 10.6, 45.6, 9.4e-5, 681, 7.9e-3)),
    ("Cloth", {"sheet": {"size": [1, 1], "cells": [80, 80]}},
     {"model": "mass_spring", "young": 1e6, "thickness": 5e-4, "bending": 0.05, "density": 400},
     (6561, 32160, 10.0, 42.3, 9.3e-4, 798, 1.2e-2)),
    ("Big Bunny", {"sphere": {"radius": 0.5, "size": 0.055}}, {"model": "corotated", **RUBBER},
     (6308, 26096, 49.2, 623, 9.8e-2, 2700, 2.8e-1)),
    ("Squirrel", box([1, 1, 1], [19, 19, 19]), POLYNOMIAL, (8395, 23782, 10.7, 153, 8.3e-8, 2400, 9.1e-6)),
    ("Squirrel", box([1, 1, 1], [31, 31, 31]), POLYNOMIAL, (33666, 125677, 10.5, 706, 1.5e-5, 15800, 5.4e-5)),
]
LARGEST = {"small": 4000, "medium": 10**6}
TEN = variant("quasi_newton", iterations=10, quasi_newton__rotations="false")
ONE = variant("newton", max_iterations=1)


def scene(mesh, material):
    """The body is held at its left end, except for the cloth, which is held at one side."""
    left = -0.5 * (mesh["box"]["size"][0] if "box" in mesh else 1)
    held = {"halfspace": {"point": [left * 0.99, 0, 0], "normal": [-1, 0, 0]}}
    return {"gravity": [0, -9.81, 0], "time": {"step": STEP, "substeps": 0, "max_travel": 0},
            "contact": {"enabled": False},
            "bodies": [{"mesh": mesh, "material": material, "fix": [held], "angular_velocity": [4, 0, 3]}],
            "solver": {"method": "quasi_newton", "tolerance": 1e-9}}


def measure(engine):
    sinew = engine.python()
    rows = []
    with temporary_folder() as folder:
        for name, mesh, material, theirs in BODIES:
            if theirs[0] > LARGEST.get(engine.size, 4000):
                continue
            text = {**scene(mesh, material), "gravity": [0, 0, 0]}
            rows.append({"body": name, "model": material["model"], "theirs": theirs, **relative_errors(sinew, text)})
            path = pathlib.Path(folder) / f"{name.lower().replace(' ', '_')}_{theirs[0]}.json"
            path.write_text(json.dumps(text))
            for threads in (1, 2):
                kept, engine.threads = engine.threads, ["--threads", threads]
                report = engine.compare(path, [TEN, ONE], first=3, steps=4)["methods"]
                engine.threads = kept
                for key, method in zip(("ten", "one"), report):
                    rows[-1][f"{key}_ms_{threads}"] = 1e3 * min(step["seconds"] for step in method["each_step"][1:])
    return rows


def relative_errors(sinew, text):
    """All methods start at y, as on the twisting bar: a simulation that rests at y has the same minimum."""
    before = sinew.Simulation({**text, "solver": {"method": "newton", "tolerance": 1e-4}})
    rest = before.positions
    for _ in range(3):
        before.step()
    y = before.positions + STEP * before.velocities
    held = [int(i) for i in range(len(rest)) if abs(before.positions[i] - rest[i]).max() == 0 and
            abs(before.velocities[i]).max() == 0]
    y[held] = rest[held]

    def run(solver):
        sim = sinew.Simulation({**text, "solver": {"tolerance": 1e-9, **solver}})
        sim.positions, sim.velocities = y, 0 * y
        start = sim.energies()
        row = sim.step()
        return sum(start[key] for key in ("kinetic", "elastic")), row
    start, exact = run({"method": "newton"})
    found = {"vertices": len(rest), "converged": exact["converged"]}
    least = exact["energies"]["kinetic"] + exact["energies"]["elastic"]
    for key, solver in (("ten", {"method": "quasi_newton", "quasi_newton": {"rotations": False}}),
                        ("one", {"method": "newton", "max_iterations": 1})):
        row = run(solver)[1]
        found[f"{key}_error"] = (row["energies"]["kinetic"] + row["energies"]["elastic"] - least) / (start - least)
        found[f"{key}_search"] = row["line_search_steps"]
    return found


def tables(numbers):
    heads = ["body", "model", "vertices", "line search", "ten: ms, 1 thread", "2 threads", "error", "Newton: ms, 1 "
                                                                                                    "thread",
             "2 threads", "error"]
    rows = []
    for row in numbers:
        theirs = row["theirs"]
        rows.append([row["body"], row["model"], f"{row['vertices']:,} ({theirs[0]:,})", f"{row['ten_search']} "
                                                                                        f"({theirs[2]:g})",
                     f"{short(row['ten_ms_1'])} ({theirs[3]:g})", short(row["ten_ms_2"]),
                     f"{error(max(0, row['ten_error']))} ({error(theirs[4])})", f"{short(row['one_ms_1'])} "
                                                                                f"({theirs[5]:g})",
                     short(row["one_ms_2"]), f"{error(max(0, row['one_error']))} ({error(theirs[6])})"])
    return [Table("Ours (theirs)", heads, rows)]


def verdict(numbers):
    largest = max(numbers, key=lambda row: row["vertices"])
    ratios = [row["one_ms_1"] / row["ten_ms_1"] for row in numbers]
    better = sum(row["ten_error"] < row["one_error"] for row in numbers)
    ours = (f"one thread: ten iterations {short(min(row['ten_ms_1'] for row in numbers))} to "
            f"{short(max(row['ten_ms_1'] for row in numbers))} ms. One Newton iteration takes {short(min(ratios))} to "
            f"{short(max(ratios))} times as long. Ten iterations have the smaller error on {better} of "
            f"{len(numbers)} bodies")
    speed = largest["theirs"][3] / largest["ten_ms_1"]
    if better < 0.7 * len(numbers):
        return Verdict("differs", ours, "one Newton iteration is more accurate on many of our bodies, which deform "
                                        "less")
    if min(ratios) < 3:
        return Verdict("differs", ours, "matrices of small and thin bodies are cheap to factor. Ten iterations are "
                                        f"{short(speed)} times as fast as the paper's on the largest body")
    return Verdict("same", ours)
