"""Tests of the add-on that run in Blender: see addon_test.py."""

import json
import math
import os
import pathlib
import stat
import sys
import time
import unittest
import unittest.mock

import bpy
import numpy

ZIP, SINEW, FOLDER, *NAMES = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.preferences.addon_install(filepath=ZIP)
bpy.ops.preferences.addon_enable(module="sinew_addon")

from sinew_addon import engine, gather, job, motion, operators, pc2, results, scene_file, tets  # noqa: E402

FRAMES = 8


def preferences():
    return bpy.context.preferences.addons["sinew_addon"].preferences


def add(name, vertices, faces, role, **settings):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    one = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(one)
    one.sinew.role = role
    for key, value in settings.items():
        setattr(one.sinew, key, value)
    return one


def cube(name, role="BODY", half=0.5, **settings):
    corners = [(x, y, z) for x in (-half, half) for y in (-half, half) for z in (-half, half)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return add(name, corners, faces, role, **{"resolution": 4, **settings} if role == "BODY" else settings)


def quad(name, role, half=2.0, **settings):
    return add(name, [(-half, -half, 0), (half, -half, 0), (half, half, 0), (-half, half, 0)], [(0, 1, 2, 3)], role, **settings)


def group(one, vertices, name="pins"):
    one.vertex_groups.new(name=name).add(vertices, 1.0, "REPLACE")
    one.sinew.pins = name


def evaluated(one, frame):
    """World positions of the mesh with its modifiers in a frame [Blender units]."""
    bpy.context.scene.frame_set(frame)
    found = one.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = found.to_mesh()
    positions = numpy.array([found.matrix_world @ vertex.co for vertex in mesh.vertices])
    found.to_mesh_clear()
    return positions


def engine_positions(name, stage="run"):
    return pc2.read(pathlib.Path(bpy.context.scene.sinew.folder, stage, "pc2", f"{name}.pc2"))


def rows(positions):
    """The positions in an order of their own: the engine numbers the vertices of obstacles anew."""
    rounded = numpy.round(numpy.asarray(positions, float), 4) + 0.0
    return numpy.asarray(positions)[numpy.lexsort(rounded.T)]


def run(**options):
    return bpy.ops.sinew.run(**options)


class Case(unittest.TestCase):
    number = 0

    def setUp(self):
        for blocks in (bpy.data.objects, bpy.data.meshes, bpy.data.materials, bpy.data.armatures, bpy.data.actions):
            bpy.data.batch_remove(list(blocks))
        bpy.context.view_layer.update()
        Case.number += 1
        scene = bpy.context.scene
        scene.frame_start, scene.frame_end, scene.render.fps = 1, 1 + FRAMES, 24
        scene.unit_settings.system, scene.unit_settings.scale_length = "METRIC", 1.0
        scene.gravity, scene.use_gravity = (0, 0, -9.81), True
        self.settings = scene.sinew
        self.folder = pathlib.Path(FOLDER, f"case {Case.number}")
        self.settings.folder, self.settings.substeps, self.settings.method = str(self.folder), 2, "newton"
        preferences().program = SINEW

    def scene_file(self, stage="run"):
        return json.loads((self.folder / f"{stage}.json").read_text())

    def assert_refused(self, text, **options):
        with self.assertRaises(RuntimeError) as caught:
            run(**options)
        self.assertRegex(str(caught.exception), text)
        self.assertEqual([], operators._jobs)

    def assert_shown(self, one, name=None, stage="run", metres=1.0):
        """The object's mesh is that of the engine in each frame."""
        found = engine_positions(name or one.name, stage)
        self.assertEqual(1 + FRAMES, len(found))
        for sample, positions in enumerate(found):
            error = numpy.abs(evaluated(one, 1 + sample) * metres - positions).max()
            self.assertLess(error, 1e-6 * metres * 3)


class Runs(Case):

    def test_result_is_that_of_the_engine(self):
        body = cube("Cube", young=3e4)
        body.location, body.rotation_euler, body.scale = (0.2, 0, 1.5), (0.1, 0.2, 0.3), (1, 0.8, 1)
        group(body, [0, 1, 2, 3])  # the side with the smallest x
        obstacle = cube("Ram", "OBSTACLE", 0.2)
        for frame, x in ((1, 2.0), (9, 0.7)):
            obstacle.location = (x, 0, 1.5)
            obstacle.keyframe_insert("location", frame=frame)
        quad("Floor", "GROUND")
        before = evaluated(body, 1)
        self.assertEqual({"FINISHED"}, run())
        self.assertEqual(9, len(engine_positions("Cube")))
        numpy.testing.assert_allclose(engine_positions("Cube")[0], before, atol=1e-6)
        self.assert_shown(body)
        moved = numpy.abs(evaluated(body, 9) - before).max(axis=1)
        self.assertLess(moved[:4].max(), 1e-6)  # pinned
        self.assertGreater(moved[4:].min(), 0.1)  # bent by gravity, then pushed by the ram
        scene = self.scene_file()
        self.assertEqual((16, 2), (scene["time"]["steps"], scene["output"]["every"]))
        self.assertAlmostEqual(1 / 48, scene["time"]["step"])
        self.assertEqual(9, len(scene["obstacles"][1]["motion"]["poses"]["times"]))
        # The ram is where Blender has it.
        numpy.testing.assert_allclose(rows(engine_positions("Ram")[4]), rows(evaluated(obstacle, 5)), atol=1e-6)
        self.assertEqual("MESH_CACHE", body.modifiers[0].type)
        self.assertEqual({"FINISHED"}, bpy.ops.sinew.clear())
        self.assertEqual(0, len(body.modifiers))
        numpy.testing.assert_array_equal(before, evaluated(body, 9))
        self.assertEqual({"FINISHED"}, bpy.ops.sinew.load())
        self.assert_shown(body)

    def test_cache_comes_first(self):
        body = cube("Cube")
        body.modifiers.new("smooth", "SUBSURF").levels = 1
        self.assertEqual({"FINISHED"}, run())
        self.assertEqual(["sinew", "smooth"], [modifier.name for modifier in body.modifiers])
        self.assertEqual(26, len(evaluated(body, 3)))

    def test_pinned_vertices_follow_the_object(self):
        body = cube("Cube", young=1e5)
        group(body, [0, 1, 2, 3])
        for frame in range(1, 10):
            body.location, body.rotation_euler = (0.02 * (frame - 1)**2, 0, 0), (0.05 * frame, 0, 0)
            body.keyframe_insert("location", frame=frame)
            body.keyframe_insert("rotation_euler", frame=frame)
        self.assertEqual({"FINISHED"}, run())
        self.assert_shown(body)
        body.modifiers["sinew"].show_viewport = False
        rigid = evaluated(body, 6)
        numpy.testing.assert_allclose(engine_positions("Cube")[5][:4], rigid[:4], atol=2e-6)
        self.assertGreater(numpy.abs(engine_positions("Cube")[5] - rigid)[4:].max(), 1e-2)

    def test_units_and_gravity(self):
        scene = bpy.context.scene
        scene.unit_settings.scale_length, scene.gravity = 0.01, (0, 0, -500)  # centimetres
        body = cube("Cube", half=5)
        self.assertEqual({"FINISHED"}, run())
        self.assertEqual([0, 0, -5], self.scene_file()["gravity"])
        fall = engine_positions("Cube")
        self.assertAlmostEqual(0.1, float(numpy.ptp(fall[0], axis=0)[0]), places=6)
        # Implicit Euler from rest: the fall after n steps of h is g h^2 n (n + 1) / 2.
        self.assertAlmostEqual(-5 / 48**2 * 16 * 17 / 2, float((fall[-1] - fall[0]).mean(axis=0)[2]), places=4)
        self.assert_shown(body, metres=0.01)

    def test_cloth_and_velocity(self):
        side = [i / 6 for i in range(7)]
        vertices = [(x, y, 0) for y in side for x in side]
        faces = [(7 * r + c, 7 * r + c + 1, 7 * r + c + 8, 7 * r + c + 7) for r in range(6) for c in range(6)]
        cloth = add("Cloth", vertices, faces, "CLOTH", young=1e5, density=300)
        group(cloth, [0, 6])
        cloth.sinew.velocity = (0, 0, 1)
        self.assertEqual({"FINISHED"}, run())
        self.assertEqual([{"vertices": [0, 6]}], self.scene_file()["bodies"][0]["fix"])
        self.assertEqual([0, 0, 1], self.scene_file()["bodies"][0]["velocity"])
        self.assert_shown(cloth)

    def test_folder_beside_the_file(self):
        body = cube("Cube")
        self.settings.folder = "//sinew"
        self.assertTrue(operators.is_temporary(bpy.context))
        self.assertEqual({"FINISHED"}, run())
        self.assertTrue((operators.run_folder(bpy.context) / "run.json").exists())
        self.folder.mkdir(parents=True)
        bpy.ops.wm.save_as_mainfile(filepath=str(self.folder / "scene.blend"))
        try:
            self.assertFalse(operators.is_temporary(bpy.context))
            self.assertEqual({"FINISHED"}, run())
            self.assertTrue((self.folder / "sinew" / "run.json").exists())
            self.assertEqual("//sinew/run_cache/Cube.pc2", body.modifiers["sinew"].filepath)
            self.settings.folder = str(self.folder / "sinew")
            self.assert_shown(body)
            bpy.ops.wm.save_mainfile()
            bpy.ops.wm.open_mainfile(filepath=str(self.folder / "scene.blend"))
            self.settings = bpy.context.scene.sinew
            self.assertEqual("BODY", bpy.data.objects["Cube"].sinew.role)
            self.assert_shown(bpy.data.objects["Cube"])
        finally:
            bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
            bpy.ops.preferences.addon_enable(module="sinew_addon")

    def test_names(self):
        names = [cube("Würfel 1/2"), cube("Würfel_1.2")]
        names[1].location = (3, 0, 0)
        self.assertEqual({"FINISHED"}, run())
        stems = [body["name"] for body in self.scene_file()["bodies"]]
        self.assertEqual(2, len(set(stems)))
        for one, stem in zip(sorted(names, key=lambda one: one.name), stems):
            self.assert_shown(one, stem)

    def test_preview_is_coarser_and_apart(self):
        body = cube("Cube", resolution=8)
        quad("Floor", "GROUND").location = (0, 0, -0.55)
        self.assertEqual({"FINISHED"}, run(preview=True))
        self.assertEqual("reduced", self.scene_file("preview")["solver"]["method"])
        self.assert_shown(body, stage="preview")
        coarse = len(tets.read(self.folder / self.scene_file("preview")["bodies"][0]["mesh"])[1])
        self.assertEqual({"FINISHED"}, run())
        fine = len(tets.read(self.folder / self.scene_file()["bodies"][0]["mesh"])[1])
        self.assertGreater(fine, 3 * coarse)
        self.assert_shown(body)
        self.assertEqual({"FINISHED"}, bpy.ops.sinew.load(preview=True))
        self.assert_shown(body, stage="preview")


class CancelAndResume(Case):

    def wait(self, one, until):
        for _ in range(4000):
            if not one.poll() or until():
                return
            time.sleep(0.01)
        self.fail(f"still {one.state} after 40 s")

    def test_resume_continues_a_cancelled_run(self):
        body = cube("Cube", young=2e4, resolution=6)
        quad("Floor", "GROUND").location = (0, 0, -0.6)
        self.settings.substeps = 20
        self.assertEqual({"FINISHED"}, run())
        whole = numpy.array(engine_positions("Cube"))
        cancelled = operators.start_job(bpy.context)
        self.wait(cancelled, lambda: cancelled.step() >= 25)
        self.assertEqual("running", cancelled.state)
        self.assertTrue(0 < cancelled.progress() < 1)
        self.assertRegex(cancelled.message(), r"frame \d of 9")
        cancelled.cancel()
        self.wait(cancelled, lambda: False)
        self.assertEqual("cancelled", cancelled.state)
        self.assertEqual({"FINISHED"}, bpy.ops.sinew.load())
        part = engine_positions("Cube")
        self.assertTrue(2 <= len(part) < 9, len(part))
        numpy.testing.assert_array_equal(whole[:len(part)], part)
        numpy.testing.assert_allclose(evaluated(body, 2), part[1], atol=1e-6)
        rows = self.folder / "run" / "steps.jsonl"
        before = rows.read_text()
        self.assertEqual({"FINISHED"}, run(resume=True))
        self.assertTrue(rows.read_text().startswith(before))
        numpy.testing.assert_array_equal(whole, engine_positions("Cube"))
        self.assert_shown(body)

    def test_resume_adds_frames(self):
        cube("Cube")
        bpy.context.scene.frame_end = 4
        self.assertEqual({"FINISHED"}, run())
        self.assertEqual(4, len(engine_positions("Cube")))
        bpy.context.scene.frame_end = 7
        self.assertEqual({"FINISHED"}, run(resume=True))
        self.assertEqual(7, len(engine_positions("Cube")))

    def test_motion_of_the_ground(self):
        cube("Cube")
        floor = quad("Floor", "GROUND")
        for frame in range(1, 10):
            floor.location = (0, 0, -0.6 + 0.002 * frame**2)
            floor.keyframe_insert("location", frame=frame)
        self.assertEqual({"FINISHED"}, run())
        self.assertGreater(engine_positions("Cube")[8][:, 2].min(), -0.6 + 0.002 * 81)  # on the ground as it is then
        bpy.context.scene.frame_end = 12
        self.assert_refused("Floor: animated, so Resume cannot change the number of frames; set the end frame to 9", resume=True)

    def test_resume_of_another_scene_is_refused(self):
        body = cube("Cube")
        self.assertEqual({"FINISHED"}, run())
        body.sinew.young = 5e5
        bpy.context.scene.frame_end = 12
        self.assert_refused(r"belongs to another scene: .*young.*\[E-checkpoint-scene\]", resume=True)

    def test_cancel_while_meshing(self):
        cube("Cube", resolution=60)
        one = operators.start_job(bpy.context)
        self.assertTrue(one.poll())
        self.assertEqual("meshing body 1 of 1", one.message())
        one.cancel()
        self.wait(one, lambda: False)
        self.assertEqual("cancelled", one.state)
        self.assertFalse((self.folder / "run").exists())


class Setups(Case):

    def test_nothing_marked(self):
        cube("Cube", "NONE")
        self.assert_refused("no object is a body; select a mesh and choose the role Body")

    def test_open_surface(self):
        quad("Sheet", "BODY")
        self.assert_refused("Sheet: a body needs a closed surface, found 4 edges with one face; .*fill the holes")

    def test_missing_program(self):
        cube("Cube")
        preferences().program = "/no/such/sinew"
        self.assert_refused('"/no/such/sinew" is no program; set the path of sinew in Edit > Preferences')

    def test_missing_mesher(self):
        cube("Cube")
        alone = self.folder / "bin" / "sinew"
        alone.parent.mkdir(parents=True)
        alone.write_text(f'#!/bin/sh\nexec "{SINEW}" "$@"\n')
        alone.chmod(alone.stat().st_mode | stat.S_IXUSR)
        preferences().program = str(alone)
        with unittest.mock.patch.dict(os.environ, {"PATH": "/nowhere", "SINEW_MESH": ""}):
            self.assert_refused("sinew-mesh is neither beside .* nor on the PATH")

    def test_loose_vertices(self):
        corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (5, 5, 5)]
        add("Tet", corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)], "BODY")
        self.assert_refused("Tet: 1 vertices belong to no face; .*Delete Loose")

    def test_no_faces(self):
        add("Points", [(0, 0, 0)], [], "OBSTACLE")
        cube("Cube")
        self.assert_refused("Points: the mesh has no faces")

    def test_pins(self):
        body = cube("Cube")
        body.sinew.pins = "gone"
        self.assert_refused('Cube: has no vertex group "gone"')
        body.vertex_groups.new(name="gone")
        self.assert_refused('Cube: no vertex has a weight above 0.5 in the vertex group "gone"')

    def test_second_deformer(self):
        body = cube("Cube")
        modifier = body.modifiers.new("bones", "ARMATURE")
        self.assert_refused('Cube: the modifier "bones" would deform the body a second time')
        modifier.show_viewport = False
        self.assertEqual({"FINISHED"}, run())

    def test_shape_keys(self):
        body = cube("Cube")
        body.shape_key_add(name="Basis")
        body.shape_key_add(name="long").value = 0.5
        self.assert_refused("Cube: shape keys change the body's rest shape")

    def test_one_frame(self):
        cube("Cube")
        bpy.context.scene.frame_end = 1
        self.assert_refused("the scene has the frames 1 to 1; a run needs two frames or more")

    def test_errors_of_sinew_are_shown(self):
        cube("Cube")
        cube("Other").location = (0.4, 0.3, 0.2)  # overlaps
        self.assert_refused(r"\[E-[a-z-]+\]")

    def test_errors_of_the_mesher_are_shown(self):
        corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
        faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
        moved = [(x + 0.1, y + 0.1, z + 0.1) for x, y, z in corners]
        both = faces + [tuple(v + 4 for v in face) for face in faces]
        body = add("Crossed", corners + moved, both, "BODY", resolution=5)
        self.assert_refused(r"Crossed.*intersects itself.*\[E-surface-intersects\]")
        body.sinew.robust = True
        self.assertEqual({"FINISHED"}, run())

    def test_changed_mesh(self):
        body = cube("Cube")
        self.assertEqual({"FINISHED"}, run())
        body.data.clear_geometry()
        body.data.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
        with self.assertRaisesRegex(RuntimeError, "the run has 8 vertices, the mesh 3"):
            bpy.ops.sinew.load()

    def test_no_run(self):
        cube("Cube")
        with self.assertRaisesRegex(RuntimeError, "holds no run of the add-on"):
            bpy.ops.sinew.load()

    def test_roles_of_the_selection(self):
        ones = [cube("A", "NONE"), cube("B", "NONE"), cube("C", "NONE")]
        for one in ones[:2]:
            one.select_set(True)
        self.assertEqual({"FINISHED"}, bpy.ops.sinew.role(role="OBSTACLE"))
        self.assertEqual(["OBSTACLE", "OBSTACLE", "NONE"], [one.sinew.role for one in ones])


class Materials(Case):

    def plan(self, with_looks=False):
        plan = gather.gather(bpy.context)
        one = job.Job(plan, self.folder, "run", (SINEW, engine.sinew_mesh(SINEW)), with_looks)
        while one._to_mesh or one._process:
            if one._process:
                one._process.wait()
                one._process = None
            else:
                one._mesh(one._to_mesh.pop())
        return scene_file.build(plan, self.folder, with_looks)

    def paint(self, one, name, colour, roughness, metallic, alpha):
        material = bpy.data.materials.new(name)
        material.use_nodes = True
        inputs = material.node_tree.nodes["Principled BSDF"].inputs
        inputs["Base Color"].default_value = (*colour, 1)
        inputs["Roughness"].default_value, inputs["Metallic"].default_value = roughness, metallic
        inputs["Alpha"].default_value = alpha
        one.data.materials.append(material)

    def test_presets(self):
        body = cube("Cube")
        body.sinew.preset = "STEEL"
        scene = self.plan()
        self.assertEqual(["Steel"], list(scene["materials"]))
        found = scene["materials"]["Steel"]
        self.assertEqual("neo_hookean", found["model"])
        numpy.testing.assert_allclose([found["young"], found["poisson"], found["density"]], [2e11, 0.3, 7850], rtol=1e-6)

    def test_look(self):
        body, other = cube("Cube"), cube("Other")
        other.location = (3, 0, 0)
        self.paint(body, "Copper", (0.5, 0.25, 0.0), 0.3, 1.0, 1.0)
        plain = bpy.data.materials.new("Plain")
        plain.diffuse_color, plain.roughness, plain.metallic = (1, 0, 0, 0.25), 0.5, 0.0
        other.data.materials.append(plain)
        scene = self.plan(with_looks=True)
        # sRGB of 0.5 is 188 = 0xbc, of 0.25 137 = 0x89.
        self.assertEqual({"color": "#bc8900", "roughness": 0.3, "metalness": 1.0, "opacity": 1.0},
                         scene["materials"]["Copper"]["look"])
        self.assertEqual({"color": "#ff0000", "roughness": 0.5, "metalness": 0.0, "opacity": 0.25},
                         scene["materials"]["Plain"]["look"])
        self.assertNotIn("look", self.plan()["materials"]["Copper"])

    def test_texture(self):
        """The image of Base Color goes beside the scene, packed or not, with the UV map of the body."""
        image = bpy.data.images.new("bricks", 8, 4)
        image.filepath_raw, image.file_format = str(self.folder / "bricks.png"), "PNG"
        image.save()
        image.source = "FILE"
        body = cube("Cube")
        body.data.uv_layers.new()
        self.paint(body, "Wall", (1, 1, 1), 0.5, 0.0, 1.0)
        nodes = body.data.materials[0].node_tree
        node = nodes.nodes.new("ShaderNodeTexImage")
        node.image = image
        nodes.links.new(node.outputs["Color"], nodes.nodes["Principled BSDF"].inputs["Base Color"])
        self.assertTrue(engine.takes_textures(SINEW))
        self.assertEqual({"FINISHED"}, run())
        scene = self.scene_file()
        look = scene["materials"]["Wall"]["look"]
        self.assertNotIn("color", look)
        self.assertEqual((self.folder / look["texture"]).read_bytes(), (self.folder / "bricks.png").read_bytes())
        lines = (self.folder / scene["bodies"][0]["render"]).read_text().splitlines()
        self.assertEqual(36, sum(line.startswith("vt ") for line in lines))
        image.pack()
        (self.folder / "bricks.png").unlink()
        self.assertEqual({"FINISHED"}, run())
        self.assertIn("texture", self.scene_file()["materials"]["Wall"]["look"])

    def test_look_only_where_sinew_knows_it(self):
        self.paint(cube("Cube"), "Copper", (0.5, 0.25, 0.0), 0.3, 1.0, 1.0)
        self.assertEqual({"FINISHED"}, run())
        self.assertEqual(engine.takes_looks(SINEW), "look" in self.scene_file()["materials"]["Copper"])

    def test_friction(self):
        body, other, floor = cube("A", friction=0.4), cube("B", friction=0.9), quad("Floor", "GROUND", friction=0.1)
        other.location, floor.location = (3, 0, 0), (0, 0, -1)
        pairs = {frozenset(pair[:2]): pair[2] for pair in self.plan()["contact"]["friction"]["pairs"]}
        self.assertEqual({frozenset("A"): 0.4, frozenset("AB"): 0.6, frozenset("B"): 0.9,
                          frozenset(("A", "obstacle 0.1")): 0.2, frozenset(("B", "obstacle 0.1")): 0.3}, pairs)  # yapf: disable
        self.assertEqual({"FINISHED"}, run())
        for one in (body, other, floor):
            one.sinew.friction = 0.5
        self.assertEqual(0.5, self.plan()["contact"]["friction"])


class Colliders(Case):

    def bent_bar(self):
        """A bar of boxes whose upper half an armature turns by 60 degrees."""
        levels = range(7)
        ring = [(-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1)]
        vertices = [(x, y, level / 6) for level in levels for x, y in ring]
        faces = [(3, 2, 1, 0), (24, 25, 26, 27)]
        for level in range(6):
            faces += [(4 * level + c, 4 * level + (c + 1) % 4, 4 * level + 4 + (c + 1) % 4, 4 * level + 4 + c) for c in range(4)]
        bar = add("Bar", vertices, faces, "OBSTACLE")
        bones = bpy.data.armatures.new("Bones")
        rig = bpy.data.objects.new("Rig", bones)
        bpy.context.scene.collection.objects.link(rig)
        bpy.context.view_layer.objects.active = rig
        bpy.ops.object.mode_set(mode="EDIT")
        for name, low, high in (("lower", 0, 0.5), ("upper", 0.5, 1)):
            bone = bones.edit_bones.new(name)
            bone.head, bone.tail = (0, 0, low), (0, 0, high)
        bpy.ops.object.mode_set(mode="OBJECT")
        for name, of in (("lower", range(16)), ("upper", range(16, 28))):
            bar.vertex_groups.new(name=name).add(list(of), 1.0, "REPLACE")
        bar.modifiers.new("bones", "ARMATURE").object = rig
        pose = rig.pose.bones["upper"]
        pose.rotation_mode = "XYZ"
        for frame, degrees in ((1, 0), (9, 60)):
            pose.rotation_euler = (math.radians(degrees), 0, 0)
            pose.keyframe_insert("rotation_euler", frame=frame)
        return bar

    def test_armature_is_baked(self):
        bar = self.bent_bar()
        cube("Cube").location = (2, 0, 0)
        plan = gather.gather(bpy.context)
        self.assertEqual([bar.name], [one.object for one in plan.obstacles if one.positions is not None])
        positions = plan.obstacles[0].positions
        self.assertEqual((9, 28, 3), positions.shape)
        for sample in range(9):
            numpy.testing.assert_allclose(positions[sample], evaluated(bar, 1 + sample), atol=1e-6)
        self.assertGreater(numpy.abs(positions[8] - positions[0]).max(), 0.3)
        plan.bodies.clear()
        scene_file.write_surfaces(plan, self.folder)
        found = scene_file._obstacle(plan.obstacles[0], scene_file.Files(), self.folder, "label")
        numpy.testing.assert_allclose(pc2.read(self.folder / found["vertices"]), positions, atol=1e-7)

    def test_deforming_collider_moves_as_animated(self):
        bar = self.bent_bar()
        cube("Cube").location = (2, 0, 0)
        self.assertEqual({"FINISHED"}, run())
        for sample in range(9):
            found, expected = engine_positions("Bar")[sample], evaluated(bar, 1 + sample)
            numpy.testing.assert_allclose(rows(found), rows(expected), atol=2e-6)

    def test_rigid_armature_is_no_deformation(self):
        bar = self.bent_bar()
        bar.vertex_groups["upper"].add(list(range(28)), 1.0, "REPLACE")
        bar.vertex_groups["lower"].remove(list(range(28)))
        cube("Cube").location = (2, 0, 0)
        self.assertEqual({"FINISHED"}, run())
        for sample in range(9):
            found, expected = engine_positions("Bar")[sample], evaluated(bar, 1 + sample)
            numpy.testing.assert_allclose(rows(found), rows(expected), atol=2e-6)

    def test_scaled_obstacle_deforms(self):
        cube("Cube").location = (3, 0, 0)
        one = cube("Pump", "OBSTACLE")
        for frame, size in ((1, 1.0), (9, 1.5)):
            one.scale = (size, 1, 1)
            one.keyframe_insert("scale", frame=frame)
        plan = gather.gather(bpy.context)
        self.assertEqual(["Pump"], [found.object for found in plan.obstacles if found.positions is not None])

    def test_modifiers_of_obstacles_count(self):
        cube("Cube").location = (5, 0, 0)
        one = cube("Steps", "OBSTACLE")
        one.modifiers.new("row", "ARRAY").count = 3
        plan = gather.gather(bpy.context)
        self.assertEqual(24, len(plan.obstacles[0].surface.vertices))
        self.assertIsNone(plan.obstacles[0].motion)

    def test_changing_vertices_are_refused(self):
        cube("Cube").location = (9, 0, 0)
        row = cube("Steps", "OBSTACLE").modifiers.new("row", "ARRAY")
        for frame, count in ((1, 1), (9, 3)):
            row.count = count
            row.keyframe_insert("count", frame=frame)
        self.assert_refused("Steps: expected 8 vertices in each frame, found 16 in frame")

    def test_mirrored_objects_keep_their_outside(self):
        one = cube("Cube")
        one.scale = (-1, 1, 1)
        surface = gather.gather(bpy.context).bodies[0].surface
        a, b, c = (surface.vertices[surface.triangles[:, corner]] for corner in range(3))
        self.assertAlmostEqual(1, numpy.einsum("ij,ij->", a, numpy.cross(b, c)) / 6)

    def test_rigid_maps(self):
        points = numpy.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], float)
        turn = numpy.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]], float)
        rotations, shifts = motion.rigid_maps(numpy.array([points, points @ turn.T + 5]))
        numpy.testing.assert_allclose(rotations[1], turn, atol=1e-12)
        numpy.testing.assert_allclose(shifts[1], 5, atol=1e-12)
        self.assertIsNone(motion.rigid_maps(numpy.array([points, 1.1 * points])))
        self.assertIsNone(motion.rigid_maps(numpy.array([points, -points])))


class Pins(Case):

    def test_one_vertex(self):
        body = cube("Cube", young=1e5)
        group(body, [7])
        self.assertEqual({"FINISHED"}, run())
        self.assertEqual(1, len(self.scene_file()["bodies"][0]["fix"][0]["vertices"]))
        self.assertLess(numpy.abs(engine_positions("Cube")[8][7] - engine_positions("Cube")[0][7]).max(), 1e-6)

    def test_side(self):
        body = cube("Cube")
        group(body, [0, 1, 2, 3])
        self.assertEqual({"FINISHED"}, run())
        vertices, _ = tets.read(self.folder / self.scene_file()["bodies"][0]["mesh"])
        side = set(numpy.nonzero(numpy.abs(vertices[:, 0] + 0.5) < 1e-9)[0].tolist())
        self.assertEqual(side, set(self.scene_file()["bodies"][0]["fix"][0]["vertices"]))


suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])
if NAMES:
    suite = unittest.defaultTestLoader.loadTestsFromNames(NAMES, sys.modules[__name__])
passed = unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful()
bpy.ops.preferences.addon_disable(module="sinew_addon")
if hasattr(bpy.types.Object, "sinew") or hasattr(bpy.types, "SINEW_PT_run"):
    print("FAIL: the disabled add-on leaves properties or panels behind")
    passed = False
sys.stdout.flush()
os._exit(0 if passed else 1)
