"""The octobot with each material model, 16 handles and 400 points, for 25 steps. Mixed and standard elements have the
same solution, so that converged steps must agree."""

from studies.frame.numbers import error, short
from studies.frame.paper import Table, Verdict

from .motion import METHODS, diagonal, path_of, solver

MODELS = ("fixed_corotated", "corotated", "arap", "stvk", "neo_hookean", "stable_neo_hookean", "mooney_rivlin")
STEPS = 25


def measure(engine):
    def change_to(model):
        def change(text):
            for material in text["materials"].values():
                material["model"] = model
                if model == "mooney_rivlin":  # the same stiffness at rest, in equal parts from both invariants
                    young, poisson = material.pop("young"), material.pop("poisson")
                    mu, lame = young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))
                    material.update(c10=mu / 4, c01=mu / 4, kappa=lame - mu)
        return change

    rows = []
    for model in MODELS:
        try:
            sims = {kind: engine.simulation("octobot", solver(kind, tolerance=1e-6), change_to(model)) for kind in METHODS}
        except engine.python().InputError as refused:
            rows.append([model, str(refused)])
            continue
        found = {kind: path_of(sim, STEPS, lambda s, row: (s.positions, row["newton_iterations"], row["converged"]))
                 for kind, sim in sims.items()}
        size = diagonal(found["mixed"][0][0])
        away = max(float(abs(mixed[0] - standard[0]).max()) / size for mixed, standard in zip(*found.values()))
        rows.append([model, away, *(sum(row[1] for row in path) / STEPS for path in found.values()),
                     *(sum(row[2] for row in path) for path in found.values())])
    return {"rows": rows}


def tables(numbers):
    return [Table(f"{STEPS} steps of the octobot", ["model", "largest distance / diagonal", "iterations a step, mixed", "standard",
                                                    "steps converged, mixed", "standard"],
                  [[row[0], error(row[1]), *(short(value) for value in row[2:4]), *(f"{value} of "
                                                                                    f"{STEPS}" for value in row[4:])]
                   for row in numbers["rows"] if len(row) > 2])]


def verdict(numbers):
    ran = [row for row in numbers["rows"] if len(row) > 2]
    good = [row for row in ran if row[1] < 1e-3 and row[4] == STEPS]
    ours = (f"{len(good)} of {len(numbers['rows'])} models: all mixed steps converge, and to the same motion as "
            f"standard ones (largest distance {error(max(row[1] for row in good))} of the diagonal)")
    if len(good) == len(numbers["rows"]):
        return Verdict("same", ours)
    bad = [row[0] for row in numbers["rows"] if row not in good]
    return Verdict("differs", ours, f"not with {', '.join(bad)}")
