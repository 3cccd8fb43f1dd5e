"""The method that `auto` takes against the faster one of `newton` and `multilevel`: one step from the first and one from
`compare.from`, for each scene of the gallery. Seconds of both steps."""

from studies.frame.engine import SCENES
from studies.frame.numbers import error, percent, short
from studies.frame.paper import Table, Verdict

LOST = 0.2  # share of the faster method's time that a wrong choice may cost


def measure(engine):
    rows = []
    for path in sorted(SCENES.glob("*.json")):
        run, scene = engine.check(path.stem)
        if run["method"] not in ("newton", "multilevel"):
            continue  # the scene names another method
        total, first = scene["time"]["steps"], scene["compare"]["from"]
        reports = [engine.compare(path.stem, ["newton", "multilevel"], first=begin, reach="multilevel")
                   for begin in sorted({0, min(first, total - 1)})]
        newton, multilevel = ([report["methods"][k]["seconds"] for report in reports] for k in (0, 1))
        rows.append({"scene": path.stem, "tets": run["tets"], "flops": run["factorisation_flops_a_vertex"],
                     "method": run["method"], "newton": newton, "multilevel": multilevel,
                     "setup": max(report["methods"][1]["setup_seconds"] for report in reports)})
    return rows


def loss(row):
    """What the choice costs over the faster method, as a share of its time."""
    return sum(row[row["method"]]) / min(sum(row["newton"]), sum(row["multilevel"])) - 1


def tables(numbers):
    return [Table("Steps from the first one on, and from `compare.from`",
                  ["scene", "tets", "flops per vertex", "newton [s]", "multilevel [s]", "auto takes", "slower by",
                   "set-up of multilevel [s]"],
                  [[row["scene"], row["tets"], error(row["flops"]), *(", ".join(short(s, 3) for s in row[method])
                    for method in ("newton", "multilevel")), row["method"], percent(loss(row), 0), short(row["setup"])]
                   for row in numbers])]


def verdict(numbers):
    good = [row for row in numbers if loss(row) <= LOST]
    ours = f"in {len(good)} of {len(numbers)} scenes the choice is within {100 * LOST:.0f} % of the faster method"
    if 2 * len(good) > len(numbers):
        return Verdict("shown", ours)
    return Verdict("differs", ours, "the bound on flops per vertex does not fit this machine")
