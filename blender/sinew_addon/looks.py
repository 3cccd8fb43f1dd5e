"""How an object's Blender material looks, in the keys of a scene's `look`."""


def _srgb(linear):
    linear = min(max(linear, 0.0), 1.0)
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear**(1 / 2.4) - 0.055


def _hex(colour):
    return "#" + "".join(f"{round(255 * _srgb(component)):02x}" for component in colour[:3])


def _principled(material):
    if not material.use_nodes or material.node_tree is None:
        return None
    return next((node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED"), None)


def look(blender_object):
    """The look of the object's active material, or None without a material. Linked inputs, such as textures, keep the value
    of their socket."""
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
