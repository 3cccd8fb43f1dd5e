"""A soft ball on a spike. The error G of each vertex follows from frames of a run with modes alone: it is that of the
first iteration of the next step. Enriched vertices are those of the same step of a run as printed, with a threshold of
0.1 for vertices. The field of progress is not in any output; enriched are regions with a large error and little
progress."""

import numpy

from studies.frame.engine import temporary_folder
from studies.frame.numbers import percent, short
from studies.frame.paper import Verdict

from . import frames
from .keys import printed

SCENE, STEPS = "sphere_on_spike", 3
THRESHOLD = 0.1
SCALE = 4 / 9  # of BDF2, on h^2


def opposite_areas(rest, tets):
    """Summed area of the faces opposite to each vertex in its tets."""
    area = numpy.zeros(len(rest))
    for k in range(4):
        a, b, c = (rest[tets[:, j]] for j in range(4) if j != k)
        numpy.add.at(area, tets[:, k], 0.5 * numpy.linalg.norm(numpy.cross(b - a, c - a), axis=1))
    return area


def elastic_forces(frame):
    """-sum V sigma grad N over the tets of each vertex."""
    x, tets = frame["Points"], frame["tets"]
    edges = x[tets[:, 1:]] - x[tets[:, :1]]
    gradients = numpy.linalg.inv(edges)  # columns: grad N of vertices 1, 2, 3
    s = frame["cauchy_stress"]
    sigma = numpy.stack([s[:, [0, 3, 5]], s[:, [3, 1, 4]], s[:, [5, 4, 2]]], axis=1)
    forces = numpy.zeros_like(x)
    volume = numpy.abs(numpy.linalg.det(edges)) / 6
    parts = -volume[:, None, None] * (sigma @ gradients)
    for k in range(3):
        numpy.add.at(forces, tets[:, k + 1], parts[:, :, k])
        numpy.add.at(forces, tets[:, 0], -parts[:, :, k])
    return forces


def errors(before, frame, step, material, gravity):
    """G = |grad E| / (a h^2 A W) at the positions of `frame`, for the step after it."""
    rest = frame["Points"] - frame["displacement"]
    tets = frame["tets"]
    mass = numpy.zeros(len(rest))
    for k in range(4):
        numpy.add.at(mass, tets[:, k], material["density"] * frames.volumes(rest, tets) / 4)
    x, v = frame["Points"], frame["velocity"]
    predictor = (4 * x - before["Points"]) / 3 + 2 / 9 * step * (4 * v - before["velocity"])
    scale = SCALE * step**2
    forces = elastic_forces(frame) + frame["contact_force"] + frame["friction_force"] + mass[:,
        None] * numpy.array(gravity)
    g = mass[:, None] * (x - predictor) - scale * forces
    E, nu = material["young"], material["poisson"]
    W = E / (1 + nu) + 3 * E * nu / ((1 + nu) * (1 - 2 * nu))  # 2 mu + 3 lambda
    return numpy.linalg.norm(g, axis=1) / (scale * opposite_areas(rest, tets) * W)


def measure(engine):
    scene = engine.check(SCENE)[1]
    with temporary_folder() as folder:
        engine.keep_run(SCENE, "adaptive", f"{folder}/modes", printed(SCENE, adaptive__vertex_error=1e12), steps=STEPS)
        before, now = (frames.read(path) for path in frames.paths(f"{folder}/modes")[-2:])
        engine.keep_run(SCENE, "adaptive", f"{folder}/run", printed(SCENE, adaptive__vertex_error=THRESHOLD),
                        steps=STEPS,
                        formats=["vtu", "html"])
        after = frames.read(frames.paths(f"{folder}/run")[-1])
        engine.picture(f"{folder}/run", "enriched", "--step", "last", "--color", "enriched", "--no-legend", "--view",
                       "20:-35:1.4",
                       "--fit", "frame", "--edges", "over", "--hide", "spike", size="300x260")
    G = errors(before, now, scene["time"]["step"], scene["materials"]["rubber"], scene["gravity"])
    x = now["Points"]
    touching = numpy.linalg.norm(now["contact_force"], axis=1) > 0
    distance = numpy.linalg.norm(x[:, None] - x[touching][None], axis=2).min(axis=1)
    diameter = float((x.max(axis=0) - x.min(axis=0)).max())
    enriched = after["enriched"] > 0
    return {"diameter": diameter, "touching": int(touching.sum()), "G": G, "distance": distance / diameter,
            "enriched": enriched.astype(int),
            "y": x[:, 1]}


def draw(numbers, plots):
    figure, ax = plots.axes()
    for flag, label, marker in ((0, "not enriched", "o"), (1, "enriched", "s")):
        chosen = [k for k, value in enumerate(numbers["enriched"]) if value == flag]
        ax.plot([numbers["distance"][k] for k in chosen], [numbers["G"][k] for k in chosen], marker, markersize=3,
                label=label)
    ax.axhline(THRESHOLD, color="grey", linewidth=0.8)
    ax.set_yscale("log")
    ax.set_xlabel("distance from the contact over the diameter")
    ax.set_ylabel("error G of a vertex")
    ax.legend(fontsize=8)
    return figure


def verdict(numbers):
    G, distance, enriched = (numpy.array(numbers[key]) for key in ("G", "distance", "enriched"))
    far = G[distance > 0.3]
    reach = float(distance[enriched > 0].max(initial=0))
    ours = (f"largest error {short(G.max())} at {short(distance[G.argmax()])} diameters from the contact; median "
            f"beyond 0.3 diameters {short(float(numpy.median(far)))}; {percent(enriched.mean())} enriched, all within "
            f"{short(reach)} diameters")
    if not enriched.any():
        return Verdict("differs", ours, "nothing is enriched")
    if distance[G.argmax()] < 0.2 and numpy.quantile(far, 0.95) < 0.2 * G.max() and reach < 0.6:
        return Verdict("same", ours)
    return Verdict("differs", ours, "errors are large or vertices enriched away from the contact")
