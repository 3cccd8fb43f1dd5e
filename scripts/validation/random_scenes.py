"""Random scenes that are well posed by construction: bars, plates, blocks, rings and cylinders, from 1 mm to 10 m and from
1e4 to 1e11 Pa, held or resting, loaded, driven, sprung, hinged, under pressure, pressed by a plane, dropped on a floor or on
another body, with friction, in statics and in time. Each is a case, in a folder of its own, whose right values come from newton with tolerances 1e3 times smaller."""

import json
import math
import pathlib
import random
import tempfile

from cases import Case


def log_uniform(rng, low, high):
    return 10 ** rng.uniform(math.log10(low), math.log10(high))


def shape(rng, size):
    """A mesh that lies along x, its extents and its kind."""
    kind = rng.choice(("bar", "plate", "block", "torus", "cylinder"))
    if kind == "bar":
        thin = size * rng.uniform(0.06, 0.15)
        return kind, {"box": {"size": [size, thin, thin], "cells": [16, 3, 3]}}, (size, thin, thin)
    if kind == "plate":
        thin = size * rng.uniform(0.03, 0.08)
        return kind, {"box": {"size": [size, thin, size], "cells": [12, 2, 12]}}, (size, thin, size)
    if kind == "block":
        height = size * rng.uniform(0.5, 1)
        return kind, {"box": {"size": [size, height, size], "cells": [5, 4, 5]}}, (size, height, size)
    if kind == "torus":
        tube = size * rng.uniform(0.06, 0.12)
        return kind, {"torus": {"radius": size / 2 - tube, "tube": tube, "size": tube, "axis": "y"}}, (size, 2 * tube, size)
    radius = size * rng.uniform(0.08, 0.2)
    return kind, {"cylinder": {"radius": radius, "height": size, "size": radius / 2, "axis": "x"}}, (size, 2 * radius, 2 * radius)


def end(extents, side, share):
    """The vertices at an end along x."""
    return {"halfspace": {"point": [side * extents[0] * (0.5 - share), 0, 0], "normal": [side, 0, 0]}}


def drop(rng, scene, extents):
    """Lets the body fall, slanted, on a floor or on a second one of its kind that is held below."""
    body, solid = scene["bodies"][0], scene["materials"]["solid"]
    radius = 0.5 * math.hypot(*extents)
    distance = 2e-3 * min(extents)
    speed = rng.uniform(0.003, 0.03) * math.sqrt(solid["young"] / solid["density"])
    scene["contact"] = {"distance": distance, "friction": rng.choice((0, rng.uniform(0.1, 0.8)))}
    scene["obstacles"] = [{"name": "floor", "plane": {}}]
    # The slanted box of the extents stands on its lowest corner, whatever lies in it.
    turn = rng.uniform(5, 40)
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    low = 0.5 * (extents[0] * s + extents[1] * c)
    ground = 1.5 * distance
    if rng.random() < 0.5:
        lower = {"name": "second", "mesh": body["mesh"], "material": "solid",
                 "transform": {"translate": [0, extents[1] / 2 + ground, 0]},
                 "fix": [{"halfspace": {"point": [0, 0.3 * extents[1] + ground, 0], "normal": [0, -1, 0]}}]}
        scene["bodies"].append(lower)
        ground += extents[1] + 1.5 * distance
    body["transform"] = {"rotate": {"axis": "z", "degrees": turn}, "translate": [0.1 * radius, low + ground, 0]}
    body["velocity"] = [rng.uniform(-0.5, 0.5) * speed, -speed, 0]


def random_scene(rng):
    """A scene and what it is, in words."""
    size, young = log_uniform(rng, 1e-3, 10), log_uniform(rng, 1e4, 1e11)
    kind, mesh, (length, height, width) = shape(rng, size)
    statics = rng.random() < 0.5
    density = log_uniform(rng, 500, 8000)
    share = 0.12 if kind in ("torus", "cylinder") else 1e-6  # round ends have few vertices at their very end
    inertia = width * height**3 / 12 * (0.3 if kind == "torus" else 1)
    slender = kind != "block"
    area = width * height
    bending = 3 * young * inertia / length**3 if slender else 1 / (length / (young * area) + length**3 / (3 * young * inertia))
    period = 2 * math.pi * math.sqrt(0.25 * density * area * length / bending)
    amount = log_uniform(rng, 1e-3, 0.15) * length  # of motion
    body = {"name": "body", "mesh": mesh, "material": "solid"}
    scene = {"sinew": 1, "gravity": [0, 0, 0], "materials": {"solid": {
        "model": rng.choice(("neo_hookean", "neo_hookean", "stable_neo_hookean", "fixed_corotated")),
        "young": young, "poisson": rng.uniform(0.0, 0.45), "density": density}}, "bodies": [body],
        "contact": {"enabled": False}}
    what = rng.choice(("end load", "driven end", "springs", "pressure", "press", "hinge", "drop"))
    if what == "hinge" and kind in ("torus", "cylinder"):  # which have no straight edge
        what = "drop"
    statics = statics and what not in ("hinge", "drop")
    if what == "press":
        depth = height * (rng.uniform(0.02, 0.12) + 0.15 * (kind == "torus"))  # whose mesh is lower than its tube
        distance = 1e-3 * math.hypot(length, height, width)
        distance = min(distance, height / 40)
        scene["obstacles"] = [{"name": "press", "plane": {"point": [0, height / 2 + 1.01 * distance, 0], "normal": [0, -1, 0]}}]
        scene["contact"] = {"distance": distance, "friction": rng.choice((0, rng.uniform(0.1, 0.8)))}
        if statics or rng.random() < 0.5:
            body["fix"] = [{"halfspace": {"point": [0, -height * (0.25 if kind in ("torus", "cylinder") else 0.49), 0], "normal": [0, -1, 0]}}]
        else:
            scene["obstacles"].append({"name": "floor", "plane": {"point": [0, -height / 2 - 1.01 * distance, 0]}})
        period = 4 * height / math.sqrt(young / density)
        motion, amount = [0, -depth - distance, 0], depth
    elif what == "drop":
        period = 4 * height / math.sqrt(young / density)
        drop(rng, scene, (length, height, width))
    elif what == "hinge":
        body["fix"] = [{"box": [[-length / 2, -height / 2, -width], [-length / 2, -height / 2, width]]}]
    else:
        body["fix"] = [end((length, height, width), -1, share)]
    if what == "end load":
        direction = [0, 1, 0] if slender else rng.choice(([0, 1, 0], [1, 0, 0]))
        stiffness = bending if direction[1] else min(young * area / length, 30 * bending)
        body["loads"] = [dict(end((length, height, width), 1, max(share, 0.12 if kind in ("torus", "cylinder") else share)),
                              force=[amount * stiffness * d for d in direction])]
    if what == "springs":
        body["springs"] = [dict(end((length, height, width), 1, share), to=[0.5 * length, 2 * amount + height, 0],
                                stiffness=bending / 10, length=height)]
    if what == "pressure":
        body["loads"] = [{"halfspace": {"point": [0, height / 2 * (0.3 if kind in ("torus", "cylinder") else 1), 0],
                                        "normal": [0, 1, 0]}, "pressure": 2 * amount * bending / (length * width)}]
    steps = rng.choice((1, 3, 6)) if statics else 20
    step = period / rng.choice((10, 20, 40, 100))
    if what == "hinge":  # turns by an angle, without bending much
        angle = rng.uniform(0.1, 1)
        force = min(2 * angle / 3 * density * area * length**2 / (20 * step)**2, 0.1 * length * bending)
        body["loads"] = [dict(end((length, height, width), 1, share), force=[0, force, 0])]
    if statics:
        scene["time"] = {"mode": "static", "steps": steps}
    else:
        scene["time"] = {"step": step, "steps": steps, "integrator": rng.choice(("implicit_euler", "bdf2", "newmark"))}
    if what in ("driven end", "press"):
        last = 1.0 if statics else step * steps * rng.choice((0.5, 1.0))
        if what == "press":
            scene["obstacles"][0]["motion"] = {"translate": {"times": [0, last], "values": [[0, 0, 0], motion]}}
        else:
            way = [0, amount, 0] if slender or rng.random() < 0.5 else [amount, 0, 0]
            body["fix"].append(dict(end((length, height, width), 1, share),
                                    motion={"translate": {"times": [0, last], "values": [[0, 0, 0], way]}}))
    words = f"{kind} of {size:.2g} m, {young:.2g} Pa, {what}, {'statics' if statics else scene['time']['integrator']}"
    return scene, words


def random_cases(count, seed):
    """Cases in a new folder; the seed gives the same ones everywhere."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sinew-random-"))
    cases = []
    for i in range(count):
        scene, words = random_scene(random.Random(f"{seed}:{i}"))
        own = folder / f"random_{seed}_{i}"
        own.mkdir()
        (own / "scene.json").write_text(json.dumps(scene, indent=1))
        (own / "case.json").write_text(json.dumps({
            "title": words, "kind": "random", "cpu_seconds": 60, "measures": [{
                "name": "distance from newton over the motion", "unit": "", "observe": {"distance_from_reference": {}},
                "relative_error": True, "right": {"value": 0, "from": "reference run"},
                "tolerance": {"absolute": 0.05, "because": "a twentieth of the motion"}}]}))
        cases.append(Case(own))
    return folder, cases
