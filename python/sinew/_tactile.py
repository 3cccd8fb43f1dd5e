"""Images of the contact forces on a rectangle of a surface, as tactile sensors give them."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import NamedTuple, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._engine import InputError, Simulation

_Array = NDArray[np.float64]
_MOST_PIXELS = 4096  # along each side


@dataclass(frozen=True)
class Pad:
    """A rectangle on a surface in the rest state; it moves with the surface.

    - on: name or index of a body or obstacle
    - center (3,) [m]
    - u, v (3,) [m]: edges of the rectangle, at right angles; u x v points out of the surface
    - depth [m]: how far from the rectangle's plane a contact may be; by default half of the shorter edge
    """

    on: Union[str, int]
    center: ArrayLike
    u: ArrayLike
    v: ArrayLike
    depth: Optional[float] = None


class Tactile(NamedTuple):
    """Images of a pad. Row i and column j are the pixel at v = (i + 1/2) / rows and u = (j + 1/2) / columns.

    - pressure (rows, columns) [Pa]: positive where the pad is pressed
    - shear (rows, columns, 2) [Pa]: on the pad, along u and v
    - pixel_area [m^2]: pressure.sum() * pixel_area is the total force
    - contacts (k,): the rows of sim.contacts() in the image
    """

    pressure: _Array
    shear: _Array
    pixel_area: float
    contacts: NDArray[np.intp]


def _vector(value: ArrayLike, name: str) -> _Array:
    vector = np.asarray(value)
    if vector.shape != (3,) or vector.dtype.kind not in "fiu" or not np.isfinite(vector).all():
        raise _refusal(f"{name}: found {value!r}, expected three finite numbers [m]")
    return vector.astype(np.float64)


def _depth(pad: Pad, lengths: _Array) -> float:
    if pad.depth is None:
        return float(lengths.min() / 2)
    if isinstance(pad.depth, (int, float)) and 0 < pad.depth < np.inf:
        return float(pad.depth)
    raise _refusal(f"depth: found {pad.depth!r}, expected a positive number [m]")


def _pixels(shape: Tuple[int, int]) -> Tuple[int, int]:
    try:
        rows, columns = (operator.index(count) for count in shape)
    except (TypeError, ValueError):
        raise _refusal(f"shape: found {shape!r}, expected (rows, columns)") from None
    if not (1 <= rows <= _MOST_PIXELS and 1 <= columns <= _MOST_PIXELS):
        raise _refusal(f"shape: found {shape!r}, expected two numbers of 1 to {_MOST_PIXELS}")
    return rows, columns


def _refusal(text: str) -> InputError:
    error = InputError(f"tactile: {text} [E-argument]")
    error.code = "E-argument"
    return error


def _axes(pad: Pad) -> tuple[_Array, _Array]:
    """Unit vectors along u, v and out of the surface, as rows, and the lengths of the edges."""
    u, v = _vector(pad.u, "u"), _vector(pad.v, "v")
    lengths = np.array([np.linalg.norm(u), np.linalg.norm(v)])
    if not lengths.min() > 0 or abs(u @ v) > 1e-6 * lengths.prod():
        raise _refusal(f"found the edges u = {u.tolist()} and v = {v.tolist()}, expected two at right angles")
    e, f = u / lengths[0], v / lengths[1]
    return np.array([e, f, np.cross(e, f)]), lengths


def _rotation(rest: _Array, now: _Array) -> _Array:
    """The rotation that takes points at rest to the present ones, by least squares (Kabsch 1976)."""
    moved = (now - now.mean(axis=0)).T @ (rest - rest.mean(axis=0))
    left, _, right = np.linalg.svd(moved)
    turn = np.diag([1.0, 1.0, np.sign(np.linalg.det(left @ right))])
    rotation: _Array = left @ turn @ right
    return rotation


def _pixel_shares(at: _Array, half: _Array, count: int) -> _Array:
    """The shares (contacts, pixels) of the intervals at +- half in pixels of [0, 1]. Each row adds up to 1."""
    edges = np.arange(count + 1) / count
    overlap = np.minimum(edges[1:], (at + half)[:, None]) - np.maximum(edges[:-1], (at - half)[:, None])
    shares: _Array = np.maximum(overlap, 0.0)
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def tactile(sim: Simulation, pad: Pad, shape: tuple[int, int] = (64, 64)) -> Tactile:
    """Returns images of pressure and shear on a pad at the end of the last step.

    shape: rows along v, columns along u. Each contact is spread over a square of its area, or over a pixel if that is
    larger. Squares are cut at the border of the pad, and the whole force stays in the image. Contacts count if their
    closest point on the pad is in the rectangle at rest, within its depth, and they press on the outer side. Raises
    InputError for a rectangle, shape or name that does not fit.
    """
    if not isinstance(pad, Pad):
        raise _refusal(f"found {pad!r} as pad, expected a sinew.Pad: a rectangle on a body or obstacle")
    rows, columns = _pixels(shape)
    axes, lengths = _axes(pad)
    center = _vector(pad.center, "center")
    depth = _depth(pad, lengths)
    rest, now = sim._placed(pad.on)
    place = (rest - center) @ axes.T
    inside = (np.abs(place[:, :2]) <= lengths / 2 * (1 + 1e-9)).all(axis=1) & (np.abs(place[:, 2]) <= depth)
    spread = place[inside, :2]
    if len(spread) < 3 or np.linalg.matrix_rank(spread - spread.mean(axis=0)) < 2:
        inside[:] = True  # too few vertices in the rectangle: the whole surface tells its rotation
    turned = axes @ _rotation(rest[inside], now[inside]).T

    table = sim.contacts()
    on = pad.on if isinstance(pad.on, str) else sim.contact_names[pad.on]
    owner = sim.contact_names.index(on)
    images = np.zeros((3, rows, columns))
    found = []
    for side, other, sign in (("a", "b", 1.0), ("b", "a", -1.0)):
        chosen = np.flatnonzero(table["body_" + side] == owner)
        at = (table["rest_" + side][chosen] - center) @ axes.T
        normal = sign * table["normal"][chosen] @ turned.T
        kept = ((np.abs(at[:, :2]) <= lengths / 2).all(axis=1) & (np.abs(at[:, 2]) <= depth) & (normal[:, 2] < 0))
        chosen, at = chosen[kept], at[kept, :2] / lengths + 0.5
        force = sign * (table["normal_force"][chosen, None] * table["normal"][chosen] + table["friction_force"][chosen])
        side_length = np.sqrt(np.abs(table["area"][chosen]))
        wide = _pixel_shares(at[:, 0], np.maximum(side_length / lengths[0], 1 / columns) / 2, columns)
        high = _pixel_shares(at[:, 1], np.maximum(side_length / lengths[1], 1 / rows) / 2, rows)
        for image, component in zip(images, (force @ turned.T).T):
            image += high.T @ (component[:, None] * wide)
        found.append(chosen)
    pixel_area = float(lengths.prod() / (rows * columns))
    images /= pixel_area
    return Tactile(-images[2], np.moveaxis(images[:2], 0, 2).copy(), pixel_area, np.concatenate(found))
