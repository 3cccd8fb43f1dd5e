"""Meshes whose modes the campaigns compute, and their lumped masses."""

import numpy as np

import sinew

SIZE = [1.0, 0.5, 0.5]  # [m]


def cells_of(tets):
    """Cells of six tets each, twice as many along x."""
    edge = (tets / 12) ** (1 / 3)
    return [round(2 * edge), round(edge), round(edge)]


def box_mesh(cells):
    """A box of SIZE whose cells are cut into six tets each around a diagonal."""
    counts = np.array(cells)
    grid = np.stack(np.meshgrid(*(np.arange(c + 1) for c in counts), indexing="ij"), -1).reshape(-1, 3)
    number = lambda c: (c[..., 0] * (counts[1] + 1) + c[..., 1]) * (counts[2] + 1) + c[..., 2]
    corner = np.stack(np.meshgrid(*(np.arange(c) for c in counts), indexing="ij"), -1).reshape(-1, 3)
    tets = []
    for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (1, 0, 2), (0, 2, 1), (2, 1, 0)):
        path = [corner]
        for axis in order:
            path.append(path[-1] + np.eye(3, dtype=int)[axis])
        tets.append(np.stack([number(c) for c in path], -1))
    return sinew.Mesh(grid * SIZE / counts - np.array(SIZE) / 2, np.concatenate(tets))


def held_end(mesh):
    return np.flatnonzero(np.asarray(mesh.vertices)[:, 0] < -0.4999)


def lumped(mesh, density):
    """Mass of each coordinate [kg]."""
    x = np.asarray(mesh.vertices)[np.asarray(mesh.tets)]
    volume = np.abs(np.linalg.det(x[:, 1:] - x[:, :1])) / 6
    mass = np.zeros(len(mesh.vertices))
    for k in range(4):
        np.add.at(mass, np.asarray(mesh.tets)[:, k], density * volume / 4)
    return np.repeat(mass, 3)
