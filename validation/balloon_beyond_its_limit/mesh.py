import numpy as np

from meshes import shell_octant


def meshes():
    """An octant: inner radius 47.5 mm, wall 5 mm."""
    return {"balloon.msh": shell_octant(np.linspace(0.0475, 0.0525, 2), 3)}
