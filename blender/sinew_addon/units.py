"""Units of a Blender scene in those of sinew: metres, seconds and m/s^2."""


def number(single):
    """A number as people typed it, from Blender's single precision: 0.3, not 0.30000001192."""
    return float(f"{single:.7g}")


def metres(scene):
    """Metres in one Blender unit."""
    units = scene.unit_settings
    return number(units.scale_length) if units.system != "NONE" else 1.0


def gravity(scene):
    """Gravity [m/s^2], as the scene's properties show it."""
    if not scene.use_gravity:
        return [0.0, 0.0, 0.0]
    return [number(component * metres(scene)) for component in scene.gravity]


def frames_per_second(scene):
    return scene.render.fps / scene.render.fps_base


def frames(scene):
    """The frames of the run: the first one is the start."""
    return range(scene.frame_start, scene.frame_end + 1)
