"""All vertices of an animal with four legs start at random places in its bounding box, at rest, without gravity.
Corotated with mu and lambda in the ratio of the paper, m = 5, ten iterations a frame. The legs of the animal
(`creature`) are held by nothing. All tets are upright after 40 frames; then slender parts unbend slowly."""

import numpy as np

from studies.frame.engine import temporary_folder
from studies.frame.numbers import percent, short
from studies.frame.paper import Table, Verdict

from .sims import aligned, deformation, rms, time

FRAMES = 300
SHOWN = (0, 1, 2, 5, 10, 20, 40, 60, 120, 200, 300)


def mesh_of(engine, folder, shape):
    """The mesh of a gallery shape; finer ones do not change the point."""
    import subprocess
    path = f"{folder}/{shape}.msh"
    size = engine.size
    words = [engine.sinew.parent / "sinew-mesh", "shape", shape, "--size", size, "-o", path, "--quiet"]
    subprocess.run([str(word) for word in words], check=True)
    engine.note("shape", shape, "--size", size, "-o", f"{shape}.msh", program="sinew-mesh")
    return path


def measure(engine):
    sinew = engine.python()
    with temporary_folder() as folder:
        path = mesh_of(engine, folder, "creature")
        mesh = sinew.read_mesh(path)
        runs = {}
        for model in ("corotated", "fixed_corotated"):
            sim = sinew.Simulation({
                "gravity": [0, 0, 0], "time": time(), "contact": {"enabled": False},
                "bodies": [{"mesh": path, "material": {"model": model, "mu": 2e4, "lambda": 1e5}}],
                "solver": {"method": "quasi_newton", "iterations": 10}})
            rest, tets = mesh.vertices, mesh.tets
            low, high = rest.min(0), rest.max(0)
            sim.positions = low + np.random.default_rng(1).random(rest.shape) * (high - low)
            diagonal = float(np.linalg.norm(high - low))
            rows = []
            for frame in range(FRAMES + 1):
                if frame:
                    sim.step()
                x = sim.positions
                rows.append({"inverted": float((np.linalg.det(deformation(rest, tets, x)) <= 0).mean()),
                             "distance": rms(aligned(rest, x) - rest) / diagonal, "elastic": sim.energies()["elastic"]})
            runs[model] = rows
        engine.note(f"Simulation: {FRAMES} frames from random positions", program="Python")
    return {"vertices": len(rest), "tets": len(tets), "runs": runs}


def draw(numbers, plots):
    figure, (left, right) = plots.axes(2)
    plots.lines(left, {model: [(i, max(row["distance"], 1e-8)) for i, row in enumerate(rows)]
                       for model, rows in numbers["runs"].items()},
                x="frame", y="rms distance from rest / diagonal", log="y")
    plots.lines(right, {model: [(i, 100 * row["inverted"]) for i, row in enumerate(rows)]
                        for model, rows in numbers["runs"].items()}, x="frame", y="inverted tets [%]")
    return figure


def tables(numbers):
    return [Table(f"{model}, {numbers['vertices']:,} vertices, {numbers['tets']:,} tets",
                  ["frame", "inverted tets", "rms distance from rest / diagonal"],
                  [[n, percent(rows[n]["inverted"]), short(rows[n]["distance"], 2)] for n in SHOWN])
            for model, rows in numbers["runs"].items()]


def verdict(numbers):
    rows = numbers["runs"]["corotated"]
    first, last = rows[0], rows[-1]
    ours = (f"{percent(first['inverted'], 0)} inverted tets at the start, {percent(last['inverted'])} after {FRAMES} "
            f"frames; rms distance from rest {short(first['distance'], 2)} of the diagonal, then "
            f"{short(last['distance'], 1)}")
    if last["inverted"] == 0 and last["distance"] < 0.01:
        return Verdict("same", ours)
    other = numbers["runs"]["fixed_corotated"][-1]
    return Verdict("differs", ours, "some tets stay inverted: the energy has other minima there; with "
                                    f"`fixed_corotated` {percent(other['inverted'])} stay")
