"""Clusters of the shoe with the paper's 63 handles, with stiffness as in the paper (`stiffness_exponent: 1`) and of
equal size (the default). A cluster of several materials counts in parts, by its triangles. "Volume per cluster" is
relative to the midsole."""

import json
import pathlib

import numpy as np

from studies.frame.engine import SCENES, call, temporary_folder
from studies.frame.numbers import short
from studies.frame.paper import Table, Verdict

from . import decode
from .keys import HANDLES
from .pictures import join

SCENE = "shoe"
PARTS = {"elastomer": "midsole, 1e6 Pa", "fabric": "upper, 1e7 Pa", "sole rubber": "outsole, 1e8 Pa"}


def volumes(engine):
    """From the scene's mesh, for each material: its share of the volume, and the share of its tets at interfaces."""
    with temporary_folder() as folder:
        report = pathlib.Path(folder) / "check.json"
        call(engine.sinew, "check", SCENES / f"{SCENE}.json", "--set", f"size={engine.size}", "--brief", "--json",
             report)
        report = json.loads(report.read_text())
    mesh = engine.python().read_mesh(report["run"]["shapes"][0]["file"])
    edges = mesh.vertices[mesh.tets[:, 1:]] - mesh.vertices[mesh.tets[:, :1]]
    volume = np.linalg.det(edges) / 6
    interface = np.zeros(len(mesh.vertices), int)
    for region in np.unique(mesh.regions):
        interface[np.unique(mesh.tets[mesh.regions == region])] += 1
    crossing = (interface[mesh.tets] > 1).any(axis=1)
    totals, touching = {}, {}
    for region in np.unique(mesh.regions):
        count = int((mesh.regions == region).sum())
        material = next(name for name, facts in report["run"]["materials"].items() if facts["tets"] == count)
        totals[material] = float(volume[mesh.regions == region].sum() / volume.sum())
        touching[material] = float(crossing[mesh.regions == region].mean())
    return totals, touching


def measure(engine):
    share, touching = volumes(engine)
    numbers = {"volume": share, "touching": touching, "kinds": {}}
    with temporary_folder() as folder:
        for exponent in (1, 0):
            result = decode.page(engine, SCENE, folder, "--handles", HANDLES[SCENE], name=f"exponent_{exponent}",
                                 settings=[f"solver.multilevel.stiffness_exponent={exponent}"])
            counts = decode.clusters_in(result)
            numbers["kinds"][str(exponent)] = {"clusters": result["summary"]["clusters"], "counts": counts,
                                               "balance": result["summary"]["volume_balance"],
                                               "hops": result["summary"]["mean_hops"]}
            engine.picture(result["path"], f"exponent_{exponent}", "--view=20:15:1", "--no-legend", "--set", "dots=")
        join(engine, "clusters", ["exponent_1", "exponent_0"], ["exponent 1, as in the paper",
                                                                "exponent 0, the default"])
    return numbers


def sizes(numbers, exponent):
    """Volume per cluster of each material over that of the midsole."""
    counts = numbers["kinds"][exponent]["counts"]
    each = {name: numbers["volume"][name] / max(counts[name], 0.5) for name in PARTS}
    return {name: value / each["elastomer"] for name, value in each.items()}


def tables(numbers):
    rows = []
    for exponent in ("1", "0"):
        ratio = sizes(numbers, exponent)
        for name, what in PARTS.items():
            rows.append([exponent, what, f"{100 * numbers['volume'][name]:.0f} %",
                         short(numbers["kinds"][exponent]["counts"][name], 3),
                         short(ratio[name])])
    return [Table(f"{numbers['kinds']['1']['clusters']} clusters", ["exponent", "part", "volume", "clusters",
                                                                    "volume per cluster"], rows)]


def verdict(numbers):
    ratio = sizes(numbers, "1")
    ours = (f"volume per cluster over that of the midsole: outsole {short(ratio['sole rubber'])}, upper "
            f"{short(ratio['fabric'])}")
    if min(ratio["sole rubber"], ratio["fabric"]) > 1.3:
        return Verdict("same", ours)
    share = numbers["touching"]["sole rubber"]
    return Verdict("differs", ours, f"{100 * share:.0f} % of the outsole's tets touch an interface, where the metric "
                                    "ignores their own stiffness")
