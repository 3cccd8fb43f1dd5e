"""Seconds of linear modes by shift-invert Lanczos iteration and of inertia modes, each with its factorisation, with meshes
of one shape at several edge lengths. The second column is one factorisation. In each cell Lanczos comes first, as in the paper. Theirs are the printed seconds of
Matlab's `eigs` and of inertia modes, on eight cores."""

from studies.frame.numbers import rounded, short
from studies.frame.paper import Table, Verdict

from .keys import SCENES, bench, held, timed_modes

MODES = (30, 60, 120, 240)
# Edge lengths of 50, 100, 200, 400, 600, 800 and 1000 thousand tets.
EDGES = {"small": (0.0203,), "medium": (0.0203, 0.0128), "large": (0.0203, 0.0161, 0.0128, 0.0102, 0.0089, 0.0081, 0.0075)}
THEIRS = {50: ((9.8, 0.7), (14.4, 1.0), (28.7, 2.1), (68.7, 4.2)), 100: ((12.4, 1.2), (20.1, 2.0), (50.9, 3.7), (132.8, 3.7)),
          200: ((41.2, 2.8), (59.7, 4.9), (131.7, 9.2), (290.7, 19.1)), 400: ((96.2, 5.8), (140.6, 10.2), (284.8, 17.7), (579.3, 33.6)),
          600: ((164.6, 8.6), (249.0, 15.5), (575.0, 29.7), (1496.8, 65.5)),
          800: ((235.7, 11.8), (341.1, 18.3), (883.2, 30.0), (1894.3, 56.9)),
          1000: ((260.0, 16.2), (568.1, 27.3), (1042.2, 44.9), (2238.8, 64.9))}


def measure(engine):
    result = []
    for edge in EDGES.get(engine.size, EDGES["small"]):
        settings = [f"size={edge}", "solver.multilevel.cache=false"]
        factor, = bench(engine, "factor", held(engine, "octobot", size=edge, subspace="inertia"), f"factor_{edge}")
        row = {"tets": factor["tets"], "factor": factor["factor"], "solve": factor["solve_of_six"], "seconds": []}
        for modes in MODES:
            row["seconds"].append([timed_modes(engine, SCENES / "octobot.json", "--kind", kind, "--count", modes,
                                               settings=settings)["seconds"] for kind in ("linear", "inertia")])
        result.append(row)
    return result


def theirs(tets):
    return THEIRS[min(THEIRS, key=lambda thousands: abs(thousands - tets / 1000))]


def tables(numbers):
    def cells(values):
        return [f"{short(a)}, {short(b)}" for a, b in values]
    return [Table("Seconds: linear modes, inertia modes", ["tets", "factorisation", *(f"{m} modes" for m in MODES), *(f"theirs, {m}" for m in MODES)],
                  [[rounded(row["tets"]), short(row["factor"]), *cells(row["seconds"]), *cells(theirs(row["tets"]))] for row in numbers])]


def verdict(numbers):
    ratios = [a / b for row in numbers for a, b in row["seconds"]]
    faster = [theirs(row["tets"])[k][1] / pair[1] for row in numbers for k, pair in enumerate(row["seconds"])]
    ours = (f"inertia modes are {min(ratios):.2g} to {max(ratios):.2g} times as fast as Lanczos; "
            f"they take {short(1 / max(faster))} to {short(1 / min(faster))} times the paper's seconds")
    if min(ratios) > 10:
        return Verdict("same", ours)
    eigs = [theirs(row["tets"])[k][0] / pair[0] for row in numbers for k, pair in enumerate(row["seconds"])]
    return Verdict("differs", ours, f"our Lanczos iteration is {min(eigs):.2g} to {max(eigs):.2g} times as fast as the paper's "
                   "`eigs`")
