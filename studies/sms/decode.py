"""Numbers of the page that `sinew subspace --html` writes: clusters on each side of triangles, and cubature points.
Also meshes of cubes with regions."""

import base64
import json
import pathlib
import re
import zlib

import numpy as np


def blob(text, name):
    found = re.search(rf'id="sinew-{name}">\s*(\[.*?\])</script>', text, re.S)
    header, data = json.loads(found.group(1))
    return header, zlib.decompress(base64.b64decode(data))


def integers(data, count):
    """The last `count` integers: four planes of bytes, zigzag, differences."""
    planes = np.frombuffer(data, np.uint8)[-4 * count:].reshape(4, count).astype(np.uint32)
    words = (planes << np.array([[0], [8], [16], [24]], np.uint32)).sum(axis=0, dtype=np.uint32)
    return np.cumsum((words >> 1).astype(np.int64) ^ -(words & 1).astype(np.int64))


def read_page(path):
    """The page as a dict:

    - summary: as `sinew subspace --json` writes it.
    - triangles: material and cluster on both sides of each triangle, -1 outside.
    - points, volumes: middles of cubature tets in the scene, and the volumes of these points.
    - weights: the least and the largest value in the basis.
    """
    text = pathlib.Path(path).read_text()
    mesh, _ = blob(text, "mesh")
    header, data = blob(text, "subspace")
    groups = [group for thing in mesh["objects"] if thing["kind"] == "body" for group in thing["groups"]]
    material = np.concatenate([np.full(group[1], group[0]) for group in groups])
    beyond = np.concatenate([np.full(group[1], group[2] if len(group) > 2 else -1) for group in groups])
    triangles, handles, points, weights = len(material), header["handles"], header["points"], header["weights"]
    head = np.frombuffer(data[:16 * 8], np.float64)
    words = 3 * handles + 3 * points + points + weights
    low, high = (np.frombuffer(data[16 * 8 + k * words:16 * 8 + (k + 1) * words], np.uint8).astype(np.uint16)
                 for k in (0, 1))
    differences = low | high << 8
    sequence = differences[3 * handles:3 * handles + 4 * points].reshape(4, points)
    levels = np.cumsum(sequence, axis=1, dtype=np.uint16).astype(float)
    middles = head[6:9, None] + levels[:3] / 65535 * (head[9:12] - head[6:9])[:, None]
    volumes = head[12] + levels[3] / 4095 * (head[13] - head[12])
    values = integers(data, 2 * triangles + header["vertices"] + weights + handles)
    return {"summary": header["summary"], "materials": mesh["materials"],
            "triangles": {"material": material, "other": beyond, "cluster": values[:triangles],
                          "beyond": values[triangles:2 * triangles]},
            "points": middles.T, "volumes": volumes, "weights": (head[14], head[15])}


def page(engine, scene, folder, *more, settings=(), name="subspace"):
    """Writes and reads the page of a subspace. The path of the page stays in the result."""
    path = pathlib.Path(folder) / f"{name}.html"
    from studies.frame.engine import call
    words = engine.words("subspace", scene, settings, *more)
    engine.commands[-1] += " --html subspace.html"
    call(engine.sinew, *words, "--html", path)
    return {**read_page(path), "path": path}


def materials_of(result):
    """For each cluster the share of its triangles in each material."""
    triangles = result["triangles"]
    counts = np.zeros((result["summary"]["clusters"], len(result["materials"])))
    other = np.where(triangles["other"] >= 0, triangles["other"], triangles["material"])
    for clusters, materials in ((triangles["cluster"], triangles["material"]), (triangles["beyond"], other)):
        seen = clusters >= 0
        np.add.at(counts, (clusters[seen], materials[seen]), 1)
    return counts / np.maximum(1, counts.sum(axis=1, keepdims=True))


def clusters_in(result):
    """Clusters in each material; one that has a third of its triangles in a material counts a third there."""
    return dict(zip(result["materials"], materials_of(result).sum(axis=0).tolist()))


def on_interfaces(result):
    """The share of the triangles between clusters that lie on interfaces of materials, and the share of the
    triangles of interfaces that lie between clusters."""
    triangles = result["triangles"]
    inside = triangles["beyond"] >= 0
    apart = inside & (triangles["beyond"] != triangles["cluster"])
    interface = inside & (triangles["other"] != triangles["material"]) & (triangles["other"] >= 0)
    both = (apart & interface).sum()
    return float(both / max(1, apart.sum())), float(both / max(1, interface.sum()))


# ---- meshes with regions

FIVE = {0: ((0, 1, 3, 5), (0, 3, 2, 6), (0, 5, 4, 6), (3, 5, 6, 7), (0, 3, 5, 6)),
        1: ((1, 0, 2, 4), (1, 3, 2, 7), (1, 5, 4, 7), (2, 4, 6, 7), (1, 2, 4, 7))}


def voxel_mesh(engine, path, region, edge):
    """Cubes of five tets where `region` (an array of ints over cubes, -1: empty) is at least 0."""
    sinew = engine.python()
    shape = np.array(region.shape) + 1
    vertices, tets, regions = {}, [], []
    for place in np.argwhere(region >= 0):
        corners = [place + (k & 1, k >> 1 & 1, k >> 2) for k in range(8)]
        numbers = [vertices.setdefault(int(np.ravel_multi_index(c, shape)), len(vertices)) for c in corners]
        for tet in FIVE[int(place.sum() % 2)]:
            tets.append([numbers[k] for k in tet])
            regions.append(int(region[tuple(place)]) + 1)
    keys = np.array(list(vertices))
    points = np.stack(np.unravel_index(keys, shape), axis=1) * edge
    tets = np.array(tets)
    side = points[tets[:, 1:]] - points[tets[:, :1]]
    flip = np.linalg.det(side) < 0
    tets[flip] = tets[flip][:, [0, 2, 1, 3]]
    sinew.write_mesh(str(path), sinew.Mesh(points, tets, regions=np.array(regions)))
    return points, tets, np.array(regions) - 1
