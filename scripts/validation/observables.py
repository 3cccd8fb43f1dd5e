"""What can be measured of a running scene, by the names that case.json uses.

An observable is an object with one key: the name of a function below, and its arguments. `of` is a selection as in a
scene (box, sphere, halfspace, vertices, all, any, not), in the rest state after transforms, of all bodies or of
`"body": NAME`; here there is also `shell`: {axis, from, to}, vertices between two distances from an axis through `center`.
"""

import math

import numpy as np

AXES = {"x": 0, "y": 1, "z": 2}


def direction(axis):
    """A unit vector of "x", "-y" or [x, y, z]."""
    if isinstance(axis, str):
        vector = np.zeros(3)
        vector[AXES[axis[-1]]] = -1 if axis[0] == "-" else 1
        return vector
    return np.asarray(axis, float) / np.linalg.norm(axis)


def across(points, axis, center):
    """Vectors from an axis to points, at right angles to it."""
    a = direction(axis)
    relative = points - np.asarray(center, float)
    return relative - np.outer(relative @ a, a)


class Observer:
    """The states of a run, one after the other, and what can be measured of them."""

    FIELDS = ("Points", "displacement", "velocity", "contact_force", "friction_force", "reaction_force")

    def __init__(self, scene, start, reference=None):
        """start: all arrays of the first frame; reference: positions at the end by newton, and the tolerance [m]."""
        self.scene, self.reference = scene, reference
        self.rest = start["Points"] - start["displacement"]
        self.tets = start["connectivity"].reshape(-1, len(start["connectivity"]) // max(1, len(start["body_id"])))
        self.body_of_tet = start["body_id"]
        self._masses = None
        self.friction_work = 0.0  # of the states shown
        self.show(start, None)

    def show(self, frame, row):
        """Goes to a state: a frame and the row of the step that led there, None at the start."""
        before = getattr(self, "frame", frame)
        self.frame, self.row = frame, row
        self.friction_work += (frame["friction_force"] * (frame["Points"] - before["Points"])).sum()
        self.positions, self.velocities = frame["Points"], frame["velocity"]

    def forces(self, kind):
        return self.frame[kind + "_force"]

    # ---- selections

    def body(self, name):
        """Which vertices are a body's."""
        names = [body.get("name", f"body{i}") for i, body in enumerate(self.scene["bodies"])]
        mask = np.zeros(len(self.rest), bool)
        mask[self.tets[self.body_of_tet == names.index(name)].ravel()] = True
        return mask

    def select(self, what):
        mask = self._mask(what)
        if not mask.any():
            raise ValueError(f"nothing is selected by {what}")
        return np.flatnonzero(mask)

    def _mask(self, what):
        x, slack = self.rest, 1e-9 * np.ptp(self.rest, axis=0).max()
        if what in (None, "all"):
            return np.ones(len(x), bool)
        mask = np.ones(len(x), bool)
        begin = 0
        for key, value in what.items():
            if key == "body":
                inside = self.body(value)
                begin = int(np.flatnonzero(inside)[0])
            elif key == "box":
                inside = np.all((x >= np.array(value[0]) - slack) & (x <= np.array(value[1]) + slack), axis=1)
            elif key == "sphere":
                inside = np.linalg.norm(x - value["center"], axis=1) <= value["radius"] + slack
            elif key == "halfspace":
                inside = (x - np.array(value["point"])) @ direction(value["normal"]) >= -slack
            elif key == "shell":
                r = np.linalg.norm(across(x, value["axis"], value.get("center", [0, 0, 0])), axis=1)
                inside = (r >= value["from"] - slack) & (r <= value["to"] + slack)
            elif key == "vertices":
                inside = np.zeros(len(x), bool)
                inside[np.array(value) + begin] = True
            elif key == "any":
                inside = np.any([self._mask(one) for one in value], axis=0)
            elif key == "not":
                inside = ~self._mask(value)
            elif key == "all":
                inside = mask
            else:
                raise ValueError(f"selection: unknown key {key}")
            mask = mask & inside
        return mask

    def masses(self):
        """Lumped: a quarter of each tet's mass at its corners."""
        if self._masses is None:
            self._masses = np.zeros(len(self.rest))
            edges = self.rest[self.tets[:, 1:]] - self.rest[self.tets[:, :1]]
            volumes = np.abs(np.linalg.det(edges)) / 6
            for i, body in enumerate(self.scene["bodies"]):
                material = body.get("material") or next(iter(self.scene["materials"]))
                if isinstance(material, str):
                    material = self.scene["materials"][material]
                own = self.body_of_tet == i
                for corner in range(4):
                    np.add.at(self._masses, self.tets[own, corner], material.get("density", 1000) * volumes[own] / 4)
        return self._masses

    # ---- numbers

    def value(self, observable):
        (name, arguments), = observable.items()
        return float(getattr(self, "see_" + name)(arguments))

    def _reduced(self, vectors, a):
        """Of a selection's vectors: the mean's part along an axis, or what `reduce` says."""
        how = a.get("reduce", "mean")
        if how == "largest":  # length over vertices
            return np.linalg.norm(vectors, axis=1).max()
        if a["axis"] == "length":  # of the mean
            return np.linalg.norm(vectors.mean(0))
        parts = vectors @ direction(a["axis"])
        return {"mean": np.mean, "max": np.max, "min": np.min, "spread": np.ptp}[how](parts)

    def see_displacement(self, a):
        chosen = self.select(a.get("of"))
        return self._reduced(self.positions[chosen] - self.rest[chosen], a)

    def see_position(self, a):
        return self._reduced(self.positions[self.select(a.get("of"))], a)

    def see_misfit(self, a):
        """Largest distance of a vertex from where a matrix puts its rest position."""
        chosen = self.select(a.get("of"))
        return np.linalg.norm(self.positions[chosen] - self.rest[chosen] @ np.array(a["matrix"], float).T, axis=1).max()

    def see_distance_from_reference(self, _):
        """Mean distance of vertices from where newton has them, but for the tolerance of the steps, over the largest
        mean motion of a step's end from the start."""
        positions, allowed, motion = (self.reference[name] for name in ("positions", "allowed", "motion"))
        return max(0.0, np.linalg.norm(self.positions - positions, axis=1).mean() - allowed) / motion

    def see_velocity(self, a):
        return self._reduced(self.velocities[self.select(a.get("of"))], a)

    def see_radius(self, a):
        """Mean distance from an axis, or from the center if there is no axis."""
        points = self.positions[self.select(a.get("of"))]
        center = np.asarray(a.get("center", [0, 0, 0]), float)
        return np.linalg.norm(across(points, a["axis"], center) if "axis" in a else points - center, axis=1).mean()

    def see_radial_displacement(self, a):
        """Mean change of the distance from an axis, or from the center if there is no axis."""
        chosen, center = self.select(a.get("of")), np.asarray(a.get("center", [0, 0, 0]), float)

        def radius(points):
            return np.linalg.norm(across(points, a["axis"], center) if "axis" in a else points - center, axis=1)
        return (radius(self.positions[chosen]) - radius(self.rest[chosen])).mean()

    def see_angle(self, a):
        """Of the line between the middles of two selections, in a plane such as "xy" [degrees]."""
        d = self.positions[self.select(a["to"])].mean(0) - self.positions[self.select(a["from"])].mean(0)
        first, second = (AXES[letter] for letter in a.get("plane", "xy"))
        return math.degrees(math.atan2(d[second], d[first]))

    def see_turn(self, a):
        """Of a selection about an axis through its middle: the best fit [degrees]."""
        chosen = self.select(a.get("of"))
        axis = direction(a["axis"])

        def flat(points):
            return across(points - points.mean(0), axis, [0, 0, 0])
        before, after = flat(self.rest[chosen]), flat(self.positions[chosen])
        sine = (np.cross(before, after) @ axis).sum()
        return math.degrees(math.atan2(sine, (before * after).sum()))

    def see_force(self, a):
        """Sum of nodal forces [N]."""
        total = self.forces(a["kind"])[self.select(a.get("of"))].sum(0)
        return np.linalg.norm(total) if a["axis"] == "length" else total @ direction(a["axis"])

    def see_size_of_forces(self, a):
        """Sum of the lengths of nodal forces [N]."""
        return np.linalg.norm(self.forces(a["kind"])[self.select(a.get("of"))], axis=1).sum()

    def see_moment(self, a):
        """Of nodal forces about an axis through a center [N m]."""
        chosen = self.select(a.get("of"))
        arms = self.positions[chosen] - np.asarray(a.get("center", [0, 0, 0]), float)
        return np.cross(arms, self.forces(a["kind"])[chosen]).sum(0) @ direction(a["axis"])

    def see_radial_force(self, a):
        """Sum of the parts of nodal forces away from an axis [N]."""
        chosen = self.select(a.get("of"))
        arms = across(self.positions[chosen], a["axis"], a.get("center", [0, 0, 0]))
        unit = arms / np.linalg.norm(arms, axis=1)[:, None]
        return (self.forces(a["kind"])[chosen] * unit).sum()

    def see_energy(self, a):
        """Sum of the named energies [J]."""
        return math.nan if self.row is None else sum(self.row["energies"][name] for name in a)

    def see_friction_work(self, _):
        """What friction has taken since the start [J], with the forces at the ends of steps."""
        return -self.friction_work

    def see_momentum(self, a):
        chosen = self.select(a.get("of"))
        return (self.masses()[chosen] @ self.velocities[chosen]) @ direction(a["axis"])

    def see_angular_momentum(self, a):
        """About the middle of the masses."""
        chosen = self.select(a.get("of"))
        m, x = self.masses()[chosen], self.positions[chosen]
        arms = x - m @ x / m.sum()
        total = (m[:, None] * np.cross(arms, self.velocities[chosen])).sum(0)
        return np.linalg.norm(total) if a["axis"] == "length" else total @ direction(a["axis"])

    def see_row(self, key):
        """A number of the row; at the start there is none."""
        value = self.row
        for part in key.split("."):
            value = None if value is None else value.get(part)
        return math.nan if value is None else value

    def see_limit_point(self, kind):
        """Load at which it turned in the step along a path of equilibria: a "maximum" or "minimum"."""
        path = (self.row or {}).get("path", {})
        turned = path.get("limit_points") and kind == ("maximum" if path["load_rate"] < 0 else "minimum")
        return path["limit_points"][0] if turned else math.nan

    def see_ratio(self, a):
        top, bottom = (self.value(one) for one in a)
        return top / bottom if bottom else math.nan

    def see_difference(self, a):
        return self.value(a[0]) - self.value(a[1])

    def see_sum(self, a):
        return sum(self.value(one) for one in a)

    def see_scaled(self, a):
        return a["by"] * self.value(a["value"])


# ---- over the steps

def frequency(times, values):
    """From the zero crossings of a swing that begins at zero [1/s]."""
    v = np.asarray(values)
    at = [i for i in range(1, len(v) - 1) if v[i] * v[i + 1] < 0]
    if len(at) < 3:
        return math.nan
    crossings = [times[i] + (times[i + 1] - times[i]) * v[i] / (v[i] - v[i + 1]) for i in at]
    return (len(crossings) - 1) / 2 / (crossings[-1] - crossings[0])


def decay_rate(times, values):
    """Of the peaks of a swing about zero but the first two, least squares of their logarithms [1/s]."""
    v = np.abs(np.asarray(values))
    peaks = [i for i in range(1, len(v) - 1) if v[i] >= v[i - 1] and v[i] > v[i + 1]][2:]
    if len(peaks) < 2:
        return math.nan
    return -np.polyfit(np.asarray(times)[peaks], np.log(v[peaks]), 1)[0]


def first_above(times, values, level):
    """Time at which values first reach a level, linear between steps [s]."""
    for i in range(1, len(values)):
        if values[i] >= level > values[i - 1]:
            return times[i - 1] + (times[i] - times[i - 1]) * (level - values[i - 1]) / (values[i] - values[i - 1])
    return math.nan


def over_steps(times, values, how):
    """One number of a series that begins with the state at the start."""
    v = np.asarray(values, float)
    if isinstance(how, dict):
        (name, argument), = how.items()
        if name == "step":
            return v[argument]
        if name == "first_above":
            return first_above(times, v, argument)
        if name == "mean_from":  # step
            return v[argument:].mean()
        if name == "largest_from":
            return np.abs(v[argument:]).max()
        if name == "max_from":
            return v[argument:].max()
        if name == "min_from":
            return v[argument:].min()
        raise ValueError(f"over: unknown {name}")
    with np.errstate(all="ignore"):
        return {"end": lambda: v[-1], "end_of_all": lambda: v[-1], "start": lambda: v[0], "max": lambda: np.nanmax(v), "min": lambda: np.nanmin(v),
                "largest": lambda: np.nanmax(np.abs(v)), "mean": lambda: np.nanmean(v), "change": lambda: v[-1] - v[np.isfinite(v)][0],
                "rise": lambda: np.nanmax(v) - v[np.isfinite(v)][0], "frequency": lambda: frequency(times, v),
                "decay_rate": lambda: decay_rate(times, v)}[how]()


def only_at_end(how):
    """Whether the states before the last one do not matter; "end_of_all" is the end of what adds up over them."""
    return how == "end"
