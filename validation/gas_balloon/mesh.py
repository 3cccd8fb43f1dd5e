import itertools

import numpy as np

from meshes import merged, on_spheres, second_order, shell_octant


def meshes():
    """A hollow ball of eight octants, whose edges follow the spheres."""
    vertices, tets = shell_octant(np.linspace(0.05, 0.06, 2), 3)
    all_vertices, all_tets = [], []
    for signs in itertools.product((1, -1), repeat=3):
        own = tets if np.prod(signs) > 0 else tets[:, [0, 1, 3, 2]]
        all_tets.append(own + len(vertices) * len(all_vertices))
        all_vertices.append(vertices * signs)
    ball = merged(np.concatenate(all_vertices), np.concatenate(all_tets), 0.06)
    return {"ball.msh": second_order(*ball, on_spheres)}
