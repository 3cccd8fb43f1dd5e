"""Dense eigenmodes against the sparse weights of `sms` in mixed steps, with 24 points for each handle, at 1 and 2
iterations a step and converged. The error is the largest distance from `newton` in 40 steps of the creature, over the
diagonal."""

from studies.frame.numbers import error, short
from studies.frame.paper import Table, Verdict

from .motion import diagonal, full_space, label, path_of, solver, ticks

KINDS = {"eigenmodes": "dense", "sms": "sparse"}
COUNTS = (4, 8, 16, 32)
BUDGETS = (1, 2, 0)
STEPS = 40


def measure(engine):
    import time

    exact = path_of(engine.simulation("creature", full_space()), STEPS, lambda s, _: s.positions)
    size = diagonal(exact[0])
    rows = []
    for kind in KINDS:
        for handles in COUNTS:
            for budget in BUDGETS:
                sim = engine.simulation("creature", solver(handles=handles, cubature=24 * handles, subspace=kind, iterations=budget))
                away, seconds, iterations = 0.0, 0.0, 0
                for step in range(STEPS):
                    started = time.perf_counter()
                    row = sim.step()
                    seconds += time.perf_counter() - started
                    iterations += row["newton_iterations"]
                    away = max(away, float(abs(sim.positions - exact[step]).max()) / size)
                rows.append([kind, handles, budget, away, seconds / STEPS, iterations / STEPS])
    return {"rows": rows}


def draw(numbers, plots):
    figure, ax = plots.axes()
    plots.lines(ax, {f"{kind}, {label(budget)}": [(row[1], row[3]) for row in numbers["rows"] if row[0] == kind and row[2] == budget]
                     for kind in KINDS for budget in BUDGETS}, x="handles", y="largest error / diagonal", log="xy")
    ticks(ax, COUNTS)
    return figure


def tables(numbers):
    return [Table("Creature, 40 steps", ["weights", "handles", "iterations a step", "error", "milliseconds a step", "iterations"],
                  [[f"{kind} ({KINDS[kind]})", handles, label(budget), error(away), short(1e3 * seconds), short(iterations)]
                   for kind, handles, budget, away, seconds, iterations in numbers["rows"]])]


def verdict(numbers):
    errors = {kind: {row[1]: row[3] for row in numbers["rows"] if row[0] == kind and row[2] == 0} for kind in KINDS}
    ours = "error of converged steps over the diagonal with " + ", ".join(map(str, COUNTS)) + " handles: " + "; ".join(
        f"{KINDS[kind]} " + ", ".join(map(error, errors[kind].values())) for kind in KINDS)
    return Verdict("shown", ours)
