"""The hardest step of the kooshball, then steps from there on, each method on its own path. Numbered rows fix the CG
iterations per direction. Their subspace corrections are exact, so only the refinement differs. The stop test of the
paper measures the subspace part alone; the other one measures the whole direction, as `newton` does."""

from studies.frame.engine import variant
from studies.frame.numbers import error, iterations, short
from studies.frame.paper import Table, Verdict

from .keys import SUBSPACE, printed

SCENE = "kooshball"
STEPS = 5
KINDS = [("newton", 0, ""), ("by forcing", 0, ""), *((f"{count}", count, stop) for stop in ("full", "subspace")
                                                     for count in (10, 40))]
WORDS = {"": "", "full": ", whole direction", "subspace": ", stop test of the paper"}


def measure(engine):
    methods = ["newton", "multilevel"]
    methods += [variant("multilevel", **printed(**{**SUBSPACE, "refinement": count, "stop": stop})) for _, count,
                stop in KINDS[2:]]
    numbers = {}
    for key, steps, free in (("one", 1, False), ("path", STEPS, True)):
        report = engine.compare(SCENE, methods, ["solver.norm=mean", "solver.max_iterations=300"], steps=steps,
                                free=free,
                                reach="newton")
        numbers[key] = [{"kind": kind + WORDS[stop], "count": count, "stop": stop, "directions": r["newton_iterations"],
                         "text": iterations(r), "cg": r["linear_iterations"], "seconds": r["seconds"],
                         "largest": r["each_step"][-1]["max_error"], "rms": r["each_step"][-1]["rms_error"]}
                        for (kind, count, stop), r in zip(KINDS, report["methods"])]
    return numbers


def tables(numbers):
    heads = ["CG per direction", "directions", "CG in all", "seconds", "newton's seconds over these", "largest error",
             "rms error"]
    return [Table(title, heads, [[row["kind"], row["text"], row["cg"], short(row["seconds"], 3),
                                  short(numbers[key][0]["seconds"] / row["seconds"]), error(row["largest"]),
                                  error(row["rms"])]
                                 for row in numbers[key]])
            for key, title in (("one", "The step from the hardest contact"), ("path", f"{STEPS} steps from there"))]


def verdict(numbers):
    def row(count, stop):
        return next(row for row in numbers["path"] if row["count"] == count and row["stop"] == stop)

    few, many = row(10, "subspace"), row(40, "subspace")
    whole = row(10, "full")["directions"] / row(40, "full")["directions"]
    slower = few["seconds"] / many["seconds"]
    ours = (f"10 CG per direction against 40: rms error {error(few['rms'])} against {error(many['rms'])}, "
            f"{short(slower)} times the time; with a stop test of the whole direction {short(whole)} times as many "
            "directions")
    if few["rms"] > 2 * many["rms"] and slower > 1.5:
        return Verdict("same", ours)
    if few["rms"] > 2 * many["rms"]:
        return Verdict("differs", ours, "the detail is lost as in the paper, but the stop test ends the steps before "
                                        "10 CG take longer")
    return Verdict("differs", ours, "10 CG lose no detail")
