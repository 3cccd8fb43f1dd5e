"""The scene file of a plan."""

import json
import math
import re

from . import pc2, pins, surfaces, tets
from .errors import SetupError

OBJECTS = "{}.objects.json"  # beside the folder of a run


def _materials(plan, with_looks):
    """Materials by name, and the name of each body's. Equal materials with equal names and friction are one."""
    materials, names, owner = {}, {}, {}
    for body in plan.bodies:
        values = dict(body.material)
        if with_looks and body.look:
            values["look"] = body.look
            if body.texture:  # stands in place of the colour
                values["look"] = {k: v for k, v in body.look.items() if k != "color"} | {"texture": Files().texture(body)}
        name, number = body.material_name, 2
        while name in materials and (materials[name], owner[name]) != (values, body.friction):
            name, number = f"{body.material_name} {number}", number + 1
        materials[name], owner[name] = values, body.friction
        names[body.name] = name
    return materials, names, owner


def _friction(plan, owner):
    """`contact.friction`, and the label of each obstacle. A pair has the geometric mean of its coefficients."""
    labels = {obstacle.name: f"obstacle {obstacle.friction:g}" for obstacle in plan.obstacles}
    sides = {**owner, **{labels[obstacle.name]: obstacle.friction for obstacle in plan.obstacles}}
    if len(set(sides.values())) == 1:
        return round(next(iter(sides.values())), 6), labels
    pairs = []
    for number, (a, of_a) in enumerate(owner.items()):
        rest = list(owner.items())[number:] + [(b, of_b) for b, of_b in sides.items() if b not in owner]
        pairs += [[a, b, round(math.sqrt(of_a * of_b), 6)] for b, of_b in rest]
    return {"pairs": pairs}, labels


def _fix(body, mesh_path):
    if not body.pins:
        return []
    numbers = body.pins
    if not body.cloth:
        vertices, elements = tets.read(mesh_path)
        numbers = pins.on_tets(body.surface, body.pins, vertices, tets.boundary_vertices(elements), body.size)
    fix = {"vertices": [int(v) for v in numbers]}
    if body.pin_motion:
        fix["motion"] = body.pin_motion
    return [fix]


def _body(body, files, folder, material):
    result = {"name": body.name, "mesh": files.mesh(body), "material": material}
    if not body.cloth:
        result["render"] = files.surface(body)
    if any(body.velocity):
        result["velocity"] = body.velocity
    fix = _fix(body, folder.joinpath(files.mesh(body)))
    if fix:
        result["fix"] = fix
    return result


def _obstacle(obstacle, files, folder, label):
    result = {"name": obstacle.name, "material": label}
    if obstacle.plane:
        result["plane"] = obstacle.plane
    else:
        result["mesh"] = files.surface(obstacle)
    if obstacle.motion:
        result["motion"] = obstacle.motion
    if obstacle.positions is not None:
        result["vertices"] = files.positions(obstacle)
        pc2.write(str(folder / result["vertices"]), *obstacle.positions.shape[:2], obstacle.positions)
    return result


class Files:
    """Paths of the files of a plan, relative to its scene file."""

    def surface(self, part):
        places = [] if part.surface.places is None else [part.surface.places.tobytes()]
        return f"meshes/{part.name}-{surfaces.fingerprint(part.surface, *places)}.obj"

    def texture(self, body):
        return f"meshes/{body.texture[0]}"

    def mesh(self, body):
        if body.cloth:
            return self.surface(body)
        return f"meshes/{body.name}-{surfaces.fingerprint(body.surface, body.size, body.robust)}.msh"

    def positions(self, obstacle):
        return f"meshes/{obstacle.name}.pc2"


def write_surfaces(plan, folder):
    files = Files()
    (folder / "meshes").mkdir(parents=True, exist_ok=True)
    for part in [*plan.bodies, *plan.obstacles]:
        if part.surface and not (folder / files.surface(part)).exists():
            surfaces.write_obj(folder / files.surface(part), part.surface)
    for body in plan.bodies:
        if body.texture:
            (folder / files.texture(body)).write_bytes(body.texture[1])


def remove_unused(folder):
    """Removes meshes and images of earlier runs that no scene in the folder names."""
    used = "".join(path.read_text() for path in folder.glob("*.json"))
    for path in (folder / "meshes").iterdir():
        if re.fullmatch(r".*-[0-9a-f]{12}\.(obj|msh|png|jpg|webp)", path.name) and path.name not in used:
            path.unlink()


def build(plan, folder, with_looks):
    """The scene of a plan whose surfaces and meshes lie in the folder."""
    files = Files()
    materials, of_body, owner = _materials(plan, with_looks)
    friction, labels = _friction(plan, owner)
    return {
        "sinew": 1,
        "name": "Blender",
        "time": {"step": plan.seconds_per_frame / plan.substeps, "steps": plan.steps()},
        "gravity": plan.gravity,
        "materials": materials,
        "bodies": [_body(body, files, folder, of_body[body.name]) for body in plan.bodies],
        "obstacles": [_obstacle(one, files, folder, labels[one.name]) for one in plan.obstacles],
        "contact": {"friction": friction},
        "solver": {"method": plan.method},
        "output": {"formats": ["pc2"], "every": plan.substeps, "checkpoint": plan.substeps * 10},
    }  # yapf: disable


def check_resume(plan, path):
    """Refuses more frames than before for a moving scene: its keys are part of the scene, which must not change."""
    if not path.exists():
        return
    frames = json.loads(path.read_text())["frames"]
    moving = [body.object for body in plan.bodies if body.pins and body.pin_motion]
    moving += [one.object for one in plan.obstacles if one.motion or one.positions is not None]
    if moving and frames != plan.frames:
        raise SetupError(f"{', '.join(moving)}: animated, so Resume cannot change the number of frames; set the end frame to "
                         f"{plan.first_frame + frames}, or press Run")


def write_objects(plan, path):
    """Writes which objects the bodies of a run are, and where these objects were."""
    bodies = [{"object": body.object, "name": body.name, "vertices": len(body.surface.vertices),
               "worlds": [world.tolist() for world in body.worlds]} for body in plan.bodies]  # yapf: disable
    run = {"first_frame": plan.first_frame, "frames": plan.frames, "metres": plan.metres, "bodies": bodies}
    path.write_text(json.dumps(run))
