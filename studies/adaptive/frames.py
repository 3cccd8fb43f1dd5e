"""Reads the VTU frames of a run: points, tets, fields."""

import base64
import pathlib
import re

import numpy

TYPES = {"Float64": numpy.float64, "Float32": numpy.float32, "Int32": numpy.int32, "UInt8": numpy.uint8}


def read(path):
    """{name: array}; vertices under Points, four columns of vertices under tets."""
    text = pathlib.Path(path).read_text()
    start = text.index("_", text.index("<AppendedData")) + 1
    frame = {}
    for match in re.finditer(r'<DataArray type="(\w+)" Name="(\w+)"(?: NumberOfComponents="(\d+)")? format="appended" '
                             r'offset="(\d+)"', text):
        kind, name, components, offset = match.groups()
        place = start + int(offset)
        size = int.from_bytes(base64.b64decode(text[place:place + 12])[:8], "little")
        data = base64.b64decode(text[place:place + (8 + size + 2) // 3 * 4])[8:8 + size]
        array = numpy.frombuffer(data, TYPES[kind])
        frame[name] = array.reshape(-1, int(components)) if components and int(components) > 1 else array
    frame["tets"] = frame["connectivity"].reshape(-1, 4)
    return frame


def paths(folder):
    """The frames of the bodies in the order of their steps."""
    return sorted(path for path in (pathlib.Path(folder) / "frames").glob("*_[0-9]*.vtu")
                  if "_obstacles_" not in path.name)


def volumes(points, tets):
    edges = points[tets[:, 1:]] - points[tets[:, :1]]
    return numpy.linalg.det(edges) / 6


def strains(rest, points, tets):
    """|F - R| of each tet, R the closest rotation: the deformation without rotation."""
    before, after = (numpy.swapaxes(p[tets[:, 1:]] - p[tets[:, :1]], 1, 2) for p in (rest, points))
    F = after @ numpy.linalg.inv(before)
    return numpy.linalg.norm(numpy.linalg.svd(F, compute_uv=False) - 1, axis=1)


def at_vertices(values, tets, count):
    """The mean over the tets of each vertex."""
    total, tets_of = numpy.zeros(count), numpy.zeros(count)
    for k in range(4):
        numpy.add.at(total, tets[:, k], values)
        numpy.add.at(tets_of, tets[:, k], 1)
    return total / numpy.maximum(1, tets_of)
