"""Cubature rules of the subspace Hessian, in the hardest step of the stressball with the printed method. All steps end
by a test of the whole direction. `modal` is the rule of section 3.8.1, `stiffness` is fitted to the reduced stiffness
at rest, `polynomial` is the classical moment fitting."""

import json
import pathlib

from studies.frame.engine import call, temporary_folder
from studies.frame.numbers import error, short
from studies.frame.paper import Table, Verdict

from . import parts
from .parts import of

RULES = {"modal, degree 2": ("modal", 2), "modal, degree 1": ("modal", 1), "stiffness": ("stiffness", None),
         "polynomial, degree 1": ("polynomial", 1), "polynomial, degree 2": ("polynomial", 2),
         "polynomial, degree 4": ("polynomial", 4),
         "polynomial, degree 6": ("polynomial", 6)}


def measure(engine):
    variants = {"all tets": ({"hessian": "full"}, {})}
    for label, (rule, degree) in RULES.items():
        variants[label] = ({}, {"cubature__rule": rule, **({"cubature__degree": degree} if degree else {})})
    rows = parts.compare(engine, variants)
    tets = engine.check(parts.SCENE)[0]["tets"]
    with temporary_folder() as folder:
        report = pathlib.Path(folder) / "subspace.json"
        for label, (rule, degree) in RULES.items():
            cubature = {"rule": rule, **({"degree": degree} if degree else {})}
            words = engine.words("subspace", parts.SCENE, ["solver.multilevel.stiffness_exponent=1",
                                                           f"solver.cubature={json.dumps(cubature)}"],
                                 "--handles", parts.HANDLES, "--cubature")
            call(engine.sinew, *words, "--json", report)
            of(rows, label)["points"] = json.loads(report.read_text())["cubature_points"]
    of(rows, "all tets")["points"] = tets
    return rows


def tables(numbers):
    return [Table(f"One step of `{parts.SCENE}`, {parts.HANDLES} handles",
                  ["rule", "tets of the rule", "directions", "largest error"],
                  [[row["label"], row.get("points", "-"), row["text"], error(row["largest"])] for row in numbers])]


def draw(numbers, plots):
    figure, ax = plots.axes()
    series = {}
    for row in numbers:
        if "points" in row:
            series.setdefault(row["label"].split(",")[0], []).append((row["points"], row["iterations"]))
    plots.lines(ax, series, x="tets of the rule", y="directions", log="x")
    return figure


def verdict(numbers):
    modal, low, whole = of(numbers, "modal, degree 2"), of(numbers, "polynomial, degree 1"), of(numbers, "all tets")
    ours = (f"directions: {low['text']} (polynomial, degree 1, {low['points']} tets), {modal['text']} (modal, "
            f"{modal['points']}), {whole['text']} (all {whole['points']})")
    if low["iterations"] > 1.2 * modal["iterations"] and modal["iterations"] < 1.2 * whole["iterations"]:
        return Verdict("same", ours)
    return Verdict("differs", ours, "the rule changes the directions by less than a fifth: polynomials of degree 1 "
                                    f"take {short(low['iterations'] / modal['iterations'])} times as many as modal")
