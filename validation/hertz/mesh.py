import numpy as np

from meshes import ball_cap, grid


def graded(first, ratio, end):
    """Coordinates from 0 whose cells grow."""
    places, cell = [0.0], first
    while places[-1] + cell < end:
        places.append(places[-1] + cell)
        cell *= ratio
    return np.array(places) * end / places[-1]


def meshes():
    across, down = graded(0.0012, 1.3, 0.1), graded(0.0012, 1.3, 0.1)
    vertices, tets = grid(across, -down[::-1], across)
    return {"block.msh": (vertices, tets), "ball.obj": ball_cap(0.1, 0.3, 30, 64)}
