"""Vertex block descent (Chen et al. 2024) for cloth of springs, in numpy. Vertices of one colour move at the same time,
each by a Newton step of its own 3x3 system. The energy is that of sinew's `mass_spring` cloth without contact."""

import numpy as np


def sheet(n, side):
    """A square of n x n cells with alternating diagonals: points and triangles."""
    line = np.linspace(-side / 2, side / 2, n + 1)
    z, x = np.meshgrid(line, line, indexing="ij")
    points = np.stack([x.ravel(), np.zeros(x.size), z.ravel()], axis=1)
    triangles = []
    for i in range(n):
        for j in range(n):
            a, b, c, d = i * (n + 1) + j, i * (n + 1) + j + 1, (i + 1) * (n + 1) + j, (i + 1) * (n + 1) + j + 1
            triangles += [(a, c, b), (b, c, d)] if (i + j) % 2 else [(a, c, d), (a, d, b)]
    return points, np.array(triangles)


class Cloth:

    def __init__(self, points, triangles, young, thickness, density, fixed, step, gravity=-9.81):
        self.rest, self.triangles, self.fixed, self.h = points, triangles, fixed, step
        areas = np.linalg.norm(np.cross(points[triangles[:, 1]] - points[triangles[:, 0]], points[triangles[:, 2]]
                                        - points[triangles[:, 0]]), axis=1) / 2
        self.mass = np.zeros(len(points))
        np.add.at(self.mass, triangles.ravel(), np.repeat(areas, 3) * thickness * density / 3)
        sides = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
        self.edges, which = np.unique(sides, axis=0, return_inverse=True)
        volume = np.zeros(len(self.edges))
        np.add.at(volume, which.ravel(), np.tile(areas, 3) * thickness)
        self.length = np.linalg.norm(points[self.edges[:, 0]] - points[self.edges[:, 1]], axis=1)
        self.stiffness = young * volume / self.length**2
        self.gravity = np.array([0, gravity, 0])
        self.neighbours()

    def neighbours(self):
        """For each vertex its springs, padded with springs of no stiffness, and a colour that no neighbour has."""
        around = [[] for _ in self.rest]
        for e, (a, b) in enumerate(self.edges):
            around[a].append((b, e))
            around[b].append((a, e))
        most = max(map(len, around))
        n = len(self.rest)
        self.other, self.k, self.l = np.tile(np.arange(n)[:, None], (1, most)), np.zeros((n, most)), np.ones((n, most))
        colour = np.full(n, -1)
        for v in range(n):
            for slot, (w, e) in enumerate(around[v]):
                self.other[v, slot], self.k[v, slot], self.l[v, slot] = w, self.stiffness[e], self.length[e]
            taken = {colour[w] for w, _ in around[v]}
            colour[v] = next(c for c in range(n) if c not in taken)
        self.colours = [np.flatnonzero((colour == c) & ~self.fixed) for c in range(colour.max() + 1)]

    def elastic(self, x):
        stretch = np.linalg.norm(x[self.edges[:, 0]] - x[self.edges[:, 1]], axis=1) - self.length
        return float((self.stiffness * stretch**2).sum() / 2)

    def kinetic(self, v):
        return float((self.mass * (v**2).sum(axis=1)).sum() / 2)

    def start(self, x, v):
        """The end of the step without springs, about which implicit Euler has its inertia."""
        y = x + self.h * v + self.h**2 * self.gravity
        return np.where(self.fixed[:, None], self.rest, y)

    def energy(self, x, y):
        return float((self.mass[:, None] * (x - y)**2).sum() / (2 * self.h**2)) + self.elastic(x)

    def sweep(self, x, y):
        """One iteration: every vertex once, colour by colour, in place."""
        for own in self.colours:
            u = x[own, None] - x[self.other[own]]
            size = np.linalg.norm(u, axis=2)
            pad = self.k[own] == 0
            size[pad] = 1
            n = u / size[:, :, None]
            inertia = self.mass[own] / self.h**2
            tension = self.k[own] * (size - self.l[own])
            gradient = inertia[:, None] * (x[own] - y[own]) + (tension[:, :, None] * n).sum(axis=1)
            across = self.k[own] * np.maximum(1 - self.l[own] / size, 0)
            hessian = np.einsum("vs,vsi,vsj->vij", self.k[own] - across, n, n)
            hessian += (inertia + across.sum(axis=1))[:, None, None] * np.eye(3)
            x[own] -= np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
