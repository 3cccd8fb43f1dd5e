import numpy as np

from meshes import shell_octant


def meshes():
    """An octant."""
    return {"ball.msh": shell_octant(np.geomspace(0.05, 0.1, 7), 6)}
