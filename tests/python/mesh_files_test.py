"""Meshes made of arrays, and written."""
import pathlib
import tempfile
import unittest

import numpy as np
import sinew

VERTICES = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]) / 3
TETS = np.array([[0, 1, 2, 3], [4, 2, 1, 3]])


def error_text(function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except sinew.InputError as error:
        return str(error).removesuffix(f" [{error.code}]")
    return "no error"


class MeshOfArrays(unittest.TestCase):

    def test_arrays_of_any_integer_type(self):
        for tets in (TETS, TETS.astype(np.int32), TETS.astype(np.uint8), TETS.tolist(), np.asfortranarray(TETS)):
            mesh = sinew.TetMesh(VERTICES, tets)
            np.testing.assert_array_equal(mesh.vertices, VERTICES)
            np.testing.assert_array_equal(mesh.tets, TETS)
            np.testing.assert_array_equal(mesh.regions, [0, 0])

    def test_regions_and_fields(self):
        mesh = sinew.TetMesh(VERTICES.tolist(), TETS, regions=[3, -1], fields={"young": [1, 2], "fibre": np.eye(3)[:2]})
        self.assertEqual(mesh.regions.tolist(), [3, -1])
        self.assertEqual(mesh.fields["young"].tolist(), [1.0, 2.0])
        self.assertEqual(mesh.fields["fibre"].tolist(), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])

    def test_negative_tets_are_rewound(self):
        mesh = sinew.TetMesh(VERTICES, TETS[:, [0, 1, 3, 2]])
        np.testing.assert_array_equal(mesh.tets, TETS)

    def test_errors(self):
        for expected, arguments in (
            ("TetMesh: vertices: found an array of shape (5, 2), expected (n, 3)", (VERTICES[:, :2], TETS)),
            ("TetMesh: tets: found an array of shape (2, 3), expected (m, 4)", (VERTICES, TETS[:, :3])),
            ("TetMesh: found tets of type float64, expected an array of integers; convert it with .astype(int)", (VERTICES, TETS + 0.5)),
            ("TetMesh: found no tets, expected a volume mesh", (VERTICES, np.zeros((0, 4), int))),
            ("TetMesh: regions: found an array of shape (3,), expected (2,)", (VERTICES, TETS, [1, 2, 3])),
            ("TetMesh: found 4294967296 in regions, expected 32-bit integers", (VERTICES, TETS, [1, 2**32])),
            ("TetMesh: fields[\"a\"]: found one of shape (3,), expected an array of shape (2,) or (2, c)",
             (VERTICES, TETS, None, {"a": [1, 2, 3]})),
        ):
            self.assertEqual(error_text(sinew.TetMesh, *arguments), expected)
        self.assertIn("TetMesh: 1 of 2 tets name vertices outside 0 to 4: tet 1",
                      error_text(sinew.TetMesh, VERTICES, TETS + [[0], [1]]))
        self.assertIn("TetMesh: 1 of 5 vertices have coordinates that are not finite",
                      error_text(sinew.TetMesh, VERTICES + [[0], [0], [0], [0], [np.nan]], TETS))


class WriteMesh(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.mesh = sinew.TetMesh(VERTICES, TETS, [3, 5])

    def test_round_trips(self):
        for name in ("a.msh", "a.vtu"):
            for binary in (None, False, True):
                sinew.write_mesh(self.folder / name, self.mesh, binary=binary)
                back = sinew.read_mesh(str(self.folder / name))
                np.testing.assert_array_equal(back.vertices, self.mesh.vertices)
                np.testing.assert_array_equal(back.tets, self.mesh.tets)
                np.testing.assert_array_equal(back.regions, self.mesh.regions)

    def test_decks(self):
        for name in ("a.inp", "a.unv", "a.bdf"):
            sinew.write_mesh(self.folder / name, self.mesh)
            back = sinew.read_mesh(self.folder / name)
            np.testing.assert_array_equal(back.tets, self.mesh.tets)
            np.testing.assert_array_equal(back.regions, self.mesh.regions)

    def test_boundary(self):
        sinew.write_mesh(self.folder / "a.obj", self.mesh)
        text = (self.folder / "a.obj").read_text()
        self.assertEqual((text.count("v "), text.count("f ")), (5, 6))

    def test_errors(self):
        path = self.folder / "a.stl"
        self.assertEqual(error_text(sinew.write_mesh, path, self.mesh),
                         f"cannot write '{path}': .stl is not a mesh format that sinew writes, "
                         "expected .msh, .vtu, .inp, .unv, .bdf, .nas, .obj")
        self.assertEqual(error_text(sinew.write_mesh, 5, self.mesh),
                         "write_mesh: found 5, expected a path: a string or os.PathLike")


if __name__ == "__main__":
    unittest.main()
