import numpy as np

from meshes import grid, second_order

LENGTH, THICKNESS, RISE = 1.0, 1 / 150, 3.5 / 150 / np.sqrt(12)


def meshes():
    """Ten-node tets of a strip with the shape of half a wave, hinged at the middle lines of its ends."""
    vertices, tets = second_order(*grid(np.linspace(-LENGTH / 2, LENGTH / 2, 25), np.linspace(-THICKNESS / 2, THICKNESS / 2, 3),
                                        [-0.005, 0.005]))
    vertices[:, 1] += RISE * np.cos(np.pi * vertices[:, 0] / LENGTH)
    return {"arch.msh": (vertices, tets)}
