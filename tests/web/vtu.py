"""Reads the .vtu frames that sinew writes: appended base64 without compression, 64-bit headers."""

import base64
import re
import struct

import numpy as np

TYPES = {"Float64": np.float64, "Int32": np.int32, "UInt8": np.uint8}


def read_vtu(path):
    """The arrays of a file by name, those with components as rows of a matrix."""
    text = path.read_bytes()
    start = text.index(b"_", text.index(b"<AppendedData")) + 1
    arrays = {}
    for tag in re.findall(rb"<DataArray ([^>]*format=\"appended\"[^>]*)/>", text[:start]):
        attributes = dict(re.findall(r'(\w+)="([^"]*)"', tag.decode()))
        at = start + int(attributes["offset"])
        size = struct.unpack("<Q", base64.b64decode(text[at:at + 12])[:8])[0]
        letters = 4 * ((8 + size + 2) // 3)
        data = base64.b64decode(text[at:at + letters])[8:8 + size]
        values = np.frombuffer(data, TYPES[attributes["type"]])
        width = int(attributes["NumberOfComponents"])
        arrays[attributes["Name"]] = values.reshape(-1, width) if width > 1 else values
    return arrays
