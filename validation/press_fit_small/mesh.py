import numpy as np

from meshes import sector


def shaft():
    """The outer surface of a shaft of radius 9.75 mm about z."""
    around, lines = 48, []  # its corners lie at those of the ring
    for z in (-0.002, 0.004):
        lines += [f"v {0.00975 * np.cos(2 * np.pi * j / around):.12g} {0.00975 * np.sin(2 * np.pi * j / around):.12g} {z}"
                  for j in range(around)]
    for j in range(around):
        a, b = j + 1, (j + 1) % around + 1
        lines += [f"f {a} {b} {b + around}", f"f {a} {b + around} {a + around}"]
    return "\n".join(lines) + "\n"


def meshes():
    """A quarter of a ring, radii 10 and 20 mm, 2 mm long, and the shaft."""
    return {"ring.msh": sector(np.geomspace(0.01, 0.02, 9), np.linspace(0, np.pi / 2, 13), [0.0, 0.001, 0.002]),
            "shaft.obj": shaft()}
