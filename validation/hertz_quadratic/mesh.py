import numpy as np

from meshes import grid, second_order


def graded(first, even, ratio, end):
    """Coordinates from 0: `even` cells of equal size, then growing ones, up to `end` or further."""
    places, cell = [first * i for i in range(even + 1)], first
    while places[-1] < end:
        cell *= ratio
        places.append(places[-1] + cell)
    return np.array(places)


def cap():
    """The lower cap of a ball of radius 0.1 whose lowest point is the origin: triangles finer than the block's."""
    rings, around, lines = 40, 96, ["v 0 0 0"]
    for i in range(1, rings + 1):
        angle = 0.16 * i / rings
        for j in range(around):
            turn = 2 * np.pi * j / around
            lines.append(f"v {0.1 * np.sin(angle) * np.cos(turn):.12g} {0.1 - 0.1 * np.cos(angle):.12g} "
                         f"{0.1 * np.sin(angle) * np.sin(turn):.12g}")
    for j in range(around):
        lines.append(f"f 1 {2 + j} {2 + (j + 1) % around}")
    for i in range(rings - 1):
        for j in range(around):
            a, b = 2 + i * around + j, 2 + i * around + (j + 1) % around
            lines += [f"f {a} {a + around} {b}", f"f {b} {a + around} {b + around}"]
    return "\n".join(lines) + "\n"


def meshes():
    places = graded(0.0016, 4, 2, 0.06)
    return {"block.msh": second_order(*grid(places, -places[::-1], places)), "ball.obj": cap()}
