"""A spring pulls a hind foot of the creature by 0.15 of the diagonal, without gravity. The table sums the motion of
the trunk's end and of the foot over 30 steps; in full space the trunk nearly rests. The artefact is the ratio of
both."""

from studies.frame.numbers import short
from studies.frame.paper import Table, Verdict

from .motion import diagonal, full_space, near, path_of, points, solver, ticks

KINDS = (("eigenmodes", (4, 8, 16, 32)), ("sms", (8, 16, 32)))


def measure(engine):
    rest = engine.simulation("creature", full_space()).positions
    size = diagonal(rest)
    foot_place = rest[(rest @ [1.0, 1.0, 0.3]).argmin()]
    foot, trunk = near(rest, foot_place, 0.08 * size), near(rest, rest[rest[:, 0].argmax()], 0.08 * size)

    def change(text):
        text["gravity"] = [0, 0, 0]
        body = text["bodies"][0]
        body.pop("acceleration")
        body["springs"] = [{"sphere": {"center": foot_place.tolist(), "radius": 0.08 * size}, "to": foot_place.tolist(),
                            "stiffness": 20, "motion": {"translate": {"times": [0, 0.2], "values": [
                                [0, 0, 0], [-0.15 * size, 0, 0]]}}}]

    def moved(keys):
        sim = engine.simulation("creature", keys, change)
        path = path_of(sim, 30, lambda s, _: [float(abs(s.positions[part] - rest[part]).mean()) for part in (trunk, foot)])
        return [sum(part) for part in zip(*path)]

    rows = [["newton", None, *moved(full_space())]]
    for subspace, counts in KINDS:
        for handles in counts:
            rows.append([subspace, handles, *moved(solver(handles=handles, cubature=points(25 * handles), subspace=subspace))])
    return {"rows": rows}


def ratios(numbers, subspace):
    return [(handles, trunk / foot) for kind, handles, trunk, foot in numbers["rows"] if kind == subspace]


def draw(numbers, plots):
    figure, ax = plots.axes()
    plots.lines(ax, {**{kind: ratios(numbers, kind) for kind, _ in KINDS},
                     "newton": [(handles, ratios(numbers, "newton")[0][1]) for handles in (4, 32)]},
                x="handles", y="motion of trunk / motion of foot", log="xy")
    ticks(ax, (4, 8, 16, 32))
    return figure


def tables(numbers):
    return [Table("Summed motion over 30 steps", ["subspace", "handles", "trunk [m]", "foot [m]", "ratio"],
                  [[kind, handles or "-", f"{trunk:.3f}", f"{foot:.2f}", f"{trunk / foot:.1e}"]
                   for kind, handles, trunk, foot in numbers["rows"]])]


def verdict(numbers):
    exact = ratios(numbers, "newton")[0][1]
    found = dict(ratios(numbers, "eigenmodes"))
    worst, last = max(found, key=found.get), max(found)
    ours = (f"motion of the trunk over that of the foot: {short(found[worst])} with {worst} eigenmodes, "
            f"{short(found[last])} with {last}, {short(exact)} in full space")
    if found[last] < 0.5 * found[worst] and found[last] < 3 * exact:
        return Verdict("same", ours)
    return Verdict("differs", ours, "more modes do not remove the artefact")
