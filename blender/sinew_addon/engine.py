"""The programs of sinew: where they are, and which keys of a scene they know."""

import json
import os
import shutil
import subprocess
import tempfile

from .errors import MissingProgram

_known = {}  # (program, time of its file, probe) -> whether it takes the keys


def sinew(preferences):
    """Path of the program sinew."""
    given = os.path.expanduser(preferences.program.strip())
    found = shutil.which(given or "sinew")
    if found is None:
        where = f'"{given}" is no program' if given else "sinew is not on the PATH"
        raise MissingProgram(f"{where}; set the path of sinew in Edit > Preferences > Add-ons > sinew")
    return found


def sinew_mesh(program):
    """Path of sinew-mesh, where sinew itself looks for it."""
    beside = os.path.join(os.path.dirname(os.path.realpath(program)), "sinew-mesh")
    for candidate in (os.environ.get("SINEW_MESH"), beside, "sinew-mesh"):
        found = shutil.which(candidate) if candidate else None
        if found:
            return found
    raise MissingProgram(f"sinew-mesh is neither beside {program} nor on the PATH; it fills bodies with tets. Install it, or "
                         "set SINEW_MESH to its path")


def _takes(program, name, extra):
    """Whether a scene with these keys has no unknown key, as `sinew check` says."""
    key = (program, os.stat(program).st_mtime_ns, name)
    if key not in _known:
        tet = {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "tets": [[0, 1, 2, 3]]}
        scene = {"bodies": [{"mesh": {"tets": tet}}], **extra}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "probe.json")
            with open(path, "w") as file:
                json.dump(scene, file)
            ended = subprocess.run([program, "check", path], capture_output=True, text=True)
        _known[key] = "[E-scene-key]" not in ended.stderr
    return _known[key]


def takes_looks(program):
    look = {"color": "#c98154", "roughness": 0.5, "metalness": 0, "opacity": 1}
    return _takes(program, "look", {"materials": {"probe": {"young": 1e6, "look": look}}})


def takes_textures(program):
    """Whether `look` knows a texture; there is no such file, which is another error."""
    return _takes(program, "texture", {"materials": {"probe": {"young": 1e6, "look": {"texture": "none.png"}}}})
