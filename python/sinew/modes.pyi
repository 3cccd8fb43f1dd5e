"""Bases of displacements of one body at rest.

Each function takes the ids of vertices that do not move (`fixed`) and the density [kg/m^3], and returns values (k,) and
modes (3 n, k), x y z of vertex after vertex in the mesh's numbering. Raises InputError for more modes than there are
coordinates and for materials without stiffness at rest.
"""

from typing import Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import Material, Mesh

def linear(
    mesh: Mesh, material: Material, k: int, fixed: Optional[ArrayLike] = None, density: float = 1000.0
) -> Tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The k lowest modes of vibration: omega^2 [1/s^2], ascending, and modes, orthonormal in the lumped mass.

    A free body's rigid motions are among its modes.
    """

def inertia(
    mesh: Mesh,
    material: Material,
    k: int,
    fixed: Optional[ArrayLike] = None,
    density: float = 1000.0,
    reduced: bool = False,
) -> Tuple[NDArray[np.float64], NDArray[np.float64]]:
    """k linear inertia modes: their Rayleigh quotients [1/s^2], ascending, and modes, orthonormal in the lumped mass.

    reduced: nearly orthogonal, by products from a sample of vertices.
    """

def derivatives(
    mesh: Mesh,
    material: Material,
    k: int,
    fixed: Optional[ArrayLike] = None,
    density: float = 1000.0,
    linear: int = 0,
    order: int = 1,
    reduce: str = "pca",
) -> Tuple[NDArray[np.float64], NDArray[np.float64]]:
    """k modes of large deformations (Barbic and James 2005): linear modes and their derivatives by each other's amplitudes.

    linear: modes whose derivatives are taken (0: so many that all are three times k). order: the highest of the derivatives.
    reduce: how few modes are made of all, "pca" (principal components) or "random" (random combinations). Values are u^T K u
    [1/s^2] of modes that are orthonormal in the lumped mass and orthogonal in the stiffness, without rigid motions.
    """

def inertia_derivatives(
    mesh: Mesh,
    material: Material,
    k: int,
    fixed: Optional[ArrayLike] = None,
    density: float = 1000.0,
    linear: int = 0,
    order: int = 1,
    reduce: str = "pca",
) -> Tuple[NDArray[np.float64], NDArray[np.float64]]:
    """As derivatives(), from linear inertia modes (Yang et al. 2015, section 4.3), which need no eigenvalues."""

def quadratic(
    mesh: Mesh, material: Material, k: int, fixed: Optional[ArrayLike] = None, density: float = 1000.0
) -> Tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The k softest, 24 at most, of the displacements that are linear and quadratic in the place, without rigid motions."""
