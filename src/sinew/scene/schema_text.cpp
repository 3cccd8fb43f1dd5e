#include "sinew/scene/schema_text.h"

namespace sinew::schema_text {

const char* const top_level = R"({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "sinew scene",
  "description": "A scene of contacting hyperelastic bodies, in SI units. No number may exceed 1e20 in magnitude. Smaller bounds stand with each key.",
  "type": "object",
  "properties": {
    "$schema": {"type": "string", "title": "schema", "description": "Path of this schema, for editors."},
    "sinew": {"const": 1, "default": 1, "title": "format version"},
    "name": {"type": "string", "title": "name of the scene", "description": "Default: the file name without its extension."},
    "size": {"allOf": [{"$ref": "#/definitions/shape_size"}], "default": "small", "title": "size of gallery shapes without their own"},
    "time": {},
    "gravity": {"allOf": [{"$ref": "#/definitions/vector"}], "default": [0, -9.81, 0]},
    "materials": {},
    "bodies": {"type": "array", "minItems": 1, "title": "bodies", "description": "Bodies of tets, or cloth of triangles (material model `mass_spring`).",
      "items": {"allOf": [{"$ref": "#/definitions/body"}]}},
    "obstacles": {"type": "array", "default": [], "title": "obstacles",
      "description": "Rigid surfaces that bodies touch.", "items": {"allOf": [{"$ref": "#/definitions/obstacle"}]}},
    "ties": {"type": "array", "default": [], "title": "ties", "description": "Faces glued to other bodies.",
      "items": {"allOf": [{"$ref": "#/definitions/tie"}]}},
    "contact": {},
    "solver": {},
    "output": {},
    "compare": {"type": "object", "default": {}, "title": "defaults of sinew compare",
      "additionalProperties": false,
      "properties": {
        "from": {"type": "integer", "minimum": 0, "maximum": 2000000000, "default": 0, "title": "first step",
          "description": "Methods start from the state after this step."}}},
    "initial": {"title": "initial state",
      "description": "Frame (.vtu) or checkpoint (.h5) of a run with the same meshes, which sets positions, velocities and time. `time.steps` steps follow, counted from 1. Statics apply the remaining load. From a static to a dynamic run, or back, time starts at 0. BDF2 loses its history; `--resume` keeps it.",
      "oneOf": [
        {"type": "string", "minLength": 1, "title": "path of a frame or checkpoint"},
        {"type": "object", "additionalProperties": false, "required": ["file"], "title": "file and time",
          "properties": {
            "file": {"type": "string", "minLength": 1, "title": "path of a frame or checkpoint"},
            "time": {"type": "string", "enum": ["continue", "reset"], "default": "continue", "title": "start time", "description": "`continue`: time of the state. `reset`: 0."}}}]}
  },
  "required": ["bodies"],
  "additionalProperties": false
})";

const char* const definitions = R"({
  "vector": {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3, "title": "three numbers [x, y, z]"},
  "times": {"type": "array", "items": {"type": "number"}, "minItems": 1, "x-unit": "s", "title": "times of the keys",
    "description": "Strictly ascending; in statics from 0 to 1."},
  "scalar_or_keys": {"oneOf": [
    {"type": "number", "title": "a constant"},
    {"type": "object", "title": "keyframes", "additionalProperties": false, "required": ["times", "values"],
      "properties": {
        "times": {"allOf": [{"$ref": "#/definitions/times"}]},
        "values": {"type": "array", "items": {"type": "number"}, "minItems": 1, "title": "a value for each time"}}}]},
  "vector_or_keys": {"oneOf": [
    {"allOf": [{"$ref": "#/definitions/vector"}]},
    {"type": "object", "title": "keyframes", "additionalProperties": false, "required": ["times", "values"],
      "properties": {
        "times": {"allOf": [{"$ref": "#/definitions/times"}]},
        "values": {"type": "array", "items": {"allOf": [{"$ref": "#/definitions/vector"}]}, "minItems": 1,
          "title": "a vector for each time"}}}]},
  "axis": {"title": "an axis", "oneOf": [
    {"type": "string", "enum": ["x", "y", "z"], "title": "a coordinate axis"},
    {"allOf": [{"$ref": "#/definitions/vector"}], "title": "a direction of any length but zero"}]},
  "motion": {"type": "object", "additionalProperties": false, "title": "motion",
    "description": "Moves rest positions: scale, then rotate, then translate. Values are linear between times and constant outside.",
    "properties": {
      "translate": {"type": "object", "additionalProperties": false, "required": ["times", "values"], "title": "translation",
        "properties": {
          "times": {"allOf": [{"$ref": "#/definitions/times"}]},
          "values": {"type": "array", "items": {"allOf": [{"$ref": "#/definitions/vector"}]}, "minItems": 1, "x-unit": "m",
            "title": "a displacement for each time"}}},
      "rotate": {"type": "object", "additionalProperties": false, "required": ["times", "degrees"], "title": "rotation",
        "properties": {
          "axis": {"allOf": [{"$ref": "#/definitions/axis"}], "default": "y", "title": "axis of rotation"},
          "center": {"allOf": [{"$ref": "#/definitions/vector"}], "default": [0, 0, 0], "x-unit": "m", "title": "a point on the axis"},
          "times": {"allOf": [{"$ref": "#/definitions/times"}]},
          "degrees": {"type": "array", "items": {"type": "number"}, "minItems": 1, "title": "an angle for each time",
            "description": "In degrees, by the right-hand rule."}}},
      "scale": {"type": "object", "additionalProperties": false, "required": ["times", "values"], "title": "scaling",
        "properties": {
          "center": {"allOf": [{"$ref": "#/definitions/vector"}], "default": [0, 0, 0], "x-unit": "m", "title": "fixed point"},
          "times": {"allOf": [{"$ref": "#/definitions/times"}]},
          "values": {"type": "array", "minItems": 1, "title": "one factor, or three, for each time",
            "items": {"oneOf": [
              {"type": "number", "exclusiveMinimum": 0, "title": "one factor"},
              {"type": "array", "items": {"type": "number", "exclusiveMinimum": 0}, "minItems": 3, "maxItems": 3, "title": "a factor for each axis"}]}}}}}},
  "transform": {"type": "object", "additionalProperties": false, "title": "transform",
    "description": "Places the mesh in the scene: scale, then rotate, then translate.",
    "properties": {
      "scale": {"default": 1, "title": "scale", "description": "Negative factors mirror.", "oneOf": [
        {"type": "number", "title": "one factor, not zero"},
        {"allOf": [{"$ref": "#/definitions/vector"}], "title": "a factor for each axis, not zero"}]},
      "rotate": {"type": "object", "additionalProperties": false, "required": ["degrees"], "title": "rotation about the origin",
        "properties": {
          "axis": {"allOf": [{"$ref": "#/definitions/axis"}], "default": "y", "title": "axis of rotation"},
          "degrees": {"type": "number", "title": "angle in degrees"}}},
      "translate": {"allOf": [{"$ref": "#/definitions/vector"}], "default": [0, 0, 0], "x-unit": "m", "title": "translation"}}},
  "shape_size": {"title": "size of a shape", "x-unit": "m",
    "description": "`small`: 5,000 to 10,000 tets a scene. `medium`: about 200,000. `large`: more. Number: edge length.",
    "oneOf": [
      {"type": "string", "enum": ["small", "medium", "large"], "title": "a size by name; a number is an edge length"},
      {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "title": "an edge length"}]},
  "shape": {"type": "object", "title": "gallery shape", "required": ["shape"], "additionalProperties": false,
    "properties": {
      "shape": {"type": "string", "minLength": 1, "title": "name of a gallery shape", "description": "`sinew-mesh shape --list` lists them."},
      "size": {"allOf": [{"$ref": "#/definitions/shape_size"}], "title": "size", "description": "Default: `size` of the scene."},
      "set": {"type": "object", "title": "parameters of the shape by name", "description": "`sinew-mesh shape NAME --list` lists them.",
        "additionalProperties": {"type": "number", "title": "value of a parameter"}}}},
  "mesh": {"x-expected": "a file such as \"ball.msh\", a primitive such as {\"sphere\": {\"radius\": 0.1}}, or a gallery shape such as {\"shape\": \"lattice_ball\"}", "title": "a file such as \"ball.msh\", a primitive such as {\"sphere\": {\"radius\": 0.1}}, or a gallery shape such as {\"shape\": \"lattice_ball\"}", "description": "Primitives are centred at the origin.", "oneOf": [
    {"type": "string", "minLength": 1, "title": "path of a mesh file", "description": "Relative to the scene file, or absolute; docs/formats.md lists the formats."},
    {"oneOf": [
    {"allOf": [{"$ref": "#/definitions/shape"}]},
    {"type": "object", "title": "primitive", "additionalProperties": false,
      "oneOf": [{"required": ["sphere"]}, {"required": ["box"]}, {"required": ["cylinder"]}, {"required": ["torus"]}, {"required": ["sheet"]}],
      "properties": {
        "sphere": {"type": "object", "additionalProperties": false, "required": ["radius"], "title": "ball",
          "allOf": [{"not": {"required": ["size", "edge"]}}],
          "properties": {
            "radius": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "radius"},
            "size": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "edge length", "description": "Default: a fifth of the radius."},
            "edge": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "edge length", "description": "Another name for `size`."}}},
        "box": {"type": "object", "additionalProperties": false, "required": ["size"], "title": "box",
          "allOf": [{"not": {"required": ["cells", "edge"]}}],
          "properties": {
            "size": {"type": "array", "items": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "title": "extent"}, "minItems": 3, "maxItems": 3, "x-unit": "m", "title": "extents"},
            "cells": {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 100000}, "minItems": 3, "maxItems": 3, "title": "cells along each axis",
              "description": "Five tetrahedra each."},
            "edge": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "edge length of the cells",
              "description": "Default: a quarter of the shortest extent."}}},
        "cylinder": {"type": "object", "additionalProperties": false, "required": ["radius", "height"], "title": "solid cylinder",
          "allOf": [{"not": {"required": ["size", "edge"]}}],
          "properties": {
            "radius": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "radius"},
            "height": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "height"},
            "size": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "edge length",
              "description": "Default: a quarter of the smaller of radius and height."},
            "edge": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "edge length", "description": "Another name for `size`."},
            "axis": {"type": "string", "enum": ["x", "y", "z"], "default": "y", "title": "axis"}}},
        "torus": {"type": "object", "additionalProperties": false, "required": ["radius", "tube"], "title": "solid torus",
          "allOf": [{"not": {"required": ["size", "edge"]}}],
          "properties": {
            "radius": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "radius of the centre line"},
            "tube": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "radius of the tube"},
            "size": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "edge length", "description": "Default: half the radius of the tube."},
            "edge": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "edge length", "description": "Another name for `size`."},
            "axis": {"type": "string", "enum": ["x", "y", "z"], "default": "y", "title": "axis"}}},
        "sheet": {"type": "object", "additionalProperties": false, "required": ["size"], "title": "flat rectangle of triangles",
          "description": "Cloth (`mass_spring`) or obstacle.",
          "allOf": [{"not": {"required": ["cells", "edge"]}}],
          "properties": {
            "size": {"type": "array", "items": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "title": "extent"}, "minItems": 2, "maxItems": 2, "x-unit": "m", "title": "extents", "description": "Along the other two axes, in alphabetical order."},
            "cells": {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 100000}, "minItems": 2, "maxItems": 2, "title": "cells along each side",
              "description": "Two triangles each, with alternating diagonals."},
            "edge": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "edge length of the cells",
              "description": "Default: a twentieth of the shorter side."},
            "axis": {"type": "string", "enum": ["x", "y", "z"], "default": "y", "title": "normal"}}}}}]}]}
})";

const char* const selection = R"({
  "box": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"allOf": [{"$ref": "#/definitions/vector"}]}, "x-unit": "m",
    "title": "box", "description": "Vertices between two corners."},
  "sphere": {"type": "object", "additionalProperties": false, "required": ["center", "radius"], "title": "ball",
    "description": "Vertices within `radius` of `center`.",
    "properties": {
      "center": {"allOf": [{"$ref": "#/definitions/vector"}], "x-unit": "m", "title": "centre"},
      "radius": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "radius"}}},
  "halfspace": {"type": "object", "additionalProperties": false, "required": ["point", "normal"], "title": "half-space",
    "description": "Vertices on the side to which the normal points.",
    "properties": {
      "point": {"allOf": [{"$ref": "#/definitions/vector"}], "x-unit": "m", "title": "a point on the plane"},
      "normal": {"allOf": [{"$ref": "#/definitions/vector"}], "title": "normal", "description": "Any length but zero."}}},
  "group": {"type": "string", "minLength": 1, "title": "group of the mesh",
    "description": "Physical surface or volume, by name or as \"dim:id\", such as \"2:5\"."},
  "vertices": {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 1, "title": "vertex ids",
    "description": "In the order of the mesh file, from 0."},
  "all": {"const": true, "title": "everything"},
  "any": {"type": "array", "minItems": 1, "items": {"allOf": [{"$ref": "#/definitions/selection"}]}, "title": "any of",
    "description": "Union of selections."},
  "not": {"allOf": [{"$ref": "#/definitions/selection"}], "title": "not", "description": "Complement of a selection."}
})";

const char* const body = R"({
  "fix": {"type": "object", "additionalProperties": false, "title": "fixed vertices",
    "description": "Vertices whose position is prescribed.",
    "properties": {
      "axes": {"type": "string", "pattern": "^(?!.*(.).*\\1)[xyz]{1,3}$", "default": "xyz", "title": "prescribed coordinates",
        "description": "Some of the letters x, y and z, each once."},
      "motion": {"allOf": [{"$ref": "#/definitions/motion"}], "default": {}},
      "until": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000, "x-unit": "s", "title": "release time", "description": "Default: never."}}},
  "load": {"type": "object", "additionalProperties": false, "title": "load on faces",
    "allOf": [{"oneOf": [{"required": ["traction"]}, {"required": ["pressure"]}, {"required": ["force"]}]}],
    "properties": {
      "traction": {"allOf": [{"$ref": "#/definitions/vector_or_keys"}], "x-unit": "Pa", "title": "traction",
        "x-expected": "three numbers [x, y, z] in Pa, or keyframes {\"times\": [...], \"values\": [[x, y, z], ...]}",
        "description": "Force per undeformed area, in a fixed direction."},
      "pressure": {"allOf": [{"$ref": "#/definitions/scalar_or_keys"}], "x-unit": "Pa", "title": "pressure",
        "x-expected": "a number in Pa, or keyframes {\"times\": [...], \"values\": [...]}",
        "description": "Pushes inwards and follows the deformed faces."},
      "force": {"allOf": [{"$ref": "#/definitions/vector_or_keys"}], "x-unit": "N", "title": "total force",
        "x-expected": "three numbers [x, y, z] in N, or keyframes {\"times\": [...], \"values\": [[x, y, z], ...]}",
        "description": "Spread evenly over the selected faces."}}},
  "spring": {"type": "object", "additionalProperties": false, "required": ["to", "stiffness"], "title": "springs",
    "description": "One spring for each selected vertex. Springs to \"nearest\" glue faces together.",
    "properties": {
      "to": {"title": "other end", "description": "\"nearest\": the nearest point of other bodies' surfaces in the rest state.",
        "x-expected": "a point [x, y, z] in m, \"nearest\", or some vertices of a body such as {\"body\": \"name\", \"all\": true, \"at\": \"nearest\"}", "oneOf": [
        {"allOf": [{"$ref": "#/definitions/vector"}], "x-unit": "m", "title": "a point"},
        {"const": "nearest", "title": "for each spring the point of other bodies' surfaces that is nearest to its vertex in the rest state"},
        {"allOf": [{"$ref": "#/definitions/spring_end"}]}]},
      "stiffness": {"type": "number", "exclusiveMinimum": 0, "maximum": 1e20, "x-unit": "N/m", "title": "stiffness of each spring"},
      "length": {"type": "number", "minimum": 0, "maximum": 1000000000000, "default": 0, "x-unit": "m", "title": "rest length"},
      "motion": {"allOf": [{"$ref": "#/definitions/motion"}], "title": "motion of the point"},
      "until": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000, "x-unit": "s", "title": "release time", "description": "Default: never."}}},
  "spring_end": {"type": "object", "additionalProperties": false, "required": ["body"], "title": "selected vertices of a body",
    "properties": {
      "body": {"type": "string", "title": "name of the body"},
      "at": {"type": "string", "enum": ["mean", "nearest"], "default": "mean", "title": "ends of the springs", "description": "`mean`: the mean position of the selected vertices, an anchor. `nearest`: for each spring the nearest point of the selected faces, or else vertices, at rest."}}},
  "tie": {"type": "object", "additionalProperties": false, "required": ["body", "to"], "title": "tie",
    "description": "The selected faces follow opposite faces of another body, at most half an edge away. A tie is exact, adds no stiffness, and passes a uniform stress between different meshes. Tied faces do not touch. Vertices that follow cannot be fixed or tied twice. The finer mesh, or the smaller face, should follow. Not for `adaptive`, `mixed` and `reduced`.",
    "properties": {
      "body": {"type": "string", "title": "name of the body that follows", "description": "Neither affine nor a cloth."},
      "to": {"allOf": [{"$ref": "#/definitions/tie_end"}], "title": "faces to follow"},
      "until": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000, "x-unit": "s", "title": "release time", "description": "Afterwards the faces touch, so leave a gap between them. A tie whose faces cross holds until they separate. Default: never."},
      "breaks_at": {"type": "number", "exclusiveMinimum": 0, "maximum": 1e20, "x-unit": "Pa", "title": "traction at which the tie breaks", "description": "Mean magnitude over the face at the end of a step, without compression. The whole tie ends with the next step. Default: never."}}},
  "tie_end": {"type": "object", "additionalProperties": false, "required": ["body"], "title": "selected faces of another body",
    "properties": {
      "body": {"type": "string", "title": "name of the body"}}},
  "body": {"type": "object", "additionalProperties": false, "required": ["mesh"], "title": "body",
    "properties": {
      "name": {"type": "string", "minLength": 1, "title": "name", "description": "Default: `body0`, `body1`, ... in order."},
      "mesh": {"allOf": [{"$ref": "#/definitions/mesh"}]},
      "material": {"title": "material", "description": "Default: the only material of the scene.",
        "x-expected": "the name of a material, {\"regions\": {\"1\": \"name\", ...}}, or a material such as {\"young\": 1e6, \"poisson\": 0.4}", "oneOf": [
        {"type": "string", "title": "name of a material"},
        {"type": "object", "additionalProperties": false, "required": ["regions"], "title": "materials by region",
          "properties": {"regions": {"type": "object", "minProperties": 1, "title": "at least one region and the name of its material",
            "description": "By region id or name of a volume group; docs/formats.md lists both.",
            "additionalProperties": {"type": "string", "title": "name of a material"}}}},
        {"allOf": [{"$ref": "#/definitions/material"}]}]},
      "transform": {"allOf": [{"$ref": "#/definitions/transform"}], "default": {}},
      "collision": {"allOf": [{"$ref": "#/definitions/mesh"}], "title": "collision surface", "description": "Surface in or near the mesh for contact: a fine skin of a coarse body, or a simple hull. Takes the body's transform and follows the tets. Default: the mesh's surface."},
      "render": {"allOf": [{"$ref": "#/definitions/mesh"}], "title": "render surface", "description": "Surface in or near the mesh for pages, `pc2` and `vtu`. Takes the body's transform and follows the tets. `pc2` keeps polygons, texture coordinates and names of an .obj file. Default: the mesh's surface."},
      "kinematics": {"type": "string", "enum": ["full", "affine"], "default": "full", "title": "kinematics", "description": "`full`: each vertex moves freely. `affine`: one affine map, for stiff bodies such as dice; the material's stiffness remains, and the mesh may be a closed surface."},
      "velocity": {"allOf": [{"$ref": "#/definitions/vector"}], "default": [0, 0, 0], "x-unit": "m/s", "title": "initial velocity", "description": "At most 1e12 m/s along each axis."},
      "angular_velocity": {"allOf": [{"$ref": "#/definitions/vector"}], "default": [0, 0, 0], "x-unit": "rad/s", "title": "initial angular velocity",
        "description": "About the centre of mass."},
      "acceleration": {"allOf": [{"$ref": "#/definitions/vector_or_keys"}], "default": [0, 0, 0], "x-unit": "m/s^2", "title": "acceleration",
        "x-expected": "three numbers [x, y, z] in m/s^2, or keyframes {\"times\": [...], \"values\": [[x, y, z], ...]}",
        "description": "Added to gravity."},
      "fix": {"type": "array", "default": [], "title": "fixed vertices", "items": {"oneOf": [
        {"const": "all", "title": "all vertices"}, {"allOf": [{"$ref": "#/definitions/fix"}]}]}},
      "loads": {"type": "array", "default": [], "title": "loads", "items": {"allOf": [{"$ref": "#/definitions/load"}]}},
      "springs": {"type": "array", "default": [], "title": "springs", "items": {"allOf": [{"$ref": "#/definitions/spring"}]}},
      "damping": {"type": "object", "additionalProperties": false, "default": {}, "title": "Rayleigh damping",
        "properties": {
          "mass": {"type": "number", "minimum": 0, "maximum": 1000000000, "default": 0, "x-unit": "1/s", "title": "mass damping",
            "description": "Slows all motion, rigid motion too."},
          "stiffness": {"type": "number", "minimum": 0, "maximum": 1000000000, "default": 0, "x-unit": "s", "title": "stiffness damping",
            "description": "Slows deformation, fast vibrations most."}}}}}
})";

const char* const contact = R"({
  "obstacle": {"type": "object", "additionalProperties": false, "title": "obstacle",
    "oneOf": [{"required": ["plane"]}, {"required": ["mesh"]}],
    "properties": {
      "name": {"type": "string", "minLength": 1, "title": "name", "description": "Default: `obstacle0`, `obstacle1`, ... in order."},
      "plane": {"type": "object", "additionalProperties": false, "title": "half-space", "description": "Bodies stay on the side to which the normal points.",
        "properties": {
          "point": {"allOf": [{"$ref": "#/definitions/vector"}], "default": [0, 0, 0], "x-unit": "m", "title": "a point on the plane"},
          "normal": {"allOf": [{"$ref": "#/definitions/vector"}], "default": [0, 1, 0], "title": "normal", "description": "Any length but zero."}}},
      "mesh": {"allOf": [{"$ref": "#/definitions/mesh"}]},
      "transform": {"allOf": [{"$ref": "#/definitions/transform"}]},
      "motion": {"allOf": [{"$ref": "#/definitions/motion"}], "default": {}},
      "material": {"type": "string", "minLength": 1, "title": "material", "description": "For pairs of `contact.friction`. Default: the obstacle's name."}}},
  "contact": {"type": "object", "additionalProperties": false, "default": {}, "title": "contact",
    "properties": {
      "enabled": {"type": "boolean", "default": true, "title": "contact on"},
      "model": {"type": "string", "enum": ["barrier", "penalty"], "default": "barrier", "title": "contact model",
        "description": "`barrier`: bodies never intersect (IPC). `penalty`: fast and approximate. Bodies penetrate slightly, ignore self-contact, and may cross thin ones within a step. Not for reduced methods."},
      "distance": {"default": "auto", "x-unit": "m", "title": "distance at which contact forces begin",
        "description": "`auto`: 1e-3 of the smallest body's diagonal, at most a quarter of the shortest surface edge. If bodies start from another state and overlap at rest, at most a fortieth of the overlap.",
        "oneOf": [{"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "title": "a distance"}, {"const": "auto", "title": "chosen from the meshes"}]},
      "stiffness": {"default": "auto", "x-unit": "Pa", "title": "contact stiffness",
        "description": "Barrier, `auto`: starts at a tenth of the softest body's Young's modulus and adapts. In dynamics it starts at most at 100 times the pressure that stops the heaviest body in a step. Penalty: pressure at a depth of one mean surface edge. `auto`: the softest body's Young's modulus, with that bound.",
        "oneOf": [{"type": "number", "exclusiveMinimum": 0, "maximum": 1e20, "title": "a stiffness"}, {"const": "auto", "title": "automatic and adaptive"}]},
      "friction": {"default": 0, "oneOf": [
        {"type": "number", "title": "one coefficient"},
        {"type": "object", "additionalProperties": false, "title": "by pairs of materials",
          "properties": {
            "default": {"type": "number", "default": 0, "title": "coefficient of all other pairs"},
            "pairs": {"type": "array", "default": [], "title": "pairs [material, material, coefficient]",
              "items": {"type": "array", "minItems": 3, "maxItems": 3, "title": "[material, material, coefficient]", "items": [
                {"type": "string", "title": "name of a material or obstacle"}, {"type": "string", "title": "name of a material or obstacle"},
                {"type": "number", "minimum": 0, "title": "coefficient"}]}}}}]},
      "slip_speed": {"default": "auto", "x-unit": "m/s", "title": "slip speed below which friction is static",
        "description": "In statics a length per load step [m]. `auto`: 1e-3 m/s; if the smallest diagonal is below 0.2 m, 5e-3 of it a second. In statics a hundredth of the largest prescribed motion of a load step, else 1e-4 of the diagonal over the number of load steps.",
        "oneOf": [{"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "title": "slip speed below which friction is static"}, {"const": "auto", "title": "chosen from the motion of the scene"}]},
      "friction_iterations": {"default": "auto", "title": "updates of the lagged friction in a step, at most",
        "description": "Updates end once `friction_tolerance` holds. `auto`: 20, in statics 100.",
        "oneOf": [{"type": "integer", "minimum": 1, "maximum": 1000, "title": "updates of the lagged friction in a step, at most"}, {"const": "auto", "title": "by the mode of time"}]},
      "friction_tolerance": {"type": "number", "exclusiveMinimum": 0, "maximum": 1, "default": 1e-2, "title": "friction error below which updates end", "description": "Error of each body's friction over coefficient times normal force at the end of a step. In dynamics `friction_iterations` `auto` allows five times this."},
      "surface_samples": {"default": "auto", "title": "samples of surfaces", "description": "Points of the coarse contact surfaces of reduced methods, distributed by area. A body with fewer samples than surface vertices does not touch itself. `auto`: 300.",
        "oneOf": [{"type": "integer", "minimum": 4, "maximum": 10000000, "title": "a number"}, {"const": "auto", "title": "automatic"}]},
      "self": {"type": "boolean", "default": true, "title": "contact of bodies with themselves"},
      "ignore": {"type": "array", "default": [], "title": "pairs that do not touch",
        "items": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "string", "title": "name of a body or obstacle"},
          "title": "[name, name]"}}}}
})";

const char* const run = R"({
  "time": {"type": "object", "additionalProperties": false, "default": {}, "title": "time",
    "properties": {
      "step": {"type": "number", "default": 0.01},
      "steps": {"type": "integer", "minimum": 1, "maximum": 2000000000, "default": 100, "title": "number of steps", "description": "In statics, load steps."},
      "integrator": {"type": "string", "enum": ["implicit_euler", "bdf2", "newmark"], "default": "implicit_euler", "title": "integrator",
        "description": "`implicit_euler`: first order, damps motion. `bdf2`: second order, damps much less. `newmark`: second order, undamped unless gamma is above 1/2; unresolved vibrations persist."},
      "newmark": {"type": "object", "additionalProperties": false, "default": {}, "title": "parameters of newmark", "description": "Stable for any step if 2 beta >= gamma >= 1/2. Contact and friction only dissipate.", "properties": {
        "beta": {"type": "number", "minimum": 0.25, "maximum": 1, "default": 0.25, "title": "beta"},
        "gamma": {"type": "number", "minimum": 0.5, "maximum": 1, "default": 0.5, "title": "gamma"}}},
      "mode": {"type": "string", "enum": ["dynamic", "static"], "default": "dynamic", "title": "mode",
        "description": "`dynamic`: motion in time. `static`: equilibrium under a load that grows over the steps."},
      "ramp": {"type": "boolean", "default": true, "title": "ramp of loads", "description": "In statics, gravity and loads without keyframes grow from 0 to 1."},
      "substeps": {"default": "auto", "title": "parts of a failed step, at most", "description": "A failed step is repeated in parts: halved on failure, doubled after two successes. Rows count them (`substeps`). If the smallest parts fail too, the time step is taken undivided. 0: off. `auto`: 64. Rounded down to a power of two.", "oneOf": [
        {"type": "integer", "minimum": 0, "maximum": 1048576, "title": "a number"}, {"const": "auto", "title": "64"}]},
      "max_travel": {"default": "auto", "title": "travel in a part of a step, at most", "description": "Towards another body, or an obstacle that can be passed, in sizes of the smaller body. In dynamics, steps with more travel are divided from the start, into at most `substeps` parts. 0: off; travel above 1 causes a warning. `auto`: 0.5.", "oneOf": [
        {"type": "number", "minimum": 0, "maximum": 1000000000, "title": "a number of body sizes"}, {"const": "auto", "title": "0.5"}]}}},
  "solver": {"type": "object", "additionalProperties": false, "default": {}, "title": "solver",
    "properties": {
      "method": {"type": "string", "default": "auto", "title": "method",
        "description": "`auto`: the faster of `newton` and `multilevel`. `newton`: direct factorisation. `newton-pcg`: conjugate gradients (CG). `newton-multilevel`: CG with the multilevel preconditioner. `multilevel`: the same with looser directions. `adaptive`: a subspace that grows within a step. `quasi_newton`: one matrix, factored once. `mixed`: mixed elements in a subspace, for real time. `reduced`: standard elements in that subspace.",
        "enum": ["auto", "newton", "newton-pcg", "newton-multilevel", "multilevel", "adaptive", "quasi_newton", "mixed", "reduced"]},
      "linear_solver": {"type": "string", "enum": ["llt", "pcg", "multilevel"], "title": "linear solver",
        "description": "Selects `newton`, `newton-pcg` or `newton-multilevel` if `method` is `newton` or `auto`. Default: `llt`."},
      "tolerance": {"default": "auto", "x-unit": "m/s", "title": "tolerance",
        "description": "A step is solved when the next velocity change is smaller and contact forces have settled. In statics a displacement [m]. `auto`: 1e-3 m/s. If the diagonal is below 1 m, 1e-3 of it a second. In statics 1e-6 of the diagonal. With friction at most half of `contact.slip_speed`.",
        "oneOf": [{"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "title": "a speed"}, {"const": "auto", "title": "chosen from the size of the scene"}]},
      "norm": {"type": "string", "enum": ["max", "mean"], "default": "max", "title": "norm of the tolerance",
        "description": "`max`: fastest vertex. `mean`: all vertices."},
      "instability": {"type": "string", "enum": ["follow", "report", "ignore"], "default": "follow", "title": "unstable equilibria", "description": "In statics, each load step ends with a test of the energy's curvature. `follow`: bodies leave an unstable equilibrium, such as a straight overloaded column. `report`: they stay. Rows say which (`instability`). `ignore`: no test. Subspaces test their coordinates; the value `full_space` means unstable in full space, by the error estimate. `modal_forces` is not tested."},
      "force_tolerance": {"type": "number", "exclusiveMinimum": 0, "maximum": 1, "default": 1e-3, "title": "unbalanced force of a load step", "description": "In statics, bound on the largest unbalanced vertex force, over the largest vertex force of one kind (elastic, load, contact, ...). In a subspace, over elastic forces on the coordinates, in the mass norm."},
      "max_iterations": {"type": "integer", "minimum": 1, "maximum": 2000000000, "default": 200, "title": "iterations of a step, at most"},
      "linear_tolerance": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 1e-4, "title": "relative residual of pcg", "description": "For `newton-pcg`, `newton-multilevel`, and the last direction of `multilevel` steps if the preconditioner has no basis functions."},
      "linear_iterations": {"type": "integer", "minimum": 1, "maximum": 2000000000, "default": 10000, "title": "iterations of pcg, at most"},
      "linear_preconditioner": {"type": "string", "enum": ["block_jacobi", "jacobi"], "default": "block_jacobi", "title": "preconditioner of pcg", "description": "`block_jacobi`: 3 x 3 diagonal blocks. `jacobi`: the diagonal, for comparison."},
      "subspace": {"default": "eigenmodes", "title": "subspace of the reduced methods: a kind, a file of modes, or a list of these", "description": "Handles: `eigenmodes`, skinning eigenmodes by shape and material. `sms`: sparse, at cluster centres. `affine`: one affine motion per connected body. `biharmonic`: by shape alone. Dense modes of each connected body: `linear`, lowest vibrations. `derivatives`: these and their mode derivatives, compressed. `inertia`, `inertia_derivatives`: similar, made in seconds. `quadratic`: linear and quadratic in position. Dense modes turn with bodies that are free or held at a point or line. A file: by `sinew modes`. A list of dense kinds and files spans all of them. `full`: all vertices and tets, the reference.", "oneOf": [
        {"type": "string", "pattern": "^(eigenmodes|sms|affine|biharmonic|full|linear|derivatives|inertia|inertia_derivatives|quadratic|.*\\.npz)$", "title": "a kind or a file"},
        {"type": "array", "minItems": 1, "maxItems": 20, "title": "kinds of modes and files", "items": {"type": "string", "pattern": "^(linear|derivatives|inertia|inertia_derivatives|quadratic|.*\\.npz)$", "title": "kind or file"}}]},
      "handles": {"title": "number of handles", "default": "auto", "description": "Affine handles, at least one per body. `auto`: in `multilevel` as many as fit 12 edges apart; in reduced methods 16, at most a quarter of the free vertices. For dense modes, the number of each kind in each connected body or domain; `auto`: 30.",
        "oneOf": [{"type": "integer", "minimum": 1, "maximum": 10000000, "title": "a number"}, {"const": "auto", "title": "chosen from the shape"}]},
      "domains": {"title": "number of domains", "default": "auto", "description": "Connected parts with their own dense modes, in total. Free domains turn independently; domains are coupled where they meet. `auto`: one per connected body.",
        "oneOf": [{"type": "integer", "minimum": 1, "maximum": 1000000, "title": "a number"}, {"const": "auto", "title": "one per connected body"}]},
      "warping": {"type": "boolean", "default": false, "title": "modal warping", "description": "Dense modes with linear elasticity at rest, turned by the local mean rotation (Choi and Ko 2005). Stiffness does not grow with load, and tets may invert. Vertices may be fixed but not moved. No cubature is fitted."},
      "cubature": {"title": "cubature", "description": "Tets over which subspaces integrate elastic energies (`multilevel`: Hessians). A name is a rule, a number its points. Default: `stiffness`, in reduced methods with 24 points a handle; with dense modes `energies`.", "oneOf": [
        {"type": "string", "enum": ["stiffness", "clusters", "modal", "polynomial", "all", "energies", "modal_forces", "optimized"], "title": "name of a rule"},
        {"type": "integer", "minimum": 1, "maximum": 2000000000, "title": "number of points"},
        {"type": "object", "additionalProperties": false, "title": "settings of the rule", "properties": {
          "rule": {"type": "string", "enum": ["stiffness", "clusters", "modal", "polynomial", "all", "energies", "modal_forces", "optimized"], "title": "rule", "description": "`stiffness`: fitted to the reduced rest stiffness; in reduced methods with `points`. `clusters`: centres of clusters of tets that deform alike, for reduced methods. `modal`: fitted to products of basis functions. `polynomial`: fitted to polynomials. `all`: all tets. With dense modes: `energies`, spread points fitted to energies of training poses, in seconds. `modal_forces`: weights for each mode, fitted to forces. The forces have no energy and may drive motion of nearly incompressible bodies. `optimized`: points chosen one by one, slowly, with an energy."},
          "degree": {"type": "integer", "minimum": 1, "maximum": 6, "default": 2, "title": "degree of the products or polynomials", "description": "`modal`: 1 or 2."},
          "points": {"default": "auto", "title": "number of points", "description": "`stiffness`, `clusters` in reduced methods: at least one per handle; `auto`: 24. `energies`, `modal_forces`, `optimized`: in each body or domain; `auto`: 4 per mode.",
            "oneOf": [{"type": "integer", "minimum": 1, "maximum": 2000000000, "title": "a number"}, {"const": "auto", "title": "by the handles"}]},
          "power": {"type": "number", "minimum": 0, "maximum": 4, "default": 0, "title": "power of the eigenvalue", "description": "`clusters` of eigenmodes: weights scale with the eigenvalue to minus this power. 2, as in the paper: bodies bend too easily, because only the softest motions count."},
          "jacobian": {"type": "string", "enum": ["symmetric", "exact", "free"], "default": "symmetric", "title": "derivative of modal_forces", "description": "`symmetric`: positive semidefinite, with the roots of the weights on both sides. `exact`: not symmetric. `free`, as in the paper: force differences in GMRES."},
          "poses": {"default": "auto", "title": "training poses", "description": "For `energies`, `modal_forces`, `optimized`. `auto`: until the error changes by less than `tolerance`; for `optimized` 10 per mode.",
            "oneOf": [{"type": "integer", "minimum": 1, "maximum": 1000000, "title": "a number"}, {"const": "auto", "title": "as many as are needed"}]},
          "pose_size": {"type": "number", "exclusiveMinimum": 0, "maximum": 10, "default": 0.1, "title": "size of the poses", "description": "Mean of the poses' largest displacements, over the scene's diagonal."},
          "tolerance": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 0.005, "title": "tolerance of the error", "description": "`energies`, `modal_forces`: change of the error in a round of poses. `optimized`: the error."}}}]},
      "error_every": {"default": "auto", "title": "rows with an error estimate", "description": "In reduced methods and with acceptance `oracle`, the first and every N-th row has `error_estimate`, the distance from the full-space step. 0: none. `auto`: every row in statics or if estimates cost under a tenth of a step, else every tenth; none in `sinew live`. Acceptance `estimate`: every row.",
        "oneOf": [{"type": "integer", "minimum": 0, "maximum": 2000000000, "title": "a number"}, {"const": "auto", "title": "by what an estimate costs"}]},
      "iterations": {"default": "auto",
        "oneOf": [{"type": "integer", "title": "a number"}, {"const": "auto", "title": "as the method says"}]},
      "quasi_newton": {"type": "object", "additionalProperties": false, "default": {}, "title": "settings of quasi_newton", "properties": {
        "initial": {"type": "string", "enum": ["laplacian", "rest", "identity"], "default": "laplacian", "title": "first guess of the Hessian", "description": "`laplacian`: M + a h^2 L, as in Projective Dynamics. For comparison: `rest`, the Hessian at rest; `identity`, scaled by the last secant pair."},
        "acceleration": {"type": "string", "enum": ["lbfgs", "chebyshev", "none"], "default": "lbfgs", "title": "acceleration", "description": "`lbfgs`: secant pairs of the step. `chebyshev`, for comparison: extrapolation. `none`: the first guess alone."},
        "history": {"type": "integer", "minimum": 0, "maximum": 1000, "default": 5, "title": "secant pairs", "description": "Used by `lbfgs`. 0: none, as in Projective Dynamics."},
        "spectral_radius": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 0.9, "title": "spectral radius", "description": "For `chebyshev`: how slowly iterations converge without it, measured beforehand."},
        "line_search": {"type": "boolean", "default": true, "title": "line search", "description": "`false`, as in Projective Dynamics: every step is taken, and most materials blow up."},
        "rotations": {"type": "boolean", "default": true, "title": "rotations of parts", "description": "For `laplacian`: connected parts of one material turn separately. `false`, as in the paper: stiff parts that turn converge slowly."},
        "stretches": {"type": "array", "items": {"type": "number", "exclusiveMinimum": 0, "maximum": 100}, "minItems": 2, "maxItems": 2, "default": [0.5, 1.5], "title": "stretches of the fit", "description": "A line fitted to a tet's stress over these stretches gives its stiffness."}}},
      "adaptive": {"type": "object", "additionalProperties": false, "default": {}, "title": "settings of adaptive", "properties": {
        "library": {"type": "array", "default": ["eigenmodes"], "title": "library of modes", "description": "Modes a step may add, `handles` of each kind (`auto`: 20, or three per body): kinds of `solver.subspace` except `full`, and files of `sinew modes`. `affine` is always included. Empty: only vertices.", "items": {
          "type": "string", "pattern": "^(eigenmodes|sms|biharmonic|affine|linear|derivatives|inertia|inertia_derivatives|quadratic|.*\\.npz)$", "title": "a kind, or the path of a file of modes"}},
        "initial": {"default": "auto", "title": "modes at the start", "description": "Taken in the library's order, modes after handles; at least one handle a body. `auto`: one per body and five more.",
          "oneOf": [{"type": "integer", "minimum": 1, "maximum": 10000000, "title": "a number"}, {"const": "auto", "title": "few"}]},
        "regions": {"default": "auto", "title": "regions", "description": "Connected sets of tets. Vertices are added by region; each region has a secant Hessian. `auto`: one per 800 tets, at most 1000.",
          "oneOf": [{"type": "integer", "minimum": 1, "maximum": 10000000, "title": "a number"}, {"const": "auto", "title": "by the number of tets"}]},
        "vertex_error": {"type": "number", "minimum": 0, "maximum": 1000000000000, "default": 0.1, "title": "unbalanced vertex force", "description": "Unbalanced vertex force, over stiffness times area, above which the vertex's region is added. 0: all are."},
        "mode_error": {"type": "number", "minimum": 0, "maximum": 1000000000000, "default": 0.1, "title": "force on a mode", "description": "Likewise for the force on a mode of the library."},
        "progress": {"type": "number", "minimum": 0, "maximum": 1000000000000, "default": 1e-4, "title": "progress", "description": "Nothing is added where active modes lower the energy by more than this, over stiffness times volume."},
        "drop_rate": {"type": "number", "minimum": 0, "maximum": 1000000000000, "default": 0.1, "x-unit": "1/s", "title": "drop rate", "description": "Modes slower than this, in scene diagonals a second, are dropped after a step. So are vertices that moved as the modes would. 0: never."},
        "trust": {"type": "number", "minimum": 0, "maximum": 1000000000000, "default": 1, "title": "trust in the secant model", "description": "Relative error of a region's secant model above which its Hessian is recomputed. 0: always."},
        "linear_tolerance": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 1e-5, "title": "relative residual of the Schur complement"},
        "acceptance": {"type": "string", "enum": ["estimate", "oracle"], "default": "estimate", "title": "acceptance", "description": "`estimate`: a step ends once its estimated error is below `accuracy`. `oracle`, as in the paper: once the thresholds add nothing, perhaps far from the solution."},
        "accuracy": {"type": "number", "exclusiveMinimum": 0, "maximum": 1, "default": 0.02, "title": "accuracy", "description": "For `estimate`: largest error of a body's mean displacement in a step, over that displacement. Errors below `solver.tolerance` pass."}}},
      "multilevel": {"type": "object", "additionalProperties": false, "default": {}, "title": "settings of multilevel methods", "properties": {
        "partition": {"type": "string", "enum": ["geodesic", "heat", "metis", "euclidean"], "default": "geodesic", "title": "partition of the tets", "description": "`geodesic`, `heat`: k-means by distances through the solid. `metis`: partition of the tets' graph. `euclidean`: plain k-means."},
        "stiffness_exponent": {"type": "number", "minimum": 0, "maximum": 2, "default": 0, "title": "exponent of stiffness in distances", "description": "Clusters use the metric |dx| / E^(p/2) with this p. 0: equal clusters, which converge fastest. 1, as in the paper: few clusters in stiff regions, for bases used alone."},
        "interface_stiffness": {"type": "number", "exclusiveMinimum": 0, "maximum": 1, "default": 0.3, "title": "stiffness at interfaces", "description": "For distances only, relative to the softest material. Small values keep clusters within materials."},
        "basis": {"type": "string", "enum": ["sms", "rbf", "biharmonic", "eigenmodes"], "default": "sms", "title": "basis functions", "description": "`sms`: sparse, weighted by stiffness. For comparison: `rbf`, radial, `biharmonic`, global coordinates, and `eigenmodes` of skinning."},
        "dirichlet": {"type": "boolean", "default": true, "title": "basis functions at fixed vertices", "description": "Basis functions fall smoothly to zero at fixed vertices. `false`, for comparison: motion jumps there."},
        "reduced_lag": {"type": "integer", "minimum": 0, "maximum": 1000000, "default": 20, "title": "lag of reduced matrices", "description": "Consecutive directions that may share reduced matrices. Matrices are renewed once they have cost 20 extra CG iterations, counted for each decade of error; contacts alone after eight. 0: none."},
        "eliminate_contacts": {"type": "boolean", "default": true, "title": "vertices in contact", "description": "The preconditioner eliminates vertices in contact exactly. In its reduced matrix, contacts are at most ten times as stiff as their surroundings. `false`: several more CG iterations for each stiff contact."},
        "forcing": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 0.1, "title": "forcing term", "description": "Relative error of `multilevel` directions in the energy norm, down to a tenth of it if the quadratic model held well. A direction also ends if the preconditioner would change it by less than 0.3 of this, relative to its length."},
        "printed": {"type": "object", "additionalProperties": false, "title": "the paper's method", "description": "For comparison, with `stiffness_exponent` 1: affine and subspace corrections, then a fixed number of block-diagonal CG iterations. Default: off.", "properties": {
          "affine": {"type": "boolean", "default": true, "title": "affine correction"},
          "subspace": {"type": "boolean", "default": true, "title": "correction by the basis functions"},
          "reduced_solver": {"type": "string", "enum": ["factor", "pcg"], "default": "pcg", "title": "solver of reduced systems"},
          "reduced_tolerance": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 1e-4, "title": "relative residual of reduced pcg"},
          "hessian": {"type": "string", "enum": ["full", "cubature"], "default": "cubature", "title": "Hessian of reduced systems", "description": "`full`: all tets. `cubature`: those of `solver.cubature`."},
          "residual": {"type": "string", "enum": ["full", "cubature"], "default": "full", "title": "Hessian of the residual", "description": "`cubature`, as in the paper, stalls."},
          "refinement": {"default": "auto", "title": "refinement", "description": "CG iterations in full space. Directions that may end a step take as many as needed, up to `linear_iterations` (not with 0). `auto`: 20 or 40, by the clusters' radius.",
            "oneOf": [{"type": "integer", "minimum": 0, "maximum": 1000000, "title": "a number"}, {"const": "auto", "title": "by the clusters"}]},
          "lag": {"type": "integer", "minimum": 0, "maximum": 1000000, "default": 5, "title": "iterations that keep the elastic Hessian", "description": "Most iterations that keep the elastic Hessian within a step. Short line-search steps renew it. 0: never kept."},
          "lag_step": {"type": "number", "minimum": 0, "maximum": 1, "default": 0.5, "title": "mean line-search step below which the Hessian is renewed"},
          "stop": {"type": "string", "enum": ["full", "subspace"], "default": "subspace", "title": "stop test", "description": "`full`: the whole direction, as in `newton`. `subspace`, as in the paper: only its parts in subspaces."}}},
        "cache": {"type": "boolean", "default": true, "title": "cache", "description": "Keep partition and bases in the user's cache folder, from 20,000 tets."}}}}},
  "output": {"type": "object", "additionalProperties": false, "default": {}, "title": "output",
    "properties": {
      "every": {"type": "integer", "minimum": 1, "maximum": 2000000000, "default": 1, "title": "steps between frames"},
      "formats": {"type": "array", "items": {"type": "string", "enum": ["vtu", "pc2", "wav", "html"]}, "default": ["vtu", "html"], "title": "formats of frames",
        "description": "`vtu`: frames for ParaView. `pc2`: Blender. `wav`: `sound.wav`, the sound of contacts. `html`: `report.html`, the page. May be empty."},
      "checkpoint": {"type": "integer", "minimum": 0, "maximum": 2000000000, "default": 1, "title": "steps between checkpoints",
        "description": "0: none."},
      "sound": {"type": "object", "additionalProperties": false, "default": {}, "title": "sound", "description": "For format `wav`.", "properties": {
        "modes": {"type": "integer", "minimum": 1, "maximum": 100000, "default": 100, "title": "modes of vibration",
          "description": "Lowest modes of vibration of each connected body; 20 Hz to 20 kHz are heard."},
        "damping_ratio": {"type": "number", "minimum": 0, "exclusiveMaximum": 1, "default": 0.001, "title": "damping ratio",
          "description": "Share of critical damping, for bodies without `damping`. A mode of f Hz fades by 60 dB in 1.1 / (ratio f) seconds. Bells: 0.0005. Wood: 0.01."},
        "impact_time": {"type": "number", "exclusiveMinimum": 0, "maximum": 1, "default": 0.0002, "x-unit": "s", "title": "duration of hard impacts",
          "description": "Used for steps longer than half of it. Frequencies above 2 over this time are hardly heard. Small, hard bodies have short impacts."},
        "tail": {"type": "number", "minimum": 0, "maximum": 600, "default": 1, "x-unit": "s", "title": "sound after the last step", "description": "Bodies vibrate freely."},
        "listener": {"title": "head of the listener", "default": "auto", "x-unit": "m", "description": "Centre of the head, which faces the middle of the bodies at rest. `auto`: in front (+z if y is up, -y if z is up), 30 degrees above, one scene diagonal away, at least 1 m. Sound travels at 343 m/s. If the first sound takes over 10 s, the file begins with it.",
          "oneOf": [{"allOf": [{"$ref": "#/definitions/vector"}]}, {"const": "auto", "title": "in front of the scene"}]},
        "ears": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000, "default": 0.18, "x-unit": "m", "title": "distance of the ears", "description": "Sets delays and the head's shadow."},
        "gain": {"title": "gain", "default": "auto", "x-unit": "1/Pa", "description": "Full scale over pressure; a number makes runs comparable. Values above full scale are kept. `auto`: peak at -1 dB; peaks below 1 mPa stay quieter.",
          "oneOf": [{"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "title": "a number"}, {"const": "auto", "title": "by the peak"}]}}}}}
})";

}  // namespace sinew::schema_text
