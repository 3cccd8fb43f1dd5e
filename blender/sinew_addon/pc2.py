"""Point caches (.pc2): positions of a fixed number of vertices, a sample for each frame."""

import os
import struct

import numpy

HEADER = struct.Struct("<12siiffi")  # magic, version, vertices, first frame, frames per sample, samples
MAGIC = b"POINTCACHE2\0"


def read(path):
    """Positions, samples x vertices x 3, in float32. Samples that a running program has not finished are left out."""
    with open(path, "rb") as file:
        magic, _version, vertices, _first, _rate, samples = HEADER.unpack(file.read(HEADER.size))
    if magic != MAGIC:
        raise ValueError(f"{path}: expected a point cache (.pc2)")
    whole = (os.path.getsize(path) - HEADER.size) // max(1, 12 * vertices)
    samples = min(samples, whole)
    if samples * vertices == 0:
        return numpy.zeros((samples, vertices, 3), numpy.float32)
    return numpy.memmap(path, "<f4", "r", HEADER.size, (samples, vertices, 3))


def write(path, samples, vertices, positions):
    """Writes a number of samples of positions (vertices x 3), one after the other. The file appears when it is complete."""
    with open(path + ".part", "wb") as file:
        file.write(HEADER.pack(MAGIC, 1, vertices, 0.0, 1.0, samples))
        for sample in positions:
            file.write(numpy.ascontiguousarray(sample, "<f4").tobytes())
    os.replace(path + ".part", path)
