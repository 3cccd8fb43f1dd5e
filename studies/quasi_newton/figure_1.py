"""A head on a neck whose foot swings gently, and six times as far and twice as fast. The stiff Projective Dynamics
material is chosen to distort about as much as the polynomial one in the fast motion. Two rms distances are over the head's
height. Deflection is that from the shape that moves rigidly with the foot. Distortion is that from the rest
shape after the best rigid motion. The head is human, the paper's is a squirrel's."""

from studies.frame.numbers import percent
from studies.frame.paper import Table, Verdict

from .head import GENTLE, IMPULSIVE, run

MATERIALS = {
    "soft Projective Dynamics": {"model": "arap", "mu": 4e3},
    "stiff Projective Dynamics": {"model": "arap", "mu": 1e5},
    "polynomial": {"model": "polynomial", "mu": 1e6},
}


def measure(engine):
    sinew = engine.python()
    engine.note("Simulation: the head with three materials and two motions", program="Python")
    motions = {"gentle": GENTLE, "impulsive": IMPULSIVE}
    return {name: {kind: run(sinew, engine.size, material, motion) for kind, motion in motions.items()}
            for name, material in MATERIALS.items()}


def draw(numbers, plots):
    figure, (left, right) = plots.axes(2)
    for ax, kind, key in ((left, "gentle", "deflection"), (right, "impulsive", "distortion")):
        series = {name: [((i + 1) / 30, 100 * row[key]) for i, row in enumerate(runs[kind])]
                  for name, runs in numbers.items()}
        plots.lines(ax, series, x="time [s]", y=f"{key} / height [%]", title=f"{kind} motion")
    return figure


def most(rows, key):
    return max(row[key] for row in rows)


def tables(numbers):
    heads = ["material", "gentle: deflection", "distortion", "impulsive: deflection", "distortion"]
    rows = [[name, *(percent(most(runs[kind], key)) for kind in ("gentle", "impulsive")
                     for key in ("deflection", "distortion"))] for name, runs in numbers.items()]
    return [Table("Largest values over height", heads, rows)]


def verdict(numbers):
    jiggle = {name: most(runs["gentle"], "deflection") for name, runs in numbers.items()}
    bent = {name: most(runs["impulsive"], "distortion") for name, runs in numbers.items()}
    soft, stiff, polynomial = MATERIALS
    ours = "; ".join(f"{name}: jiggle {percent(jiggle[name])}, distortion {percent(bent[name])} of the height"
                     for name in MATERIALS)
    less_bent = bent[polynomial] < 0.7 * bent[soft] and bent[polynomial] < 1.2 * bent[stiff]
    if less_bent and jiggle[polynomial] > 1.3 * jiggle[stiff]:
        return Verdict("same", ours)
    return Verdict("differs", ours, "the polynomial material does not jiggle more at equal distortion")
