"""The study shows the places of 400 cubature points, with 16 handles. "Density" is the share of the points in a
region over the region's share of the volume: above 1, the rule prefers the region. The rod of the pendulum is a
quarter or less as thick as its weights (figure 16). Soft regions are the joints of the crab and the ends of the candy
(figure 6)."""

from studies.frame.numbers import short
from studies.frame.paper import Table, Verdict

from .bodies import frames_of, mesh_of
from .motion import points, solver

RULES = {"clusters, power 2": points(400, "clusters", power=2), "clusters, power 0": points(400, "clusters"),
         "stiffness (default)": points(400)}
SOFT = {"crab": "joint", "candy_twist": "foil", "creature": "joint"}


def thin_part(barycentres):
    """Where the pendulum's distance from the axis nowhere exceeds a quarter of its largest."""
    import numpy

    radius = numpy.hypot(barycentres[:, 0], barycentres[:, 2])
    slices = numpy.floor(barycentres[:, 1] / 0.03).astype(int)
    widest = {level: radius[slices == level].max() for level in set(slices.tolist())}
    return numpy.array([widest[level] < radius.max() / 4 for level in slices.tolist()])


def measure(engine):
    import numpy

    rows, drawn = [], {}
    for scene in ("pendulum", *SOFT):
        vertices, tets, materials = mesh_of(engine, scene)
        volumes, _ = frames_of(vertices, tets)
        barycentres = vertices[tets].mean(axis=1)
        if scene == "pendulum":
            part, name = thin_part(barycentres), "thin rod"
        else:
            part, name = numpy.array([material == SOFT[scene] for material in materials]), f"soft: {SOFT[scene]}"
        share = float(volumes[part].sum() / volumes.sum())
        densities = []
        for rule, cubature in RULES.items():
            chosen = engine.simulation(scene, solver(cubature=cubature)).subspace["tets"]
            densities.append(float(part[chosen].mean() / share))
            if scene == "pendulum":
                drawn[rule] = barycentres[chosen][:, :2].tolist()
        rows.append([scene, name, share, *densities])
        if scene == "pendulum":
            drawn["body"] = vertices[:, :2].tolist()
    return {"rows": rows, "drawn": drawn}


def draw(numbers, plots):
    figure, all_axes = plots.axes(3, width=2.6, height=3.4)
    for ax, rule in zip(all_axes, RULES):
        ax.plot(*zip(*numbers["drawn"]["body"]), ".", color="0.85", markersize=2)
        ax.plot(*zip(*numbers["drawn"][rule]), ".", color=plots.COLOURS[1], markersize=3)
        ax.set_aspect("equal")
        ax.set_title(rule, fontsize=9)
        ax.set_xlabel("x [m]")
    all_axes[0].set_ylabel("y [m]")
    return figure


def tables(numbers):
    return [Table("Density of cubature points", ["scene", "region", "share of the volume", *RULES],
                  [[scene, name, f"{100 * share:.1f} %", *(short(value) for value in values)]
                   for scene, name, share, *values in numbers["rows"]])]


def verdict(numbers):
    ours = "density of points by the paper's clusters and by our default: " + ", ".join(
        f"{scene} {short(values[0])} and {short(values[-1])}" for scene, _, _, *values in numbers["rows"])
    if all(values[0] > 1 for _, _, _, *values in numbers["rows"]):
        return Verdict("same", ours)
    sparse = [f"{scene}, {name}" for scene, name, _, *values in numbers["rows"] if values[0] <= 1]
    return Verdict("differs", ours, f"clusters with power 2 sample sparsely: {'; '.join(sparse)}")
