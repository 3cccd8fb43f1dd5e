"""Settings of TS in `sinew run` and `sinew compare`."""

from studies.frame.engine import variant

# Table 2 of the paper. error: thresholds of modes and vertices; drop: of downdating; regions: L; initial: dimension of
# the first basis; library: dimension of all modes (Table 1). A handle has 12 dimensions.
TABLE_2 = {
    "iceberg_boat": {"young": (1e6, 1e6), "poisson": 0.45, "step": 0.01, "tolerance": 1e-3, "regions": 200,
                     "error": (0.1, 0.1), "drop": 0.1, "initial": 60, "library": 204},
    "spiky_roller": {"young": (1e5, 1e7), "poisson": 0.4, "step": 0.01, "tolerance": 5e-4, "regions": 500,
                     "error": (0.5, 0.5), "drop": 0.05, "initial": 72, "library": 240},
    "jello_soft": {"young": (1e5, 1e9), "poisson": 0.4, "step": 0.005, "tolerance": 5e-3, "regions": 700,
                   "error": (0.5, 0.5), "drop": 0.1, "initial": 72, "library": 216},
    "jello_rubber": {"young": (1e6, 1e9), "poisson": 0.4, "step": 0.005, "tolerance": 5e-3, "regions": 700,
                     "error": (0.5, 0.5), "drop": 0.1, "initial": 72, "library": 216},
    "jello_stiff": {"young": (1e9, 1e9), "poisson": 0.4, "step": 0.005, "tolerance": 5e-3, "regions": 700,
                    "error": (0.5, 0.5), "drop": 0.1, "initial": 72, "library": 216},
    "koosh_drop": {"young": (5e5, 5e5), "poisson": 0.4, "step": 0.01, "tolerance": 1e-3, "regions": 800,
                   "error": (0.2, 0.1), "drop": 0.1, "initial": 36, "library": 204},
    "spring_fist": {"young": (1e5, 1e8), "poisson": 0.4, "step": 0.005, "tolerance": 1e-2, "regions": 300,
                    "error": (0.5, 0.5), "drop": 0.2, "initial": 312, "library": 384},
    "mace_city": {"young": (1e5, 1e7), "poisson": 0.4, "step": 0.01, "tolerance": 1e-4, "regions": 1000,
                  "error": (0.5, 0.5), "drop": 0.1, "initial": 204, "library": 204},
    "mushroom_boot": {"young": (1e5, 1e9), "poisson": 0.4, "step": 0.005, "tolerance": 1e-3, "regions": 800,
                      "error": (0.5, 0.5), "drop": 0.1, "initial": 132, "library": 576},
}
UNLISTED = ("hand_on_spikes", "beam_on_sphere", "cube_on_spike", "cube_on_ramp")
SCENES = (*TABLE_2, *UNLISTED)
DIMENSION = 12  # of a handle


def printed_keys(scene, **more):
    """The keys of `solver` that stand for the paper's settings of a scene."""
    keys = {"adaptive.acceptance": "oracle", "adaptive.mode_error": 0.5, "adaptive.vertex_error": 0.5}
    row = TABLE_2.get(scene)
    if row:
        keys |= {"adaptive.mode_error": row["error"][0], "adaptive.vertex_error": row["error"][1],
                 "adaptive.drop_rate": row["drop"], "adaptive.regions": row["regions"],
                 "adaptive.initial": row["initial"] // DIMENSION, "handles": row["library"] // DIMENSION}
    return keys | {key.replace("__", "."): value for key, value in more.items()}


def printed(scene, **more):
    """The paper's settings as words of --set; `more` replaces some, with double underscores for points."""
    return [f"solver.{key}={value}" for key, value in printed_keys(scene, **more).items()]


def printed_variant(scene, **more):
    """The paper's settings as a method of `sinew compare`."""
    return variant("adaptive", **{key.replace(".", "__"): value for key, value in printed_keys(scene, **more).items()})


def share(row):
    return row["adaptive"]["share"]


def shares(rows):
    return [share(row) for row in rows]


def totals(rows):
    """Iterations and seconds of steps."""
    return {"iterations": sum(row["newton_iterations"] for row in rows),
            "seconds": sum(row["seconds"]["steps"] - row["seconds"]["output"] for row in rows)}


def converged(rows):
    return all(row["converged"] for row in rows)


def printed_solver(scene, method="adaptive", **more):
    """The paper's settings as keys of `solver` for the Python module."""
    solver = {"method": method}
    for key, value in printed_keys(scene, **more).items():
        part, name = solver, key
        if "." in key:
            group, name = key.split(".")
            part = solver.setdefault(group, {})
        part[name] = value
    return solver


def simulation(engine, scene, solver, change=None):
    """`engine.simulation`, also for edge lengths as sizes."""
    def both(text):
        if not engine.size.isalpha():
            text["size"] = float(engine.size)
        if change:
            change(text)
    return engine.simulation(scene, solver, both)
