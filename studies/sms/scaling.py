"""The hardest step of the stressball on finer and finer meshes, mean norm. `multilevel` has its defaults; `newton` runs
on meshes where its step takes seconds. Memory is the peak of a run. "Cached" is the set-up of a run that reads the
basis from the cache."""

from studies.frame.numbers import iterations, per_direction, rounded, short, slope
from studies.frame.paper import Table, Verdict

SCENE = "stressball"
# Edge lengths [m] at which the stressball has about 5, 10, 20, 50, 100, 200, 400 and 800 thousand.
EDGES = {"small": (0.0075, 0.0056, 0.0041), "medium": (0.0041, 0.003, 0.00234, 0.00184),
         "large": (0.0041, 0.003, 0.00234, 0.00184, 0.00145, 0.00114)}
NEWTON_UP_TO = 110000


def measure(engine):
    rows = []
    for edge in EDGES.get(engine.size, EDGES["small"]):
        settings = ["size=small", f'bodies[0].mesh.set={{"edge":{edge:g}}}', "solver.norm=mean"]
        facts, completed = engine.check(SCENE, settings)
        tets, steps = facts["tets"], completed["compare"]["from"] + 1
        # The first run also fills the cache, from which the second reads.
        fresh = engine.run(SCENE, "multilevel", [*settings, "solver.multilevel.cache=false"], steps)[1]
        engine.run(SCENE, "multilevel", settings, 1)
        warm = engine.run(SCENE, "multilevel", settings, steps)[1]
        direct = tets <= NEWTON_UP_TO
        own, *newton = engine.compare(SCENE, ["multilevel", *(["newton"] if direct else [])], settings,
                                      reach="multilevel")["methods"]
        row = {"edge": edge, "tets": tets, "seconds": own["seconds"], "iterations": own["newton_iterations"],
               "text": iterations(own),
               "cg": float(per_direction(own)), "setup": fresh["seconds"]["setup"], "cached": warm["seconds"]["setup"],
               "memory": fresh["peak_memory_mb"] * 1e3 / tets, "newton": None}
        if direct:
            memory = engine.run(SCENE, "newton", settings, 1)[1]["peak_memory_mb"]
            row["newton"] = {"seconds": newton[0]["seconds"], "iterations": newton[0]["newton_iterations"],
                             "text": iterations(newton[0]),
                             "memory": memory * 1e3 / tets}
        rows.append(row)
    return rows


def exponents(rows):
    own = {"step of multilevel": "seconds", "set-up": "setup"}
    result = {name: slope([(row["tets"], row[key]) for row in rows]) for name, key in own.items()}
    result["iteration of multilevel"] = slope([(row["tets"], row["seconds"] / row["iterations"]) for row in rows])
    newton = [(row["tets"], row["newton"]) for row in rows if row["newton"]]
    result["step of newton"] = slope([(tets, row["seconds"]) for tets, row in newton])
    result["iteration of newton"] = slope([(tets, row["seconds"] / row["iterations"]) for tets, row in newton])
    return result


def draw(numbers, plots):
    figure, axes = plots.axes(2)
    newton = [(row["tets"], row["newton"]) for row in numbers if row["newton"]]
    plots.lines(axes[0], {"multilevel": [(row["tets"], row["seconds"]) for row in numbers],
                          "newton": [(tets, row["seconds"]) for tets, row in newton],
                          "set-up": [(row["tets"], row["setup"]) for row in numbers],
                          "set-up, cached": [(row["tets"], row["cached"]) for row in numbers]},
                x="tets", y="seconds", log="xy", title="one step")
    plots.lines(axes[1], {"multilevel": [(row["tets"], row["memory"]) for row in numbers],
                          "newton": [(tets, row["memory"]) for tets, row in newton]}, x="tets", y="kB per tet",
                log="x", title="peak memory")
    axes[1].set_ylim(bottom=0)
    return figure


def tables(numbers):
    rows = [[f"{1000 * row['edge']:g}", rounded(row["tets"]), short(row["seconds"], 3), row["text"],
             short(row["cg"], 3),
             short(row["newton"]["seconds"], 3) if row["newton"] else "-", row["newton"]["text"]
             if row["newton"] else "-",
             short(row["setup"]), short(row["cached"]), f"{row['memory']:.2f}",
             f"{row['newton']['memory']:.2f}" if row["newton"] else "-"] for row in numbers]
    note = "Fitted exponents of the number of tets: " + ", ".join(f"{name} {value:.2f}" for name,
                                                                  value in exponents(numbers).items()) + "."
    return [Table("One step from `compare.from`", ["edge [mm]", "tets", "multilevel [s]", "iterations",
                                                   "CG per direction", "newton [s]",
                                                   "iterations", "set-up [s]", "cached [s]", "kB per tet",
                                                   "kB per tet of newton"],
                  rows, note)]


def verdict(numbers):
    fits = exponents(numbers)
    growth = numbers[-1]["cg"] / numbers[0]["cg"]
    ours = (f"time of an iteration ~ tets^{fits['iteration of multilevel']:.2f} (newton "
            f"{fits['iteration of newton']:.2f}); CG per "
            f"direction change by a factor of {growth:.1f} over a {numbers[-1]['tets'] / numbers[0]['tets']:.0f} "
            "times finer mesh")
    if fits["iteration of multilevel"] < fits["iteration of newton"] and growth < 2:
        return Verdict("better", ours)
    return Verdict("differs", ours, "multilevel does not scale better than newton on these meshes")
