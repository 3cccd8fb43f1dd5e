"""The Python module: its contract, its errors, and that it gives the numbers of the command line."""

import fractions
import os
import pathlib
import signal
import tempfile
import threading
import unittest

import numpy as np

import sinew

TWO_TETS = """$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
5
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
5 1 1 1
$EndNodes
$Elements
2
1 4 2 3 3 1 2 3 4
2 4 2 7 7 2 5 3 4
$EndElements
"""


def scene(**changes):
    result = {
        "name": "cube", "time": {"step": 0.01, "steps": 5, "integrator": "bdf2"},
        "materials": {"rubber": {"model": "neo_hookean", "young": 1e5, "poisson": 0.4, "density": 1000}},
        "bodies": [{"name": "cube", "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]}},
                    "material": "rubber", "transform": {"translate": [0, 0.06, 0]}, "velocity": [0.3, -1, 0]}],
        "obstacles": [{"name": "ground", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}],
        "contact": {"distance": 1e-3, "friction": 0.3},
    }  # yapf: disable
    result.update(changes)
    return result


def error_text(function, *arguments, **keywords):
    """The text of the InputError that a call raises."""
    try:
        function(*arguments, **keywords)
    except sinew.InputError as error:
        return str(error).removesuffix(f" [{error.code}]")
    return "no error"


class Errors(unittest.TestCase):

    def test_one_base_class(self):
        self.assertTrue(issubclass(sinew.InputError, sinew.Error))
        self.assertTrue(issubclass(sinew.InputError, ValueError))
        self.assertTrue(issubclass(sinew.SimulationError, sinew.Error))
        self.assertTrue(issubclass(sinew.SimulationError, RuntimeError))
        self.assertFalse(issubclass(sinew.InputError, sinew.SimulationError))
        with self.assertRaises(sinew.Error):
            sinew.Simulation({})


class TemporaryFolder(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Arrays(unittest.TestCase):
    """numpy makes numbers of what is none; the module does not."""

    def test_only_real_numbers_are_taken(self):
        sim = sinew.Simulation(scene())
        x, v, point, F = sim.positions, sim.velocities, [0, 0, 0], np.eye(3)
        material = sinew.Material("neo_hookean")
        tet = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        calls = {
            "positions": lambda a: setattr(sim, "positions", a(x)),
            "velocities": lambda a: setattr(sim, "velocities", a(v)),
            "F": lambda a: (material.energy(a(F)), material.stress(a(F)), material.hessian(a(F))),
            "ccd.vertex_face: f0a": lambda a: sinew.ccd.vertex_face(point, a(point), *[point] * 6),
            "ccd.edge_edge: eb1_1": lambda a: sinew.ccd.edge_edge(*[point] * 7, a(point)),
            "TetMesh: vertices": lambda a: sinew.TetMesh(a(tet), [[0, 1, 2, 3]]),
            'TetMesh: fields["young"]': lambda a: sinew.TetMesh(tet, [[0, 1, 2, 3]], fields={"young": a([1])}),
            "Material: fiber_direction":
                lambda a: sinew.Material("arap", mu=1, fiber_stiffness=1, fiber_direction=a([0, 0, 1])),
        }
        kinds = {
            "an array of type complex128": lambda a: np.asarray(a) + 0j,
            "an array of type <U": lambda a: np.asarray(a).astype(str),
            "an array of type |S": lambda a: np.asarray(a).astype(bytes),
            "an array of type datetime64": lambda a: np.asarray(a).astype(int).astype("datetime64[s]"),
            "an array of type timedelta64": lambda a: np.asarray(a).astype(int).astype("timedelta64[s]"),
            "an array of type bool": lambda a: np.asarray(a).astype(bool),
            "an array of objects": lambda a: np.asarray(a).astype(object),
            '"text"': lambda a: "text",
            "None": lambda a: None,
            "[[1,2],[3]]": lambda a: [[1, 2], [3]],
        }
        for what, call in calls.items():
            for found, change in kinds.items():
                with self.subTest(what=what, found=found), self.assertRaises(TypeError) as caught:
                    call(change)
                expected = "an array of type <U4" if found == '"text"' else "an array of objects" if found == "None" else found
                self.assertTrue(str(caught.exception).startswith(f"{what}: found {expected}"), str(caught.exception))
                self.assertIn(", expected an array of real numbers", str(caught.exception))
            call(lambda a: np.asarray(a, dtype=np.float32) + 1e-6)
        np.testing.assert_array_equal(v, np.tile([0.3, -1, 0], (27, 1)))

    def test_numbers_of_materials(self):
        for value in (1e6 + 1j, np.complex128(1e6), np.str_("1e6"), np.datetime64(5, "s"), np.timedelta64(5, "s"), np.True_):
            self.assertIn("expected a number", error_text(sinew.Material, "neo_hookean", young=value))
        for value in (np.float32(1e6), np.int64(10**6), fractions.Fraction(10**6), np.array(1e6)):
            self.assertEqual(float(sinew.Material("neo_hookean", young=value).energy(np.eye(3))), 0)


class Uninitialised(unittest.TestCase):

    def test_objects_without_init_are_refused(self):
        mesh, material = sinew.TetMesh.__new__(sinew.TetMesh), sinew.Material.__new__(sinew.Material)
        simulation = sinew.Simulation.__new__(sinew.Simulation)
        calls = {
            "Mesh": (lambda: mesh.vertices, lambda: repr(mesh), lambda: sinew.write_mesh("never.msh", mesh)),
            "Material": (lambda: material.model, lambda: material.energy(np.eye(3)[None])),
            "Simulation": (simulation.step, lambda: simulation.positions, simulation.energies),
        }
        for name, functions in calls.items():
            for function in functions:
                with self.assertRaisesRegex(TypeError, rf"{name}.__init__\(\) was not called"):
                    function()

    def test_init_makes_them_whole(self):
        mesh = sinew.TetMesh.__new__(sinew.TetMesh)
        mesh.__init__([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2, 3]])
        self.assertEqual(mesh.tets.shape, (1, 4))


class Mesh(TemporaryFolder):

    def test_arrays_have_the_types_of_the_contract(self):
        path = self.folder / "two.msh"
        path.write_text(TWO_TETS)
        mesh = sinew.read_mesh(str(path))
        self.assertEqual((mesh.vertices.shape, mesh.vertices.dtype), ((5, 3), np.float64))
        self.assertEqual((mesh.tets.shape, mesh.tets.dtype), ((2, 4), np.int32))
        self.assertEqual((mesh.regions.dtype, mesh.regions.tolist()), (np.int32, [3, 7]))
        np.testing.assert_array_equal(mesh.vertices[4], [1, 1, 1])
        np.testing.assert_array_equal(mesh.tets[0], [0, 1, 2, 3])

    def test_fields_have_the_shape_of_their_components(self):
        cells = "".join(f'<DataArray type="Float64" Name="{name}" NumberOfComponents="{c}" format="ascii">{text}</DataArray>'
                        for name, c, text in (("young", 1, "7"), ("fibre", 3, "0 3 4")))
        path = self.folder / "one.vtu"
        path.write_text(f"""<VTKFile type="UnstructuredGrid"><UnstructuredGrid>
            <Piece NumberOfPoints="4" NumberOfCells="1"><CellData>{cells}</CellData><Points>
            <DataArray type="Float64" format="ascii">0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Cells>
            <DataArray type="Int32" Name="connectivity" format="ascii">0 1 2 3</DataArray>
            <DataArray type="Int32" Name="offsets" format="ascii">4</DataArray>
            <DataArray type="UInt8" Name="types" format="ascii">10</DataArray></Cells></Piece>
            </UnstructuredGrid></VTKFile>""")
        fields = sinew.read_mesh(path).fields
        self.assertEqual({name: field.tolist() for name, field in fields.items()},
                         {"young": [7.0], "fibre": [[0.0, 3.0, 4.0]]})
        self.assertFalse(fields["young"].flags.writeable)

    def test_arrays_are_read_only_copies(self):
        path = self.folder / "two.msh"
        path.write_text(TWO_TETS)
        mesh = sinew.read_mesh(path)
        for array in (mesh.vertices, mesh.tets, mesh.regions):
            with self.assertRaisesRegex(ValueError, "read-only"):
                array[0] = 5

    def test_paths_of_any_kind(self):
        path = self.folder / "two.msh"
        path.write_text(TWO_TETS)
        for name in (path, str(path)):
            self.assertEqual(sinew.read_mesh(name).vertices.shape, (5, 3))
        self.assertEqual(error_text(sinew.read_mesh, 3),
                         "read_mesh: found 3, expected a path: a string or os.PathLike")
        self.assertEqual(error_text(sinew.Simulation, scene(), base_dir=None),
                         "base_dir: found None, expected a path: a string or os.PathLike")

    def test_paths_that_no_file_can_have(self):
        path = os.path.join(self.folder, "a\0b.msh")
        for call in (sinew.read_mesh, sinew.Simulation, sinew.Simulation.load):
            self.assertIn("expected a path without null characters", error_text(call, path))
        mesh = sinew.TetMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2, 3]])
        self.assertIn("expected a path without null characters", error_text(sinew.write_mesh, path, mesh))
        self.assertEqual(os.listdir(self.folder), [])
        not_utf8 = os.path.join(os.fsencode(self.folder), b"\xff.msh")
        sinew.write_mesh(os.fsdecode(not_utf8), mesh)
        self.assertEqual(os.listdir(os.fsencode(self.folder)), [b"\xff.msh"])

    def test_errors_name_files_that_are_not_utf8(self):
        for call in (sinew.read_mesh, sinew.Simulation, sinew.Simulation.load):
            self.assertIn("\udcff.msh", error_text(call, os.fsdecode(b"/no/\xff.msh")))

    def test_errors_are_value_errors_with_the_same_text(self):
        with self.assertRaises(sinew.InputError) as caught:
            sinew.read_mesh(str(self.folder / "missing.msh"))
        self.assertIsInstance(caught.exception, ValueError)
        self.assertIn("missing.msh", str(caught.exception))


class Material(unittest.TestCase):

    def setUp(self):
        rng = np.random.default_rng(1)
        self.F = np.eye(3) + 0.2 * rng.standard_normal((7, 3, 3))

    def test_neo_hookean_energy(self):
        mu, lam = 3.0, 5.0
        m = sinew.Material("neo_hookean", lambda_=lam, mu=mu)
        J = np.linalg.det(self.F)
        expected = mu / 2 * (np.einsum("kij,kij->k", self.F, self.F) - 3) - mu * np.log(J) + lam / 2 * np.log(J)**2
        np.testing.assert_allclose(m.energy(self.F), expected, rtol=1e-12, atol=1e-12)

    def test_derivatives_against_differences(self):
        m = sinew.Material("stable_neo_hookean", young=2.0, poisson=0.3)
        h = 1e-6
        P, H = m.stress(self.F), m.hessian(self.F)
        self.assertEqual((P.shape, H.shape), ((7, 3, 3), (7, 9, 9)))
        for i in range(3):
            for j in range(3):
                step = np.zeros((3, 3))
                step[i, j] = h
                dW = (m.energy(self.F + step) - m.energy(self.F - step)) / (2 * h)
                np.testing.assert_allclose(P[:, i, j], dW, rtol=0, atol=1e-8)
                dP = (m.stress(self.F + step) - m.stress(self.F - step)) / (2 * h)
                np.testing.assert_allclose(H[:, :, 3 * i + j], dP.reshape(7, 9), rtol=0, atol=1e-7)

    def test_projection_is_semidefinite(self):
        m = sinew.Material("fixed_corotated", young=1e6, poisson=0.4)
        crushed = self.F.copy()
        crushed[:, 0] *= 0.3
        eigenvalues = np.linalg.eigvalsh(m.hessian(crushed, psd=True))
        self.assertGreaterEqual(eigenvalues.min(), -1e-9 * eigenvalues.max())

    def test_a_single_gradient(self):
        m = sinew.Material("arap", mu=1.0)
        self.assertEqual(m.stress(np.eye(3)).shape, (3, 3))
        self.assertEqual(float(m.energy(np.eye(3))), 0.0)

    def test_defaults_are_those_of_the_scene_file(self):
        soft = sinew.Material("neo_hookean", young=1e5)
        np.testing.assert_array_equal(soft.stress(self.F),
                                      sinew.Material("neo_hookean", young=1e5, poisson=0.4).stress(self.F))
        np.testing.assert_array_equal(sinew.Material("stvk").stress(self.F),
                                      sinew.Material("stvk", young=1e6, poisson=0.4).stress(self.F))
        self.assertEqual(error_text(sinew.Material, "neo_hookean", mu=1.0),
                         "material model 'neo_hookean': parameters given: mu; expected young [Pa] and poisson, or "
                         "lambda [Pa] and mu [Pa]")

    def test_lists_of_terms(self):
        m = sinew.Material("ogden", mu=[3e5, 1e5], alpha=[2, -2], poisson=0.49)
        stretch = np.diag([1.5, 1.5 ** -0.5, 1.5 ** -0.5])
        # Terms 2 and -2 are a Mooney-Rivlin solid: c10 = mu_1 / 2, c01 = mu_2 / 2. Volumes are kept, so ln J = 0.
        tension = 2 * (1.5 - 1.5 ** -2) * (1.5e5 + 0.5e5 / 1.5)
        P = m.stress(stretch)
        self.assertAlmostEqual(P[0, 0] - P[1, 1] * stretch[1, 1] / stretch[0, 0], tension, delta=1e-8 * tension)
        self.assertEqual(error_text(sinew.Material, "ogden", mu=[1e5], alpha=[2, 3], bulk=1e6),
                         "material model 'ogden': mu has 1 values and alpha has 2, but each term needs one of both")
        self.assertEqual(error_text(sinew.Material, "ogden", mu=1e5, alpha=[2], bulk=1e6),
                         "Material.mu: found 100000.0, expected an array of numbers")

    def test_fibers_in_both_forms(self):
        parts = sinew.Material("arap", mu=1.0, fiber_stiffness=2.0, fiber_direction=[0, 0, 3])
        whole = sinew.Material("arap", mu=1.0, fiber={"stiffness": 2, "direction": np.array([0, 0, 1])})
        np.testing.assert_array_equal(parts.stress(self.F), whole.stress(self.F))
        self.assertGreater(abs(whole.stress(self.F) - sinew.Material("arap", mu=1.0).stress(self.F)).max(), 0.01)

        def error(**keywords):
            return error_text(sinew.Material, "arap", mu=1.0, **keywords)

        self.assertEqual(error(fiber_stiffness=1.0),
                         'Material: missing "fiber_direction", expected three numbers, not all zero')
        self.assertEqual(error(fiber_direction=[1, 0, 0]),
                         'Material: missing "fiber_stiffness", expected a number of at least 0 [Pa]')
        self.assertEqual(error(fiber={"stiffness": 1}),
                         'Material: fiber: missing "direction", expected three numbers, not all zero')
        self.assertEqual(error(fiber={"stifness": 1}),
                         'Material: fiber: unknown key "stifness"; known keys: "stiffness", "direction"')
        self.assertEqual(error(fiber=3), 'Material: fiber: found 3, expected a dict with "stiffness" and "direction"')
        self.assertEqual(error(fiber={"stiffness": 1, "direction": [0, 1]}),
                         'Material: fiber["direction"]: found [0,1], expected three numbers')
        self.assertEqual(error(fiber={"stiffness": 1, "direction": [0, 0, 1]}, fiber_stiffness=2),
                         'Material: found "fiber" together with "fiber_stiffness" or "fiber_direction"; give one form')

    def test_outside_the_domain(self):
        crushed, inverted, unknown = np.diag([1.0, 1, 0]), np.diag([1.0, 1, -1]), np.eye(3)
        unknown[0, 1] = np.nan
        F = np.stack([crushed, inverted, unknown, np.eye(3)])
        m = sinew.Material("neo_hookean")
        np.testing.assert_array_equal(m.energy(F), [np.inf, np.inf, np.nan, 0])
        self.assertEqual(np.isnan(m.stress(F)).all(axis=(1, 2)).tolist(), [True, True, True, False])
        self.assertEqual(np.isnan(m.hessian(F, psd=True)).all(axis=(1, 2)).tolist(), [True, True, True, False])
        m = sinew.Material("fixed_corotated")  # defined everywhere
        self.assertEqual(np.isfinite(m.energy(F)).tolist(), [True, True, False, True])
        self.assertTrue(np.isfinite(m.stress(F[:2])).all())
        self.assertTrue(np.isnan(m.stress(F[2])).all())

    def test_bad_input(self):
        self.assertEqual(error_text(sinew.Material, "neo_hookean", young="a", poisson=.3),
                         'Material: young: found "a", expected a number')
        self.assertEqual(error_text(sinew.Material, "neo_hookean", young=None),
                         'Material: young: found None, expected a number')
        with self.assertRaisesRegex(sinew.InputError, "neo_hookean"):
            sinew.Material("neo_hokean", young=1.0, poisson=0.3)
        with self.assertRaisesRegex(sinew.InputError, r"F: found an array of shape \(3,\), expected \(k, 3, 3\)"):
            sinew.Material("arap", mu=1.0).energy([1, 2, 3])


class Simulation(TemporaryFolder):

    def test_step_returns_a_row(self):
        sim = sinew.Simulation(scene())
        row = sim.step()
        for key in ("step", "time", "converged", "residual", "newton_iterations", "linear_iterations", "min_distance",
                    "min_jacobian", "energies", "seconds"):
            self.assertIn(key, row)
        self.assertEqual((row["step"], row["converged"]), (1, True))
        self.assertAlmostEqual(sim.time, 0.01)
        self.assertEqual(set(sim.energies()), {"kinetic", "elastic", "gravity", "barrier", "friction", "springs"})
        self.assertEqual({name: f.shape for name, f in sim.forces().items()},
                         {name: (27, 3) for name in ("elastic", "contact", "friction", "reaction", "gravity", "loads",
                                                     "springs", "damping", "spin", "ties", "inertia")})  # yapf: disable

    def test_friction_of_contacts_that_open_counts_as_converged(self):
        sim = sinew.Simulation(scene(contact={"distance": 1e-3, "friction": 0.3, "friction_iterations": 20}))
        rows = [sim.step() for _ in range(6)]
        opened = [row for row in rows if row["contacts"] == 0 and row["friction_iterations"] > 1]
        self.assertTrue(opened)
        for row in rows:
            self.assertTrue(row["friction_converged"], row)

    def test_a_step_that_does_not_converge_says_why(self):
        sim = sinew.Simulation(scene(solver={"max_iterations": 1, "tolerance": 1e-12}))
        row = sim.step()
        self.assertFalse(row["converged"])
        diagnosis = row["diagnosis"]
        self.assertIn("solver.max_iterations", diagnosis["advice"])
        self.assertIn(diagnosis["term"], diagnosis["forces"])
        self.assertTrue(np.isfinite(diagnosis["position"]).all())
        self.assertNotIn("diagnosis", sinew.Simulation(scene()).step())

    def test_positions_and_velocities_can_be_set(self):
        sim = sinew.Simulation(scene())
        x, v = sim.positions, sim.velocities
        self.assertEqual((x.shape, v.shape), ((27, 3), (27, 3)))
        np.testing.assert_array_equal(v, np.tile([0.3, -1, 0], (27, 1)))
        sim.positions = x + [0, 1, 0]
        sim.velocities = 0 * v
        sim.step()
        np.testing.assert_allclose(sim.positions, x + [0, 1 - 9.81 * 0.01**2, 0], rtol=0, atol=1e-9)
        with self.assertRaisesRegex(sinew.InputError, r"positions: found an array of shape \(3, 3\), expected \(27, 3\)"):
            sim.positions = x[:3]
        with self.assertRaisesRegex(sinew.InputError, "intersect"):
            sim.positions = x - [0, 0.05, 0]

    def test_arrays_are_read_only_copies(self):
        sim = sinew.Simulation(scene())
        with self.assertRaisesRegex(ValueError, "read-only"):
            sim.positions[0, 0] = 5
        with self.assertRaisesRegex(ValueError, "read-only"):
            sim.velocities += 1
        x = sim.positions.copy()
        x[:, 1] += 1
        sim.positions = x
        np.testing.assert_array_equal(sim.positions, x)
        sim.forces()["elastic"][0] = 5  # the caller's own

    def test_reduced_coordinates_move_what_the_subspace_says(self):
        scene = {
            "bodies": [{"mesh": {"box": {"size": [1, 0.2, 0.2], "cells": [8, 2, 2]}},
                        "material": {"young": 1e5, "poisson": 0.3},
                        "fix": [{"halfspace": {"point": [-0.49, 0, 0], "normal": [-1, 0, 0]}}]}],
            "solver": {"method": "mixed", "handles": 3, "cubature": 20, "iterations": 1},
        }
        sim = sinew.Simulation(scene)
        rest = sim.positions
        space = sim.subspace
        self.assertEqual(space["weights"].shape, (len(rest), 3))
        self.assertEqual((space["tets"].shape, space["tet_weights"].shape), ((20,), (20,)))
        self.assertTrue((np.diff(space["eigenvalues"]) >= 0).all())
        row = sim.step()
        self.assertEqual(row["outcome"], "budget")
        q = sim.reduced_coordinates
        self.assertEqual(q.shape, (36,))

        def lifted(q):
            moved = rest.copy()
            for w, c, r, A in zip(space["weights"].T, space["centers"], space["radii"], q.reshape(-1, 4, 3)):
                local = np.column_stack([np.ones(len(rest)), (rest - c) / r])
                moved += w[:, None] * (local @ A)
            return moved

        np.testing.assert_allclose(sim.positions, lifted(q), atol=1e-13)
        q = np.random.default_rng(1).normal(0, 0.01, q.shape)
        sim.reduced_coordinates = q
        np.testing.assert_array_equal(sim.reduced_coordinates, q)
        np.testing.assert_allclose(sim.positions, lifted(q), atol=1e-13)
        sim.positions = lifted(2 * q)
        np.testing.assert_allclose(sim.reduced_coordinates, 2 * q, atol=1e-9)
        with self.assertRaisesRegex(sinew.InputError, "found 3 numbers, expected 36"):
            sim.reduced_coordinates = [1, 2, 3]
        with self.assertRaisesRegex(sinew.InputError, "not finite"):
            sim.reduced_coordinates = q * np.nan
        scene["solver"]["method"] = "newton"
        with self.assertRaisesRegex(sinew.InputError, "no reduced coordinates"):
            sinew.Simulation(scene).reduced_coordinates

    def test_saved_simulations_go_on_with_the_same_bits(self):
        sim = sinew.Simulation(scene())
        for _ in range(3):
            sim.step()
        path = self.folder / "state.h5"
        sim.save(path)
        sim.step()
        loaded = sinew.Simulation.load(path)
        self.assertAlmostEqual(loaded.time, 0.03)
        loaded.step()
        np.testing.assert_array_equal(loaded.positions, sim.positions)
        np.testing.assert_array_equal(loaded.velocities, sim.velocities)

    def test_meshes_are_found_from_the_base_folder(self):
        (self.folder / "two.msh").write_text(TWO_TETS)
        body = {"mesh": "two.msh", "material": "rubber", "transform": {"translate": [0, 1, 0]}}
        sim = sinew.Simulation(scene(bodies=[body]), base_dir=str(self.folder))
        self.assertEqual(sim.positions.shape, (5, 3))
        sim.save(str(self.folder / "state.h5"))
        self.assertEqual(sinew.Simulation.load(str(self.folder / "state.h5")).positions.shape, (5, 3))

    def test_numpy_values_in_the_scene(self):
        body = dict(scene()["bodies"][0], velocity=np.array([0.3, -0.5, 0]))
        sim = sinew.Simulation(scene(bodies=[body], gravity=np.zeros(3)))
        x = sim.positions
        sim.step()
        np.testing.assert_allclose(sim.positions - x, np.tile([0.003, -0.005, 0], (27, 1)), rtol=0, atol=1e-9)

    def test_errors(self):
        with self.assertRaisesRegex(sinew.InputError, "gravty"):
            sinew.Simulation(scene(gravty=[0, 0, 0]))
        sim = sinew.Simulation(scene())
        self.assertEqual(
            error_text(sim.save, "/nonexistent/folder/state.h5"),
            "/nonexistent/folder/state.h5: cannot write: the folder /nonexistent/folder does not exist; create it first")
        self.assertEqual(error_text(sim.save, self.folder),
                         f"{self.folder}: cannot write: this is a folder, expected the name of a file")
        with self.assertRaisesRegex(sinew.InputError, "No such file"):
            sinew.Simulation.load("/nonexistent/state.h5")

    def test_values_that_json_cannot_hold(self):
        self.assertEqual(error_text(sinew.Simulation, scene(time={"steps": 2**70})),
                         "scene: time.steps: found 1.1805916207174113e+21, expected an integer of at least 1 and of at "
                         "most 2000000000 (number of steps)")
        self.assertEqual(error_text(sinew.Simulation, scene(time={"steps": 10**400})),
                         "scene: found an integer beyond the range of double precision")
        self.assertEqual(error_text(sinew.Simulation, scene(time={1: 2})),
                         "scene: time: found the key 1, expected a string")
        self.assertEqual(error_text(sinew.Simulation, scene(time=object())),
                         "scene: time: found a value of type object, expected what JSON can hold")
        loop = scene()
        loop["time"]["self"] = loop
        self.assertEqual(error_text(sinew.Simulation, loop),
                         "scene: nested more than 100 levels deep; simplify the scene")
        self.assertEqual(error_text(sinew.Simulation, scene(name="a\ud800")),
                         "scene: found the string 'a\\ud800', expected text that UTF-8 can hold")

    def test_other_threads_run_during_a_step(self):
        sim = sinew.Simulation(scene(bodies=[dict(scene()["bodies"][0], mesh={"box": {"size": [0.1] * 3, "cells": [12] * 3}})]))
        count, done = [0], threading.Event()

        def work():
            while not done.is_set():
                count[0] += 1

        worker = threading.Thread(target=work)
        worker.start()
        before = count[0]
        sim.step()
        during = count[0] - before
        done.set()
        worker.join()
        self.assertGreater(during, 100)

    def test_threads_take_turns(self):
        body = dict(scene()["bodies"][0], mesh={"box": {"size": [0.1] * 3, "cells": [6] * 3}})
        sim, steps, errors = sinew.Simulation(scene(bodies=[body])), [], []

        def work():
            try:
                for _ in range(5):
                    steps.append(sim.step()["step"])
                    self.assertTrue(np.isfinite(sim.positions).all())
                    sim.velocities = sim.velocities
                    sim.energies(), sim.forces(), sim.time
            except Exception as error:
                errors.append(error)

        workers = [threading.Thread(target=work) for _ in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(errors, [])
        self.assertEqual(sorted(steps), list(range(1, 21)))

    def test_a_signal_handler_cannot_enter_a_step(self):
        body = dict(scene()["bodies"][0], mesh={"box": {"size": [0.1] * 3, "cells": [14] * 3}})
        sim = sinew.Simulation(scene(bodies=[body], solver={"tolerance": 1e-12}))
        # Signals keep coming: one that falls between two steps lets the handler step, which the next one interrupts.
        before = signal.signal(signal.SIGALRM, lambda *_: sim.step())
        signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
        try:
            with self.assertRaises(sinew.SimulationError) as caught:
                for _ in range(1000):
                    sim.step()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        self.assertIn("let step() return first", str(caught.exception))
        sim.step()

    def test_ctrl_c_ends_a_step(self):
        body = dict(scene()["bodies"][0], mesh={"box": {"size": [0.1] * 3, "cells": [14] * 3}})
        sim = sinew.Simulation(scene(bodies=[body], solver={"tolerance": 1e-12}))
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            for _ in range(10000):
                sim.step()
        x = sim.positions  # as before the step
        self.assertTrue(np.isfinite(x).all())
        sim.step()


class Ccd(unittest.TestCase):

    def test_vertex_face(self):
        a, b, c = [0, 0, 0], [1, 0, 0], [0, 1, 0]
        hit = sinew.ccd.vertex_face([0.2, 0.2, 1], a, b, c, [0.2, 0.2, -1], a, b, c)
        self.assertLessEqual(hit, 0.5)
        self.assertGreater(hit, 0.4)
        self.assertIsNone(sinew.ccd.vertex_face([2, 2, 1], a, b, c, [2, 2, -1], a, b, c))

    def test_edge_edge(self):
        a, b = ([-1, 0, 0], [1, 0, 0]), ([0, -1, 1], [0, 1, 1])
        hit = sinew.ccd.edge_edge(*a, *b, *a, [0, -1, -1], [0, 1, -1])
        self.assertLessEqual(hit, 0.5)
        self.assertGreater(hit, 0.4)
        self.assertIsNone(sinew.ccd.edge_edge(*a, *b, *a, [0, -1, 0.5], [0, 1, 0.5]))

    def test_coordinates_must_be_finite(self):
        o, x, y, z = [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]
        self.assertEqual(error_text(sinew.ccd.vertex_face, z, o, x, y, [0, float("nan"), 0], o, x, y),
                         "ccd.vertex_face: v1: found [0, nan, 0], expected finite coordinates")
        self.assertEqual(error_text(sinew.ccd.edge_edge, o, x, y, [float("inf"), 0, 0], o, x, y, z),
                         "ccd.edge_edge: eb1: found [inf, 0, 0], expected finite coordinates")
        self.assertEqual(error_text(sinew.ccd.edge_edge, o, [1, 2], y, z, o, x, y, z),
                         "ccd.edge_edge: ea1: found an array of shape (2,), expected (3,)")


if __name__ == "__main__":
    unittest.main()
