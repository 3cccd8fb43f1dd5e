"""How an object's Blender material looks, in the keys of a scene's `look`."""

import hashlib
import pathlib
import re

import bpy

# What sinew takes as texture.
_KINDS = {"png": rb"\x89PNG", "jpg": rb"\xff\xd8\xff", "webp": rb"RIFF....WEBP"}
_LARGEST_FILE, _LARGEST_SIDE = 8_000_000, 4096


def _srgb(linear):
    linear = min(max(linear, 0.0), 1.0)
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear**(1 / 2.4) - 0.055


def _hex(colour):
    return "#" + "".join(f"{round(255 * _srgb(component)):02x}" for component in colour[:3])


def _principled(material):
    if not material.use_nodes or material.node_tree is None:
        return None
    return next((node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED"), None)


def _image(node):
    """The image file of a principled shader's Base Color, or None."""
    links = node.inputs["Base Color"].links
    source = links[0].from_node if links else None
    image = source.image if source is not None and source.type == "TEX_IMAGE" else None
    return image if image is not None and image.source == "FILE" else None


def texture(blender_object, warnings):
    """The name and the bytes of the image that the object's active material has as Base Color, or None. Appends to the
    warnings if sinew cannot show it."""
    material = blender_object.active_material
    node = _principled(material) if material is not None else None
    image = _image(node) if node is not None else None
    if image is None:
        return None
    try:
        contents = image.packed_file.data if image.packed_file else pathlib.Path(bpy.path.abspath(image.filepath)).read_bytes()
    except OSError as error:
        warnings.append(f"{blender_object.name}: the image {image.name} cannot be read ({error}); the texture is left out")
        return None
    kind = next((kind for kind, begin in _KINDS.items() if re.match(begin, contents, re.DOTALL)), None)
    if kind is None or len(contents) > _LARGEST_FILE or max(image.size) > _LARGEST_SIDE:
        warnings.append(f"{blender_object.name}: sinew shows PNG, JPEG and WebP images with up to {_LARGEST_SIDE} pixels along "
                        f"a side and {_LARGEST_FILE // 10**6} MB; the texture {image.name} is left out")
        return None
    return f"texture-{hashlib.sha256(contents).hexdigest()[:12]}.{kind}", contents


def look(blender_object):
    """The look of the object's active material, or None without a material. Linked inputs keep the value of their socket;
    texture() has the image of Base Color."""
    material = blender_object.active_material
    if material is None:
        return None
    node = _principled(material)
    if node is None:
        values = (material.diffuse_color, material.roughness, material.metallic, material.diffuse_color[3])
    else:
        values = [node.inputs[name].default_value for name in ("Base Color", "Roughness", "Metallic", "Alpha")]
    colour, *shares = values
    roughness, metalness, opacity = (round(min(max(share, 0.0), 1.0), 4) for share in shares)
    return {"color": _hex(colour), "roughness": roughness, "metalness": metalness, "opacity": opacity}
