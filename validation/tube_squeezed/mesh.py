import numpy as np

from meshes import sector


def meshes():
    """A tube along x: radius 20 mm, wall 2 mm, length 40 mm."""
    vertices, tets = sector(np.linspace(0.018, 0.020, 3), np.linspace(0, 2 * np.pi, 25), np.linspace(-0.02, 0.02, 9))
    return {"tube.msh": (vertices[:, [2, 0, 1]], tets)}
