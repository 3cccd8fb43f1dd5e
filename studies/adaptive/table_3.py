"""One linear solve of the paper's nine scenes. A run as printed reaches `compare.from`. The numbers of `adaptive` are
means over the iterations of its next step; `newton` and `newton-pcg` take one iteration from the same state. Times are
without assembly and collision. CG ends at a relative residual of 1e-5. The Schur complement of `adaptive` has a factor
of the enriched block as preconditioner, where the paper has 3 x 3 blocks."""

from studies.frame.numbers import percent, rounded, short
from studies.frame.paper import Table, Verdict

from .keys import TABLE_2, printed_solver, share, simulation

# Seconds of theirs, IPC-LLT, IPC-CG; iterations of theirs and IPC-CG.
TABLE_3 = {"iceberg_boat": (0.04, 0.25, 2.10, 59, 450), "spiky_roller": (0.08, 1.71, 5.02, 268, 674),
           "jello_soft": (0.53, 10.3, 7.0, 84, 782),
           "jello_rubber": (0.10, 10.2, 7.63, 68, 846), "jello_stiff": (5e-5, 10.4, 9.28, 0, 1035),
           "koosh_drop": (0.91, 1.57, 3.0, 315, 348),
           "spring_fist": (0.03, 12.4, 23.0, 50, 2232), "mace_city": (1.30, 9.64, 14.2, 356, 689),
           "mushroom_boot": (0.52, 214, 36.5, 307, 1598)}
ONE = {"tolerance": 1e9}  # ends a step after its first iteration
FULL = {"newton": {}, "newton-pcg": {"linear_tolerance": 1e-5}}


def measure(engine):
    numbers = {}
    for scene in TABLE_2:
        run, text = engine.check(scene)
        sim = simulation(engine, scene, printed_solver(scene))
        for _ in range(text["compare"]["from"]):
            sim.step()
        state = engine.path(f"{scene}_state").with_suffix(".h5")
        sim.save(state)
        row = sim.step()
        solves = max(1, row["newton_iterations"])
        numbers[scene] = {"tets": run["tets"], "share": share(row), "handles": row["adaptive"]["handles"],
                          "adaptive": {"seconds": row["seconds"]["linear_solve"] / solves,
                                       "cg": row["linear_iterations"] / solves}}
        for method, solver in FULL.items():
            full = simulation(engine, scene, {"method": method, **ONE, **solver},
                              lambda text: text.update(initial=str(state)))  # noqa: B023
            row = full.step()
            solves = max(1, row["newton_iterations"])
            numbers[scene][method] = {"seconds": row["seconds"]["linear_solve"] / solves,
                                      "cg": row["linear_iterations"] / solves}
    return numbers


def ratios(numbers, method):
    return sorted(row[method]["seconds"] / row["adaptive"]["seconds"] for row in numbers.values())


def tables(numbers):
    return [Table("One linear solve: ms, and CG", ["scene", "tets", "enriched", "`adaptive`", "`newton`",
                                                   "`newton-pcg`", "`newton` over `adaptive`",
                                                   "TS", "`newton-pcg` over `adaptive`", "TS"],
                  [[scene, rounded(row["tets"]), percent(row["share"]),
                    f"{short(1e3 * row['adaptive']['seconds'])}, {row['adaptive']['cg']:.0f}",
                    short(1e3 * row["newton"]["seconds"]),
                    f"{short(1e3 * row['newton-pcg']['seconds'])}, {row['newton-pcg']['cg']:.0f}",
                    short(row["newton"]["seconds"] / row["adaptive"]["seconds"]),
                    short(TABLE_3[scene][1] / TABLE_3[scene][0]),
                    short(row["newton-pcg"]["seconds"] / row["adaptive"]["seconds"]),
                    short(TABLE_3[scene][2] / TABLE_3[scene][0])]
                   for scene, row in numbers.items()])]


def verdict(numbers):
    direct, cg = ratios(numbers, "newton"), ratios(numbers, "newton-pcg")
    middle = len(direct) // 2
    ours = (f"faster than `newton` by {short(direct[0])} to {short(direct[-1])} (median {short(direct[middle])}), than "
            f"`newton-pcg` by {short(cg[0])} to {short(cg[-1])} (median {short(cg[middle])})")
    fewer = all(row["adaptive"]["cg"] < row["newton-pcg"]["cg"] for row in numbers.values())
    if direct[0] > 1 and direct[middle] > 5 and cg[0] > 1 and fewer:
        return Verdict("same", ours)
    tets = max(row["tets"] for row in numbers.values())
    return Verdict("differs", ours, f"our meshes have at most {rounded(tets)} tets, where a factorisation is cheap"
                   if tets < 1e5 else
                   "the factor of the enriched block costs time where many vertices are enriched")
