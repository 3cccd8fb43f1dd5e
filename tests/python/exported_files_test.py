"""Files of surfaces (glTF, USD, MDD, OBJ, PLY): each is read by a reader of its own and holds the positions of the run's
point caches; runs that were interrupted, and `sinew export`, give the same bytes."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(sinew.__file__).resolve().parents[2] / "bin" / "sinew"
sys.path.insert(0, str(ROOT / "tests" / "support"))

import export_scene  # noqa: E402
import glb  # noqa: E402
import usda  # noqa: E402

FORMATS = ("vtu", "pc2", "gltf", "usda", "mdd", "obj", "ply")
NAMES = ("plain cube", "toy", "die", "wall", "ground")  # as the scene has them; PARTS are names of files
TO_Y = {1: np.eye(3), 2: np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])}


def sinew_run(scene, folder, *options):
    subprocess.run([PROGRAM, "run", scene, "-o", folder, "--quiet", *options], check=True)


def export(*options):
    return subprocess.run([PROGRAM, "export", *map(str, options)], capture_output=True, text=True)


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(pathlib.Path(folder).rglob("*")) if path.is_file()}


class ExportedFiles(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.root = pathlib.Path(cls.temporary.name)
        cls.runs = {}
        for up in (1, 2):
            (cls.root / str(up)).mkdir()
            scene = export_scene.write_scene(cls.root / str(up), up=up, formats=FORMATS)
            cls.runs[up] = cls.root / str(up) / "out"
            sinew_run(scene, cls.runs[up])
        cls.caches = {up: [export_scene.read_pc2(run / "pc2" / f"{part}.pc2") for part in export_scene.PARTS]
                      for up, run in cls.runs.items()}  # yapf: disable

    def assert_near(self, found, expected, size=1.0):
        self.assertEqual(np.shape(found), np.shape(expected))
        self.assertLess(np.abs(np.asarray(found, float) - expected).max(), 1e-6 * size)

    def test_glb_holds_the_positions_of_all_frames(self):
        for up, run in self.runs.items():
            file = glb.Glb(run / "gltf" / f"{export_scene.STEM}.glb")
            self.assert_near(file.times(), 0.01 * export_scene.EVERY * np.arange(export_scene.FRAMES))
            for name, cache in zip(NAMES, self.caches[up]):
                expected = np.einsum("ij,fvj->fvi", TO_Y[up], cache)
                start = file.part(name, 0)[0]
                nearest = np.argmin(np.linalg.norm(start[:, None] - expected[0][None], axis=2), axis=1)
                self.assertEqual(set(nearest), set(range(len(expected[0]))))
                for frame in range(export_scene.FRAMES):
                    x, normals, _, triangles = file.part(name, frame)
                    self.assert_near(x, expected[frame][nearest])
                    self.assert_near(np.linalg.norm(normals, axis=1), np.ones(len(normals)))
                    for _, _, corners in triangles:  # normals are on the side that triangles face
                        a, b, c = x[corners]
                        self.assertGreater((normals[corners] @ np.cross(b - a, c - a)).min(), 0)

    def test_glb_turns_rigid_parts_as_nodes(self):
        file = glb.Glb(self.runs[2] / "gltf" / f"{export_scene.STEM}.glb")
        paths = {}
        for channel in file.json["animations"][0]["channels"]:
            paths.setdefault(file.json["nodes"][channel["target"]["node"]]["name"], set()).add(channel["target"]["path"])
        self.assertEqual(paths["plain cube"], {"weights"})
        self.assertEqual(paths["toy"], {"weights"})
        self.assertEqual(paths["die"], {"translation", "rotation", "scale"})
        self.assertEqual(paths["die shape"], {"rotation"})
        self.assertEqual(paths["wall"], {"translation", "rotation"})
        self.assertNotIn("ground", paths)

    def test_glb_keeps_texture_groups_and_looks(self):
        file = glb.Glb(self.runs[2] / "gltf" / f"{export_scene.STEM}.glb")
        cache = self.caches[2][1]
        x, _, texture, triangles = file.part("toy", 0)
        nearest = np.argmin(np.linalg.norm(x[:, None] - (cache[0] @ TO_Y[2].T)[None], axis=2), axis=1)
        found = {(material, group, tuple((int(nearest[v]), *np.round(texture[v], 6)) for v in corners))
                 for material, group, corners in triangles}  # yapf: disable
        _, parts = export_scene.read_obj(self.runs[2] / "frames_obj" / f"{export_scene.STEM}_0000.obj")
        toy, expected = parts["toy"], set()
        for corners, places, group, material in zip(toy["faces"], toy["places"], toy["groups"], toy["materials"]):
            for k in range(2, len(corners)):
                expected.add((material, group, tuple((corners[c], np.float32(places[c][0]), np.round(np.float32(1 - places[c][1]), 6))
                                                     for c in (0, k - 1, k))))  # yapf: disable
        self.assertEqual(found, expected)
        self.assertEqual({m for m, _, _ in found}, {"red", "blue"})
        self.assertEqual({g for _, g, _ in found}, {"ends", "sides"})
        materials = {m["name"]: m for m in file.json["materials"]}
        self.assert_near(materials["red"]["pbrMetallicRoughness"]["baseColorFactor"], [1, 0.2158605, 0, 1])
        self.assertEqual(materials["red"]["pbrMetallicRoughness"]["roughnessFactor"], 0.25)
        self.assertEqual(materials["steel"]["pbrMetallicRoughness"]["metallicFactor"], 1)
        jelly = materials["jelly_plain_cube"]
        self.assertEqual(jelly["extensions"]["KHR_materials_transmission"]["transmissionFactor"], 0.55)

    def test_usda(self):
        for up, run in self.runs.items():
            file = usda.Usda(run / "usda" / f"{export_scene.STEM}.usda")
            self.assertEqual(file.metadata["upAxis"], "XYZ"[up])
            self.assertEqual(file.metadata["timeCodesPerSecond"], 50)
            for name, cache in zip(NAMES, self.caches[up]):
                samples = file.mesh(name).values["points.timeSamples"]
                self.assertEqual(list(samples), list(range(export_scene.FRAMES)))
                self.assertTrue(np.array_equal(np.float32(list(samples.values())), cache), name)
        toy = file.mesh("toy")
        self.assertEqual({child.name for child in toy.children}, {"red", "blue", "ends", "sides"})
        self.assertEqual(list(map(int, toy.values["faceVertexCounts"])), [4] * 6)
        places = np.array(toy.values["primvars:st"])[np.array(toy.values["primvars:st:indices"], int)]
        self.assertEqual(places[:4].tolist(), [[0, 0], [1, 0], [1, 0.75], [0, 0.75]])
        red = file.root.find(f"/{file.root.name}/Looks/red/Surface")
        self.assert_near(red.values["inputs:diffuseColor"], [1, 0.2158605, 0])

    def test_mdd(self):
        run = self.runs[2]
        for part, cache in zip(export_scene.PARTS, self.caches[2]):
            times, frames = export_scene.read_mdd(run / "mdd" / f"{export_scene.STEM}_{part}.mdd")
            self.assert_near(times, 0.02 * np.arange(export_scene.FRAMES))
            self.assertTrue(np.array_equal(frames, cache))
            libraries, parts = export_scene.read_obj(run / "mdd" / f"{export_scene.STEM}_{part}.obj")
            self.assertTrue(np.array_equal(np.float32(parts[part]["x"]), cache[0]))
            self.assertTrue((run / "mdd" / libraries[0]).is_file())

    def test_obj_and_ply(self):
        run = self.runs[2]
        for frame in range(export_scene.FRAMES):
            base = f"{export_scene.STEM}_{frame:04}"
            libraries, parts = export_scene.read_obj(run / "frames_obj" / f"{base}.obj")
            self.assertEqual(list(parts), list(export_scene.PARTS))
            library = (run / "frames_obj" / libraries[0]).read_text()
            names, vertices, faces = export_scene.read_ply(run / "frames_ply" / f"{base}.ply")
            self.assertEqual(names, dict(zip(export_scene.IDS, export_scene.PARTS)))
            first = 0
            for k, part, cache in zip(export_scene.IDS, export_scene.PARTS, self.caches[2]):
                self.assertTrue(np.array_equal(np.float32(parts[part]["x"]), cache[frame]))
                for material in set(parts[part]["materials"]):
                    self.assertIn(f"newmtl {material}\n", library)
                own = vertices[vertices["body_id"] == k]
                self.assertTrue(np.array_equal(np.stack([own["x"], own["y"], own["z"]], 1), cache[frame]))
                self.assertIn(tuple(v + first for v in parts[part]["faces"][0]), faces)
                first += len(own)
            normals = np.stack([vertices[key] for key in ("nx", "ny", "nz")], 1)
            self.assert_near(np.linalg.norm(normals, axis=1), np.ones(len(normals)))
            ground = normals[vertices["body_id"] == 3]
            self.assert_near(ground, np.tile([0, 0, 1], (len(ground), 1)))
        self.assertLess(abs(vertices["jacobian"][vertices["body_id"] < 2] - 1).max(), 0.5)
        self.assertGreater(vertices["nodal_von_mises"][vertices["body_id"] < 2].max(), 10)
        # The engine's own readers.
        mesh = subprocess.run([PROGRAM, "info", run / "frames_ply" / f"{base}.ply"], capture_output=True, text=True)
        self.assertEqual(mesh.returncode, 0, mesh.stderr)
        self.assertIn(str(len(vertices)), mesh.stdout)

    def test_an_interrupted_run_gives_the_same_bytes(self):
        scene, folder = self.root / "2" / "scene.json", self.root / "resumed"
        sinew_run(scene, folder, "--steps", "5")
        self.assertEqual(len(list((folder / "frames_obj").glob("*.obj"))), 3)
        # As a process that was killed leaves them: frames after the checkpoint, half a file.
        (folder / "frames_ply" / f"{export_scene.STEM}_0003.ply").write_bytes(b"ply\n")
        (folder / "gltf" / f"{export_scene.STEM}.glb.sinew-tmp-1").write_bytes(b"glTF")
        cache = folder / "usda" / "cache" / "toy.pc2"
        cache.write_bytes(cache.read_bytes() + b"1234")
        sinew_run(scene, folder, "--resume")
        for name in ("gltf", "usda", "mdd", "frames_obj", "frames_ply"):
            self.assertEqual(contents(folder / name), contents(self.runs[2] / name), name)
        # Other files stay, those of the run go.
        (folder / "gltf" / "notes.txt").write_text("mine")
        sinew_run(scene, folder, "--overwrite", "--steps", "2", "--set", "output.formats=[]")
        self.assertEqual({path.name for path in folder.rglob("*") if path.is_file()},
                         {"notes.txt", "checkpoint.h5", "steps.jsonl", "summary.json"})  # yapf: disable

    def test_a_format_that_was_not_written_before_cannot_be_resumed(self):
        scene, folder = self.root / "2" / "scene.json", self.root / "refused"
        sinew_run(scene, folder, "--steps", "4", "--set", 'output.formats=["vtu"]')
        for name in ("gltf", "usda", "mdd", "obj", "ply"):
            found = subprocess.run([PROGRAM, "run", scene, "-o", folder, "--resume", "--set", f'output.formats=["{name}"]'],
                                   capture_output=True, text=True)  # yapf: disable
            self.assertEqual(found.returncode, 2)
            self.assertIn(f'without "{name}" in output.formats', found.stderr)

    def test_export_gives_the_files_of_the_run(self):
        run, base = self.runs[2], self.root / "exported"
        base.mkdir()
        for folder, extension in (("gltf", "glb"), ("usda", "usda"), ("mdd", "mdd"), ("frames_obj", "obj"), ("frames_ply", "ply")):
            found = export(run, "-o", base / f"{export_scene.STEM}.{extension}")
            self.assertEqual(found.returncode, 0, found.stderr)
            expected = {name: data for name, data in contents(run / folder).items() if not name.endswith(".pc2")}
            if extension == "ply":  # without the fields of the scene
                names, one, faces = export_scene.read_ply(base / f"{export_scene.STEM}_0004.ply")
                _, other, other_faces = export_scene.read_ply(run / folder / f"{export_scene.STEM}_0004.ply")
                self.assertEqual((one.dtype.names, faces), (("x", "y", "z", "nx", "ny", "nz", "body_id"), other_faces))
                self.assertTrue(all(np.allclose(one[name], other[name], atol=1e-6) for name in one.dtype.names))
                continue
            self.assertEqual({name: data for name, data in contents(base).items() if name in expected}, expected, extension)
        self.assertEqual(export(run, "-o", base / "toys.pc2").returncode, 0)
        for part, cache in zip(export_scene.PARTS, self.caches[2]):
            self.assertTrue(np.array_equal(export_scene.read_pc2(base / f"toys_{part}.pc2"), cache))
        self.assertEqual(export(run, "-o", base / "fields.ply", "--field", "von_mises,speed").returncode, 0)
        _, vertices, _ = export_scene.read_ply(base / "fields_0004.ply")
        self.assertGreater(vertices["von_mises"].max(), 10)
        self.assertGreater(vertices["speed"].max(), 0.1)
        self.assertFalse([path for path in base.iterdir() if "tmp" in path.name])

    def test_export_refuses(self):
        run, base = self.runs[2], self.root / "refusals"
        base.mkdir()
        self.assertEqual(export(run, "-o", base / "a.usda").returncode, 0)
        for text, *options in (
            ("missing -o", run),
            ("expected a file that ends in .glb", run, "-o", base / "a.fbx"),
            ("give --overwrite", run, "-o", base / "a.usda"),
            ("only .ply files hold fields", run, "-o", base / "b.usda", "--field", "speed"),
            ("found field \"heat\"", run, "-o", base / "b.ply", "--field", "heat"),
            ("expected the output folder of a run", base / "none", "-o", base / "b.glb"),
            ("found no checkpoint", base, "-o", base / "b.glb"),
            ("does not exist", run, "-o", base / "none" / "b.glb"),
        ):
            found = export(*options)
            self.assertEqual(found.returncode, 2, found.stdout)
            self.assertIn(text, found.stderr)
        self.assertEqual(export(run, "-o", base / "a.usda", "--overwrite").returncode, 0)
        self.assertEqual(export(run, "-o", base / "a.obj").returncode, 0)
        (base / "a_0009.obj").write_text("of a longer run")
        self.assertEqual(export(run, "-o", base / "a.obj", "--overwrite").returncode, 0)
        self.assertEqual(len(list(base.glob("a_*.obj"))), export_scene.FRAMES)
        # Files of others stay, and all stay where an option is refused.
        (base / "a_other.mdd").write_text("not of this run")
        for _ in range(2):
            self.assertEqual(export(run, "-o", base / "a.mdd", "--overwrite").returncode, 0)
        self.assertEqual((base / "a_other.mdd").read_text(), "not of this run")
        self.assertEqual(export(run, "-o", base / "a.ply").returncode, 0)
        self.assertEqual(export(run, "-o", base / "a.ply", "--field", "heat", "--overwrite").returncode, 2)
        self.assertEqual(len(list(base.glob("a_*.ply"))), export_scene.FRAMES)


class Textures(unittest.TestCase):
    """Images go with the files; surfaces without texture coordinates get some."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.root = pathlib.Path(cls.temporary.name)
        scene = export_scene.write_textured_scene(cls.root, formats=FORMATS)
        cls.run_folder = cls.root / "out"
        sinew_run(scene, cls.run_folder)
        cls.image = (cls.root / "quarters.png").read_bytes()
        cls.copy = f"{export_scene.STEM}_quarters.png"
        # By vertex of the die's side towards +x at rest: where the image lies, twice along each side.
        cls.side = {(0.05, y, z): (0.5 + y / 0.05, 0.5 + z / 0.05) for y in (-0.05, 0, 0.05) for z in (-0.05, 0, 0.05)}

    def test_glb(self):
        file = glb.Glb(self.run_folder / "gltf" / f"{export_scene.STEM}.glb")
        (image,) = file.json["images"]
        view = file.json["bufferViews"][image["bufferView"]]
        self.assertEqual(image["mimeType"], "image/png")
        self.assertEqual(file.bin[view["byteOffset"]:view["byteOffset"] + view["byteLength"]], self.image)
        materials = {m["name"]: m["pbrMetallicRoughness"] for m in file.json["materials"]}
        for name, color in ("red", [1, 0.2158605, 0, 1]), ("steel", [1, 1, 1, 1]):
            self.assertEqual(materials[name]["baseColorTexture"], {"index": 0})
            self.assertTrue(np.allclose(materials[name]["baseColorFactor"], color, atol=1e-6))
        self.assertNotIn("baseColorTexture", materials["obstacle"])
        self.assertEqual(file.json["textures"], [{"sampler": 0, "source": 0}])
        _, _, places, _ = file.part("die", 0)
        self.assertTrue(np.allclose(np.unique(np.round(places, 5)), [-0.5, 0.5, 1.5]))
        self.assertIsNone(file.part("plain cube", 0)[2])

    def test_usda(self):
        file = usda.Usda(self.run_folder / "usda" / f"{export_scene.STEM}.usda")
        self.assertEqual((self.run_folder / "usda" / self.copy).read_bytes(), self.image)
        looks = f"/{file.root.name}/Looks"
        texture = file.root.find(f"{looks}/steel/Texture").values
        self.assertEqual(texture["inputs:file"], f"@./{self.copy}@")
        self.assertEqual(texture["inputs:scale"], [1, 1, 1, 1])
        self.assertEqual(file.root.find(f"{looks}/steel/Surface").values["inputs:diffuseColor.connect"],
                         f"<{looks}/steel/Texture.outputs:rgb>")
        self.assertIn("inputs:diffuseColor", file.root.find(f"{looks}/obstacle/Surface").values)
        die = file.mesh("die").values
        self.assertEqual(len(die["primvars:st:indices"]), len(die["faceVertexIndices"]))
        self.assertNotIn("primvars:st", file.mesh("wall").values)

    def test_obj(self):
        folder = self.run_folder / "frames_obj"
        self.assertEqual((folder / self.copy).read_bytes(), self.image)
        library = (folder / f"{export_scene.STEM}.mtl").read_text()
        self.assertEqual(library.count(f"map_Kd {self.copy}\n"), 4)  # rubber, red and blue of the toy, steel
        _, parts = export_scene.read_obj(folder / f"{export_scene.STEM}_0000.obj")
        die, seen = parts["die"], 0
        rest = die["x"] - die["x"].mean(axis=0)
        for corners, places in zip(die["faces"], die["places"]):
            x = np.round(rest[corners], 6)
            if (x[:, 0] == 0.05).all():  # its normal is +x, upwards is +z
                seen += 1
                for corner, place in zip(x, places):
                    self.assertTrue(np.allclose(place, self.side[tuple(np.abs(corner) * np.sign(corner) + 0.0)], atol=1e-5))
        self.assertEqual(seen, 8)
        self.assertEqual(parts["wall"]["places"][0], [])

    def test_mdd_and_runs_that_replace_others(self):
        self.assertEqual((self.run_folder / "mdd" / self.copy).read_bytes(), self.image)
        scene = json.loads((self.root / "scene.json").read_text())
        for name in ("rubber", "steel"):
            del scene["materials"][name]["look"]["texture"]
        del scene["materials"]["steel"]["look"]["texture_size"]
        (self.root / "plain.json").write_text(json.dumps(scene))
        sinew_run(self.root / "scene.json", self.root / "again")
        sinew_run(self.root / "plain.json", self.root / "again", "--overwrite")
        self.assertEqual(list((self.root / "again").rglob("*.png")), [])

    def test_export(self):
        base = self.root / "exported"
        base.mkdir()
        self.assertEqual(export(self.run_folder, "-o", base / "a.usda").returncode, 0)
        self.assertEqual((base / "a_quarters.png").read_bytes(), self.image)
        (base / "b_quarters.png").write_text("of somebody")
        found = export(self.run_folder, "-o", base / "b.usda")
        self.assertEqual(found.returncode, 2)
        self.assertIn("b_quarters.png' exists", found.stderr)
        self.assertEqual(export(self.run_folder, "-o", base / "b.glb").returncode, 0)
        (self.root / "quarters.png").rename(self.root / "elsewhere.png")
        try:
            found = export(self.run_folder, "-o", base / "c.glb")
        finally:
            (self.root / "elsewhere.png").rename(self.root / "quarters.png")
        self.assertEqual(found.returncode, 2)
        self.assertIn("quarters.png: cannot read the image", found.stderr)


if __name__ == "__main__":
    unittest.main()
