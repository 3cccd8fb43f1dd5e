"""A scene for tests of exported files, and readers of the files that need no other program."""

import json
import pathlib
import struct

import image_file
import numpy

EVERY, STEPS = 2, 8
FRAMES = STEPS // EVERY + 1

# Quads with texture coordinates, two groups and two materials.
RENDER = """o toy
v -0.05 -0.05 -0.05
v 0.05 -0.05 -0.05
v 0.05 0.05 -0.05
v -0.05 0.05 -0.05
v -0.05 -0.05 0.05
v 0.05 -0.05 0.05
v 0.05 0.05 0.05
v -0.05 0.05 0.05
vt 0 0
vt 1 0
vt 1 0.75
vt 0 0.75
g ends
usemtl red
f 1/1 4/2 3/3 2/4
f 5/1 6/2 7/3 8/4
g sides
f 1/1 2/2 6/3 5/4
usemtl blue
f 2/1 3/2 7/3 6/4
f 3/1 4/2 8/3 7/4
f 4/1 1/2 5/3 8/4
"""


def scene(up=2, formats=()):
    """Two soft cubes, one of them with a render surface, a die, a plane and a wall that moves. up: the axis."""

    def turned(x, y, z):
        return [x, y, z] if up == 2 else [x, z, -y]

    box = {"box": {"size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]}}
    soft = {"model": "neo_hookean", "young": 3e4, "poisson": 0.4, "density": 1000}
    return {
        "sinew": 1, "name": "toys & wall", "gravity": turned(0, 0, -9.81),
        "time": {"step": 0.01, "steps": STEPS, "integrator": "bdf2"},
        "materials": {"jelly": soft, "rubber": {**soft, "look": {"color": "#ff8000", "roughness": 0.25}},
                      "steel": {**soft, "young": 1e5}},
        "bodies": [
            {"name": "plain cube", "mesh": box, "material": "jelly", "transform": {"translate": turned(0, 0, 0.055)},
             "velocity": turned(0.3, 0, -1)},
            {"name": "toy", "mesh": box, "material": "rubber", "render": "toy.obj",
             "transform": {"translate": turned(0.2, 0, 0.055)}, "velocity": turned(-0.3, 0, -1)},
            {"name": "die", "mesh": box, "material": "steel", "kinematics": "affine",
             "transform": {"translate": turned(0, 0.3, 0.3)}, "angular_velocity": [3, 20, 5]}],
        "obstacles": [{"name": "ground", "plane": {"point": [0, 0, 0], "normal": turned(0, 0, 1)}},
                      {"name": "wall", "mesh": {"box": {"size": [0.02, 0.1, 0.2], "cells": [1, 1, 1]}},
                       "transform": {"translate": turned(0.5, 0, 0.06)},
                       "motion": {"translate": {"times": [0, 1], "values": [[0, 0, 0], [-0.1, 0, 0]]}}}],
        "contact": {"distance": 1e-3, "friction": 0.3},
        "output": {"formats": list(formats), "every": EVERY, "fields": ["jacobian"], "nodal_fields": ["von_mises"]}}  # yapf: disable


PARTS = ("plain_cube", "toy", "die", "wall", "ground")  # planes come last
IDS = (0, 1, 2, 4, 3)
STEM = "toys___wall"


def write_scene(folder, **options):
    folder = pathlib.Path(folder)
    (folder / "toy.obj").write_text(RENDER)
    path = folder / "scene.json"
    path.write_text(json.dumps(scene(**options)))
    return path


def write_textured_scene(folder, **options):
    """The scene with an image on the toy, which has texture coordinates, and on the die, which has none."""
    path = write_scene(folder, **options)
    image_file.write_png(pathlib.Path(folder) / "quarters.png", image_file.quarters())
    content = json.loads(path.read_text())
    content["time"]["steps"] = 2
    content["materials"]["rubber"]["look"]["texture"] = "quarters.png"
    content["materials"]["steel"]["look"] = {"texture": "quarters.png", "texture_size": 0.05}
    path.write_text(json.dumps(content))
    return path


def read_pc2(path):
    data = pathlib.Path(path).read_bytes()
    _, _, points, _, _, samples = struct.unpack("<12siiffi", data[:32])
    return numpy.frombuffer(data, "<f4", offset=32).reshape(samples, points, 3)


def read_mdd(path):
    data = pathlib.Path(path).read_bytes()
    frames, points = struct.unpack(">ii", data[:8])
    times = numpy.frombuffer(data, ">f4", frames, 8)
    return times, numpy.frombuffer(data, ">f4", offset=8 + 4 * frames).reshape(frames, points, 3)


def read_ply(path):
    """Names of bodies by id, the vertices as a structured array, the faces."""
    data = pathlib.Path(path).read_bytes()
    head, body = data.split(b"end_header\n", 1)
    names, fields, count, wide = {}, [], {}, False
    for line in head.decode().splitlines():
        words = line.split()
        if words[:2] == ["comment", "body_id"]:
            names[int(words[2])] = words[3]
        elif words[0] == "element":
            count[words[1]] = int(words[2])
        elif words[0] == "property" and words[1] != "list":
            fields.append((words[2], {"float": "<f4", "int": "<i4"}[words[1]]))
        elif words[0] == "property":
            wide = words[2] == "uint"
    vertices = numpy.frombuffer(body, fields, count["vertex"])
    at, faces = vertices.nbytes, []
    for _ in range(count["face"]):
        size = struct.unpack_from("<I" if wide else "<B", body, at)[0]
        at += 4 if wide else 1
        faces.append(struct.unpack_from(f"<{size}i", body, at))
        at += 4 * size
    if at != len(body):
        raise ValueError(f"{path}: {len(body) - at} bytes too many")
    return names, vertices, faces


def read_obj(path):
    """By object: vertices, texture coordinates by (vertex, corner), faces, groups and materials of faces."""
    parts, vertices, places, libraries = {}, [], [], []
    for line in pathlib.Path(path).read_text().splitlines():
        words = line.split()
        if words[0] == "mtllib":
            libraries.append(words[1])
        elif words[0] == "o":
            first, group, material = len(vertices), None, None
            part = parts[words[1]] = {"x": [], "faces": [], "places": [], "groups": [], "materials": []}
        elif words[0] == "v":
            vertices.append([float(word) for word in words[1:]])
            part["x"].append(vertices[-1])
        elif words[0] == "vt":
            places.append([float(word) for word in words[1:]])
        elif words[0] == "g":
            group = words[1]
        elif words[0] == "usemtl":
            material = words[1]
        elif words[0] == "f":
            corners = [word.split("/") for word in words[1:]]
            part["faces"].append([int(corner[0]) - 1 - first for corner in corners])
            part["places"].append([places[int(corner[1]) - 1] for corner in corners if len(corner) > 1])
            part["groups"].append(group)
            part["materials"].append(material)
    return libraries, {name: {**part, "x": numpy.array(part["x"])} for name, part in parts.items()}
