"""One step from a bent start, repeated with a budget of 1, 2, ... iterations, 16 handles and 800 points. The residual
is the last change of the velocity, in place of the Newton decrement. The octobot is homogeneous with three Young's
moduli, as in the paper. The crab has joints of 1e5 Pa and shells that are 1 to 1e6 times as stiff."""

from studies.frame.numbers import error
from studies.frame.paper import Table, Verdict

from .motion import METHODS, path_of, set_young, solver

MODULI = (1e5, 1e7, 1e9)
RATIOS = (1e0, 1e2, 1e4, 1e6)
BUDGETS = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50)
TOLERANCE = 1e-3  # m/s, the default


def residuals(engine, scene, bent, change):
    """{kind: [(budget, residual)]} of one step."""
    found = {}
    for kind in METHODS:
        sim = engine.simulation(scene, solver(kind, cubature=800, tolerance=1e-9), change)
        found[kind] = []
        for budget in BUDGETS:
            sim.positions = bent
            sim.velocities = 0 * bent
            sim.set_iterations(budget)
            found[kind].append([budget, sim.step()["residual"]])
    return found


def bent_by(engine, scene, change, steps):
    sim = engine.simulation(scene, solver("standard", cubature=800), change)
    path_of(sim, steps, lambda *_: None)
    return sim.positions


def measure(engine):
    octobot = bent_by(engine, "octobot", lambda text: set_young(text, 1e5), 40)

    def ratio_of(value):
        return lambda text: (set_young(text, 1e5, ["joint"]), set_young(text, 1e5 * value, ["shell"]))

    crab = bent_by(engine, "crab", ratio_of(1e4), 30)
    return {"moduli": [[young, residuals(engine, "octobot", octobot, lambda text, young=young: set_young(text, young))]
                       for young in MODULI],
            "ratios": [[ratio, residuals(engine, "crab", crab, ratio_of(ratio))] for ratio in RATIOS]}


def needed(points, tolerance=TOLERANCE):
    """The smallest budget whose residual is below the tolerance; None: more than all."""
    return next((budget for budget, residual in points if residual < tolerance), None)


def draw(numbers, plots):
    figure, both = plots.axes(2, width=4.6)
    for ax, (group, title) in zip(both, (("moduli", "octobot, homogeneous"), ("ratios", "crab, shells over joints"))):
        for index, (value, found) in enumerate(numbers[group]):
            for kind, style in (("mixed", "-"), ("standard", "--")):
                ax.plot(*zip(*[(b, max(r, 1e-12)) for b, r in found[kind]]), style, color=plots.COLOURS[index], linewidth=1.3,
                        marker=plots.MARKERS[index], markersize=3, label=f"{value:.0e}, {kind}".replace("e+0", "e"))
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_xlabel("iterations")
        ax.set_ylabel("residual [m/s]")
        ax.set_title(title, fontsize=9)
        ax.legend(fontsize=7)
    return figure


def cells(numbers, group):
    return [[error(value), *(needed(found[kind]) or f"> {BUDGETS[-1]}" for kind in METHODS),
             *(error(dict(map(tuple, found[kind]))[3]) for kind in METHODS)] for value, found in numbers[group]]


def tables(numbers):
    heads = [*(f"iterations to 1e-3 m/s, {kind}" for kind in METHODS), *(f"residual after 3, {kind} "
                                                                         "[m/s]" for kind in METHODS)]
    return [Table("Octobot, homogeneous", ["Young's modulus [Pa]", *heads], cells(numbers, "moduli")),
            Table("Crab, shells over joints", ["stiffness ratio", *heads], cells(numbers, "ratios"))]


def verdict(numbers):
    counts = {kind: [needed(found[kind]) or 2 * BUDGETS[-1] for _, found in numbers["moduli"]] for kind in METHODS}
    listed = {name: [", ".join(str(needed(found[kind]) or f"> {BUDGETS[-1]}") for _, found in numbers[name]) for kind in METHODS]
              for name in ("moduli", "ratios")}
    ours = ("iterations to 1e-3 m/s, octobot of 1e5, 1e7 and 1e9 Pa: mixed {}, standard "
            "{}. ".format(*listed["moduli"]) +
            "Crab with ratios 1, 1e2, 1e4 and 1e6: mixed {}, standard {}".format(*listed["ratios"]))
    never_slower = all(a <= b for a, b in zip(counts["mixed"], counts["standard"]))
    # At the largest stiffness standard elements need at least half as many again.
    if never_slower and counts["standard"][-1] >= 1.5 * counts["mixed"][-1]:
        return Verdict("same", ours)
    return Verdict("differs", ours, "mixed elements do not save iterations at every modulus")
