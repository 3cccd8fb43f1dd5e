"""Meshes of tets that sinew-mesh wrote (Gmsh 2.2, text)."""

import itertools

import numpy


def read(path):
    """Vertices (n x 3) and tets (m x 4) of a mesh."""
    vertices, tets = None, []
    with open(path) as file:
        for line in file:
            if line.startswith("$Nodes"):
                count = int(next(file))
                rows = [row.split() for row in itertools.islice(file, count)]
                vertices = numpy.array([row[1:4] for row in rows], float)
                place = {row[0]: number for number, row in enumerate(rows)}
            elif line.startswith("$Elements"):
                count = int(next(file))
                for row in itertools.islice(file, count):
                    words = row.split()
                    if words[1] == "4":
                        tets.append([place[word] for word in words[-4:]])
    return vertices, numpy.array(tets, int).reshape(-1, 4)


def boundary_vertices(tets):
    """Numbers of the vertices on faces that belong to one tet."""
    faces = numpy.sort(tets[:, [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]].reshape(-1, 3), axis=1)
    found, count = numpy.unique(faces, axis=0, return_counts=True)
    return numpy.unique(found[count == 1])
