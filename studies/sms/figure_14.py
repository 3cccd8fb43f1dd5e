"""One step of a lattice basketball at first contact (`basketball_drop`), from 1e6 to 1e10 Pa. "CG per direction" is the
paper's average number of CG iterations. The paper's Newton-PCG has the diagonal preconditioner; `newton-pcg` alone has
the 3x3 blocks of vertices."""

from studies.frame.engine import variant
from studies.frame.numbers import error, iterations, short
from studies.frame.paper import Table, Verdict

from .keys import as_printed

SCENE = "basketball_drop"
MODULI = ("1e6", "1e7", "1e8", "1e9", "1e10")
METHODS = {"newton": "newton", "multilevel": "multilevel", "printed": as_printed(),
           "newton-multilevel": "newton-multilevel",
           "newton-pcg": "newton-pcg", "newton-pcg, diagonal": variant("newton-pcg", linear_preconditioner="jacobi")}


def measure(engine):
    rows = []
    for young in MODULI:
        settings = [f"materials.lattice.young={young}", "solver.norm=mean", "solver.linear_iterations=1000000"]
        report = engine.compare(SCENE, list(METHODS.values()), settings, reach="multilevel")
        for name, r in zip(METHODS, report["methods"]):
            rows.append({"young": float(young), "method": name, "newton": r["newton_iterations"], "text": iterations(r),
                         "cg": r["linear_iterations"], "seconds": r["seconds"], "largest": r["max_error"]})
    return rows


def of(rows, method):
    return [row for row in rows if row["method"] == method]


def per_direction(row):
    return row["cg"] / max(1, row["newton"])


def draw(numbers, plots):
    figure, axes = plots.axes(3, width=3.6)
    plots.lines(axes[0], {name: [(row["young"], per_direction(row) if row["cg"] else None)
                                 for row in of(numbers, name)] for name in METHODS},
                x="Young's modulus [Pa]", y="CG per direction", log="xy")
    plots.lines(axes[1], {name: [(row["young"], row["newton"]) for row in of(numbers, name)] for name in METHODS},
                x="Young's modulus [Pa]", y="Newton iterations", log="xy")
    plots.lines(axes[2], {name: [(row["young"], row["seconds"]) for row in of(numbers, name)] for name in METHODS},
                x="Young's modulus [Pa]", y="seconds", log="xy")
    for ax in axes[:2]:
        ax.get_legend().remove()
    axes[2].legend(fontsize=6)
    return figure


def tables(numbers):
    rows = []
    for young in dict.fromkeys(row["young"] for row in numbers):
        own = next(row for row in of(numbers, "multilevel") if row["young"] == young)
        for row in numbers:
            if row["young"] == young:
                direct = row["method"] == "newton"
                rows.append([f"{young:.0e}".replace("+0", "").replace("+", ""), row["method"], row["text"],
                             "-" if direct else short(per_direction(row), 3), "-" if direct else row["cg"],
                             short(row["seconds"], 3),
                             short(row["seconds"] / own["seconds"]), error(row["largest"])])
    return [Table("One step", ["E [Pa]", "method", "iterations", "CG per direction", "CG in all", "seconds",
                               "over multilevel", "largest error"], rows)]


def verdict(numbers):
    own, plain = of(numbers, "multilevel"), of(numbers, "newton-pcg, diagonal")
    each = {name: [per_direction(row) for row in of(numbers, name)] for name in ("multilevel", "printed")}
    growth = per_direction(plain[-1]) / per_direction(plain[0])
    faster = max(b["seconds"] / a["seconds"] for a, b in zip(own, plain))
    ours = ("CG per direction from 1e6 to 1e10 Pa: "
            + ", ".join(f"{name} {short(min(each[name]))} to {short(max(each[name]))}" for name in each)
            + f", Newton-PCG {short(per_direction(plain[0]), 3)} to {short(per_direction(plain[-1]), 4)}; multilevel "
              f"is up to {short(faster)} times faster than Newton-PCG")
    flat = max(max(values) for values in each.values()) <= 200
    if flat and growth > 3 and faster > 3:
        return Verdict("same", ours)
    return Verdict("differs", ours, f"the CG per direction of Newton-PCG grow {short(growth)} times, those of "
                                    "multilevel exceed 200, or multilevel is not three times faster")
