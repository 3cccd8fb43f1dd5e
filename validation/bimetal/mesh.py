import numpy as np

from meshes import grid, gmsh, second_order


def meshes():
    """A strip of 100 x 2 x 2 mm along x about y = 0: region 1 below, region 2 above."""
    vertices, tets = grid(np.linspace(0, 0.1, 41), np.linspace(-0.001, 0.001, 3), np.linspace(0, 0.002, 2))
    above = vertices[tets].mean(axis=1)[:, 1] > 0
    return {"strip.msh": gmsh(*second_order(vertices, tets), 1 + above)}
