"""Time of an iteration by its parts on one thread, with 16 handles and 342 points (the paper's crab) and with 581
points (its mammoth). "Matrix" assembles the reduced Hessian and gradient. "Solve" factors the dense matrix. "Rest"
has the updates of stretches and multipliers and the start and end of a step."""

from studies.frame.numbers import percent, short, sum_of
from studies.frame.paper import Table, Verdict

from .motion import METHODS, points

CASES = {"crab": (16, 342), "creature": (16, 581)}
PARTS = {"assembly": "matrix", "linear_solve": "solve", "line_search": "line search"}
STEPS = 40


def parts_of(engine, scene, method, handles, count, steps=STEPS, iterations=2):
    """Seconds of each part of an iteration, on one thread."""
    import json

    settings = [f"solver.handles={handles}", f"solver.cubature={json.dumps(points(count))}", f"solver.iterations={iterations}",
                "solver.error_every=0", "output.checkpoint=0"]
    engine.threads = ["--threads", 1]
    rows, summary = engine.run(scene, method, settings, steps=steps)
    rows = rows[len(rows) // 4:]
    count = sum_of(rows, "newton_iterations")
    found = {name: sum_of(rows, "seconds", key) / count for key, name in PARTS.items()}
    total = (sum_of(rows, "seconds", "steps") - sum_of(rows, "seconds", "output")) / count
    return {**found, "rest": total - sum(found.values()), "total": total, "vertices": summary["vertices"], "tets": summary["tets"],
            "setup": summary["seconds"]["setup"]}


def measure(engine):
    return {scene: {kind: parts_of(engine, scene, method, *sizes) for kind, method in METHODS.items()}
            for scene, sizes in CASES.items()}


NAMES = [*PARTS.values(), "rest"]


def draw(numbers, plots):
    figure, ax = plots.axes()
    labels = [f"{scene},\n{kind}" for scene in numbers for kind in METHODS]
    columns = [numbers[scene][kind] for scene in numbers for kind in METHODS]
    bottom = [0.0] * len(columns)
    for name in NAMES:
        values = [1e3 * column[name] for column in columns]
        ax.bar(labels, values, 0.6, bottom=bottom, label=name)
        bottom = [low + value for low, value in zip(bottom, values)]
    ax.set_ylabel("time of an iteration [ms]")
    ax.legend(fontsize=8)
    return figure


def tables(numbers):
    return [Table("Time of an iteration [ms]", ["scene", "handles, points", "elements", "total", *NAMES],
                  [[scene, f"{CASES[scene][0]}, {CASES[scene][1]}", kind, short(1e3 * found["total"], 3),
                    *(f"{short(1e3 * found[name])} ({percent(found[name] / found['total'], 0)})" for name in NAMES)]
                   for scene, kinds in numbers.items() for kind, found in kinds.items()])]


def verdict(numbers):
    shares = {scene: kinds["mixed"]["matrix"] / kinds["mixed"]["total"] for scene, kinds in numbers.items()}
    extra = {scene: kinds["mixed"]["total"] / kinds["standard"]["total"] for scene, kinds in numbers.items()}
    ours = "the matrix takes " + ", ".join(percent(value, 0) for value in shares.values()) + \
        " of a mixed iteration. A mixed iteration takes " + ", ".join(f"{value:.2f}" for value in extra.values()) + \
        " times as long as a standard one (" + ", ".join(numbers) + ")"
    largest = all(kinds["mixed"]["matrix"] == max(kinds["mixed"][name] for name in NAMES) for kinds in numbers.values())
    if largest and all(value < 1.25 for value in extra.values()):
        return Verdict("same", ours)
    return Verdict("differs", ours, "the matrix is not the largest part" if not largest else "mixed iterations take longer")
