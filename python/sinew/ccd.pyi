"""Conservative times of impact of vertex-face and edge-edge pairs on straight paths.

Each argument is a point, (3,) [m]. The first four are the positions at the start, the last four those at the end.
"""

from typing import Optional

from numpy.typing import ArrayLike

def vertex_face(
    v0: ArrayLike,
    f0a: ArrayLike,
    f0b: ArrayLike,
    f0c: ArrayLike,
    v1: ArrayLike,
    f1a: ArrayLike,
    f1b: ArrayLike,
    f1c: ArrayLike,
) -> Optional[float]:
    """Returns the time in [0, 1] at which a vertex and a triangle meet, or None if they do not.

    The time is never after the first contact. Raises InputError for coordinates that are not finite.
    """

def edge_edge(
    ea0: ArrayLike,
    ea1: ArrayLike,
    eb0: ArrayLike,
    eb1: ArrayLike,
    ea0_1: ArrayLike,
    ea1_1: ArrayLike,
    eb0_1: ArrayLike,
    eb1_1: ArrayLike,
) -> Optional[float]:
    """Returns the time in [0, 1] at which two edges meet, or None if they do not.

    The time is never after the first contact. Raises InputError for coordinates that are not finite.
    """
