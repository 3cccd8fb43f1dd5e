"""Reads binary glTF 2.0 as the specification says, and refuses what it forbids."""

import json
import pathlib
import struct

import numpy

WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
TYPES = {5126: "<f4", 5125: "<u4"}


def require(true, text):
    if not true:
        raise ValueError(text)


def matrix_of(node):
    x, y, z, w = node.get("rotation", (0, 0, 0, 1))
    require(abs(x * x + y * y + z * z + w * w - 1) < 1e-5, "rotation: no unit quaternion")
    matrix = numpy.eye(4)
    matrix[:3, :3] = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                      [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                      [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]  # yapf: disable
    matrix[:3, :3] *= node.get("scale", (1, 1, 1))  # of columns
    matrix[:3, 3] = node.get("translation", (0, 0, 0))
    return matrix


class Glb:

    def __init__(self, path):
        data = pathlib.Path(path).read_bytes()
        magic, version, length = struct.unpack("<4sII", data[:12])
        require(magic == b"glTF" and version == 2 and length == len(data), "header")
        size, kind = struct.unpack("<I4s", data[12:20])
        require(kind == b"JSON" and size % 4 == 0, "JSON chunk")
        self.json = json.loads(data[20:20 + size])
        at = 20 + size
        bin_size, kind = struct.unpack("<I4s", data[at:at + 8])
        require(kind == b"BIN\0" and bin_size % 4 == 0 and at + 8 + bin_size == len(data), "BIN chunk")
        self.bin = data[at + 8:]
        require(self.json["asset"]["version"] == "2.0", "asset.version")
        require(self.json["buffers"] == [{"byteLength": bin_size}], "buffers")
        ends = 0
        for view in self.json["bufferViews"]:
            require(view["byteOffset"] % 4 == 0 and 0 <= view["byteOffset"] - ends < 4 and view["byteLength"] > 0, "bufferView")
            ends = view["byteOffset"] + view["byteLength"]
        require(0 <= bin_size - ends < 4, "bytes without a view")
        self.arrays = [self.array(accessor) for accessor in self.json["accessors"]]
        self.check_meshes()
        self.check_animations()

    def array(self, accessor):
        view = self.json["bufferViews"][accessor["bufferView"]]
        width, dtype = WIDTHS[accessor["type"]], TYPES[accessor["componentType"]]
        stride = view.get("byteStride", 4 * width)
        require(accessor["byteOffset"] % 4 == 0 and stride >= 4 * width, "accessor")
        require(accessor["byteOffset"] + stride * (accessor["count"] - 1) + 4 * width <= view["byteLength"], "accessor's end")
        values = numpy.ndarray((accessor["count"], width), dtype, self.bin, view["byteOffset"] + accessor["byteOffset"], (stride, 4))
        require(numpy.isfinite(values).all(), "not finite")
        for key, limit in ("min", values.min(0)), ("max", values.max(0)):
            if key in accessor:
                require(numpy.array_equal(numpy.float32(accessor[key]), limit), f"{key} of an accessor")
        return values

    def check_meshes(self):
        views = self.json["bufferViews"]
        for mesh in self.json["meshes"]:
            counts = {len(primitive.get("targets", [])) for primitive in mesh["primitives"]}
            require(len(counts) == 1 and counts == {len(mesh.get("weights", []))}, "targets")
            for primitive in mesh["primitives"]:
                attributes = [primitive["attributes"], *primitive.get("targets", [])]
                vertices = {len(self.arrays[a]) for entry in attributes for a in entry.values()}
                require(len(vertices) == 1, "attributes of different length")
                require(primitive["material"] < len(self.json["materials"]), "material")
                for entry in attributes:
                    require("min" in self.json["accessors"][entry["POSITION"]], "POSITION without min")
                    for accessor in entry.values():
                        view = views[self.json["accessors"][accessor]["bufferView"]]
                        require(view["target"] == 34962 and "byteStride" in view, "view of vertices")
                indices = self.arrays[primitive["indices"]]
                require(indices.max() < vertices.pop() and len(indices) % 3 == 0, "indices")
                require(views[self.json["accessors"][primitive["indices"]]["bufferView"]]["target"] == 34963, "view of indices")
                normals = self.arrays[primitive["attributes"]["NORMAL"]]
                require(numpy.abs(numpy.linalg.norm(normals, axis=1) - 1).max() < 1e-5, "normals")

    def check_animations(self):
        for animation in self.json.get("animations", []):
            targets = [json.dumps(channel["target"]) for channel in animation["channels"]]
            require(len(set(targets)) == len(targets), "two channels with one target")
            for channel in animation["channels"]:
                sampler = animation["samplers"][channel["sampler"]]
                times, values = self.arrays[sampler["input"]][:, 0], self.arrays[sampler["output"]]
                require("min" in self.json["accessors"][sampler["input"]], "times without min")
                require((numpy.diff(times) > 0).all() and times[0] >= 0, "times")
                node = self.json["nodes"][channel["target"]["node"]]
                factor = len(self.json["meshes"][node.get("mesh", 0)]["weights"]) if channel["target"]["path"] == "weights" else 1
                require(len(values) == factor * len(times), "values of a sampler")

    def times(self):
        animation = self.json["animations"][0]
        return self.arrays[animation["samplers"][0]["input"]][:, 0]

    def node_at(self, number, frame):
        """A node as it is at a frame of the animation."""
        node = dict(self.json["nodes"][number])
        for channel in self.json.get("animations", [{"channels": []}])[0]["channels"]:
            if channel["target"]["node"] == number:
                values = self.arrays[self.json["animations"][0]["samplers"][channel["sampler"]]["output"]]
                node[channel["target"]["path"]] = values.reshape(len(self.times()), -1)[frame]
        return node

    def part(self, name, frame):
        """Positions and normals at a frame, texture coordinates, triangles as (material, group, corners)."""
        root = self.json["nodes"][0]
        number = next(k for k in root["children"] if self.json["nodes"][k]["name"] == name)
        node = self.node_at(number, frame)
        matrix = matrix_of(root) @ matrix_of(node)
        if "mesh" not in node:
            node = self.node_at(node["children"][0], frame)
            matrix = matrix @ matrix_of(node)
        affine = "scale" in self.node_at(number, frame)
        primitives = self.json["meshes"][node["mesh"]]["primitives"]
        require(len({json.dumps(p["attributes"]) for p in primitives}) == 1, "primitives share their vertices")
        first = primitives[0]
        x, n = [self.arrays[first["attributes"][key]].astype(float) for key in ("POSITION", "NORMAL")]
        weights = node.get("weights", [0] * len(first.get("targets", [])))
        for weight, target in zip(weights, first.get("targets", [])):
            if weight:
                x = x + weight * self.arrays[target["POSITION"]].astype(float)
                n = n + weight * self.arrays[target["NORMAL"]].astype(float)
        directions = n @ numpy.linalg.inv(matrix[:3, :3])
        if affine:  # else morph targets give unit normals
            directions /= numpy.linalg.norm(directions, axis=1)[:, None]
        texture = first["attributes"].get("TEXCOORD_0")
        triangles = [(self.json["materials"][p["material"]]["name"], p.get("extras", {}).get("group"), corners)
                     for p in primitives for corners in self.arrays[p["indices"]].reshape(-1, 3)]
        return (x @ matrix[:3, :3].T + matrix[:3, 3], directions,
                None if texture is None else self.arrays[texture], triangles)  # yapf: disable
