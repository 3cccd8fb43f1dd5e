"""Runs in Blender, started by exports_test.py: opens the files of a run and compares positions with its point caches."""

import pathlib
import sys
import unittest

import bpy
import numpy

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

import export_scene  # noqa: E402

numpy.bool = bool  # the glTF importer of Blender 3.4 takes it, Debian's NumPy has it no more

FOLDER = pathlib.Path(sys.argv[sys.argv.index("--") + 1])
NAMES = ("plain cube", "toy", "die", "wall", "ground")
# From the axes of the scene to those of Blender, whose up axis is z.
UPRIGHT = {1: numpy.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]]), 2: numpy.eye(3)}
COLORS = {"red": (1, 0.2158605, 0), "blue": (1, 0.2158605, 0)}


def evaluated(one, frame):
    bpy.context.scene.frame_set(frame)
    found = one.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = found.to_mesh()
    positions = numpy.array([found.matrix_world @ vertex.co for vertex in mesh.vertices])
    found.to_mesh_clear()
    return positions


def principled(material):
    return next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED").inputs


class Files(unittest.TestCase):

    def setUp(self):
        for blocks in (bpy.data.objects, bpy.data.meshes, bpy.data.materials, bpy.data.actions):
            bpy.data.batch_remove(list(blocks))
        bpy.context.scene.render.fps = 50  # a frame of the run is a frame of Blender

    def run_of(self, up):
        out = FOLDER / str(up) / "out"
        caches = [export_scene.read_pc2(out / "pc2" / f"{part}.pc2") for part in export_scene.PARTS]
        return out, caches

    def assert_near(self, found, expected):
        self.assertEqual(found.shape, expected.shape)
        self.assertLess(numpy.abs(found - expected).max(), 1e-6)

    def check_toy(self, one, x, materials=("red", "blue")):
        """Materials, and a place on the texture for each corner as in the render surface. x: at the start."""
        mesh = one.data
        self.assertEqual({slot.name for slot in mesh.materials}, set(materials))
        cache = self.cache_of_toy
        vertex = numpy.argmin(numpy.linalg.norm(x[:, None] - cache[None], axis=2), axis=1)
        places = {(int(vertex[loop.vertex_index]), *numpy.round(uv.uv, 5)) for loop, uv in zip(mesh.loops, mesh.uv_layers.active.data)}
        wanted = set()
        for line in export_scene.RENDER.splitlines():
            for corner in line.split()[1:] if line.startswith("f ") else ():
                v, t = corner.split("/")
                wanted.add((int(v) - 1, *[(0, 0), (1, 0), (1, 0.75), (0, 0.75)][int(t) - 1]))
        self.assertEqual(places, wanted)
        by_name = {m.name: k for k, m in enumerate(mesh.materials)}
        self.assertEqual({by_name["red"], by_name["blue"]}, {polygon.material_index for polygon in mesh.polygons})

    def test_gltf(self):
        for up in (1, 2):
            self.setUp()
            out, caches = self.run_of(up)
            bpy.ops.import_scene.gltf(filepath=str(out / "gltf" / f"{export_scene.STEM}.glb"))
            for name, cache in zip(NAMES, caches):
                expected = cache.astype(float) @ UPRIGHT[up].T
                one = bpy.data.objects["die shape" if name == "die" else name]
                start = evaluated(one, 0)
                nearest = numpy.argmin(numpy.linalg.norm(start[:, None] - expected[0][None], axis=2), axis=1)
                self.assertEqual(set(nearest), set(range(len(expected[0]))))
                for frame in range(export_scene.FRAMES):
                    self.assert_near(evaluated(one, frame), expected[frame][nearest])
                if name == "toy":
                    self.cache_of_toy = expected[0]
                    self.check_toy(one, start)
        red = principled(bpy.data.materials["red"])
        self.assertAlmostEqual(red["Roughness"].default_value, 0.25, places=6)
        self.assertLess(numpy.abs(numpy.array(red["Base Color"].default_value[:3]) - COLORS["red"]).max(), 1e-6)
        self.assertAlmostEqual(principled(bpy.data.materials["steel"])["Metallic"].default_value, 1)
        self.assertAlmostEqual(principled(bpy.data.materials["jelly_plain_cube"])["Transmission"].default_value, 0.55, places=6)

    def test_obj(self):
        out, caches = self.run_of(2)
        for frame in range(0, export_scene.FRAMES, 2):
            self.setUp()
            bpy.ops.wm.obj_import(filepath=str(out / "frames_obj" / f"{export_scene.STEM}_{frame:04}.obj"), forward_axis="Y",
                                  up_axis="Z", import_vertex_groups=True)  # yapf: disable
            for name, cache in zip(export_scene.PARTS, caches):
                self.assert_near(evaluated(bpy.data.objects[name], 0), cache[frame])
        toy = bpy.data.objects["toy"]
        self.assertEqual({group.name for group in toy.vertex_groups}, {"ends", "sides"})
        self.cache_of_toy = cache = caches[1][frame]
        self.check_toy(toy, cache)
        red = principled(bpy.data.materials["red"])
        self.assertLess(numpy.abs(numpy.array(red["Base Color"].default_value[:3]) - (1, 0.5019608, 0)).max(), 1e-6)

    def check_textures(self, die):
        """The materials have the image as colour; the die, which had no texture coordinates, has places on it."""
        for name in ("red", "steel"):
            links = principled(bpy.data.materials[name])["Base Color"].links
            self.assertTrue(links, name)
            nodes = [links[0].from_node]
            while nodes[0].type != "TEX_IMAGE":  # glTF: a factor lies between
                nodes = [link.from_node for socket in nodes[0].inputs for link in socket.links] + nodes[1:]
            self.assertEqual(tuple(nodes[0].image.size), (64, 64))
            self.assertTrue(nodes[0].image.has_data or nodes[0].image.pixels[0] >= 0)
        places = numpy.array([uv.uv for uv in die.data.uv_layers.active.data])
        self.assertEqual(sorted({round(float(v), 4) for v in places.reshape(-1)}), [-0.5, 0.5, 1.5])

    def test_textures_in_gltf(self):
        bpy.ops.import_scene.gltf(filepath=str(FOLDER / "textured/out/gltf" / f"{export_scene.STEM}.glb"))
        self.check_textures(bpy.data.objects["die shape"])

    def test_textures_in_obj(self):
        for name in (f"frames_obj/{export_scene.STEM}_0000", f"mdd/{export_scene.STEM}_die"):
            self.setUp()
            bpy.ops.wm.obj_import(filepath=str(FOLDER / "textured/out" / f"{name}.obj"), forward_axis="Y", up_axis="Z")
            if "mdd" in name:
                self.assertEqual(len(bpy.data.objects), 1)
                continue
            self.check_textures(bpy.data.objects["die"])

    def test_ply(self):
        out, caches = self.run_of(2)
        for frame in (0, export_scene.FRAMES - 1):
            self.setUp()
            bpy.ops.import_mesh.ply(filepath=str(out / "frames_ply" / f"{export_scene.STEM}_{frame:04}.ply"))
            (one,) = bpy.data.objects
            self.assert_near(evaluated(one, 0), numpy.concatenate([cache[frame] for cache in caches]))

    def test_mdd(self):
        out, caches = self.run_of(2)
        for part, cache in zip(export_scene.PARTS, caches):
            base = out / "mdd" / f"{export_scene.STEM}_{part}"
            bpy.ops.wm.obj_import(filepath=f"{base}.obj", forward_axis="Y", up_axis="Z")
            one = bpy.data.objects[part]
            modifier = one.modifiers.new("cache", "MESH_CACHE")
            modifier.cache_format, modifier.filepath = "MDD", f"{base}.mdd"
            modifier.forward_axis, modifier.up_axis, modifier.frame_start = "POS_Y", "POS_Z", 0
            for frame in range(export_scene.FRAMES):
                self.assert_near(evaluated(one, frame), cache[frame])


if __name__ == "__main__":
    result = unittest.main(argv=["inside_exports"], exit=False).result
    sys.exit(0 if result.wasSuccessful() else 1)
