"""Frames of a run as arrays: the VTU files that sinew writes (points, tets, fields; base64 appended)."""

import base64
import re

import numpy as np

TYPES = {"Float64": np.float64, "Float32": np.float32, "Int32": np.int32, "Int64": np.int64, "UInt8": np.uint8}
HEADER = 12  # base64 characters that begin with the eight bytes of the length


def read_frame(path, names=None):
    """Arrays by name; Points, connectivity and those asked for."""
    data = path.read_bytes()
    begin = data.index(b"<AppendedData")
    head = data[:begin].decode()
    body = data.index(b"_", begin) + 1
    arrays = {}
    for type_, name, components, offset in re.findall(
            r'<DataArray type="(\w+)" Name="(\w+)" NumberOfComponents="(\d+)" format="appended" offset="(\d+)"', head):
        if names is not None and name not in names:
            continue
        start = body + int(offset)
        length = int.from_bytes(base64.b64decode(data[start:start + HEADER])[:8], "little")
        # header and values are one stream or two, so the padding tells
        first = data[start:start + HEADER]
        if first.endswith(b"="):
            text = data[start + HEADER:start + HEADER + 4 * ((length + 2) // 3)]
            values = base64.b64decode(text)
        else:
            values = base64.b64decode(data[start:start + 4 * ((length + 8 + 2) // 3)])[8:]
        array = np.frombuffer(values[:length], TYPES[type_])
        arrays[name] = array.reshape(-1, int(components)) if int(components) > 1 else array
    return arrays
