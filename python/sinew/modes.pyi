"""Bases of displacements of one body at rest.

Each function takes the ids of vertices that do not move (fixed) and the density [kg/m^3]. It returns values (k,) and
modes (3 n, k). The rows of modes are x, y, z of each vertex in turn, in the numbering of the mesh. Raises InputError
for more modes than coordinates and for materials without stiffness at rest.
"""

from typing import Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import Material, TetMesh

def linear(
    mesh: TetMesh, material: Material, k: int, fixed: Optional[ArrayLike] = None, density: float = 1000.0
) -> Tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns the k lowest vibration modes: omega^2 [1/s^2], ascending, and modes, orthonormal in the lumped mass.

    The rigid motions of a free body are among its modes.
    """

def inertia(
    mesh: TetMesh,
    material: Material,
    k: int,
    fixed: Optional[ArrayLike] = None,
    density: float = 1000.0,
    reduced: bool = False,
) -> Tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns k linear inertia modes without rigid motions: a Krylov space of K^-1 M, which needs one factorisation.

    Values are Rayleigh quotients [1/s^2], ascending; modes are orthonormal in the lumped mass. With reduced=True,
    products are estimated from a sample of vertices, so modes are only nearly orthogonal.
    """

def derivatives(
    mesh: TetMesh,
    material: Material,
    k: int,
    fixed: Optional[ArrayLike] = None,
    density: float = 1000.0,
    linear: int = 0,
    order: int = 1,
    reduce: str = "pca",
) -> Tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns k modes for large deformations: linear modes and their derivatives (Barbic and James 2005).

    - linear: number of modes to differentiate; 0 chooses it so that there are three times k candidates
    - order: order of the highest derivatives
    - reduce: how candidates are combined, "pca" (principal components) or "random" (random combinations)

    Modes are orthonormal in the lumped mass and orthogonal in the stiffness. Values are u^T K u [1/s^2]. Rigid motions
    are left out.
    """

def inertia_derivatives(
    mesh: TetMesh,
    material: Material,
    k: int,
    fixed: Optional[ArrayLike] = None,
    density: float = 1000.0,
    linear: int = 0,
    order: int = 1,
    reduce: str = "pca",
) -> Tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Like derivatives(), but from linear inertia modes, which need no eigenvalue solver (Yang et al. 2015, section
    4.3).
    """

def quadratic(
    mesh: TetMesh, material: Material, k: int, fixed: Optional[ArrayLike] = None, density: float = 1000.0
) -> Tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns the k softest displacements that are linear and quadratic in position, 24 at most.

    If vertices are fixed, each displacement is replaced by the nearest one, in elastic energy, that vanishes at them.
    Rigid motions are left out. Values are u^T K u [1/s^2], ascending.
    """
