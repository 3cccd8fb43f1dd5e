"""Images for tests of textures."""

import pathlib
import struct
import zlib

import numpy


def quarters(size=64):
    """Above red and green, below blue and yellow."""
    image = numpy.zeros((size, size, 3), numpy.uint8)
    half = size // 2
    image[:half, :half] = (255, 0, 0)
    image[:half, half:] = (0, 255, 0)
    image[half:, :half] = (0, 0, 255)
    image[half:, half:] = (255, 255, 0)
    return image


def png_bytes(image):
    """The file of an array of bytes, height x width x 3."""

    def chunk(name, contents):
        return struct.pack(">I", len(contents)) + name + contents + struct.pack(">I", zlib.crc32(name + contents))

    height, width, _ = image.shape
    rows = b"".join(b"\0" + row.tobytes() for row in image)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def write_png(path, image):
    pathlib.Path(path).write_bytes(png_bytes(image))
