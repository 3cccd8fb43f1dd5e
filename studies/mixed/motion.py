"""Motions of scenes of the gallery with mixed and standard elements in one subspace."""

METHODS = {"mixed": "mixed", "standard": "reduced"}
BUDGETS = (0, 1, 2, 5)  # iterations a step; 0: until the tolerance


def points(count, rule="stiffness", **more):
    """`solver.cubature` with so many points, also on meshes with few tets."""
    return {"rule": rule, "points": count, **more}


def solver(kind="mixed", handles=16, cubature=400, iterations=0, **more):
    """Keys of `solver`. No time goes into error estimates."""
    if isinstance(cubature, int):
        cubature = points(cubature)
    return {"method": METHODS.get(kind, kind), "handles": handles, "cubature": cubature, "iterations": iterations,
            "error_every": 0, **more}


def full_space(method="newton"):
    """Keys of `solver` for a method in full space."""
    return {"method": method, "handles": None, "cubature": None}


def label(budget):
    """Of a budget of iterations."""
    return "converged" if budget == 0 else f"{budget} iteration" + ("s" if budget > 1 else "")


def path_of(sim, steps, measure):
    """measure(sim, row) after each step."""
    return [measure(sim, sim.step()) for _ in range(steps)]


def near(positions, center, radius):
    """Which positions lie in a ball."""
    return ((positions - center)**2).sum(axis=1) < radius**2


def centre(positions, chosen):
    """The mean of the chosen positions, as a list."""
    return positions[chosen].mean(axis=0).tolist()


def mean(values):
    return sum(values) / len(values)


def spread(values):
    return max(values) - min(values)


def diagonal(positions):
    """Of the box around positions."""
    return float(((positions.max(axis=0) - positions.min(axis=0))**2).sum()**0.5)


def set_young(text, young, names=None):
    """Changes Young's modulus of all materials of a scene, or of those in `names`."""
    for name, material in text["materials"].items():
        if names is None or name in names:
            material["young"] = young


def by_budget(engine, scene, steps, measure, budgets=BUDGETS, change=None, **keys):
    """{kind: {budget: [measure(sim, row) after each step]}} with mixed and standard elements."""
    return {kind: {budget: path_of(engine.simulation(scene, solver(kind, iterations=budget, **keys), change), steps, measure)
                   for budget in budgets} for kind in METHODS}


def ticks(ax, values):
    """Ticks at these values alone, on a logarithmic x axis."""
    ax.set_xticks(values, [f"{value:g}" for value in values])
    ax.minorticks_off()
