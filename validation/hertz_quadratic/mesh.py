import numpy as np

from meshes import ball_cap, grid, second_order


def graded(first, even, ratio, end):
    """Coordinates from 0: `even` cells of equal size, then growing ones, up to `end` or further."""
    places, cell = [first * i for i in range(even + 1)], first
    while places[-1] < end:
        cell *= ratio
        places.append(places[-1] + cell)
    return np.array(places)


def meshes():
    places = graded(0.0016, 4, 2, 0.06)
    return {"block.msh": second_order(*grid(places, -places[::-1], places)), "ball.obj": ball_cap(0.1, 0.16, 40, 96)}
