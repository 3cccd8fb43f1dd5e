"""Hard steps of six scenes from `compare.from` on. `newton` solves each direction by a Cholesky factorisation, as the
paper's IPC-LLT does. Each step starts from the state of `newton`. All methods have the mean norm and the paper's
tolerance, 1e-3 m/s. The stop test of the printed method measures the subspace part alone. "Pixels" is the largest error
in a picture in which the scene's diagonal is 1000 pixels long. The small size takes one step. Larger sizes take as many
steps as fit into five minutes per scene, at most 30."""

from studies.frame.numbers import error, iterations, rounded, short
from studies.frame.paper import Table, Verdict

from .keys import as_printed

SCENES = ("basketball_hoop", "stressball", "roller", "kooshball", "shoe", "jello_anvil")
SECONDS = 300  # of all methods in a scene
MOST = 30
# Table 2 of the paper: seconds of IPC-LLT over those of the method (kooshball: 40 CG); steps.
PAPER = {"basketball_hoop": (11.91, 30), "stressball": (7.64, 30), "roller": (13.38, 50), "kooshball": (9.81, 30)}
NAMES = ("newton", "printed", "multilevel")


def compare(engine, scene, steps):
    return engine.compare(scene, ["newton", as_printed(), "multilevel"], ["solver.norm=mean"], steps=steps,
                          reach="multilevel")["methods"]


def measure(engine, scenes=SCENES):
    numbers = {}
    for scene in scenes:
        facts, completed = engine.check(scene)
        results = compare(engine, scene, 1)
        left = completed["time"]["steps"] - completed["compare"]["from"]
        steps = int(min(MOST, left, SECONDS / sum(result["seconds"] for result in results)))
        if engine.size != "small" and steps > 1:
            results = compare(engine, scene, steps)
        newton = results[0]
        first = newton["each_step"][0]
        numbers[scene] = {
            "tets": facts["tets"], "steps": len(newton["each_step"]),
            "factorisation": first["linear_solve_seconds"] / max(1, first["factorizations"]),
            "methods": {name: {"seconds": r["seconds"], "setup": r["setup_seconds"],
                               "iterations": r["newton_iterations"],
                               "failed": r["steps_failed"], "text": iterations(r), "cg": r["linear_iterations"],
                               "largest": max(step["max_error"] for step in r["each_step"]),
                               "mean_largest": sum(step["max_error"] for step in r["each_step"]) / len(r["each_step"]),
                               "residual": r["residual"]} for name, r in zip(NAMES, results)}}
    return numbers


def ratio(row, name):
    return row["methods"]["newton"]["seconds"] / row["methods"][name]["seconds"]


def tables(numbers):
    speed, accuracy = [], []
    for scene, row in numbers.items():
        methods, paper = row["methods"], PAPER.get(scene)
        speed.append([scene, rounded(row["tets"]), row["steps"], short(methods["newton"]["seconds"], 3),
                      f"{paper[0]} ({paper[1]} steps)" if paper else "-",
                      *(short(ratio(row, name)) for name in NAMES[1:]),
                      *(short(methods[name]["setup"]) for name in NAMES[1:])])
        accuracy.append([scene, methods["newton"]["text"], *(cell for name in NAMES[1:] for cell in (
            methods[name]["text"], methods[name]["cg"], error(methods[name]["largest"]),
            short(1000 * methods[name]["largest"])))])
    columns = ("iterations", "CG", "largest error", "pixels")
    return [Table("Times faster than `newton`", ["scene", "tets", "steps", "newton [s]", "theirs", *NAMES[1:],
                                                 *(f"set-up of {name} [s]" for name in NAMES[1:])], speed),
            Table("Iterations and errors", ["scene", "newton: iterations",
                                            *(f"{name}: {column}" for name in NAMES[1:] for column in columns)],
                  accuracy)]


def draw(numbers, plots):
    figure, axes = plots.axes(2)
    labels = [scene.replace("basketball_", "") for scene in numbers]
    paper = [PAPER.get(scene, (0,))[0] for scene in numbers]
    plots.bars(axes[0], labels, {"paper": paper, **{name: [ratio(row, name) for row in numbers.values()]
                                                    for name in NAMES[1:]}}, y="times faster than newton", log=True)
    axes[0].axhline(1, color="black", linewidth=0.8)
    errors = {name: [max(1e-7, row["methods"][name]["largest"]) for row in numbers.values()] for name in NAMES[1:]}
    plots.bars(axes[1], labels, {"paper (about)": [0.01] * len(labels), **errors}, y="largest error of a step",
               log=True)
    for ax in axes:
        ax.legend(fontsize=7, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1))
    return figure


def verdict(numbers):
    def span(values):
        return f"{short(min(values))} to {short(max(values))}"

    speeds = {name: [ratio(row, name) for row in numbers.values()] for name in NAMES[1:]}
    errors = {name: [row["methods"][name]["largest"] for row in numbers.values()] for name in NAMES[1:]}
    ours = "; ".join(f"{name} {span(speeds[name])} times faster, largest error {error(max(errors[name]))}"
                     for name in NAMES[1:])
    best = "printed" if min(speeds["printed"]) >= 7 else "multilevel"
    if min(speeds[best]) >= 7 and max(errors[best]) <= 0.02:
        return Verdict("same" if best == "printed" else "better", ours)
    slow = [scene for scene, row in numbers.items() if ratio(row, "printed") < 7]
    more = [row["methods"]["printed"]["iterations"] / max(1, row["methods"]["newton"]["iterations"])
            for row in numbers.values()]
    times = [1000 * row["factorisation"] for row in numbers.values()]
    return Verdict("differs", ours, f"{len(slow)} of {len(numbers)} scenes gain less than 7 times. A factorisation and "
                                    f"solve of newton takes {span(times)} ms at this size, and the printed method "
                                    f"takes {span(more)} times as many iterations")
