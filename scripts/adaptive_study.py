"""The study `adaptive`: what adaptive subspaces take in, and what they cost (figures 11, 14 to 18 and table 3 of Trading
Spaces: Trusty, Fei, Levin, Kaufman 2024).

Each figure takes a runner, which calls sinew, and gives a title, heads, rows and a note.
"""

import tempfile

from runs import rounded, slope

ADAPTIVE = "adaptive"
ORACLE = "solver.adaptive.acceptance=oracle"  # the paper's rule alone


def run(runner, scene, method, settings=(), steps=1):
    return runner.run(scene, method, [*settings, ORACLE] if method == ADAPTIVE else settings, steps=steps)


def percent(share):
    return f"{100 * share:.1f} %"


def seconds_of(rows, *path):
    """The sum over the steps of what lies below `path` in a row."""
    total = 0.0
    for row in rows:
        for key in path:
            row = row[key]
        total += row
    return total


def count(rows, key):
    return sum(row[key] for row in rows)


def shares(rows):
    return [row["adaptive"]["share"] for row in rows]


def materials(runner):
    """Figure 14: the softer a block, the more of it moves by itself."""
    table = []
    for scene in ("jello_soft", "jello_rubber", "jello_stiff"):
        rows, _ = run(runner, scene, ADAPTIVE, ["solver.adaptive.vertex_error=0.02"], steps=12)
        table.append([scene, percent(max(shares(rows))), max(row["adaptive"]["handles"] for row in rows),
                      count(rows, "newton_iterations"), f"{seconds_of(rows, 'seconds', 'steps'):.2f}"])
    return ("An anvil on blocks of three stiffnesses, 12 steps (figure 14)",
            ["scene", "largest share of enriched vertices", "most handles", "iterations", "seconds"], table, "")


def time_steps(runner):
    """Figure 15: shorter steps show the wave that a punch sends through a head."""
    table = []
    for step, steps in ((5e-3, 40), (2.5e-3, 80), (1.25e-3, 160)):
        rows, _ = run(runner, "spring_fist", ADAPTIVE, [f"time.step={step}"], steps=steps)
        hit = rows[steps * 3 // 4:]
        table.append([f"{step:g}", percent(max(shares(rows))), percent(max(shares(hit))),
                      count(rows, "newton_iterations") / steps, f"{seconds_of(rows, 'seconds', 'steps') / steps:.3f}"])
    return ("A fist on a spring, 0.2 s in steps of three lengths (figure 15)",
            ["time.step [s]", "largest share of enriched vertices", "... after 0.15 s", "iterations a step", "seconds a step"],
            table, "")


def contrast(runner):
    """Figure 16: the cost of linear solves against the stiffness of the spikes."""
    table = []
    for young in (1e4, 1e6, 1e8, 1e10, 1e12):
        cells = [f"{young:.0e}"]
        for method in ("newton", "newton-pcg", ADAPTIVE):
            rows, summary = run(runner, "hand_on_spikes", method,
                                       [f"materials.spikes.young={young:.17g}", "solver.max_iterations=400"], steps=5)
            last = rows[-1]
            solves = max(1, last["newton_iterations"])
            cells += [f"{1e3 * last['seconds']['linear_solve'] / solves:.1f}"]
            if method != "newton":
                cells += [f"{last['linear_iterations'] / solves:.0f}"]
            if not last["converged"]:
                cells[-1] += " (not converged)"
        table.append(cells)
    return ("A hand on spikes, step 5: linear solve of an iteration (figure 16)",
            ["Young's modulus of the spikes [Pa]", "newton [ms]", "newton-pcg [ms]", "... iterations", "adaptive [ms]",
             "... iterations"], table, "")


def libraries(runner):
    """Figure 17: how much the library leaves to the vertices."""
    table = []
    for library in ('["eigenmodes"]', '["sms"]', '["biharmonic"]', '["affine"]', '["linear"]', '["eigenmodes","sms"]'):
        rows, _ = run(runner, "beam_on_sphere", ADAPTIVE,
                             [f"solver.adaptive.library={library}", "solver.adaptive.mode_error=0.01"], steps=40)
        table.append([library, *library_cells(rows)])
    return ("A beam over a sphere, 40 steps (figure 17)", ["solver.adaptive.library", *LIBRARY_HEADS], table, "")


LIBRARY_HEADS = ["largest share of enriched vertices", "mean", "most modes", "iterations", "seconds"]


def library_cells(rows):
    return [percent(max(shares(rows))), percent(sum(shares(rows)) / len(rows)),
            max(row["adaptive"]["handles"] for row in rows), count(rows, "newton_iterations"),
            f"{seconds_of(rows, 'seconds', 'steps'):.2f}"]


def frames(runner):
    """Figure 18: modes of an earlier run of the same scene."""
    table, steps = [], 30
    with tempfile.TemporaryDirectory() as folder:
        runner.keep_run("koosh_drop", "multilevel", folder + "/run", steps=steps)
        runner.modes("koosh_drop", f"{folder}/modes.npz", "--kind", "pod", "--frames", folder + "/run", "--count", 30)
        for name, library in (("eigenmodes", '["eigenmodes"]'), ("modes of the frames", f'["{folder}/modes.npz"]'),
                              ("both", f'["eigenmodes","{folder}/modes.npz"]')):
            rows, _ = run(runner, "koosh_drop", ADAPTIVE,
                                 [f"solver.adaptive.library={library}", "solver.adaptive.mode_error=0.01"], steps=steps)
            table.append([name, *library_cells(rows)])
        runner.commands = [command.replace(folder, "out") for command in runner.commands]
    return (f"A koosh ball dropped, {steps} steps, with the modes of the frames of an earlier run (figure 18)",
            ["library", *LIBRARY_HEADS], table, "")


def downdating(runner):
    """Figure 11: dropping what is no longer needed."""
    table = []
    for value in (0, 0.1):
        rows, _ = run(runner, "spiky_roller", ADAPTIVE, [f"solver.adaptive.drop_rate={value}"], steps=60)
        table.append([value, percent(shares(rows)[-1]), percent(sum(shares(rows)) / len(rows)),
                      count(rows, "newton_iterations"), f"{seconds_of(rows, 'seconds', 'steps'):.2f}"])
    ratio = float(table[0][-1]) / float(table[1][-1])
    return ("A roller on a terrain, 60 steps (figure 11)",
            ["solver.adaptive.drop_rate", "share of enriched vertices at the end", "mean", "iterations", "seconds"], table,
            f"With downdating the run takes 1/{ratio:.2f} of the time.")


def solves(runner):
    """Table 3: linear solves of one iteration beside those of full space."""
    table = []
    for scene, steps in (("iceberg_boat", 20), ("spiky_roller", 4), ("jello_soft", 5), ("jello_rubber", 5), ("jello_stiff", 5),
                         ("spring_fist", 33), ("mace_city", 4), ("mushroom_boot", 10)):
        cells = [scene]
        times = []
        for method in (ADAPTIVE, "newton", "newton-pcg"):
            rows, _ = run(runner, scene, method, ["solver.linear_tolerance=1e-5"], steps=steps)
            last = rows[-1]
            each = max(1, last["newton_iterations"])
            times.append(last["seconds"]["linear_solve"] / each)
            cells.append(f"{1e3 * times[-1]:.1f}")
            if method != "newton":
                cells.append(f"{last['linear_iterations'] / each:.0f}")
        table.append([*cells, f"{times[1] / times[0]:.1f}", f"{times[2] / times[0]:.1f}"])
    return ("Linear solve of an iteration, all that is not assembly (table 3)",
            ["scene", "adaptive [ms]", "... iterations", "newton [ms]", "newton-pcg [ms]", "... iterations",
             "newton over adaptive", "newton-pcg over adaptive"], table, "")


def parts(runner):
    """Where the time of a step goes."""
    table = []
    for scene, steps in (("spiky_roller", 6), ("jello_soft", 7), ("mace_city", 6), ("mushroom_boot", 12), ("hand_on_spikes", 8)):
        rows, _ = run(runner, scene, ADAPTIVE, steps=steps)
        rows = rows[len(rows) // 2:]
        whole = seconds_of(rows, "seconds", "steps") - seconds_of(rows, "seconds", "output")
        cells = [scene, f"{whole / len(rows):.3f}"]
        for part in ("oracle", "regions", "modes", "schur"):
            cells.append(percent(seconds_of(rows, "adaptive", "seconds", part) / whole))
        for part in ("assembly", "collision", "line_search"):
            cells.append(percent(seconds_of(rows, "seconds", part) / whole))
        table.append(cells)
    return ("Shares of the time of a step (the oracle's collisions and the regions' assembly count twice)",
            ["scene", "seconds a step", "oracle", "secants", "modes", "Schur", "assembly", "collision", "line search"], table,
            "")


def scaling(runner):
    """Time against tets with the same contact."""
    edges = {"medium": (0.011, 0.007, 0.0045), "large": (0.011, 0.007, 0.0045, 0.0034)}.get(runner.size, (0.02, 0.0125, 0.008))
    points, table = [], []
    for edge in edges:
        settings = ["size=small", f"bodies.0.mesh.size={edge:g}"]
        rows, _ = run(runner, "cube_on_spike", ADAPTIVE, settings, steps=8)
        tets = runner.check("cube_on_spike", settings)[0]["tets"]
        hit = rows[4:]
        each = seconds_of(hit, "seconds", "steps") / len(hit)
        iterations = count(hit, "newton_iterations") / len(hit)
        points.append((tets, each / iterations))
        table.append([f"{edge:g}", rounded(tets), max(row["contacts"] for row in hit), percent(max(shares(hit))), f"{iterations:.1f}",
                      f"{each:.3f}", f"{1e3 * each / iterations:.1f}", f"{rows[-1]['peak_memory_mb']:.0f}"])
    return ("A cube of ever finer mesh on the same spike, steps 5 to 8",
            ["edge [m]", "tets", "most contacts", "largest share of enriched vertices", "iterations a step", "seconds a step",
             "ms an iteration", "peak memory [MB]"], table,
            f"The time of an iteration grows as tets to the power of {slope(points):.2f}.")


FIGURES = {figure.__name__: figure
           for figure in (materials, time_steps, contrast, libraries, frames, downdating, solves, parts, scaling)}
