"""One step of all 13 scenes from `compare.from`, all methods from one state. The enriched share and the active modes
are those of the same step of a run as printed, at its end, as in the paper."""

from studies.frame.numbers import error, iterations, percent, rounded, short
from studies.frame.paper import Table, Verdict

from .keys import SCENES, printed, printed_variant, share

# The shares of enriched vertices, seconds of the paper's method, seconds of IPC.
TABLE_1 = {"iceberg_boat": (0.16, 2, 3), "spiky_roller": (0.049, 18, 449), "jello_soft": (0.77, 49, 259),
           "jello_rubber": (0.11, 12, 278),
           "jello_stiff": (0.0, 7, 1997), "koosh_drop": (0.27, 141, 229), "spring_fist": (0.037, 24, 200),
           "mace_city": (0.028, 431, 1665),
           "mushroom_boot": (0.051, 876, 9216)}
NAMES = ("newton", "as printed", "default", "newton-pcg", "multilevel")


def measure(engine):
    numbers = {}
    for scene in SCENES:
        run, text = engine.check(scene)
        first = text["compare"]["from"]
        report = engine.compare(scene, ["newton", printed_variant(scene), "adaptive", "newton-pcg", "multilevel"],
                                reach="multilevel")
        rows, _ = engine.run(scene, "adaptive", printed(scene), steps=first + 1)
        results = {name: {"seconds": result["seconds"], "iterations": iterations(result), "error": result["max_error"],
                          "converged": result["steps_failed"] == 0} for name, result in zip(NAMES, report["methods"])}
        numbers[scene] = {"tets": run["tets"], "share": share(rows[-1]), "handles": rows[-1]["adaptive"]["handles"],
                          **results}
    return numbers


def draw(numbers, plots):
    figure, ax = plots.axes(width=6.5, height=3.4)
    plots.bars(ax, list(numbers), {"IPC over TS": [TABLE_1[scene][2] / TABLE_1[scene][1] if scene in TABLE_1 else 0
                                                   for scene in numbers],
                                   **{f"newton over {name}": [row["newton"]["seconds"] / row[name]["seconds"]
                                                              for row in numbers.values()]
                                      for name in ("as printed", "default", "multilevel")}}, y="times faster", log=True)
    ax.axhline(1, color="grey", linewidth=0.8)
    return figure


def tables(numbers):
    return [Table("One step: seconds (iterations)", ["scene", "tets", "enriched", "TS",
                                                     *(f"`{name}`" if name.startswith(("newton", "multi")) else
                                                     name for name in NAMES), "`newton` over as printed",
                                                     "TS: IPC over theirs", "errors"],
                  [[scene, rounded(row["tets"]), percent(row["share"]), percent(TABLE_1[scene][0]) if scene in TABLE_1
                    else "-",
                    *(f"{short(row[name]['seconds'])} ({row[name]['iterations']})" for name in NAMES),
                    short(row["newton"]["seconds"] / row["as printed"]["seconds"]),
                    short(TABLE_1[scene][2] / TABLE_1[scene][1]) if scene in TABLE_1 else "-",
                    ", ".join(error(row[name]["error"]) for name in ("as printed", "default"))] for scene,
                    row in numbers.items()],
                  "Errors are the largest of a vertex, as printed and by default.")]


def verdict(numbers):
    listed = {scene: row for scene, row in numbers.items() if scene in TABLE_1}
    gains = sorted(row["newton"]["seconds"] / row["as printed"]["seconds"] for row in listed.values())
    default = sorted(row["newton"]["seconds"] / row["default"]["seconds"] for row in numbers.values())
    median, all_faster = gains[len(gains) // 2], gains[0] > 1
    tets = max(row["tets"] for row in numbers.values())
    ours = (f"as printed {short(gains[0])} to {short(gains[-1])} times as fast as `newton` (median {short(median)}) "
            f"with errors up to {error(max(row['as printed']['error'] for row in listed.values()))}; default "
            f"{short(default[0])} to {short(default[-1])} times (median {short(default[len(default) // 2])})")
    if all_faster and median > 4:
        return Verdict("same", ours)
    return Verdict("differs", ours, f"our meshes have at most {rounded(tets)} tets, where a factorisation is cheap"
                   if tets < 1e5 else
                   "`newton` is faster here than the paper's IPC, and contact that spreads costs iterations")
