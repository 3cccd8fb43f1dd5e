"""Four steps of 0.03 s of the homogeneous octobot (1e5 Pa) from rest, converged, with few to many cubature points.
Handles have 12 unknowns each, and a point resists up to six motions. Motions that the points do not resist show as
elastic energy over all tets. The table has this energy over that of a run with all tets in the same subspace."""

from studies.frame.numbers import error, short
from studies.frame.paper import Table, Verdict

from .motion import diagonal, set_young, solver

HANDLES = (8, 16)
SHARES = (1 / 12, 1 / 4, 1 / 2, 1, 2)  # points over unknowns
RULES = {"clusters, power 2": {"rule": "clusters", "power": 2}, "stiffness (default)": {"rule": "stiffness"}}


def measure(engine):
    def change(text):
        set_young(text, 1e5)
        text["time"]["step"] = 0.03

    def moved(handles, cubature, kind="mixed"):
        sim = engine.simulation("octobot", solver(kind, handles, cubature), change)
        for _ in range(4):
            sim.step()
        return sim

    rows = []
    for handles in HANDLES:
        exact = moved(handles, "all", "standard")
        there, energy = exact.positions, exact.energies()["elastic"]
        for share in SHARES:
            count = round(12 * handles * share)
            found = []
            for rule in RULES.values():
                sim = moved(handles, {**rule, "points": count})
                exact.reduced_coordinates = sim.reduced_coordinates
                away = ((sim.positions - there)**2).sum(axis=1).max()**0.5 / diagonal(there)
                found += [float(exact.energies()["elastic"] / energy), float(away)]
            rows.append([handles, count, share, *found])
    return {"rows": rows}


def draw(numbers, plots):
    figure, ax = plots.axes()
    plots.lines(ax, {f"{handles} handles, {rule}": [(row[2], row[3 + 2 * place]) for row in numbers["rows"] if row[0] == handles]
                     for handles in HANDLES for place, rule in enumerate(RULES)},
                x="cubature points / unknowns", y="elastic energy / that of all tets", log="xy")
    return figure


def tables(numbers):
    heads = [f"{what}, {rule}" for rule in RULES for what in ("energy", "distance / diagonal")]
    return [Table("After four steps: elastic energy over that of a run with all tets, and largest distance from it",
                  ["handles", "points", "points / unknowns", *heads],
                  [[handles, count, f"{share:.2f}", short(values[0], 3), error(values[1]), short(values[2], 3), error(values[3])]
                   for handles, count, share, *values in numbers["rows"]])]


def verdict(numbers):
    def worst(share, place):
        return max(row[3 + 2 * place] for row in numbers["rows"] if abs(row[2] - share) < 1e-3)

    few, enough = worst(1 / 12, 0), worst(1, 0)
    ours = (f"elastic energy over that of a run with all tets, clusters: {short(few)} with as many points as handles, "
            f"{short(enough)} with as many as unknowns. Default rule: {short(worst(1 / 12, 1))} and "
            f"{short(worst(1, 1))}")
    if few < 1.5:
        return Verdict("same", ours)
    if enough < 1.5:
        return Verdict("same", ours + ". The paper's \"modes\" must mean unknowns")
    return Verdict("differs", ours, "as many points as unknowns do not suffice")
