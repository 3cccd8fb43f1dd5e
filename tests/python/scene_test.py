"""Scenes and meshes made in memory."""
import base64
import copy
import json
import pathlib
import pickle
import subprocess
import tempfile
import types
import unittest

import numpy as np
import sinew

BINARY = pathlib.Path(sinew.__file__).resolve().parents[2] / "bin/sinew"
FIBRES = np.array([[0.0, 1.0, 0.0]])


def error_text(function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except sinew.InputError as error:
        return str(error).removesuffix(f" [{error.code}]")
    return "no error"


def drop(mesh, **keys):
    """A body above a floor."""
    scene = sinew.Scene()
    scene.time = {"step": 0.01, "steps": 4}
    scene.contact["distance"] = 1e-3
    scene.output["formats"] = ["vtu"]
    scene.add_material("rubber", "neo_hookean", young=1e5, poisson=0.4)
    scene.add_body(mesh, "rubber", name="block", velocity=[0, -1, 0], **keys)
    scene.add_obstacle(plane=([0, -0.06, 0], [0, 1, 0]), name="floor")
    return scene


def positions(scene, steps=4, base_dir="."):
    sim = sinew.Simulation(scene, base_dir)
    for _ in range(steps):
        sim.step()
    return sim.positions


def bumpy():
    """A box with coordinates that use all bits."""
    box = sinew.box([0.1, 0.1, 0.1], cells=[2, 2, 2])
    return sinew.TetMesh(box.vertices + 1e-3 * np.sin(1e3 * box.vertices), box.tets)


class InFolder(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class RoundTrips(InFolder):

    def test_sinew_run_of_the_saved_scene_gives_the_same_bits(self):
        scene = drop(bumpy())
        scene.save(self.folder / "scene.json")
        subprocess.run([BINARY, "run", self.folder / "scene.json", "-o", self.folder / "out"], check=True,
                       capture_output=True)  # yapf: disable
        run = sinew.Simulation.load(self.folder / "out/checkpoint.h5")
        np.testing.assert_array_equal(run.positions, positions(scene))

    def test_all_ways_give_the_same_bits(self):
        mesh = bumpy()
        scene = drop(mesh)
        expected = positions(scene)
        plain = scene.to_json()
        json.dumps(plain)
        np.testing.assert_array_equal(positions(plain), expected)
        np.testing.assert_array_equal(positions(json.loads(json.dumps(plain))), expected)
        np.testing.assert_array_equal(positions(sinew.Scene(plain)), expected)
        np.testing.assert_array_equal(positions(sinew.Scene(scene)), expected)
        scene.save(self.folder / "scene.json")
        np.testing.assert_array_equal(positions(sinew.Scene.load(self.folder / "scene.json")), expected)
        np.testing.assert_array_equal(positions(self.folder / "scene.json"), expected)
        sinew.write_mesh(self.folder / "mesh.msh", mesh)
        np.testing.assert_array_equal(positions(drop(self.folder / "mesh.msh")), expected)
        arrays = {**plain, "bodies": [{**plain["bodies"][0], "mesh": mesh}]}
        np.testing.assert_array_equal(positions(arrays), expected)
        arrays["bodies"][0]["mesh"] = {"tets": {"vertices": mesh.vertices, "tets": mesh.tets}}
        np.testing.assert_array_equal(positions(arrays), expected)
        arrays["bodies"][0]["mesh"] = {"tets": {"vertices": mesh.vertices.tolist(), "tets": mesh.tets.tolist()}}
        np.testing.assert_array_equal(positions(arrays), expected)

    def test_checkpoints(self):
        scene = drop(bumpy())
        sim = sinew.Simulation(scene)
        sim.step()
        sim.save(self.folder / "state.h5")
        other = sinew.Simulation.load(self.folder / "state.h5")
        for _ in range(3):
            sim.step()
            other.step()
        np.testing.assert_array_equal(sim.positions, other.positions)

    def test_arrays_become_base64_of_their_bytes(self):
        mesh = bumpy()
        tets = drop(mesh).to_json()["bodies"][0]["mesh"]["tets"]
        self.assertEqual(list(tets), ["tets", "vertices"])
        self.assertEqual(tets["vertices"]["shape"], [27, 3])
        self.assertEqual(base64.b64decode(tets["vertices"]["float64"]), mesh.vertices.tobytes())
        self.assertEqual(base64.b64decode(tets["tets"]["int32"]), mesh.tets.tobytes())

    def test_copies(self):
        scene = drop(bumpy())
        for copied in (copy.deepcopy(scene), sinew.Scene(scene), sinew.Scene(scene.data)):
            copied.time["step"] = 0.5
            copied.add_fix("block", [0])
            self.assertEqual(scene.time["step"], 0.01)
            self.assertNotIn("fix", scene.bodies[0].data)

    def test_a_scene_is_taken_as_it_is_at_the_moment(self):
        scene = drop(bumpy())
        sim = sinew.Simulation(scene)
        scene.bodies[0].data["velocity"] = [0, 5, 0]
        self.assertEqual(sim.velocities[0, 1], -1)
        self.assertEqual(sinew.Simulation(scene).velocities[0, 1], 5)

    def test_groups_regions_and_fields_of_a_file_stay(self):
        (self.folder / "mesh.msh").write_text("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 7 \"left\"\n"
                                              "3 2 \"hard\"\n$EndPhysicalNames\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
                                              "4 0 0 1\n5 1 1 1\n$EndNodes\n$Elements\n3\n1 2 2 7 1 1 3 4\n"
                                              "2 4 2 1 1 1 2 3 4\n3 4 2 2 2 2 3 4 5\n$EndElements\n")
        results = []
        for mesh in (self.folder / "mesh.msh", sinew.read_mesh(self.folder / "mesh.msh")):
            scene = sinew.Scene()
            scene.add_material("a", young=1e5)
            scene.add_material("b", young=1e6)
            body = scene.add_body(mesh, {"regions": {1: "a", "hard": "b"}})
            scene.add_fix(body, {"group": "left"})
            results.append(positions(scene))
        np.testing.assert_array_equal(*results)
        mesh = sinew.TetMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2, 3]], fields={"E": [5e5], "d": FIBRES})
        scene = sinew.Scene()
        scene.add_body(mesh, {"young": {"field": "E"}, "fiber": {"stiffness": 1e5, "direction": {"field": "d"}}})
        other = sinew.Scene()
        other.add_body(mesh, {"young": 5e5, "fiber": {"stiffness": 1e5, "direction": [0, 1, 0]}}, name="other")
        np.testing.assert_array_equal(positions(scene), positions(other))


class Paths(InFolder):

    def test_relative_paths_start_at_the_scene_file(self):
        (self.folder / "meshes").mkdir()
        (self.folder / "scenes").mkdir()
        sinew.write_mesh(self.folder / "meshes/box.msh", sinew.box([0.1, 0.1, 0.1]))
        file = self.folder / "scenes/scene.json"
        file.write_text(json.dumps({"bodies": [{"mesh": "../meshes/box.msh"}]}))
        scene = sinew.Scene(file)
        self.assertEqual(scene.name, "scene")
        self.assertEqual(scene.to_json()["bodies"][0]["mesh"], str(self.folder / "scenes/../meshes/box.msh"))
        expected = positions(file)
        np.testing.assert_array_equal(positions(scene), expected)
        scene.save(self.folder / "copy.json")
        self.assertEqual(json.loads((self.folder / "copy.json").read_text())["bodies"][0]["mesh"], "meshes/box.msh")
        np.testing.assert_array_equal(positions(self.folder / "copy.json"), expected)
        relative = sinew.Scene(base_dir=self.folder)
        relative.add_body("meshes/box.msh")
        np.testing.assert_array_equal(positions(relative), expected)

    def test_names_are_no_paths(self):
        scene = sinew.Scene({"bodies": [{"material": {"regions": {"mesh": "soft"}}}], "materials": {"file": {}},
                             "solver": {"subspace": "linear"}}, self.folder)  # yapf: disable
        self.assertEqual(scene.to_json(), scene.data)
        scene.data["solver"]["subspace"] = ["linear", "a.npz"]
        self.assertEqual(scene.to_json()["solver"]["subspace"], ["linear", str(self.folder / "a.npz")])

    def test_every_file_of_the_schema_is_known(self):
        """A new key for files belongs into sinew/_scene_paths.py, too."""
        schema = json.loads((pathlib.Path(__file__).resolve().parents[2] / "docs/scene.schema.json").read_text())
        found = set()

        def search(node, key):
            if isinstance(node, dict):
                text = f"{node.get('title', '')} {node.get('description', '')}"
                if node.get("type") == "string" and any(word in text for word in (".npy", ".npz", "path of a", "file of", "or a file")):
                    found.add(key)
                for inner, value in node.items():
                    search(value, inner if inner not in ("oneOf", "allOf", "items", "properties") else key)
            elif isinstance(node, list):
                for value in node:
                    search(value, key)

        search(schema, "")
        self.assertEqual(found, {"mesh", "field", "weights", "file", "initial", "library", "subspace", "vertices", "texture"})

    def test_errors(self):
        self.assertEqual(error_text(sinew.Scene, "none.json"), "none.json: cannot read the scene file: No such file or directory; check the path and its permissions")
        self.assertIn("no/such", error_text(drop(bumpy()).save, self.folder / "no/such/s.json"))


class Adding(unittest.TestCase):

    def test_defaults_of_names(self):
        scene = sinew.Scene({"bodies": [{"mesh": {"sphere": {"radius": 1}}}]})
        self.assertEqual(scene.bodies[0].name, "body0")
        self.assertEqual(scene.add_body(sinew.sphere(0.1)).name, "body1")
        self.assertEqual(scene.add_obstacle(plane={}).name, "obstacle0")
        self.assertEqual(repr(scene), "<sinew.Scene of 2 bodies, 1 obstacles>")
        self.assertEqual(error_text(scene.add_obstacle, plane={}, name="body1"),
                         "Scene: found the name \"body1\" of <sinew.SceneItem 'body1'>, expected another name for each "
                         "body and obstacle")  # yapf: disable

    def test_every_part(self):
        scene = sinew.Scene()
        scene.gravity = np.array([0, 0, -9.81])
        rubber = scene.add_material("rubber", sinew.Material("neo_hookean", young=1e6, poisson=0.4, density=900))
        scene.add_material("steel", sinew.Material("neo_hookean", young=2e9, poisson=0.3), expansion=1e-5)
        arm = scene.add_body(sinew.box([1, 0.1, 0.1], cells=[10, 1, 1]), rubber, name="arm")
        tip = scene.add_body(sinew.box([0.1, 0.1, 0.1]), "steel", name="tip", transform={"translate": [0.56, 0, 0]})
        pad = scene.add_body(sinew.box([0.1, 0.1, 0.1]), "steel", transform={"translate": [0.3, 0, -1]})
        scene.add_obstacle(sinew.sheet([5, 5], cells=[1, 1], axis="z"), transform={"translate": [0, 0, -3]}, name="floor",
                           motion={"translate": {"times": [0, 1], "values": [[0, 0, 0], [0, 0, 0.1]]}})
        ends = np.isclose(arm.data["mesh"].vertices[:, 0], -0.5)
        wall = scene.add_fix(arm, ends)
        scene.add_fix("tip", [0, 1], axes="x", until=0.5)
        load = scene.add_load(arm, {"halfspace": {"point": [0, 0, 0.05], "normal": [0, 0, 1]}}, pressure=10.0)
        spring = scene.add_spring(tip, np.arange(3), to=[0, 0, 1], stiffness=10.0, length=0.2)
        scene.add_spring(tip, "all", to=arm, to_selection={"nearest": [0, 0, 0]}, stiffness=1.0, at="nearest")
        scene.add_spring(arm, {"nearest": [0, 0, 0]}, to="nearest", stiffness=1.0)
        tie = scene.add_tie(pad, {"halfspace": {"point": [0, 0, -0.96], "normal": [0, 0, 1]}}, tip, "all", until=0.1)
        pad.data["transform"]["translate"] = [0.662, 0, 0]
        tie.data.update({"halfspace": {"point": [0.612, 0, 0], "normal": [-1, 0, 0]}})
        tie.data["to"] = {"body": "tip", "halfspace": {"point": [0.61, 0, 0], "normal": [1, 0, 0]}}
        scene.add_sensor("wall", ["force"], fix=wall)
        scene.add_sensor("push", load=load)
        scene.add_sensor("springs", spring=spring)
        scene.add_sensor("glue", "force", tie=tie)
        scene.add_sensor("ground", contact=(arm, "floor"))
        scene.add_sensor("middle", body=arm, quantities=["displacement.z"])
        data = scene.to_json()
        self.assertEqual(data["materials"]["rubber"],
                         {"model": "neo_hookean", "young": 1e6, "poisson": 0.4, "density": 900.0})
        self.assertEqual(data["materials"]["steel"]["expansion"], 1e-5)
        self.assertEqual(data["bodies"][0]["fix"], [{"vertices": np.flatnonzero(ends).tolist()}])
        self.assertEqual(data["bodies"][1]["fix"], [{"vertices": [0, 1], "axes": "x", "until": 0.5}])
        self.assertEqual(data["bodies"][1]["springs"][1]["to"], {"body": "arm", "nearest": [0, 0, 0], "at": "nearest"})
        self.assertEqual(data["sensors"]["wall"], {"fix": {"body": "arm", "entry": 0}, "quantities": ["force"]})
        self.assertEqual(data["sensors"]["glue"]["tie"], 0)
        self.assertEqual(data["sensors"]["ground"], {"contact": ["arm", "floor"]})
        sim = sinew.Simulation(scene)
        sim.step()
        self.assertEqual(sorted(sim.sensors()), ["glue", "ground", "middle", "push", "springs", "wall"])

    def test_names_of_entries_are_those_of_the_simulation(self):
        scene = sinew.Scene()
        box = sinew.box([0.1, 0.1, 0.1], cells=[1, 1, 1])
        arm, tip = scene.add_body(box, name="arm"), scene.add_body(box, name="tip", transform={"translate": [0.1, 0, 0]})
        right = {"halfspace": {"point": [0.049, 0, 0], "normal": [1, 0, 0]}}
        left = {"halfspace": {"point": [0.051, 0, 0], "normal": [-1, 0, 0]}}
        scene.add_fix(arm, [0], name="base")
        scene.add_load(arm, "all", name="air", pressure=1.0)
        scene.add_spring(tip, [0], [0, 0, 1], 1.0, name="tendon")
        scene.add_tie(tip, left, arm, right, name="glue")
        sim = sinew.Simulation(scene)
        self.assertEqual((sim.fixes.names, sim.loads.names, sim.springs.names, sim.ties.names),
                         (["base"], ["air"], ["tendon"], ["glue"]))

    def test_materials_of_regions(self):
        box = sinew.box([0.1, 0.1, 0.1], cells=[2, 2, 2])
        mesh = sinew.TetMesh(box.vertices, box.tets, regions=np.arange(len(box.tets)) % 3)
        soft, hard = sinew.Material("neo_hookean", young=1e5), {"model": "stvk", "young": 1e7}
        scene, other = sinew.Scene(), sinew.Scene()
        for each in (scene, other):
            each.add_material("arm_1", young=3e5)
        scene.add_body(mesh, {"regions": {0: soft, 1: hard, 2: "arm_1"}}, name="arm")
        other.add_material("a", soft)
        other.add_material("b", hard)
        other.add_body(mesh, {"regions": {0: "a", 1: "b", 2: "arm_1"}}, name="arm")
        self.assertEqual(scene.bodies[0].data["material"]["regions"], {"0": "arm_0", "1": "arm_1_", "2": "arm_1"})
        np.testing.assert_array_equal(positions(scene), positions(other))

    def test_masks_have_an_entry_for_each_vertex(self):
        scene = drop(bumpy())
        self.assertEqual(error_text(scene.add_fix, "block", np.ones(26, bool)),
                         "add_fix: found a mask of shape (26,), expected (27,): one entry for each vertex of the body")
        self.assertEqual(error_text(scene.add_tie, "block", "all", "block", np.ones(28, bool)),
                         "add_tie: found a mask of shape (28,), expected (27,): one entry for each vertex of the body")
        self.assertEqual(error_text(scene.add_load, "block", np.zeros(27, bool), pressure=1),
                         "add_load: found a mask without a True, expected at least one vertex")

    def test_materials(self):
        for model, keys in (
            ("neo_hookean", {"young": 2e5, "poisson": 0.3, "fiber": {"stiffness": 1e4, "direction": [0, 1, 0]}}),
            ("ogden", {"mu": [3e5], "alpha": [2.0], "poisson": 0.4}),
            ("spline", {"a": {"x": [0.5, 1, 2], "dy": [-1e5, 0, 1e5]}}),
            ("holzapfel_gasser_ogden", {"mu": 1e4, "bulk": 1e5, "k1": 1e4, "k2": 1.0, "dispersion": 0.1,
                                        "families": [[1, 0, 0], [0, 1, 0]]}),
        ):  # yapf: disable
            with self.subTest(model):
                material = sinew.Material(model, **keys)
                scene, other = sinew.Scene(), sinew.Scene()
                box = sinew.box([1, 1, 1], cells=[1, 1, 1])
                scene.add_body(box, material, velocity=[1, 2, 3]).data["angular_velocity"] = [5, 0, 0]
                other.add_body(box, {"model": model, **keys}, velocity=[1, 2, 3]).data["angular_velocity"] = [5, 0, 0]
                np.testing.assert_array_equal(positions(scene), positions(other))
        self.assertEqual(sinew.Material("neo_hookean").parameters,
                         {"model": "neo_hookean", "young": 1e6, "poisson": 0.4, "density": 1000.0})
        self.assertEqual(error_text(sinew.Material, "neo_hookean", density=0),
                         "Material: density: found 0, expected a positive number [kg/m^3]")

    def test_errors(self):
        scene = drop(bumpy())
        for expected, call, arguments, keys in (
            ("add_fix: found the body 'x'; bodies of the scene: \"block\"", scene.add_fix, ("x",), {}),
            ("add_fix: found the selection 'left', expected \"all\", a dict, or vertex ids", scene.add_fix,
             ("block", "left"), {}),
            ("add_load: found a selection of shape (2,) and type float64, expected \"all\", a dict, vertex ids (k,), or a "
             "mask (n,)", scene.add_load, ("block", [0.5, 1]), {"pressure": 1}),
            ("add_spring: found the body \"block\" without to_selection, expected the vertices at its end",
             scene.add_spring, ("block", "all", scene.bodies[0], 1.0), {}),
            ("add_spring: found to_selection without a body, expected its name or item as `to`", scene.add_spring,
             ("block", "all", [0, 0, 0], 1.0, "all"), {}),
            ("add_obstacle: expected exactly one of mesh and plane", scene.add_obstacle, (), {}),
            ("Scene: bodies[1].velocity: found [1, 2], expected numbers of shape (3,)", scene.add_body,
             (bumpy(), ), {"velocity": [1, 2]}),
            ("as_mesh: found a value of type int, expected a mesh of sinew, meshio, pyvista or trimesh", scene.add_body,
             (3,), {}),
            ("Scene: contact: found a value of type int, expected a dict", setattr, (scene, "contact", 3), {}),
        ):  # yapf: disable
            self.assertEqual(error_text(call, *arguments, **keys), expected)
        self.assertEqual(len(scene.bodies), 1)
        scene.add_fix("block", [1000])
        self.assertEqual(error_text(sinew.Simulation, scene),
                         "scene: bodies[0].fix[0].vertices[0]: found 1000, expected a vertex of body \"block\": 0 to 26")


class Matrices(unittest.TestCase):

    def test_scale_rotation_and_translation(self):
        generator = np.random.default_rng(5)
        vertices = bumpy().vertices
        for case in range(30):
            rotation = np.linalg.qr(generator.normal(size=(3, 3)))[0]
            if case % 3 == 0:
                rotation[:, case % 2] *= -1  # mirror images, too
            if case < 3:
                rotation = np.diag(np.roll([1.0, -1, -1], case))  # by 180 degrees
            scale = generator.uniform(0.5, 2, 3) if case % 2 else np.full(3, 1.5)
            matrix = np.eye(4)
            matrix[:3, :3], matrix[:3, 3] = rotation * scale, generator.normal(size=3)
            scene = sinew.Scene()
            scene.add_body(bumpy(), transform=matrix)
            expected = vertices @ matrix[:3, :3].T + matrix[:3, 3]
            np.testing.assert_allclose(sinew.Simulation(scene).positions, expected, atol=1e-14)

    def test_the_identity(self):
        self.assertEqual(sinew.Scene().add_body(bumpy(), transform=np.eye(4)).data["transform"],
                         {"translate": [0.0, 0.0, 0.0]})

    def test_errors(self):
        shear, flat, row = np.eye(4), np.eye(4), np.eye(4)
        shear[0, 1] = 0.5
        flat[1, 1] = 0
        row[3, 0] = 1
        place = "Scene: bodies[0].transform: "
        for matrix, expected in (
            (shear, "found a matrix with shear: its columns 0 and 1 are at 63.4349 degrees, expected 90. Apply the "
             "matrix to the vertices of the mesh instead"),
            (flat, "found a matrix of determinant 0, expected scale, rotation and translation"),
            (row, "found the last row [1.0, 0.0, 0.0, 1.0], expected [0, 0, 0, 1]"),
            (np.eye(3), "found an array of shape (3, 3), expected a dict or a matrix (4, 4)"),
            (np.eye(4) * np.nan, "found a number that is not finite, expected a matrix (4, 4)"),
            ("up", "found 'up', expected a dict or a matrix (4, 4) of numbers"),
        ):
            self.assertEqual(error_text(sinew.Scene().add_body, bumpy(), transform=matrix), place + expected)


class OtherPackages(unittest.TestCase):

    def test_meshio(self):
        box = bumpy()
        regions = np.arange(len(box.tets)) % 2 + 1
        mesh = types.SimpleNamespace(
            points=box.vertices, cells_dict={"triangle": box.surface.triangles, "tetra": box.tets},
            cell_data_dict={"gmsh:physical": {"triangle": np.zeros(48, int), "tetra": regions},
                            "young": {"tetra": 1e5 * regions}})  # yapf: disable
        made = sinew.as_mesh(mesh)
        np.testing.assert_array_equal(made.vertices, box.vertices)
        np.testing.assert_array_equal(made.regions, regions)
        np.testing.assert_array_equal(made.fields["young"], 1e5 * regions)
        np.testing.assert_array_equal(positions({"bodies": [{"mesh": mesh}]}), positions({"bodies": [{"mesh": box}]}))
        scene = sinew.Scene()
        scene.add_body(mesh)
        self.assertIsInstance(scene.bodies[0].data["mesh"], sinew.TetMesh)
        surface = sinew.as_mesh(types.SimpleNamespace(points=box.surface.vertices,
                                                      cells_dict={"triangle": box.surface.triangles}))  # yapf: disable
        self.assertAlmostEqual(surface.volume, box.volume, 15)
        pyvista = types.SimpleNamespace(points=box.vertices, cells_dict={10: box.tets})
        np.testing.assert_array_equal(sinew.as_mesh(pyvista).tets, box.tets)
        self.assertEqual(error_text(sinew.as_mesh, types.SimpleNamespace(points=box.vertices, cells_dict={"tetra10": 0})),
                         "as_mesh: found cells tetra10, expected tetra or triangle")

    def test_blocks_of_meshio(self):
        box = bumpy()
        half = len(box.tets) // 2
        block = lambda kind, data: types.SimpleNamespace(type=kind, data=data)  # meshio.CellBlock
        blocks = [block("tetra", box.tets[:half]), block("triangle", box.surface.triangles), block("tetra", box.tets[half:])]
        data = {"medit:ref": [np.ones(half, int), np.zeros(48, int), np.full(len(box.tets) - half, 2)]}
        mesh = types.SimpleNamespace(points=box.vertices, cells=blocks, cell_data=data)
        made = sinew.as_mesh(mesh)
        np.testing.assert_array_equal(made.tets, box.tets)
        np.testing.assert_array_equal(made.regions, np.repeat([1, 2], [half, len(box.tets) - half]))
        pairs = types.SimpleNamespace(points=box.vertices, cells=[("tetra", box.tets)])
        np.testing.assert_array_equal(sinew.as_mesh(pairs).tets, box.tets)
        np.testing.assert_array_equal(positions({"bodies": [{"mesh": pairs}]}), positions({"bodies": [{"mesh": box}]}))
        self.assertEqual(error_text(sinew.as_mesh, types.SimpleNamespace(points=box.vertices, cells=[("hexahedron", [])])),
                         "as_mesh: found cells hexahedron, expected tetra or triangle")

    def test_trimesh(self):
        surface = bumpy().surface
        mesh = types.SimpleNamespace(vertices=surface.vertices, faces=surface.triangles)
        np.testing.assert_array_equal(sinew.as_mesh(mesh).triangles, surface.triangles)
        scene = drop(sinew.box([0.1, 0.1, 0.1]), transform={"translate": [0, 0.2, 0]})
        scene.add_obstacle(mesh, name="anvil")
        sim = sinew.Simulation(scene)
        sim.step()

    def test_others_are_refused(self):
        self.assertEqual(error_text(sinew.Simulation, {"bodies": [{"mesh": object()}]}),
                         "scene: bodies[0].mesh: found a value of type object, expected what JSON can hold")


class Meshes(InFolder):

    def test_surfaces(self):
        box = sinew.box([1, 2, 3], cells=[2, 2, 2])
        surface = box.surface
        np.testing.assert_array_equal(surface.vertices, box.vertices[box.surface_vertices])
        self.assertEqual(len(box.surface_vertices), 26)
        self.assertAlmostEqual(box.volume, 6, 12)
        self.assertAlmostEqual(surface.volume, 6, 12)
        self.assertAlmostEqual(surface.area, 22, 12)
        self.assertTrue(surface.is_closed)
        self.assertEqual(box.bounds.tolist(), [[-0.5, -1, -1.5], [0.5, 1, 1.5]])
        self.assertEqual(surface.bounds.tolist(), box.bounds.tolist())
        self.assertEqual(repr(surface), "<sinew.TriMesh of 26 vertices, 48 triangles>")
        self.assertFalse(surface.vertices.flags.writeable)
        sinew.write_mesh(self.folder / "box.obj", box)
        read = sinew.read_surface(self.folder / "box.obj")
        np.testing.assert_array_equal(read.vertices[read.triangles], surface.vertices[surface.triangles])
        sheet = sinew.sheet([1, 1], cells=[1, 1])
        self.assertEqual(error_text(lambda: sheet.volume),
                         "TriMesh: volume: found an open surface, expected a closed one")

    def test_errors_of_surfaces(self):
        vertices = np.eye(3)
        for expected, arguments in (
            ("TriMesh: vertices: found an array of shape (3, 2), expected (n, 3)", (vertices[:, :2], [[0, 1, 2]])),
            ("TriMesh: triangles: found an array of shape (3,), expected (f, 3)", (vertices, [0, 1, 2])),
            ("TriMesh: found triangles of type float64, expected an array of integers; convert it with .astype(int)",
             (vertices, [[0, 1, 0.5]])),
            ("TriMesh: found 4294967296 in triangles, expected 32-bit integers", (vertices, [[0, 1, 2**32]])),
            ("TriMesh: found no triangles, expected a surface", (vertices, np.zeros((0, 3), int))),
        ):
            self.assertEqual(error_text(sinew.TriMesh, *arguments), expected)

    def test_primitives_are_those_of_scenes(self):
        for mesh, primitive in (
            (sinew.box([1, 1, 2]), {"box": {"size": [1, 1, 2]}}),
            (sinew.box([1, 1, 2], edge=0.5), {"box": {"size": [1, 1, 2], "edge": 0.5}}),
            (sinew.box([1, 1, 2], cells=(1, 2, 3)), {"box": {"size": [1, 1, 2], "cells": [1, 2, 3]}}),
            (sinew.sphere(0.3), {"sphere": {"radius": 0.3}}),
            (sinew.sphere(0.3, edge=0.1), {"sphere": {"radius": 0.3, "size": 0.1}}),
            (sinew.cylinder(0.1, 0.5, axis="x"), {"cylinder": {"radius": 0.1, "height": 0.5, "axis": "x"}}),
            (sinew.torus(0.3, 0.1), {"torus": {"radius": 0.3, "tube": 0.1}}),
        ):  # yapf: disable
            sim = sinew.Simulation({"bodies": [{"mesh": primitive}]})
            np.testing.assert_array_equal(sim.positions, mesh.vertices)
        cloth = {"model": "mass_spring", "thickness": 1e-3}
        for mesh, primitive in (
            (sinew.sheet([1, 2], axis="z"), {"sheet": {"size": [1, 2], "axis": "z"}}),
            (sinew.heightfield([[0, 1, 2], [1, 0, 3]], [4, 2]),
             {"heightfield": {"heights": np.array([[0, 1, 2], [1, 0, 3]]), "size": [4, 2]}}),
        ):  # yapf: disable
            for given in (mesh, primitive):
                sim = sinew.Simulation({"bodies": [{"mesh": given, "material": cloth}]})
                np.testing.assert_array_equal(sim.positions, mesh.vertices)

    def test_errors_of_primitives(self):
        for expected, call in (
            ("box: size: found an array of shape (2,), expected (3,)", lambda: sinew.box([1, 2])),
            ("box: found both cells and edge, expected at most one of them",
             lambda: sinew.box([1, 1, 1], cells=[1, 1, 1], edge=1)),
            ("box: cells: found numbers of type float64, expected an array of integers; convert it with .astype(int)",
             lambda: sinew.box([1, 1, 1], cells=[1, 1, 0.5])),
            ("box: size: found -1, expected positive numbers [m]", lambda: sinew.box([1, -1, 1])),
            ("sheet: size: found nan, expected positive numbers [m]", lambda: sinew.sheet([1, np.nan])),
            ("sphere: found radius -1, expected a positive number [m]", lambda: sinew.sphere(-1)),
            ("sphere: edge: found 0, expected a positive number [m]", lambda: sinew.sphere(1, edge=0)),
            ("torus: axis: found \"w\", expected \"x\", \"y\" or \"z\"", lambda: sinew.torus(1, 0.1, axis="w")),
            ("heightfield: heights: found an array of shape (3,), expected (rows, columns)",
             lambda: sinew.heightfield([1, 2, 3], [1, 1])),
            ("heightfield: found 1 x 3 heights, expected at least 2 x 2",
             lambda: sinew.heightfield([[1, 2, 3]], [1, 1])),
            ("heightfield: heights: found a number that is not finite, expected heights [m]",
             lambda: sinew.heightfield([[1, np.nan], [0, 0]], [1, 1])),
        ):  # yapf: disable
            self.assertEqual(error_text(call), expected)

    def test_pickles_and_copies(self):
        (self.folder / "mesh.msh").write_text("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 7 \"left\"\n"
                                              "3 2 \"hard\"\n$EndPhysicalNames\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
                                              "4 0 0 1\n5 1 1 1\n$EndNodes\n$Elements\n3\n1 2 2 7 1 1 3 4\n"
                                              "2 4 2 1 1 1 2 3 4\n3 4 2 2 2 2 3 4 5\n$EndElements\n")
        grouped = sinew.read_mesh(self.folder / "mesh.msh")
        fielded = sinew.TetMesh(grouped.vertices, grouped.tets, regions=[1, 2],
                                fields={"E": [1e5, 2e5], "d": np.eye(3)[:2]})  # yapf: disable
        material = sinew.Material("neo_hookean", young=2e5, poisson=0.3, fiber={"stiffness": 1e4, "direction": [0, 1, 0]})
        camera = sinew.Camera([1, 2, 3], [0, 0, 0], fov=30, orthographic=2)
        scene = sinew.Scene()
        scene.add_material("hard", material)
        scene.add_body(grouped, "hard", name="body")
        for again in (copy.deepcopy, copy.copy, lambda value: pickle.loads(pickle.dumps(value))):
            for mesh in (grouped, fielded):
                other = again(mesh)
                for name in ("vertices", "tets", "regions"):
                    np.testing.assert_array_equal(getattr(other, name), getattr(mesh, name))
                self.assertEqual({key: value.tolist() for key, value in other.fields.items()},
                                 {key: value.tolist() for key, value in mesh.fields.items()})
            surface = again(grouped.surface)
            np.testing.assert_array_equal(surface.triangles, grouped.surface.triangles)
            self.assertEqual(again(material).parameters, material.parameters)
            points = np.random.default_rng(1).normal(size=(5, 3))
            np.testing.assert_array_equal(again(camera).project(points), camera.project(points))
            self.assertEqual(again(scene).to_json(), scene.to_json())
        broken = grouped.__reduce_ex__(2)[2]
        with self.assertRaisesRegex(sinew.InputError, "in a group, expected 0 to 4"):
            sinew.TetMesh.__new__(sinew.TetMesh).__setstate__((*broken[:4], [(0, 1, "", [], [], [9])]))
        for wrong in ((), (1, 2, 3, 4, 5)):
            with self.assertRaises((sinew.InputError, TypeError)):
                sinew.TetMesh.__new__(sinew.TetMesh).__setstate__(wrong)

    def test_the_former_name(self):
        self.assertIs(sinew.Mesh, sinew.TetMesh)


def has_mesher():
    try:
        sinew.tetrahedralize(sinew.box([1, 1, 1]).surface, size=0.5)
    except sinew.InputError as error:
        return error.code != "E-mesher"
    return True


@unittest.skipUnless(has_mesher(), "sinew-mesh is not built")
class Tetrahedralize(unittest.TestCase):

    def test_a_box(self):
        box = sinew.box([1, 1, 1]).surface
        coarse, fine = sinew.tetrahedralize(box, size=0.3), sinew.tetrahedralize(box, size=0.15, feature_angle=30)
        self.assertAlmostEqual(coarse.volume, 1, 6)
        self.assertGreater(len(fine.tets), 4 * len(coarse.tets))
        scene = sinew.Scene()
        scene.add_body(coarse)
        sinew.Simulation(scene).step()
        mesh = types.SimpleNamespace(vertices=box.vertices, faces=box.triangles)
        np.testing.assert_array_equal(sinew.tetrahedralize(mesh, size=0.3).tets, coarse.tets)

    def test_errors(self):
        box = sinew.box([1, 1, 1]).surface
        with self.assertRaises(sinew.InputError) as caught:
            sinew.tetrahedralize(sinew.TriMesh(box.vertices, box.triangles[1:]), size=0.3)
        self.assertEqual(caught.exception.code, "E-surface-open")
        self.assertTrue(str(caught.exception).startswith("tetrahedralize: sinew-mesh: the surface: "),
                        str(caught.exception))
        self.assertEqual(error_text(sinew.tetrahedralize, box, size=-1),
                         "tetrahedralize: size: found -1, expected a positive number")
        self.assertEqual(error_text(sinew.tetrahedralize, sinew.box([1, 1, 1])),
                         "tetrahedralize: found a value of type TetMesh, expected a surface, such as sinew.TriMesh")


class Gallery(unittest.TestCase):

    def test_a_scene(self):
        scene = sinew.gallery("stressball")
        self.assertEqual(scene.bodies[0].data["mesh"]["shape"], "stressball")
        scene.bodies[0].data["mesh"] = sinew.sphere(0.05)
        scene.add_sensor("ball", body=scene.bodies[0])

    def test_errors(self):
        self.assertIn("gallery: found \"stresball\"; did you mean \"stressball\"? Known scenes: air_bed, basketball_drop, ",
                      error_text(sinew.gallery, "stresball"))
        self.assertIn("gallery: found \"None\"; known scenes: air_bed, basketball_drop, ", error_text(sinew.gallery, None))


if __name__ == "__main__":
    unittest.main()
