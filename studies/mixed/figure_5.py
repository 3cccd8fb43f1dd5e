"""A bar of three stiff parts (1e8 Pa) between soft joints (1e5 Pa), held at one end. First, both bases fit fields in
which the parts turn about two skew axes, with the same number of unknowns (linear algebra alone, error over the stiff
parts). Second, the bar falls under its weight in both subspaces, with 48 unknowns. Derivatives are modal derivatives
(Barbič and James 2005)."""

from studies.frame.engine import temporary_folder
from studies.frame.numbers import error
from studies.frame.paper import Table, Verdict

from .motion import diagonal, path_of, ticks

HANDLES = (1, 2, 3, 4, 8)
FALLING = 4  # handles of the falling bar
ANGLES = (30, 90, 180)
KINDS = ("eigenmodes", "derivatives")
STEPS = 60
JOINTS = (0.3, 0.65)  # the x of the soft joints


def bar(engine, folder):
    """The scene, with its mesh in a file."""
    import numpy

    module = engine.python()
    box = {"materials": {"m": {"young": 1e6, "poisson": 0.3}}, "gravity": [0, 0, 0], "contact": {"enabled": False},
           "bodies": [{"mesh": {"box": {"size": [1, 0.1, 0.1], "cells": [40, 4, 4]}}, "material": "m"}]}
    import json
    import pathlib
    path = pathlib.Path(folder) / "box.json"
    path.write_text(json.dumps(box))
    engine.keep_run(path, "newton", f"{folder}/box", ["time.step=1e-6"], steps=1)
    engine.commands.pop()
    mesh = module.read_mesh(min((pathlib.Path(folder) / "box/frames").glob("*.vtu")))
    vertices = mesh.vertices + [0.5, 0, 0]
    middle = vertices[mesh.tets].mean(axis=1)[:, 0]
    soft = numpy.zeros(len(mesh.tets), bool)
    for joint in JOINTS:
        soft |= abs(middle - joint) < 0.05
    module.write_mesh(f"{folder}/bar.msh", module.Mesh(vertices, mesh.tets, regions=soft.astype(int) + 1))
    scene = {"time": {"step": 0.01, "steps": STEPS}, "gravity": [0, -9.81, 0], "contact": {"enabled": False},
             "materials": {"stiff": {"model": "fixed_corotated", "young": 1e8, "poisson": 0.3, "density": 1000},
                           "soft": {"model": "fixed_corotated", "young": 1e5, "poisson": 0.4, "density": 1000}},
             "bodies": [{"mesh": "bar.msh", "material": {"regions": {"1": "stiff", "2": "soft"}},
                         "fix": [{"halfspace": {"point": [0.001, 0, 0], "normal": [-1, 0, 0]}}]}],
             "solver": {"method": "newton"}}
    path = pathlib.Path(folder) / "bar.json"
    path.write_text(json.dumps(scene))
    return path, scene, vertices, mesh.tets, soft


AXES = ((1, 1, 1), (-1, 1, 1))  # of the turns of the second and the third part


def rotation(axis, angle):
    """The matrix of a turn (Rodrigues)."""
    import numpy

    x, y, z = numpy.array(axis) / numpy.linalg.norm(axis)
    cross = numpy.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return numpy.eye(3) + numpy.sin(angle) * cross + (1 - numpy.cos(angle)) * cross @ cross


def turned(vertices, degrees):
    """Displacements of a chain whose second and third part turn by an angle about their joints, about two skew axes."""
    import numpy

    here = vertices.copy()
    for joint, axis in zip(JOINTS, AXES):
        beyond = vertices[:, 0] > joint
        centre = here[abs(vertices[:, 0] - joint) < 0.01].mean(axis=0)
        here[beyond] = (here[beyond] - centre) @ rotation(axis, numpy.radians(degrees)).T + centre
    return here - vertices


def fit_error(basis, field, chosen):
    """Rms distance of a field from a span over the chosen vertices, over the rms of the field."""
    import numpy

    rows = numpy.repeat(chosen, 3)
    b = field.ravel()[rows]
    # Columns of equal size, and no directions that are rounding errors.
    A = basis[rows] / numpy.maximum(numpy.linalg.norm(basis[rows], axis=0), 1e-300)
    left, sizes, _ = numpy.linalg.svd(A, full_matrices=False)
    left = left[:, sizes > 1e-9 * sizes[0]]
    return float(numpy.linalg.norm(b - left @ (left.T @ b)) / numpy.linalg.norm(b))


def measure(engine):
    import numpy

    with temporary_folder() as folder:
        path, scene, vertices, tets, soft = bar(engine, folder)
        module = engine.python()

        def simulated(**keys):
            return module.Simulation({**scene, "solver": keys}, base_dir=folder)

        def in_subspace(handles, kind):
            keys = {"method": "reduced", "cubature": "all", "tolerance": 1e-4, "error_every": 0}
            if kind == "eigenmodes":
                return simulated(**keys, handles=handles)
            return simulated(**keys, subspace="derivatives", handles=12 * handles)

        def span(sim, kind):
            if kind == "derivatives":
                return sim.subspace["modes"]
            weights = sim.subspace["weights"]
            homogeneous = numpy.concatenate([numpy.ones((len(vertices), 1)), vertices], axis=1)
            scalar = weights[:, :, None] * homogeneous[:, None, :]
            return numpy.kron(scalar.reshape(len(vertices), -1), numpy.eye(3))

        parts = numpy.zeros(len(vertices), bool)
        parts[tets[~soft].ravel()] = True
        parts &= vertices[:, 0] > JOINTS[0]
        fits, errors = {kind: [] for kind in KINDS}, {}
        exact = path_of(simulated(method="newton"), STEPS, lambda s, _: s.positions)
        size = diagonal(vertices)
        for kind in KINDS:
            for handles in HANDLES:
                basis = span(in_subspace(handles, kind), kind)
                fits[kind].append([12 * handles, int(basis.shape[1]), *(fit_error(basis, turned(vertices, angle), parts) for angle in ANGLES)])
            sim = in_subspace(FALLING, kind)
            errors[kind] = [[row["step"], float(abs(sim.positions - exact[row["step"] - 1]).max()) / size]
                            for row in (sim.step() for _ in range(STEPS))]
        return {"fits": fits, "errors": errors}


def draw(numbers, plots):
    figure, (left, right) = plots.axes(2)
    plots.lines(left, {f"{kind}, {angle} degrees": [(row[0], max(row[2 + ANGLES.index(angle)], 1e-8)) for row in rows]
                       for kind, rows in numbers["fits"].items() for angle in (30, 180)},
                x="unknowns", y="fit error over the field", log="xy")
    plots.lines(right, numbers["errors"], x="step", y="largest distance from newton / diagonal", log="y")
    ticks(left, [12 * handles for handles in HANDLES])
    return figure


def tables(numbers):
    return [Table("Fit error of parts that turn", ["unknowns", *(f"{kind}, {angle} degrees" for kind in KINDS for angle in ANGLES)],
                  [[rows[0][0], *(error(value) for row in rows for value in row[2:])] for rows in zip(*numbers["fits"].values())]),
            Table(f"Falling bar, {STEPS} steps, {12 * FALLING} unknowns", ["subspace", "largest distance from newton / "
                                                                                       "diagonal"],
                  [[kind, error(max(value for _, value in rows))] for kind, rows in numbers["errors"].items()])]


def verdict(numbers):
    # The fewest unknowns with which a basis fits the turns to 1 %.
    enough = {kind: next((row[0] for row in rows if max(row[2:]) < 0.01), None) for kind, rows in numbers["fits"].items()}
    errors = {kind: max(value for _, value in rows) for kind, rows in numbers["errors"].items()}
    ours = ("unknowns that fit the turning parts to 1 %: " + ", ".join(f"{kind} "
                                                                       f"{value or f'more than {12 * HANDLES[-1]}'}" for kind, value in enough.items()) +
            ". Error of the falling bar: " + ", ".join(f"{kind} {error(value)}" for kind, value in errors.items()) + " of the diagonal")
    most = 12 * HANDLES[-1] + 1
    if (enough["eigenmodes"] or most) < (enough["derivatives"] or most):
        return Verdict("same", ours)
    return Verdict("differs", ours, "a turn is linear and quadratic in its generator, and derivatives of the linear "
                                    "modes hold the quadratic part")
