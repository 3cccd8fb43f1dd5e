import numpy as np

from meshes import on_spheres, second_order, shell_octant


def meshes():
    """An octant, whose edges follow the spheres."""
    return {"ball.msh": second_order(*shell_octant(np.linspace(0.05, 0.1, 5), 4), on_spheres)}
