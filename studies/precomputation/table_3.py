"""Optimised cubature (An, Kim, James 2008), whose points are found one by one among 1000 random candidates, and modal
cubature, whose points lie on a grid. Both fit the forces of the same 1000 poses; the error is that of all poses together.
Seconds are those of the fit; in brackets with the forces that it needs."""

from studies.frame.numbers import percent, short
from studies.frame.paper import Table, Verdict

from .keys import bench, held

POSES = 1000
POINTS = (4, 8, 16, 32, 48, 64, 96, 128, 192)
MOST = {"small": 50, "medium": 150, "large": 150}
LEVELS = (0.6, 0.25, 0.1, 0.05, 0.03, 0.02, 0.01)
THEIRS = {0.6: (2, 1, 9.2, 0.02), 0.25: (7, 8, 29.7, 0.02), 0.1: (21, 17, 74.5, 0.03), 0.03: (50, 28, 128.9, 0.05),
          0.01: (110, 59, 206.0, 0.13)}


def first_within(rows, level):
    """The fewest points whose error is within the level."""
    return min((row for row in rows if row["error"] <= level), key=lambda row: row["points"], default=None)


def measure(engine):
    scene = held(engine, "octobot", size="small", cubature={"rule": "modal_forces", "points": POINTS[0], "poses": 1})
    rows = bench(engine, "cubature", scene, "octobot", POSES, MOST.get(engine.size, MOST["small"]), *POINTS)
    keys = ("points", "error", "fit", "at_points")
    of = {rule: [{key: row[key] for key in keys} for row in rows if row["rule"] == rule] for rule in ("optimized", "modal_forces")}
    return {"tets": rows[0]["tets"], "modes": rows[0]["modes"],
            "levels": [{"level": level, **{rule: first_within(of[rule], level) for rule in of}} for level in LEVELS]}


def both(numbers):
    return [row for row in numbers["levels"] if row["optimized"] and row["modal_forces"]]


def tables(numbers):
    def cells(row, level, index):
        theirs = THEIRS.get(level)
        if not row:
            return ["-", "-", theirs[index] if theirs else "-", theirs[index + 2] if theirs else "-"]
        return [row["points"], f"{short(row['fit'])} ({short(row['fit'] + row['at_points'])})",
                theirs[index] if theirs else "-", theirs[index + 2] if theirs else "-"]
    return [Table(f"Points and seconds at equal errors, {numbers['tets']:,} tets, {numbers['modes']} modes",
                  ["error", "optimised: points", "seconds", "theirs", "seconds", "modal: points", "seconds", "theirs", "seconds"],
                  [[percent(row["level"], 0), *cells(row["optimized"], row["level"], 0), *cells(row["modal_forces"], row["level"], 1)]
                   for row in numbers["levels"] if row["optimized"] or row["modal_forces"]])]


def verdict(numbers):
    rows = both(numbers)
    last = rows[-1]
    gain = last["optimized"]["fit"] / last["modal_forces"]["fit"]
    theirs = THEIRS.get(last["level"]) or THEIRS[0.03]
    ours = (f"{percent(last['level'], 0)}: {last['optimized']['points']} points (optimised), "
            f"{last['modal_forces']['points']} (modal), whose fit is {gain:.0f} times as fast")
    fewer = last["modal_forces"]["points"] <= last["optimized"]["points"]
    if gain > 100 and fewer:
        return Verdict("same", ours)
    if gain > 100:
        return Verdict("differs", ours, "modal cubature is far faster, but needs more points at equal error, because "
                                        "its points are not chosen")
    return Verdict("differs", ours, "the gain is smaller")
