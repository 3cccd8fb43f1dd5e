"""Units of a Blender scene in those of sinew: metres, seconds and m/s^2."""


def metres(scene):
    """Metres in one Blender unit."""
    units = scene.unit_settings
    return units.scale_length if units.system != "NONE" else 1.0


def gravity(scene):
    """Gravity [m/s^2], as the scene's properties show it."""
    if not scene.use_gravity:
        return [0.0, 0.0, 0.0]
    return [component * metres(scene) for component in scene.gravity]


def frames_per_second(scene):
    return scene.render.fps / scene.render.fps_base


def frames(scene):
    """The frames of the run: the first one is the start."""
    return range(scene.frame_start, scene.frame_end + 1)
