"""Mean number of edges from a cluster's centre to its farthest vertex (`mean_hops` of `sinew subspace`), with as many
vertices per handle as in the paper, but at least four handles. The number depends on the vertices per handle, not on
the mesh."""

import json
import pathlib

from studies.frame.engine import call, temporary_folder
from studies.frame.numbers import rounded, short
from studies.frame.paper import Table, Verdict

from .table_1 import PAPER, handles


def measure(engine):
    numbers = {}
    with temporary_folder() as folder:
        report = pathlib.Path(folder) / "subspace.json"
        for scene in PAPER:
            facts, _ = engine.check(scene)
            words = engine.words("subspace", scene, ["solver.multilevel.stiffness_exponent=1"], "--handles",
                                 handles(scene, facts["vertices"]))
            call(engine.sinew, *words, "--json", report)
            result = json.loads(report.read_text())
            numbers[scene] = {"vertices": result["vertices"], "handles": result["handles"], "hops": result["mean_hops"]}
    return numbers


def per_handle(row):
    return row["vertices"] / row["handles"]


def tables(numbers):
    return [Table("Edges from centre to farthest vertex", ["scene", "vertices", "handles", "vertices per handle",
                                                           "theirs", "mean edges",
                                                           "CG in the paper"],
                  [[scene, rounded(row["vertices"]), row["handles"], short(per_handle(row), 3),
                    short(1000 * PAPER[scene][0] / (1000 * PAPER[scene][4] / 12), 3), short(row["hops"], 3),
                    PAPER[scene][10]]
                   for scene, row in numbers.items()])]


def verdict(numbers):
    hops = [row["hops"] for row in numbers.values()]
    ours = f"{short(min(hops))} to {short(max(hops))} edges"
    if 15 <= min(hops) and max(hops) <= 50:
        return Verdict("same", ours)
    few = sum(value < 15 for value in hops)
    return Verdict("differs", ours, f"{few} of {len(hops)} scenes have less than 15 edges. A compact cluster of 500 "
                                    "vertices has a radius of about 5 edges")
