"""Steps of window_test.py, which run in Blender's event loop."""

import os
import sys
import traceback

import bpy

ZIP, SINEW, FOLDER, *PICTURE = sys.argv[sys.argv.index("--") + 1:]
TAB = (1044, 555)  # of the add-on in the sidebar, from the lower left corner of the window
bpy.ops.preferences.addon_install(filepath=ZIP)
bpy.ops.preferences.addon_enable(module="sinew_addon")
bpy.context.preferences.addons["sinew_addon"].preferences.program = SINEW
bpy.context.preferences.view.show_splash = False


def state():
    return bpy.context.window_manager.sinew


def place():
    window = bpy.context.window_manager.windows[0]
    area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    return {"window": window, "area": area, "region": next(region for region in area.regions if region.type == "WINDOW")}


def press(name, **options):
    with bpy.context.temp_override(**place()):
        return getattr(bpy.ops.sinew, name)("INVOKE_DEFAULT", **options)


def expect(found, expected):
    if found != expected:
        raise AssertionError(f"expected {expected}, found {found}")


def wait(until, seconds=120):
    """Gives Blender time until a condition holds."""
    for _ in range(10 * seconds):
        if until():
            return
        yield 0.1
    raise AssertionError(f"{state().message}: nothing happens for {seconds} s")


def steps():
    yield 1.0
    cube, scene = bpy.data.objects["Cube"], bpy.context.scene
    area = place()["area"]
    area.spaces[0].show_region_ui = True
    yield 1.0
    window = place()["window"]
    for kind, value in (("MOUSEMOVE", "NOTHING"), ("LEFTMOUSE", "PRESS"), ("LEFTMOUSE", "RELEASE")):
        window.event_simulate(type=kind, value=value, x=TAB[0], y=TAB[1])
        yield 0.5
    cube.select_set(True)
    for role in ("GROUND", "OBSTACLE", "CLOTH", "BODY"):  # each draws the panel in another way
        expect(press("role", role=role), {"FINISHED"})
        yield 0.3
    cube.sinew.preset, cube.sinew.resolution = "RUBBER", 8
    scene.frame_end, scene.sinew.folder, scene.sinew.substeps = 40, os.path.join(FOLDER, "files"), 40

    expect(press("run"), {"RUNNING_MODAL"})
    expect(state().active, True)
    yield from wait(lambda: state().progress > 8)
    yield 0.5
    if PICTURE:
        with bpy.context.temp_override(window=place()["window"]):
            bpy.ops.screen.screenshot(filepath=PICTURE[0])
    expect(bpy.ops.sinew.run.poll(), False)  # one run at a time
    expect(press("cancel"), {"FINISHED"})
    yield from wait(lambda: not state().active)
    expect(state().message, "cancelled")
    expect([modifier.type for modifier in cube.modifiers], ["MESH_CACHE"])

    scene.frame_end = 4  # the end is nearer, and the run is beyond it
    scene.sinew.substeps = 2
    expect(press("run", preview=True), {"RUNNING_MODAL"})
    yield from wait(lambda: not state().active)
    expect((state().message, round(state().progress)), ("done", 100))
    scene.frame_set(4)
    moved = cube.evaluated_get(bpy.context.evaluated_depsgraph_get()).data.vertices[0].co.z - cube.data.vertices[0].co.z
    expect(moved < -0.05, True)  # it falls
    expect(press("clear"), {"FINISHED"})
    expect(len(cube.modifiers), 0)
    yield 0.5


def next_step(running=steps()):
    try:
        return next(running)
    except StopIteration:
        print("passed", flush=True)
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)


bpy.app.timers.register(next_step, first_interval=1)
