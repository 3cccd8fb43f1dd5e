import numpy as np

from meshes import grid


def graded(first, ratio, end):
    """Coordinates from 0 whose cells grow."""
    places, cell = [0.0], first
    while places[-1] + cell < end:
        places.append(places[-1] + cell)
        cell *= ratio
    return np.array(places) * end / places[-1]


def cap():
    """The lower cap of a ball of radius 0.1 whose lowest point is the origin: triangles finer than the block's."""
    rings, around, lines = 30, 64, ["v 0 0 0"]
    for i in range(1, rings + 1):
        angle = 0.3 * i / rings
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
    across, down = graded(0.0012, 1.3, 0.1), graded(0.0012, 1.3, 0.1)
    vertices, tets = grid(across, -down[::-1], across)
    return {"block.msh": (vertices, tets), "ball.obj": cap()}
