import numpy as np

from meshes import grid


def meshes():
    """A box of 0.2 x 0.1 x 0.04 m."""
    return {"box.msh": grid(np.linspace(-0.1, 0.1, 6), np.linspace(-0.05, 0.05, 4), np.linspace(-0.02, 0.02, 3))}
