import pathlib
import runpy

import numpy as np

R, E, NU = 0.1, 1e6, 0.3
FACES = ((0, 1, 2, 4, 5, 6), (0, 1, 3, 4, 9, 7), (0, 2, 3, 6, 8, 7), (1, 2, 3, 5, 8, 9))  # of Gmsh's ten nodes


def top_faces():
    """Six nodes of each face of the block's top, and the nodes' places."""
    vertices, tets = runpy.run_path(str(pathlib.Path(__file__).parent / "mesh.py"))["meshes"]()["block.msh"]
    faces = np.concatenate([tets[:, f] for f in FACES])
    return vertices, faces[np.all(vertices[faces, 1] > -1e-12, axis=1)]


def hertz(points, a, peak):
    return peak * np.sqrt(np.maximum(0, 1 - (points**2).sum(-1) / a**2))


def observe(run):
    simulation = run.simulation(run.scene())
    rest = simulation.positions.copy()
    run.step(simulation)
    force = -simulation.forces()["contact"][:, 1]
    total = 4 * force.sum()
    a = (0.75 * total * R * (1 - NU**2) / E) ** (1 / 3)
    peak = 1.5 * total / (np.pi * a**2)
    # A face has equal shares of its nodes' forces, as a constant pressure has.
    vertices, faces = top_faces()
    place = {tuple(p): i for i, p in enumerate(np.round(rest, 9).tolist())}
    node = np.array([place[tuple(p)] for p in np.round(vertices[faces], 9).reshape(-1, 3).tolist()]).reshape(faces.shape)
    share = force / np.maximum(1, np.bincount(node.ravel(), minlength=len(rest)))
    corners = vertices[faces[:, :3]][:, :, [0, 2]]
    edges = corners[:, 1:] - corners[:, :1]
    area = np.abs(np.linalg.det(edges)) / 2
    pressure = share[node].sum(1) / area
    # Hertz's pressure, averaged over each face.
    n = 12
    s = [(i + 1 / 3, j + 1 / 3) for i in range(n) for j in range(n - i)] + \
        [(i + 2 / 3, j + 2 / 3) for i in range(n) for j in range(n - i - 1)]
    s = np.array(s) / n
    points = corners[:, None, 0] + s[:, :1] * edges[:, None, 0] + s[:, 1:] * edges[:, None, 1]
    right = hertz(points, a, peak).mean(1)
    # Averages over rings of faces, and faces one by one.
    ring = np.floor(4 * np.linalg.norm(corners.mean(1), axis=1) / a).astype(int)
    errors = np.bincount(ring, area * (pressure - right)) / np.maximum(np.bincount(ring, area), 1e-30)
    return {"largest error of a ring's pressure, over the peak": np.abs(errors).max() / peak,
            "error of the faces' pressures": np.sqrt((area * (pressure - right) ** 2).sum() / (area * right**2).sum())}
