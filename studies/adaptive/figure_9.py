"""A cube on a spike, with three meshes and with a stiff material; as printed, enriched by one of 64 regions.
"Irregular" has rows of tets whose heights and widths differ by a factor of 4. Shares are by volume, since the meshes
have different numbers of vertices. A vertex has a quarter of the volume of its tets."""

import json
import pathlib

import numpy

from studies.frame.engine import SCENES, temporary_folder
from studies.frame.numbers import percent, rounded, short
from studies.frame.paper import Table, Verdict

from . import frames
from .keys import converged, printed

SCENE = "cube_on_spike"
STEPS = 14
EDGES = {"small": (0.025, 0.016), "medium": (0.016, 0.009), "large": (0.012, 0.006)}
FACE = 0.25  # edge of the cube [m]


def graded(count):
    """Places in [-1/2, 1/2] of rows whose widths grow by a factor of 4."""
    widths = numpy.geomspace(1, 4, count)
    return numpy.concatenate([[0], numpy.cumsum(widths)]) / widths.sum() - 0.5


def irregular_cube(engine, path, edge):
    """A grid of graded boxes, five tets each."""
    sinew = engine.python()
    count = max(4, round(1.4 * FACE / edge))
    line = FACE * graded(count)
    vertices = numpy.stack(numpy.meshgrid(line, line[::-1] * -1, line, indexing="ij"), -1).reshape(-1, 3)
    tets = []
    number = lambda i, j, k: (i * (count + 1) + j) * (count + 1) + k  # noqa: E731
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1), (1, 1, 1)]
    even = [(0, 1, 2, 4), (3, 1, 7, 2), (5, 1, 4, 7), (6, 2, 7, 4), (1, 2, 4, 7)]
    odd = [(1, 0, 5, 3), (2, 0, 3, 6), (4, 0, 6, 5), (7, 3, 5, 6), (0, 3, 6, 5)]
    for i in range(count):
        for j in range(count):
            for k in range(count):
                box = [number(i + a, j + b, k + c) for a, b, c in corners]
                tets += [[box[n] for n in tet] for tet in (odd if (i + j + k) % 2 else even)]
    tets = numpy.array(tets)
    flipped = frames.volumes(vertices, tets) < 0
    tets[flipped] = tets[flipped][:, [0, 2, 1, 3]]
    sinew.write_mesh(path, sinew.Mesh(vertices, tets))


def run(engine, settings, scene=SCENE):
    with temporary_folder() as folder:
        rows, _ = engine.keep_run(scene, "adaptive", f"{folder}/run",
                                  [*settings, *printed(SCENE, adaptive__regions=64)], steps=STEPS)
        most = 0.0
        for path in frames.paths(f"{folder}/run")[1:]:
            frame = frames.read(path)
            rest = frame["Points"] - frame["displacement"]
            volume = frames.volumes(rest, frame["tets"])
            part = float((frame["enriched"][frame["tets"]].mean(axis=1) * volume).sum() / volume.sum())
            most = max(most, part)
    moved = frame["displacement"]
    strain = frames.strains(rest, frame["Points"], frame["tets"])
    return {"share": most, "tets": len(frame["tets"]), "vertices": len(rest),
            "vertex_share": max(row["adaptive"]["share"] for row in rows),
            "handles": max(row["adaptive"]["handles"] for row in rows), "fallen": float(-moved[:, 1].mean()),
            "strain": float(numpy.average(strain, weights=volume)), "converged": converged(rows)}


def measure(engine):
    coarse, fine = EDGES.get(engine.size, EDGES["small"])
    numbers = {"coarse": run(engine, [f"bodies.0.mesh.size={coarse}"]),
               "fine": run(engine, [f"bodies.0.mesh.size={fine}"])}
    with temporary_folder() as folder:
        irregular_cube(engine, f"{folder}/cube.msh", coarse)
        text = json.loads((SCENES / f"{SCENE}.json").read_text())
        text["size"] = engine.size if engine.size.isalpha() else float(engine.size)
        text["bodies"][0]["mesh"] = f"{folder}/cube.msh"
        written = pathlib.Path(folder) / "irregular_cube.json"
        written.write_text(json.dumps(text))
        numbers["irregular"] = run(engine, [], written)
        engine.commands[-1] = engine.commands[-1].replace(f"{folder}/", "")
    numbers["coarse, 1e8 Pa"] = run(engine, [f"bodies.0.mesh.size={coarse}", "materials.rubber.young=1e8"])
    return numbers


def tables(numbers):
    return [Table(f"{STEPS} steps", ["mesh", "tets", "largest enriched share (volume)",
                                     "largest enriched share (vertices)", "most handles",
                                     "mean strain", "fallen [m]"],
                  [[name, rounded(row["tets"]), percent(row["share"]), percent(row["vertex_share"]), row["handles"],
                    short(row["strain"]), short(row["fallen"], 3)] for name, row in numbers.items()])]


def verdict(numbers):
    soft = [row["share"] for name, row in numbers.items() if "1e8" not in name]
    stiff = numbers["coarse, 1e8 Pa"]["share"]
    falls = [row["fallen"] for name, row in numbers.items() if "1e8" not in name]
    ours = ("enriched volume: " + ", ".join(f"{percent(row['share'])} ({name})" for name, row in numbers.items()) +
            f"; the soft cubes fall {short(min(falls), 3)} to {short(max(falls), 3)} m")
    if stiff == 0 and min(soft) > 0 and max(soft) < 2 * min(soft):
        return Verdict("same", ours)
    return Verdict("differs", ours, "the stiff cube is enriched" if stiff > 0
                   else "the enriched volume depends on the mesh")
