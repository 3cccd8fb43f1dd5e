import numpy as np

from meshes import grid, second_order


def meshes():
    """A bar of 1 x 0.1 x 0.1 along x, in ten-node tets."""
    return {"bar.msh": second_order(*grid(np.linspace(0, 1, 31), np.linspace(0, 0.1, 4), np.linspace(0, 0.1, 4)))}
