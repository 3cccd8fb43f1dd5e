"""Nonzero weights of four bases in one body (`cut_block_on_spike`, homogeneous), against the number of handles. Weights
below 1e-6 of the largest do not count."""

import json
import pathlib

from studies.frame.engine import call, temporary_folder
from studies.frame.numbers import percent, short
from studies.frame.paper import Table, Verdict

from .keys import BASES

SCENE = "cut_block_on_spike"
COUNTS = (10, 20, 40, 80)


def measure(engine):
    rows = []
    with temporary_folder() as folder:
        report = pathlib.Path(folder) / "subspace.json"
        for basis in BASES:
            for count in COUNTS:
                words = engine.words("subspace", SCENE, [f"solver.multilevel.basis={basis}"], "--handles", count)
                call(engine.sinew, *words, "--json", report)
                facts = json.loads(report.read_text())
                rows.append({"basis": basis, "handles": facts["handles"], "weights": facts["weights_per_vertex"],
                             "seconds": facts["seconds"]})
    return rows


def draw(numbers, plots):
    figure, ax = plots.axes()
    plots.lines(ax, {BASES[basis]: [(row["handles"], row["weights"]) for row in numbers if row["basis"] == basis]
                     for basis in BASES},
                x="handles", y="nonzero weights per vertex", log="xy")
    plots.ticks(ax, x=COUNTS)
    return figure


def most(numbers):
    return {basis: [row for row in numbers if row["basis"] == basis][-1] for basis in BASES}


def tables(numbers):
    rows = [[BASES[basis], *(short(row["weights"], 3) for row in numbers if row["basis"] == basis)] for basis in BASES]
    return [Table("Nonzero weights per vertex", ["basis", *(f"{count} handles" for count in COUNTS)], rows)]


def verdict(numbers):
    shares = {basis: row["weights"] / row["handles"] for basis, row in most(numbers).items()}
    ours = f"share of nonzero weights with {COUNTS[-1]} handles: " + ", ".join(f"{BASES[basis]} {percent(share, 0)}"
                                                                               for basis, share in shares.items())
    if max(shares["sms"], shares["rbf"]) < 0.5 and min(shares["biharmonic"], shares["eigenmodes"]) > 0.9:
        return Verdict("same", ours)
    return Verdict("differs", ours, "the sparse and the dense bases are others than in the paper")
