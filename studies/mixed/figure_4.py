"""Weights of 16 handles in the candy, whose middle is stiff. The stiffness ratio of middle and ends goes from 1 to
1e6. The table compares how fast weights vary there: the rms gradient in the middle over that in the ends. Biharmonic
weights (figure 3) know the shape; only the places of their handles depend on the material. Eigenmodes become flat in
the stiff part."""

from studies.frame.numbers import error, short
from studies.frame.paper import Table, Verdict

from .bodies import frames_of, gradients, mesh_of
from .motion import set_young, solver

RATIOS = (1e0, 1e2, 1e4, 1e6)
KINDS = ("eigenmodes", "biharmonic", "sms")


def measure(engine):
    import numpy

    vertices, tets, materials = mesh_of(engine, "candy_twist")
    volumes, inverses = frames_of(vertices, tets)
    stiff = numpy.array([name == "sugar" for name in materials])
    found, shapes = {kind: [] for kind in KINDS}, {}
    for kind in KINDS:
        for ratio in RATIOS:
            sim = engine.simulation("candy_twist", solver(subspace=kind), lambda text, r=ratio: set_young(text, 1e5 * r, ["sugar"]))
            weights = sim.subspace["weights"]
            square = (gradients(weights, tets, inverses)**2).sum(axis=(1, 2)) * volumes
            inside, outside = square[stiff].sum() / volumes[stiff].sum(), square[~stiff].sum() / volumes[~stiff].sum()
            found[kind].append([ratio, float((inside / outside)**0.5)])
        # The most varied weight along the axis.
        axis = numpy.hypot(vertices[:, 0], vertices[:, 1]) < 0.06
        order = numpy.argsort(vertices[axis, 2])
        spans = [(weights[axis, i].max() - weights[axis, i].min(), i) for i in range(weights.shape[1])]
        chosen = max(spans)[1]
        values = weights[axis, chosen][order]
        shapes[kind] = list(zip(vertices[axis, 2][order].tolist(), (values / abs(values).max()).tolist()))
    return {"ratios": found, "shapes": shapes, "middle": [float(vertices[tets[stiff]][..., 2].min()),
                                                         float(vertices[tets[stiff]][..., 2].max())]}


def draw(numbers, plots):
    figure, (left, right) = plots.axes(2)
    plots.lines(left, numbers["ratios"], x="stiffness of the middle over that of the ends",
                y="gradient in the middle / in the ends", log="xy")
    for kind in ("eigenmodes", "sms"):
        points = numbers["shapes"][kind]
        right.plot([p[0] for p in points], [p[1] for p in points], ".-", markersize=3, linewidth=0.7, label=kind)
    right.axvspan(*numbers["middle"], color="0.9", zorder=0)
    right.set_xlabel("z [m]; grey: the stiff middle")
    right.set_ylabel("weight over its largest value")
    right.set_title("one weight of each kind along the axis, ratio 1e6", fontsize=9)
    right.legend(fontsize=8)
    return figure


def tables(numbers):
    return [Table("Rms gradient of the weights in the middle over that in the ends",
                  ["stiffness ratio", *numbers["ratios"]],
                  [[error(rows[0][0]), *(short(value) for _, value in rows)] for rows in zip(*numbers["ratios"].values())])]


def verdict(numbers):
    first, last = ({kind: rows[place][1] for kind, rows in numbers["ratios"].items()} for place in (0, -1))
    ours = "gradient in the middle over that in the ends, from stiffness ratio 1 to 1e6: " + ", ".join(
        f"{kind} {short(first[kind])} to {short(last[kind])}" for kind in numbers["ratios"])
    flat = last["eigenmodes"] < 0.05 * first["eigenmodes"]
    unaware = last["biharmonic"] > 0.1
    if flat and unaware:
        return Verdict("same", ours)
    return Verdict("differs", ours, "eigenmodes vary in the stiff part" if not flat else "biharmonic weights become flat too")
