#!/usr/bin/python3
"""Presses a pin with N flat sides into a bore with N flat sides and prints the forces as it goes in.

    PYTHONPATH=build/release/python /usr/bin/python3 press_fit.py --sides 36 --angle 0 --steps 50

Lengths are multiples of the bore's circumradius R. --angle turns the pin against the bore: 0 is corners at corners, 1
is corners at the middle of flats, 180 / N degrees further. The corners of the pin interfere with the bore by I R at
angle 0, I being --interference, and by R (I + 1 - cos(pi / N)) at angle 1. docs/developing/notes.md,
"Press fits of polygons", has results.

A row for each load step: depth of the shank in the bore over R; axial force on the pin's top; the axial force that the
energies of two rows ask for (with friction: its share without friction); torque on the top over R; sum of the radial
contact forces on the bore; angle of the shank, as --angle; elastic and barrier energy; smallest gap over R; iterations.
"""
import argparse
import tempfile
from pathlib import Path

import numpy as np

import sinew


def rings(sides, cells, radii, turn, centre):
    """Points (k, 2) and triangles of a polygon (centre=True), or of one with a hole, with many cells a side."""
    angle = 2 * np.pi * np.arange(sides) / sides + turn
    corners = np.c_[np.cos(angle), np.sin(angle)]
    share = np.arange(cells)[None, :, None] / cells
    ring = (corners[:, None] * (1 - share) + np.roll(corners, -1, 0)[:, None] * share).reshape(-1, 2)
    n = len(ring)
    points = [r * ring for r in radii]
    i, j = np.arange(n), (np.arange(n) + 1) % n
    triangles = []
    for k in range(len(radii) - 1):
        a, b = k * n, (k + 1) * n
        # The diagonal of a quad starts at an even corner: mirror images of each other for even n.
        even = (i % 2 == 0)[:, None]
        triangles += [np.where(even, np.c_[a + i, b + i, b + j], np.c_[a + i, b + i, a + j]),
                      np.where(even, np.c_[a + i, b + j, a + j], np.c_[b + i, b + j, a + j])]
    if centre:
        points.append(np.zeros((1, 2)))
        last = (len(radii) - 1) * n
        triangles.append(np.c_[np.full(n, len(radii) * n), last + i, last + j])
    return np.vstack(points), np.vstack(triangles)


def prisms(points, triangles, heights, n, radius_at=None):
    """Extrudes to tets; prisms are cut by the order of (parity of the corner, vertex), so that neighbours agree."""
    m, layers = len(points), len(heights)
    vertices = np.vstack([np.c_[points, np.full(m, z)] for z in heights])
    if radius_at:
        for k, z in enumerate(heights):
            vertices[k * m:(k + 1) * m, :2] *= radius_at(z)
    ids = np.arange(m * layers)
    key = (ids % m % n % 2) * m * layers + ids
    tets = []
    for k in range(layers - 1):
        for t in triangles:
            # A prism abc-def is cut by its smallest corner, then the opposite quad by its smallest.
            p = np.r_[k * m + t, (k + 1) * m + t]
            s = int(np.argmin(key[p]))
            if s >= 3:
                p = p[[3, 5, 4, 0, 2, 1]]
                s = {3: 0, 4: 2, 5: 1}[s]
            p = p[[s, (s + 1) % 3, (s + 2) % 3, 3 + s, 3 + (s + 1) % 3, 3 + (s + 2) % 3]]
            a, b, c, d, e, f = p
            tets.append([a, d, e, f])
            if min(key[b], key[f]) < min(key[c], key[e]):
                tets += [[a, b, c, f], [a, b, f, e]]
            else:
                tets += [[a, b, c, e], [a, e, c, f]]
    return vertices, np.array(tets)


def write(path, vertices, tets):
    """Writes a mesh with all tets wound alike."""
    e = vertices[tets[:, 1:]] - vertices[tets[:, :1]]
    flip = np.linalg.det(e) < 0
    tets[flip] = tets[flip][:, [0, 1, 3, 2]]
    sinew.write_mesh(str(path), sinew.Mesh(vertices, tets))


def lame(p):
    """Pressure of the round fit by Lame, in plane strain: exact far from the ends for a Poisson's ratio of 0."""
    a, b, nu = p.R, p.outer * p.R, p.poisson
    lam, mu = p.young * nu / ((1 + nu) * (1 - 2 * nu)), p.young / (2 * (1 + nu))
    pin = a / (2 * (lam + mu))  # shrinks by this for a unit pressure
    widening = 1 / (2 * (lam + mu) + 2 * mu * b * b / a / a)  # of the tube, u = w (b^2 / r - r), held at b
    return p.interference * p.R / (pin + widening * (b * b / a - a))


def build(p, folder):
    """Writes the meshes; returns the scene, their vertices, the pin's top and the wall of the bore."""
    n, R, refine = p.sides, p.R, p.radial
    half = np.pi / n
    Rp, turn = R * (1 + p.interference), p.angle * half
    pin_radii = np.linspace(1, 0, refine + 1)[:-1]
    hole_radii = np.geomspace(1, p.outer, refine + 1)
    # A chamfer below the shank, whose tip clears the bore at any angle.
    tip = R * (np.cos(half) - 0.01) / Rp
    h = p.length / p.layers
    chamfer, shank = p.chamfer, p.travel + 0.3
    z = np.r_[np.linspace(0, chamfer, 3), chamfer + np.linspace(0, shank, round(shank / h) + 1)[1:]]

    def radius(s):
        return tip + (1 - tip) * min(1, s / chamfer)

    points, triangles = rings(n, p.cells, Rp * pin_radii, turn, True)
    pin_v, pin_t = prisms(points, triangles, z, n * p.cells, radius)
    pin_v[:, 2] = pin_v[:, 2] * R + R * p.length + p.start * R
    points, triangles = rings(n, p.cells, R * hole_radii, 0, False)
    bore_v, bore_t = prisms(points, triangles, np.linspace(0, p.length, p.layers + 1), n * p.cells)
    bore_v[:, 2] *= R
    write(folder / "pin.vtu", pin_v, pin_t)
    write(folder / "bore.vtu", bore_v, bore_t)

    top = np.flatnonzero(pin_v[:, 2] > pin_v[:, 2].max() - 1e-9 * R)
    ring = np.arange(len(bore_v)) % len(points) // (n * p.cells)
    inner, outer = np.flatnonzero(ring == 0), np.flatnonzero(ring == refine)
    down = -(p.travel + p.chamfer + p.start) * R
    motion = {"translate": {"times": [0, 1], "values": [[0, 0, 0], [0, 0, down]]}}
    pin = {"name": "pin", "mesh": "pin.vtu", "material": "m"}
    if p.twist == "held":
        pin["fix"] = [{"vertices": top.tolist(), "motion": motion}]
    else:
        axis = top[np.hypot(pin_v[top, 0], pin_v[top, 1]) < 1e-9 * R]
        rest = np.setdiff1d(top, axis)
        rim = top[np.hypot(pin_v[top, 0], pin_v[top, 1]) > Rp * (1 - 1e-9)]
        pin["fix"] = [{"vertices": rest.tolist(), "axes": "z", "motion": motion},
                      {"vertices": axis.tolist(), "motion": motion}]
        k = 1e-6 * p.young * R  # weak, against the free turn of the pin
        pin["springs"] = [{"vertices": [int(v)], "to": pin_v[v].tolist(), "stiffness": k,
                           "motion": motion} for v in rim[::n // 4][:4]]
    contact = {"distance": p.distance * R, "friction": p.friction, "friction_iterations": 100 if p.friction else 1,
               "self": False}
    if p.slip:
        contact["slip_speed"] = p.slip
    if p.stiffness:
        contact["stiffness"] = p.stiffness
    solver = {"max_iterations": p.iterations}
    if p.tolerance:
        solver["tolerance"] = p.tolerance * R
    scene = {"sinew": 1, "name": "press_fit", "time": {"mode": "static", "steps": p.steps}, "gravity": [0, 0, 0],
             "materials": {"m": {"model": p.model, "young": p.young, "poisson": p.poisson}},
             "bodies": [pin, {"name": "bore", "mesh": "bore.vtu", "material": "m",
                              "fix": [{"vertices": outer.tolist()}]}],
             "contact": contact, "solver": solver, "output": {"formats": []}}
    return scene, pin_v, bore_v, top, inner


def arguments(argv=None):
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    a.add_argument("--sides", type=int, default=36)
    a.add_argument("--angle", type=float, default=0, help="0: corners at corners, 1: corners at the middle of flats")
    a.add_argument("--interference", type=float, default=0.005, help="of the circumradii, over R")
    a.add_argument("--steps", type=int, default=50)
    a.add_argument("--distance", type=float, default=1e-3, help="contact.distance over R")
    a.add_argument("--stiffness", type=float, default=0, help="contact.stiffness [Pa], 0: auto")
    a.add_argument("--friction", type=float, default=0)
    a.add_argument("--slip", type=float, default=0, help="contact.slip_speed [m a load step], 0: auto")
    a.add_argument("--twist", choices=["held", "free"], default="held", help="is the pin's top held against turning?")
    a.add_argument("--cells", type=int, default=1, help="cells along each side of the polygons")
    a.add_argument("--layers", type=int, default=5, help="cells along the bore")
    a.add_argument("--radial", type=int, default=2, help="cells along the radius")
    a.add_argument("--R", type=float, default=0.01)
    a.add_argument("--outer", type=float, default=2)
    a.add_argument("--length", type=float, default=1)
    a.add_argument("--travel", type=float, default=0.6, help="depth of the shank in the bore, over R")
    a.add_argument("--chamfer", type=float, default=0.25)
    a.add_argument("--start", type=float, default=0.02, help="height of the pin over the bore at the start, over R")
    a.add_argument("--young", type=float, default=1e7)
    a.add_argument("--poisson", type=float, default=0.0)
    a.add_argument("--model", default="neo_hookean")
    a.add_argument("--tolerance", type=float, default=0, help="solver.tolerance over R, 0: auto")
    a.add_argument("--iterations", type=int, default=500)
    a.add_argument("--quiet", action="store_true")
    return a.parse_args(argv)


class PressFit:
    """A press fit in statics: run() returns a row of numbers for each load step."""

    def __init__(self, p):
        self.p = p
        self.folder = tempfile.TemporaryDirectory()
        self.scene, self.pin, self.bore, self.top, self.inner = build(p, Path(self.folder.name))
        self.sim = sinew.Simulation(self.scene, self.folder.name)

    def measure(self, row):
        p, x, f = self.p, self.sim.positions, self.sim.forces(["contact", "friction", "reaction"])
        m = len(self.pin)
        top_f = f["reaction"][:m][self.top]
        top_x = x[:m][self.top]
        bore = x[m:][self.inner]
        radial = bore[:, :2] / np.hypot(bore[:, 0], bore[:, 1])[:, None]
        normal = (f["contact"][m:][self.inner][:, :2] * radial).sum()
        # twist of the shank in the bore, by the best rotation of its rim
        r = np.hypot(self.pin[:, 0], self.pin[:, 1])
        rim = np.flatnonzero((r > 0.999 * r.max()) & (x[:m, 2] < p.length * p.R))
        a, b = self.pin[rim, :2], x[:m][rim, :2]
        twist = np.arctan2((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum(), (a * b).sum()) if len(rim) else 0.0
        share = p.angle + twist / (np.pi / p.sides)
        e = self.sim.energies()
        return {"step": row["step"], "depth": (p.length * p.R - x[:m, 2].min()) / p.R - p.chamfer,
                "axial": top_f[:, 2].sum(), "torque": (top_x[:, 0] * top_f[:, 1] - top_x[:, 1] * top_f[:, 0]).sum(),
                "normal": normal, "turn": share, "elastic": e["elastic"], "barrier": e["barrier"],
                "gap": row["min_distance"], "iterations": row["newton_iterations"], "converged": row["converged"],
                "residual": row.get("residual")}

    def run(self):
        rows = []
        for _ in range(self.p.steps):
            row = self.measure(self.sim.step())
            rows.append(row)
            if not self.p.quiet:
                print(row_text(self.p, row, rows[-2] if len(rows) > 1 else None), flush=True)
        return rows


def row_text(p, row, last):
    work = ""
    if last:
        lost = last["elastic"] + last["barrier"] - row["elastic"] - row["barrier"]
        work = f"{lost / (row['depth'] - last['depth']) / p.R:.4f}"
    gap = f"{row['gap'] / p.R:.2e}" if row["gap"] else "-"
    return (f"{row['step']:4d} {row['depth']:8.4f} {row['axial']:10.4f} {work:>10} {row['torque'] / p.R:10.4f} "
            f"{row['normal']:10.3f} {row['turn']:8.4f} {row['elastic']:.5e} {row['barrier']:.3e} {gap:>8} "
            f"{row['iterations']:5d}{'' if row['converged'] else '  not converged'}")


def summary(p, rows):
    end, deep = rows[-1], [r for r in rows if r["depth"] > 0.1 * p.length]
    text = f"end: axial {-end['axial']:.4f} N, normal {end['normal']:.3f} N, turn {end['turn']:.4f}"
    if len(deep) > 1:
        first = deep[0]
        gained = end["elastic"] + end["barrier"] - first["elastic"] - first["barrier"]
        text += (f"; peak axial {max(-r['axial'] for r in deep):.4f} N; "
                 f"mean of dW/dz {gained / (end['depth'] - first['depth']) / p.R:.4f} N (from {first['depth']:.2f} R)")
    return text


def main():
    p = arguments()
    fit = PressFit(p)
    pressure = lame(p)
    print(f"{len(fit.sim.positions)} vertices; round fit by Lame, far from the ends: {pressure:.5g} Pa, "
          f"{2 * np.pi * p.R**2 * pressure:.4f} N of normal force for a depth of R, dW/dz "
          f"{np.pi * p.R**2 * pressure * p.interference:.4f} N")
    print("step    depth  axial [N] -dW/dz [N]    T/R [N] normal [N]     turn elastic [J] barrier [J]   gap/R iterations")
    print(summary(p, fit.run()))


if __name__ == "__main__":
    main()
