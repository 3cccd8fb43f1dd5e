import numpy as np

from meshes import on_spheres, second_order, shell_octant


def meshes():
    """An octant, whose edges follow the spheres."""
    return {"balloon.msh": second_order(*shell_octant(np.linspace(0.05, 0.06, 2), 3), on_spheres)}
