#include "sinew/scene/schema_text.h"

namespace sinew::schema_text {

const char* const top_level = R"({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "sinew scene",
  "description": "A scene of contacting hyperelastic bodies, in SI units. No number may exceed 1e20 in magnitude. Keys with tighter bounds list them.",
  "type": "object",
  "properties": {
    "$schema": {"type": "string", "title": "schema", "description": "Path of this schema, for editors."},
    "sinew": {"const": 1, "default": 1, "title": "format version"},
    "name": {"type": "string", "title": "name of the scene", "description": "Default: the file name without its extension."},
    "size": {"allOf": [{"$ref": "#/definitions/shape_size"}], "default": "small", "title": "size of gallery shapes without their own"},
    "time": {},
    "gravity": {"allOf": [{"$ref": "#/definitions/vector"}], "default": [0, -9.81, 0]},
    "spin": {"type": "object", "additionalProperties": false, "required": ["axis", "speed"], "title": "rotating frame",
      "description": "The scene is given, computed and shown in a frame that rotates about an axis. Bodies feel centrifugal forces, in dynamics also Coriolis and Euler forces. Positions, velocities, obstacles and gravity are those in the frame. In statics the centrifugal force of a constant speed grows with the load.",
      "properties": {
        "axis": {"title": "axis", "oneOf": [
          {"type": "string", "enum": ["x", "y", "z"], "title": "along a coordinate axis"},
          {"allOf": [{"$ref": "#/definitions/vector"}], "title": "a vector of any length except zero"}]},
        "center": {"allOf": [{"$ref": "#/definitions/vector"}], "default": [0, 0, 0], "x-unit": "m", "title": "a point on the axis"},
        "speed": {"allOf": [{"$ref": "#/definitions/scalar_or_keys"}], "x-unit": "rad/s", "title": "angular velocity",
          "x-expected": "a number in rad/s, or keyframes {\"times\": [...], \"values\": [...]}",
          "description": "Counterclockwise when the axis points to the viewer."}}},
    "materials": {},
    "bodies": {"type": "array", "minItems": 1, "title": "bodies", "description": "Bodies of tets, or cloth of triangles (material model `mass_spring`).",
      "items": {"allOf": [{"$ref": "#/definitions/body"}]}},
    "obstacles": {"type": "array", "default": [], "title": "obstacles",
      "description": "Rigid surfaces that bodies touch.", "items": {"allOf": [{"$ref": "#/definitions/obstacle"}]}},
    "ties": {"type": "array", "default": [], "title": "ties", "description": "Faces glued to other bodies.",
      "items": {"allOf": [{"$ref": "#/definitions/tie"}]}},
    "sensors": {"type": "object", "default": {}, "title": "sensors", "description": "Quantities that each step reports, by the sensor's name: in `steps.jsonl`, `sensors.csv`, Python and the page.",
      "additionalProperties": {"allOf": [{"$ref": "#/definitions/sensor"}]}},
    "contact": {},
    "solver": {},
    "output": {},
    "compare": {"type": "object", "default": {}, "title": "defaults of sinew compare",
      "additionalProperties": false,
      "properties": {
        "from": {"type": "integer", "minimum": 0, "maximum": 2000000000, "default": 0, "title": "first step",
          "description": "Every method starts from the state after this step."}}},
    "initial": {"title": "initial state",
      "description": "Frame (.vtu) or checkpoint (.h5) of a run with the same meshes. It sets positions, velocities and time. `time.steps` more steps follow, numbered from 1. A static run applies the remaining load. If one run is static and the other dynamic, time starts at 0. BDF2 starts without its history; `--resume` keeps that history.",
      "oneOf": [
        {"type": "string", "minLength": 1, "title": "path of a frame or checkpoint"},
        {"type": "object", "additionalProperties": false, "required": ["file"], "title": "file and time",
          "properties": {
            "file": {"type": "string", "minLength": 1, "title": "path of a frame or checkpoint"},
            "time": {"type": "string", "enum": ["continue", "reset"], "default": "continue", "title": "start time", "description": "`continue`: the run starts at the time of the state. `reset`: it starts at 0."}}}]}
  },
  "required": ["bodies"],
  "additionalProperties": false
})";

const char* const definitions = R"({
  "vector": {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3, "title": "three numbers [x, y, z]"},
  "times": {"type": "array", "items": {"type": "number"}, "minItems": 1, "x-unit": "s", "title": "times of the keys",
    "description": "Strictly ascending. In statics times run from 0 to 1."},
  "keys": {"type": "object", "title": "keyframes", "additionalProperties": false, "required": ["times", "values"],
    "properties": {
      "times": {"allOf": [{"$ref": "#/definitions/times"}]},
      "values": {"type": "array", "items": {"type": "number"}, "minItems": 1, "title": "a value for each time"}}},
  "value_field": {"type": "object", "title": "a value for each tet", "additionalProperties": false, "required": ["field"],
    "properties": {
      "field": {"type": "string", "minLength": 1, "title": "where the values are",
        "description": "A .npy file, relative to the scene file, or the name of a cell array of the mesh."}}},
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
    "description": "Scales, then rotates, then translates the rest positions. Values are linear between times, and constant before the first and after the last. `poses` replace the other keys.",
    "properties": {
      "poses": {"type": "object", "additionalProperties": false, "required": ["times"], "title": "keyed rigid motions",
        "description": "For example of animated bones. Smooth between the times: cubics through the keys. Give `matrices`, or `quaternions`, `translations` or both.",
        "properties": {
          "times": {"allOf": [{"$ref": "#/definitions/times"}]},
          "quaternions": {"type": "array", "minItems": 1, "title": "a rotation for each time", "description": "`[w, x, y, z]`, about `center`.",
            "items": {"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4}},
          "translations": {"type": "array", "minItems": 1, "x-unit": "m", "title": "a displacement of the centre for each time",
            "items": {"allOf": [{"$ref": "#/definitions/vector"}]}},
          "center": {"allOf": [{"$ref": "#/definitions/vector"}], "default": [0, 0, 0], "x-unit": "m", "title": "centre of the rotations"},
          "matrices": {"type": "array", "minItems": 1, "title": "a rigid map for each time", "description": "The 12 numbers of `[R | d]` by rows: a rest position X moves to R X + d.",
            "items": {"type": "array", "items": {"type": "number"}, "minItems": 12, "maxItems": 12}}}},
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
            "description": "In degrees, positive by the right-hand rule."}}},
      "scale": {"type": "object", "additionalProperties": false, "required": ["times", "values"], "title": "scaling",
        "properties": {
          "center": {"allOf": [{"$ref": "#/definitions/vector"}], "default": [0, 0, 0], "x-unit": "m", "title": "fixed point"},
          "times": {"allOf": [{"$ref": "#/definitions/times"}]},
          "values": {"type": "array", "minItems": 1, "title": "one factor, or three, for each time",
            "items": {"oneOf": [
              {"type": "number", "exclusiveMinimum": 0, "title": "one factor"},
              {"type": "array", "items": {"type": "number", "exclusiveMinimum": 0}, "minItems": 3, "maxItems": 3, "title": "a factor for each axis"}]}}}}}},
  "transform": {"type": "object", "additionalProperties": false, "title": "transform",
    "description": "Places the mesh in the scene: scales, then rotates, then translates it.",
    "properties": {
      "scale": {"default": 1, "title": "scale", "description": "Negative factors mirror the mesh.", "oneOf": [
        {"type": "number", "title": "one factor, not zero"},
        {"allOf": [{"$ref": "#/definitions/vector"}], "title": "a factor for each axis, not zero"}]},
      "rotate": {"type": "object", "additionalProperties": false, "required": ["degrees"], "title": "rotation about the origin",
        "properties": {
          "axis": {"allOf": [{"$ref": "#/definitions/axis"}], "default": "y", "title": "axis of rotation"},
          "degrees": {"type": "number", "title": "angle in degrees"}}},
      "translate": {"allOf": [{"$ref": "#/definitions/vector"}], "default": [0, 0, 0], "x-unit": "m", "title": "translation"}}},
  "shape_size": {"title": "size of a shape", "x-unit": "m",
    "description": "`small`: 5,000 to 10,000 tets in a gallery scene. `medium`: about 200,000. `large`: finer, up to the meshes of the papers. A number is the edge length.",
    "oneOf": [
      {"type": "string", "enum": ["small", "medium", "large"], "title": "a size by name; a number is an edge length"},
      {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "title": "an edge length"}]},
  "shape": {"type": "object", "title": "gallery shape", "required": ["shape"], "additionalProperties": false,
    "properties": {
      "shape": {"type": "string", "minLength": 1, "title": "name of a gallery shape", "description": "`sinew-mesh shape --list` lists all shapes."},
      "size": {"allOf": [{"$ref": "#/definitions/shape_size"}], "title": "size", "description": "Default: `size` of the scene."},
      "set": {"type": "object", "title": "parameters of the shape by name", "description": "Values that replace defaults. `sinew-mesh shape NAME --list` lists the parameters of a shape.",
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
              "description": "Each cell consists of five tets."},
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
          "description": "For cloth (`mass_spring`) and obstacles.",
          "allOf": [{"not": {"required": ["cells", "edge"]}}],
          "properties": {
            "size": {"type": "array", "items": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "title": "extent"}, "minItems": 2, "maxItems": 2, "x-unit": "m", "title": "extents", "description": "Along the two axes other than `axis`, in alphabetical order."},
            "cells": {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 100000}, "minItems": 2, "maxItems": 2, "title": "cells along each side",
              "description": "Each cell consists of two triangles. The diagonals alternate."},
            "edge": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "edge length of the cells",
              "description": "Default: a twentieth of the shorter side."},
            "axis": {"type": "string", "enum": ["x", "y", "z"], "default": "y", "title": "normal"}}}}}]}]}
})";

const char* const selection = R"({
  "box": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"allOf": [{"$ref": "#/definitions/vector"}]}, "x-unit": "m",
    "title": "box", "description": "Vertices in the box between two opposite corners."},
  "sphere": {"type": "object", "additionalProperties": false, "required": ["center", "radius"], "title": "ball",
    "description": "Vertices within `radius` of `center`.",
    "properties": {
      "center": {"allOf": [{"$ref": "#/definitions/vector"}], "x-unit": "m", "title": "centre"},
      "radius": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "radius"}}},
  "cylinder": {"type": "object", "additionalProperties": false, "required": ["point", "axis", "radius"], "title": "cylinder or tube",
    "description": "Vertices within `radius` of the axis through `point`.",
    "properties": {
      "point": {"allOf": [{"$ref": "#/definitions/vector"}], "x-unit": "m", "title": "a point on the axis", "description": "With `length`, the centre of one end."},
      "axis": {"allOf": [{"$ref": "#/definitions/vector"}], "title": "direction of the axis", "description": "A vector of any length except zero."},
      "radius": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "radius"},
      "inner_radius": {"type": "number", "minimum": 0, "maximum": 1000000000000, "default": 0, "x-unit": "m", "title": "inner radius", "description": "Vertices nearer to the axis are left out."},
      "length": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "length from `point` along `axis`", "description": "Default: endless in both directions."}}},
  "halfspace": {"type": "object", "additionalProperties": false, "required": ["point", "normal"], "title": "half-space",
    "description": "Vertices on the side to which the normal points.",
    "properties": {
      "point": {"allOf": [{"$ref": "#/definitions/vector"}], "x-unit": "m", "title": "a point on the plane"},
      "normal": {"allOf": [{"$ref": "#/definitions/vector"}], "title": "normal", "description": "A vector of any length except zero."}}},
  "plane": {"type": "object", "additionalProperties": false, "required": ["point", "normal"], "title": "plane",
    "description": "Vertices within `distance` of the plane, on both sides.",
    "properties": {
      "point": {"allOf": [{"$ref": "#/definitions/vector"}], "x-unit": "m", "title": "a point on the plane"},
      "normal": {"allOf": [{"$ref": "#/definitions/vector"}], "title": "normal", "description": "A vector of any length except zero."},
      "distance": {"type": "number", "minimum": 0, "maximum": 1000000000000, "default": 0, "x-unit": "m", "title": "distance"}}},
  "face_angle": {"type": "object", "additionalProperties": false, "required": ["point"], "title": "smooth part of the surface",
    "description": "The face nearest to `point`, and the faces reached from it over edges where the surface bends by at most `degrees`.",
    "properties": {
      "point": {"allOf": [{"$ref": "#/definitions/vector"}], "x-unit": "m", "title": "point on or near the surface"},
      "degrees": {"type": "number", "minimum": 0, "maximum": 180, "default": 30, "x-unit": "degrees", "title": "largest angle between neighbouring faces"}}},
  "nearest": {"allOf": [{"$ref": "#/definitions/vector"}], "x-unit": "m", "title": "nearest vertex",
    "description": "The vertex nearest to a point. For loads and ties, the nearest face."},
  "group": {"type": "string", "minLength": 1, "title": "group of the mesh",
    "description": "By name, or as \"dim:id\": \"2:5\" is the surface group 5."},
  "vertices": {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 1, "title": "vertex ids",
    "description": "Numbered from 0 in the order of the mesh file."},
  "all": {"const": true, "title": "everything"},
  "any": {"type": "array", "minItems": 1, "items": {"allOf": [{"$ref": "#/definitions/selection"}]}, "title": "any of",
    "description": "Union of selections."},
  "every": {"type": "array", "minItems": 1, "items": {"allOf": [{"$ref": "#/definitions/selection"}]}, "title": "every of",
    "description": "Intersection of selections. With `not` it is a difference."},
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
  "symmetry_plane": {"title": "a symmetry plane", "x-expected": "\"x\", \"y\", \"z\" for the plane through the origin, or {\"axis\": \"x\", \"at\": 0.1} for another plane", "oneOf": [
    {"type": "string", "enum": ["x", "y", "z"], "title": "normal of the plane through the origin"},
    {"type": "object", "additionalProperties": false, "required": ["axis"], "title": "plane across an axis",
      "properties": {
        "axis": {"type": "string", "enum": ["x", "y", "z"], "title": "normal"},
        "at": {"type": "number", "minimum": -1000000000000, "maximum": 1000000000000, "default": 0, "x-unit": "m", "title": "coordinate of the plane"}}}]},
  "load": {"type": "object", "additionalProperties": false, "title": "load on faces",
    "allOf": [{"oneOf": [{"required": ["traction"]}, {"required": ["pressure"]}, {"required": ["force"]}, {"required": ["moment"]}]}],
    "properties": {
      "traction": {"allOf": [{"$ref": "#/definitions/vector_or_keys"}], "x-unit": "Pa", "title": "traction",
        "x-expected": "three numbers [x, y, z] in Pa, or keyframes {\"times\": [...], \"values\": [[x, y, z], ...]}",
        "description": "Force per undeformed area, in a fixed direction."},
      "pressure": {"allOf": [{"$ref": "#/definitions/scalar_or_keys"}], "x-unit": "Pa", "title": "pressure",
        "x-expected": "a number in Pa, or keyframes {\"times\": [...], \"values\": [...]}",
        "description": "A positive pressure pushes inwards. It stays normal to the deformed faces."},
      "force": {"allOf": [{"$ref": "#/definitions/vector_or_keys"}], "x-unit": "N", "title": "total force",
        "x-expected": "three numbers [x, y, z] in N, or keyframes {\"times\": [...], \"values\": [[x, y, z], ...]}",
        "description": "Spread evenly over the selected faces."},
      "at": {"allOf": [{"$ref": "#/definitions/vector"}], "x-unit": "m", "title": "point at which the force acts",
        "description": "In the rest state, on the body or beside it. The point moves and turns with the selected faces, which stay free to deform. Only with `force`."},
      "moment": {"allOf": [{"$ref": "#/definitions/vector_or_keys"}], "x-unit": "N m", "title": "moment",
        "x-expected": "three numbers [x, y, z] in N m, or keyframes {\"times\": [...], \"values\": [[x, y, z], ...]}",
        "description": "The selected faces get forces with exactly this moment, without a resultant. They stay free to deform."},
      "follows": {"type": "boolean", "default": false, "title": "turns with the faces",
        "description": "Whether the direction of a `moment` or `force` turns with the mean rotation of the selected faces."}}},
  "spring": {"type": "object", "additionalProperties": false, "required": ["to", "stiffness"], "title": "springs",
    "description": "Each selected vertex gets one spring. Springs that end at \"nearest\" glue faces together.",
    "properties": {
      "to": {"title": "other end", "description": "\"nearest\": each spring ends at the point of other bodies' surfaces that is nearest to its vertex at rest.",
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
      "at": {"type": "string", "enum": ["mean", "nearest"], "default": "mean", "title": "ends of the springs", "description": "`mean`: all springs end at the mean position of the selected vertices. `nearest`: each spring ends at the nearest point of the selected faces at rest. If no face is selected, it ends at the nearest selected vertex."}}},
  "tie": {"type": "object", "additionalProperties": false, "required": ["body", "to"], "title": "tie",
    "description": "The selected faces follow opposite faces of another body, at most half an edge length away. A tie is an exact constraint: it adds no stiffness, and a uniform stress passes between different meshes. Contact leaves out tied faces. A vertex that follows cannot be fixed or tied again. Let the finer mesh, or the smaller face, follow. Methods `adaptive`, `mixed` and `reduced` do not support ties.",
    "properties": {
      "body": {"type": "string", "title": "name of the body that follows", "description": "This body can be neither affine nor cloth."},
      "to": {"allOf": [{"$ref": "#/definitions/tie_end"}], "title": "faces to follow"},
      "until": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000, "x-unit": "s", "title": "release time", "description": "After this time contact acts between the faces, so leave a gap between them. A tie whose faces intersect holds until they separate. Default: never."},
      "breaks_at": {"type": "number", "exclusiveMinimum": 0, "maximum": 1e20, "x-unit": "Pa", "title": "traction at which the tie breaks", "description": "Mean magnitude of the traction over the face at the end of a step. Compression does not count. If a step ends above this, the whole tie is released before the next step. Default: never."}}},
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
            "description": "Each key is a region id or the name of a volume group. `sinew info MESH` lists both.",
            "additionalProperties": {"type": "string", "title": "name of a material"}}}},
        {"allOf": [{"$ref": "#/definitions/material"}]}]},
      "transform": {"allOf": [{"$ref": "#/definitions/transform"}], "default": {}},
      "collision": {"allOf": [{"$ref": "#/definitions/mesh"}], "title": "collision surface", "description": "Contact acts on this surface in or near the mesh, such as a fine skin of a coarse body or a simple hull. The surface takes the body's transform and follows its tets. Default: the mesh's surface."},
      "render": {"allOf": [{"$ref": "#/definitions/mesh"}], "title": "render surface", "description": "Pages, `pc2` and `vtu` show this surface in or near the mesh. It takes the body's transform and follows its tets. `pc2` keeps polygons, texture coordinates and names of an .obj file. Default: the mesh's surface."},
      "kinematics": {"type": "string", "enum": ["full", "affine"], "default": "full", "title": "kinematics", "description": "`full`: each vertex moves independently. `affine`: one affine map moves the body, which suits stiff bodies such as dice. The material's stiffness still resists deformation. An affine body may also be a closed surface."},
      "elements": {"type": "string", "enum": ["linear", "linear_mixed", "quadratic", "quadratic_mixed", "auto"], "default": "linear", "title": "elements", "description": "`linear`: tets with one deformation gradient each, the fastest. `quadratic`: ten-node tets, from a mesh of second order with its curved edges, or with nodes in the middles of the edges (of round primitives: on the round surface). They bend as thin parts do and have exact stresses for bending. `linear_mixed` and `quadratic_mixed` average the change of volume around vertices. Use them if Poisson's ratio is above 0.45. `quadratic_mixed` has the better pressures. `auto`: `quadratic_mixed` for such solids in statics, else `linear`."},
      "velocity": {"allOf": [{"$ref": "#/definitions/vector"}], "default": [0, 0, 0], "x-unit": "m/s", "title": "initial velocity", "description": "At most 1e12 m/s along each axis."},
      "angular_velocity": {"allOf": [{"$ref": "#/definitions/vector"}], "default": [0, 0, 0], "x-unit": "rad/s", "title": "initial angular velocity",
        "description": "About the centre of mass."},
      "acceleration": {"allOf": [{"$ref": "#/definitions/vector_or_keys"}], "default": [0, 0, 0], "x-unit": "m/s^2", "title": "acceleration",
        "x-expected": "three numbers [x, y, z] in m/s^2, or keyframes {\"times\": [...], \"values\": [[x, y, z], ...]}",
        "description": "This acceleration adds to gravity."},
      "fix": {"type": "array", "default": [], "title": "fixed vertices", "items": {"oneOf": [
        {"const": "all", "title": "all vertices"}, {"allOf": [{"$ref": "#/definitions/fix"}]}]}},
      "symmetry": {"title": "symmetry planes", "description": "Planes of which the body is one half, or with two planes a quarter. Vertices on such a plane at rest stay on it and slide along it. Contact does not see the plane. Masses, forces and energies are those of the part.",
        "x-expected": "\"x\", \"y\", \"z\" for the plane through the origin, {\"axis\": \"x\", \"at\": 0.1} for another plane, or a list of those", "oneOf": [
        {"allOf": [{"$ref": "#/definitions/symmetry_plane"}]},
        {"type": "array", "minItems": 1, "maxItems": 3, "title": "planes", "items": {"allOf": [{"$ref": "#/definitions/symmetry_plane"}]}}]},
      "loads": {"type": "array", "default": [], "title": "loads", "items": {"allOf": [{"$ref": "#/definitions/load"}]}},
      "springs": {"type": "array", "default": [], "title": "springs", "items": {"allOf": [{"$ref": "#/definitions/spring"}]}},
      "skeleton": {"type": "object", "additionalProperties": false, "required": ["bones"], "title": "animated bones that carry the body along",
        "description": "The body deforms in its rest pose, under gravity and under the inertia of the moving bones, which pose the result. The body does not move the bones. Needs method `reduced` with dense modes, `solver.warping`, and contact disabled. `fix` without a motion attaches vertices to the bones.",
        "properties": {
          "bones": {"type": "array", "minItems": 1, "maxItems": 1000, "title": "bones", "items": {"type": "object", "additionalProperties": false, "required": ["from", "to"], "title": "a bone",
            "properties": {
              "name": {"type": "string", "title": "name of the bone"},
              "from": {"allOf": [{"$ref": "#/definitions/vector"}], "x-unit": "m", "title": "one end at rest"},
              "to": {"allOf": [{"$ref": "#/definitions/vector"}], "x-unit": "m", "title": "the other end at rest"},
              "motion": {"allOf": [{"$ref": "#/definitions/motion"}], "default": {}}}}},
          "weights": {"type": "string", "default": "heat", "title": "weights of the bones",
            "description": "`heat`: by heat diffusion from the nearest bone (Baran and Popovic 2007). Or a NumPy file (.npy) with a row for each vertex of the mesh and a column for each bone; rows have the sum 1."}}},
      "temperature": {"default": 0, "x-unit": "K", "title": "temperature",
        "x-expected": "a number in K, keyframes {\"times\": [...], \"values\": [...]}, {\"field\": \"...\"}, or {\"regions\": {\"1\": 20, ...}}",
        "description": "Above the temperature at which the mesh is free of stress. The body expands by its material's `expansion`. A field has a value for each tet. In statics a constant temperature grows with the load, unless `time.ramp` is false.",
        "oneOf": [
          {"type": "number", "title": "a constant"},
          {"allOf": [{"$ref": "#/definitions/keys"}]},
          {"allOf": [{"$ref": "#/definitions/value_field"}]},
          {"type": "object", "title": "temperatures by region", "additionalProperties": false, "required": ["regions"],
            "properties": {"regions": {"type": "object", "minProperties": 1, "title": "at least one region and its temperature",
              "description": "Each key is a region id or the name of a volume group; others keep the temperature of the mesh.",
              "additionalProperties": {"title": "temperature", "x-expected": "a number in K, keyframes {\"times\": [...], \"values\": [...]}, or {\"field\": \"...\"}", "oneOf": [
                {"type": "number", "title": "a constant"},
                {"allOf": [{"$ref": "#/definitions/keys"}]},
                {"allOf": [{"$ref": "#/definitions/value_field"}]}]}}}}]},
      "swelling": {"allOf": [{"$ref": "#/definitions/scalar_or_keys"}], "default": 0, "title": "swelling",
        "x-expected": "a number greater than -1, or keyframes {\"times\": [...], \"values\": [...]}",
        "description": "Change of the volume without stress, over that of the mesh: 0.3 grows by 30 %. In statics a constant grows with the load, unless `time.ramp` is false."},
      "damping": {"type": "object", "additionalProperties": false, "default": {}, "title": "Rayleigh damping",
        "properties": {
          "mass": {"type": "number", "minimum": 0, "maximum": 1000000000, "default": 0, "x-unit": "1/s", "title": "mass damping",
            "description": "Slows all motion, including rigid motion."},
          "stiffness": {"type": "number", "minimum": 0, "maximum": 1000000000, "default": 0, "x-unit": "s", "title": "stiffness damping",
            "description": "Slows deformation, and fast vibrations most."}}}}}
})";

const char* const contact = R"({
  "obstacle": {"type": "object", "additionalProperties": false, "title": "obstacle",
    "oneOf": [{"required": ["plane"]}, {"required": ["mesh"]}],
    "properties": {
      "name": {"type": "string", "minLength": 1, "title": "name", "description": "Default: `obstacle0`, `obstacle1`, ... in order."},
      "plane": {"type": "object", "additionalProperties": false, "title": "half-space", "description": "Bodies stay on the side to which the normal points.",
        "properties": {
          "point": {"allOf": [{"$ref": "#/definitions/vector"}], "default": [0, 0, 0], "x-unit": "m", "title": "a point on the plane"},
          "normal": {"allOf": [{"$ref": "#/definitions/vector"}], "default": [0, 1, 0], "title": "normal", "description": "A vector of any length except zero."}}},
      "mesh": {"allOf": [{"$ref": "#/definitions/mesh"}]},
      "transform": {"allOf": [{"$ref": "#/definitions/transform"}]},
      "motion": {"allOf": [{"$ref": "#/definitions/motion"}], "default": {}},
      "material": {"type": "string", "minLength": 1, "title": "material", "description": "Name of the material for `contact.friction.pairs`. Default: the obstacle's name."}}},
  "contact": {"type": "object", "additionalProperties": false, "default": {}, "title": "contact",
    "properties": {
      "enabled": {"type": "boolean", "default": true, "title": "contact on"},
      "model": {"type": "string", "enum": ["barrier", "convergent", "penalty"], "default": "barrier", "title": "contact model",
        "description": "`barrier`: bodies never intersect (IPC). `convergent`: bodies never intersect, and pressures do not depend on how two meshes lie on each other. Sample points inside triangles carry the pressure. `penalty`: fast and approximate. With `penalty`, bodies penetrate slightly, may pass through thin bodies within a step, and have no self-contact. Methods `mixed` and `reduced` need `barrier`."},
      "subdivision": {"type": "integer", "minimum": 1, "maximum": 16, "default": 4, "title": "parts of each edge between samples",
        "description": "Only for `convergent`. Each surface edge is cut in this many parts, and each triangle has this number squared of sample points. More samples cost more and make pressures more uniform where meshes do not match."},
      "distance": {"default": "auto", "x-unit": "m", "title": "distance at which contact forces begin",
        "description": "`auto`: 1e-3 of the smallest body's diagonal, at most a quarter of the shortest surface edge. If bodies overlap at rest because they start from another state: at most a fortieth of the overlap.",
        "oneOf": [{"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "title": "a distance"}, {"const": "auto", "title": "chosen from the meshes"}]},
      "stiffness": {"default": "auto", "x-unit": "Pa", "title": "contact stiffness",
        "description": "`barrier`: with `auto`, the stiffness starts at a tenth of the softest body's Young's modulus and adapts. In dynamics it starts at no more than 100 times the pressure that stops the heaviest body in one step. `penalty`: the stiffness is the pressure at a depth of one mean surface edge. With `auto` it is the softest body's Young's modulus, with the same upper bound.",
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
        "description": "In dynamics, `auto` is 1e-3 m/s, or 5e-3 a second times the smallest body's diagonal if that diagonal is below 0.2 m. In statics the value is a length per load step [m], and `auto` is a hundredth of the largest prescribed motion in a load step. If nothing is prescribed: 1e-4 of the scene's diagonal divided by the number of load steps.",
        "oneOf": [{"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "title": "slip speed below which friction is static"}, {"const": "auto", "title": "chosen from the motion of the scene"}]},
      "friction_iterations": {"default": "auto", "title": "largest number of friction updates in a step",
        "description": "Friction uses the normal forces of its last update. Updates end once the error is below `friction_tolerance`. `auto`: 20 in dynamics, 100 in statics.",
        "oneOf": [{"type": "integer", "minimum": 1, "maximum": 1000, "title": "largest number of friction updates in a step"}, {"const": "auto", "title": "by the mode of time"}]},
      "friction_tolerance": {"type": "number", "exclusiveMinimum": 0, "maximum": 1, "default": 1e-2, "title": "friction error below which updates end", "description": "Error of a body's friction at the end of a step, divided by coefficient times normal force. If `friction_iterations` is `auto`, dynamics accept five times this error."},
      "surface_samples": {"default": "auto", "title": "samples of surfaces", "description": "Total number of points of the coarse contact surfaces that reduced methods use, distributed by area. A body with fewer samples than surface vertices has no self-contact. `auto`: 300.",
        "oneOf": [{"type": "integer", "minimum": 4, "maximum": 10000000, "title": "a number"}, {"const": "auto", "title": "automatic"}]},
      "self": {"type": "boolean", "default": true, "title": "contact of bodies with themselves"},
      "interference": {"type": "array", "default": [], "title": "pairs that overlap at the start", "description": "For press fits and seals. The softer body of a pair begins squeezed out of the other one. Springs that hold it fade over the first steps, and contact takes over. `over` is the number of these steps.",
        "items": {"type": "object", "additionalProperties": false, "required": ["pair"], "title": "a pair",
          "properties": {
            "pair": {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 2, "maxItems": 2, "title": "two bodies, or a body and an obstacle"},
            "over": {"type": "integer", "minimum": 1, "maximum": 2000000000, "default": 1, "title": "steps in which they are pressed apart"}}}},
      "ignore": {"type": "array", "default": [], "title": "pairs that do not touch",
        "items": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "string", "title": "name of a body or obstacle"},
          "title": "[name, name]"}}}}
})";

const char* const run = R"({
  "time": {"type": "object", "additionalProperties": false, "default": {}, "title": "time",
    "properties": {
      "step": {"type": "number", "default": 0.01},
      "steps": {"type": "integer", "minimum": 1, "maximum": 2000000000, "default": 100, "title": "number of steps", "description": "In statics, the number of load steps."},
      "integrator": {"type": "string", "enum": ["implicit_euler", "bdf2", "newmark"], "default": "implicit_euler", "title": "integrator",
        "description": "`implicit_euler`: first order, damps motion. `bdf2`: second order, damps much less. `newmark`: second order, undamped if gamma is 1/2. With `newmark`, vibrations that are too fast for the time step persist."},
      "newmark": {"type": "object", "additionalProperties": false, "default": {}, "title": "parameters of newmark", "description": "The integrator is stable for any step if 2 beta >= gamma >= 1/2. Contact and friction never add energy.", "properties": {
        "beta": {"type": "number", "minimum": 0.25, "maximum": 1, "default": 0.25, "title": "beta"},
        "gamma": {"type": "number", "minimum": 0.5, "maximum": 1, "default": 0.5, "title": "gamma"}}},
      "mode": {"type": "string", "enum": ["dynamic", "static"], "default": "dynamic", "title": "mode",
        "description": "`dynamic`: motion in time. `static`: equilibrium under a load that grows over the steps."},
      "ramp": {"type": "boolean", "default": true, "title": "ramp of loads", "description": "In statics, gravity and loads without keyframes grow from 0 to their full value over the load steps."},
      "substeps": {"default": "auto", "title": "largest number of parts of a failed step", "description": "A step that fails to converge is repeated in parts. A part that fails is halved. After two parts that succeed, the next is twice as long. `substeps` in steps.jsonl counts the parts. If the smallest parts fail too, the result of the undivided step is used. 0: off. `auto`: 64. Numbers are rounded down to a power of two.", "oneOf": [
        {"type": "integer", "minimum": 0, "maximum": 1048576, "title": "a number"}, {"const": "auto", "title": "64"}]},
      "max_travel": {"default": "auto", "title": "largest travel in a part of a step", "description": "Travel is the motion of a body towards another body, or towards an obstacle that it could get around, divided by the size of the smaller one. In dynamics, a step with more travel is divided from the start, into at most `substeps` parts. 0: off, but travel above 1 causes a warning. `auto`: 0.5.", "oneOf": [
        {"type": "number", "minimum": 0, "maximum": 1000000000, "title": "a number of body sizes"}, {"const": "auto", "title": "0.5"}]}}},
  "solver": {"type": "object", "additionalProperties": false, "default": {}, "title": "solver",
    "properties": {
      "method": {"type": "string", "default": "auto", "title": "method",
        "description": "`auto`: the faster of `newton` and `multilevel`. `newton`: direct factorisation. `newton-pcg`: conjugate gradients (CG). `newton-multilevel`: CG with the multilevel preconditioner. `multilevel`: like `newton-multilevel`, with less accurate directions. `adaptive`: a subspace that grows within a step. `quasi_newton`: one matrix, factored once. `mixed`: mixed finite elements in a subspace, for real time. `reduced`: standard finite elements in the same subspace.",
        "enum": ["auto", "newton", "newton-pcg", "newton-multilevel", "multilevel", "adaptive", "quasi_newton", "mixed", "reduced"]},
      "linear_solver": {"type": "string", "enum": ["llt", "pcg", "multilevel"], "title": "linear solver",
        "description": "Selects `newton`, `newton-pcg` or `newton-multilevel` if `method` is `newton` or `auto`. Default: `llt`."},
      "tolerance": {"default": "auto", "x-unit": "m/s", "title": "tolerance",
        "description": "A step has converged when the next Newton iteration would change no vertex's velocity by more than this and contact forces have settled. In dynamics, `auto` is 1e-3 m/s, or 1e-3 a second times the scene's diagonal if that is below 1 m. In statics the tolerance is a displacement [m], and `auto` is 1e-6 of the diagonal. With friction, `auto` is at most half of `contact.slip_speed`.",
        "oneOf": [{"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "title": "a speed"}, {"const": "auto", "title": "chosen from the size of the scene"}]},
      "norm": {"type": "string", "enum": ["max", "mean"], "default": "max", "title": "norm of the tolerance",
        "description": "`max`: the fastest vertex. `mean`: the mean over all vertices."},
      "instability": {"type": "string", "enum": ["follow", "report", "ignore"], "default": "follow", "title": "unstable equilibria", "description": "In statics, each load step ends with a test whether its equilibrium is stable. `follow`: bodies leave an unstable equilibrium, such as that of an overloaded straight column. `report`: bodies stay there. `ignore`: no test. Rows of unstable steps have the key `instability`. Methods in a subspace test the reduced coordinates; `full_space` means that the error estimate found an instability outside the subspace. Cubature rule `modal_forces` is not tested."},
      "force_tolerance": {"type": "number", "exclusiveMinimum": 0, "maximum": 1, "default": 1e-3, "title": "unbalanced force of a load step", "description": "A load step ends only if the largest unbalanced vertex force, divided by the largest vertex force of any one kind, is below this. Kinds are elastic, load, contact and so on. In a subspace: unbalanced over elastic forces on the reduced coordinates, in the mass norm."},
      "max_iterations": {"type": "integer", "minimum": 1, "maximum": 2000000000, "default": 200, "title": "largest number of iterations in a step"},
      "linear_tolerance": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 1e-4, "title": "relative residual of pcg", "description": "For `newton-pcg` and `newton-multilevel`. `multilevel` uses it for the last direction of a step if its preconditioner has no basis functions."},
      "linear_iterations": {"type": "integer", "minimum": 1, "maximum": 2000000000, "default": 10000, "title": "largest number of CG iterations"},
      "linear_preconditioner": {"type": "string", "enum": ["block_jacobi", "jacobi"], "default": "block_jacobi", "title": "preconditioner of pcg", "description": "`block_jacobi`: the 3 x 3 diagonal blocks. `jacobi`: the diagonal, for comparison."},
      "subspace": {"default": "eigenmodes", "title": "subspace of the reduced methods: a kind, a file of modes, or a list of these", "description": "Four kinds have handles. A handle is a smooth weight with an affine map. `eigenmodes`: skinning eigenmodes, from shape and stiffness. `sms`: sparse weights around cluster centres. `affine`: one handle per connected body. `biharmonic`: weights from shape alone. Five kinds are dense modes of each connected body. `linear`: lowest vibrations. `derivatives`: linear modes and their mode derivatives, compressed. `inertia` and `inertia_derivatives`: similar to `linear` and `derivatives`, computed in seconds. `quadratic`: linear and quadratic in position. Dense modes turn with bodies that are free or held at a point or line. A file comes from `sinew modes`. With a list of dense kinds and files, the subspace contains the modes of all entries. `full`: all vertices and tets, the reference.", "oneOf": [
        {"type": "string", "pattern": "^(eigenmodes|sms|affine|biharmonic|full|linear|derivatives|inertia|inertia_derivatives|quadratic|.*\\.npz)$", "title": "a kind or a file"},
        {"type": "array", "minItems": 1, "maxItems": 20, "title": "kinds of modes and files", "items": {"type": "string", "pattern": "^(linear|derivatives|inertia|inertia_derivatives|quadratic|.*\\.npz)$", "title": "kind or file"}}]},
      "handles": {"title": "number of handles", "default": "auto", "description": "Number of handles, at least one per body. In `multilevel`, `auto` is as many as fit 12 edge lengths apart. In reduced methods `auto` is 16, at most a quarter of the free vertices. For dense modes, this is the number of modes of each kind in each connected body or domain, and `auto` is 30.",
        "oneOf": [{"type": "integer", "minimum": 1, "maximum": 10000000, "title": "a number"}, {"const": "auto", "title": "chosen from the shape"}]},
      "domains": {"title": "number of domains", "default": "auto", "description": "Total number of connected parts that have their own dense modes. Free domains turn independently. Domains are coupled where they meet. `auto`: one per connected body.",
        "oneOf": [{"type": "integer", "minimum": 1, "maximum": 1000000, "title": "a number"}, {"const": "auto", "title": "one per connected body"}]},
      "warping": {"type": "boolean", "default": false, "title": "modal warping", "description": "Dense modes with the linear stiffness at rest, turned by the local mean rotation (Choi and Ko 2005). Stiffness does not grow with load, and tets may invert. Vertices may be fixed but not moved. Warping needs no cubature."},
      "cubature": {"title": "cubature", "description": "Rule that chooses the tets over which reduced methods integrate elastic energies, and `multilevel` Hessians. A string names a rule. A number sets the points of the default rule, which is `stiffness`, or `energies` with dense modes.", "oneOf": [
        {"type": "string", "enum": ["stiffness", "clusters", "modal", "polynomial", "all", "energies", "modal_forces", "optimized"], "title": "name of a rule"},
        {"type": "integer", "minimum": 1, "maximum": 2000000000, "title": "number of points"},
        {"type": "object", "additionalProperties": false, "title": "settings of the rule", "properties": {
          "rule": {"type": "string", "enum": ["stiffness", "clusters", "modal", "polynomial", "all", "energies", "modal_forces", "optimized"], "title": "rule", "description": "Rules for handles: `stiffness`, fitted to the reduced stiffness at rest. `clusters`: centres of clusters of tets that deform alike, for reduced methods. `modal`: fitted to products of basis functions. `polynomial`: fitted to polynomials. `all`: all tets. Rules for dense modes: `energies`, spread points fitted to energies of training poses, in seconds. `modal_forces`: separate weights for each mode, fitted to forces. These forces have no energy and may set nearly incompressible bodies in motion. `optimized`: points chosen one by one, which is slow. Its forces have an energy."},
          "degree": {"type": "integer", "minimum": 1, "maximum": 6, "default": 2, "title": "degree of the products or polynomials", "description": "With `modal`: 1 or 2."},
          "points": {"default": "auto", "title": "number of points", "description": "With `stiffness` and `clusters` in reduced methods: at least one per handle; `auto` is 24 per handle. With `energies`, `modal_forces` and `optimized`: in each body or domain; `auto` is 4 per mode, for `energies` 12 per mode.",
            "oneOf": [{"type": "integer", "minimum": 1, "maximum": 2000000000, "title": "a number"}, {"const": "auto", "title": "by the handles"}]},
          "power": {"type": "number", "minimum": 0, "maximum": 4, "default": 0, "title": "power of the eigenvalue", "description": "For `clusters` with `eigenmodes`: each mode is weighted by its eigenvalue to minus this power. With 2, as in the paper, only the softest modes count and bodies bend too easily."},
          "jacobian": {"type": "string", "enum": ["symmetric", "exact", "free"], "default": "symmetric", "title": "derivative of modal_forces", "description": "`symmetric`: a positive semidefinite approximation with the square roots of the weights on both sides. `exact`: the exact derivative, which is not symmetric. `free`, as in the paper: differences of forces take the place of a matrix."},
          "krylov": {"type": "string", "enum": ["gmres", "cg"], "default": "gmres", "title": "solver for jacobian free", "description": "`gmres`: solves each direction to a relative residual of 1e-3. `cg`, as in the paper: conjugate gradients, which may fail because the derivative is not symmetric. The direction is then that of `symmetric`."},
          "poses": {"default": "auto", "title": "training poses", "description": "Number of poses for `energies`, `modal_forces` and `optimized`. `auto`: poses are added until the error changes by less than `tolerance`; `optimized` takes 10 per mode.",
            "oneOf": [{"type": "integer", "minimum": 1, "maximum": 1000000, "title": "a number"}, {"const": "auto", "title": "as many as are needed"}]},
          "pose_size": {"type": "number", "exclusiveMinimum": 0, "maximum": 10, "default": 0.1, "title": "size of the poses", "description": "Mean of the poses' largest displacements, divided by the scene's diagonal."},
          "tolerance": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 0.005, "title": "tolerance of the error", "description": "With `energies` and `modal_forces`: training ends when a round of poses changes the error by less. With `optimized`: training ends when the error is below this."}}}]},
      "error_every": {"default": "auto", "title": "rows with an error estimate", "description": "The first and every N-th row of steps.jsonl has `error_estimate`, the distance from the full-space step. This holds for reduced methods and for acceptance `oracle`; with acceptance `estimate` every row has it. 0: none. `auto`: every row in statics or if estimates cost under a tenth of a step, else every tenth row. `sinew live` has none with `auto`.",
        "oneOf": [{"type": "integer", "minimum": 0, "maximum": 2000000000, "title": "a number"}, {"const": "auto", "title": "by what an estimate costs"}]},
      "iterations": {"default": "auto",
        "oneOf": [{"type": "integer", "title": "a number"}, {"const": "auto", "title": "as the method says"}]},
      "quasi_newton": {"type": "object", "additionalProperties": false, "default": {}, "title": "settings of quasi_newton", "properties": {
        "paper": {"type": "boolean", "default": false, "title": "settings of the paper", "description": "Keys that you leave out get the values of the paper: `rotations` false."},
        "initial": {"type": "string", "enum": ["laplacian", "rest", "warped", "step", "identity"], "default": "laplacian", "title": "first guess of the Hessian", "description": "`laplacian`: the mass matrix plus a stiffness-weighted Laplacian, as in Projective Dynamics. For comparison: `rest` is the Hessian at rest. `warped` is `rest` between rotations of the vertices at the first iterate of each step. `step` is the Hessian at that iterate. `identity` is a multiple of the identity, scaled by the last secant pair."},
        "acceleration": {"type": "string", "enum": ["lbfgs", "chebyshev", "none"], "default": "lbfgs", "title": "acceleration", "description": "`lbfgs`: secant pairs of the step improve the first guess. `chebyshev`, for comparison: extrapolation. `none`: the first guess alone."},
        "history": {"type": "integer", "minimum": 0, "maximum": 1000, "default": 5, "title": "secant pairs", "description": "Number of pairs that `lbfgs` keeps. 0: none, as in Projective Dynamics."},
        "spectral_radius": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 0.9, "title": "spectral radius", "description": "For `chebyshev`: the factor by which an iteration without acceleration reduces the error. Measure it beforehand."},
        "line_search": {"type": "boolean", "default": true, "title": "line search", "description": "`false`, as in Projective Dynamics: every iteration takes the full step, and most materials diverge."},
        "rotations": {"x-paper": false, "type": "boolean", "default": true, "title": "rotations of parts", "description": "For `laplacian`: each connected part of one material can turn without resistance from the matrix. `false`, as in the paper: stiff parts that turn converge slowly."},
        "stretches": {"type": "array", "items": {"type": "number", "exclusiveMinimum": 0, "maximum": 100}, "minItems": 2, "maxItems": 2, "default": [0.5, 1.5], "title": "stretches of the fit", "description": "The stiffness of a tet is the slope of a line fitted to its stress over these stretches."}}},
      "adaptive": {"type": "object", "additionalProperties": false, "default": {}, "title": "settings of adaptive", "properties": {
        "paper": {"type": "boolean", "default": false, "title": "settings of the paper", "description": "Keys that you leave out get the values of the paper: both thresholds 0.5, `trust` 1e12, `preconditioner` `block_jacobi`, `exact` `regions`, `acceptance` `oracle`."},
        "library": {"type": "array", "default": ["eigenmodes"], "title": "library of modes", "description": "Modes that a step may add: kinds of `solver.subspace` except `full`, and files of `sinew modes`. Each kind has `solver.handles` modes (`auto`: 20, or three per body if that is more). `affine` is always included. Empty: a step adds only vertices.", "items": {
          "type": "string", "pattern": "^(eigenmodes|sms|biharmonic|affine|linear|derivatives|inertia|inertia_derivatives|quadratic|.*\\.npz)$", "title": "a kind, or the path of a file of modes"}},
        "initial": {"default": "auto", "title": "modes at the start", "description": "Taken in the order of the library, handles before dense modes, at least one handle per body. `auto`: one per body and five more.",
          "oneOf": [{"type": "integer", "minimum": 1, "maximum": 10000000, "title": "a number"}, {"const": "auto", "title": "few"}]},
        "regions": {"default": "auto", "title": "regions", "description": "Number of connected sets of tets. A step adds vertices by region, and each region has a secant Hessian. `auto`: one per 800 tets, at most 1000.",
          "oneOf": [{"type": "integer", "minimum": 1, "maximum": 10000000, "title": "a number"}, {"const": "auto", "title": "by the number of tets"}]},
        "vertex_error": {"x-paper": 0.5, "type": "number", "minimum": 0, "maximum": 1000000000000, "default": 0.1, "title": "unbalanced vertex force", "description": "A vertex's region is added if the unbalanced force on the vertex, divided by stiffness times area, exceeds this. 0: all regions are added."},
        "mode_error": {"x-paper": 0.5, "type": "number", "minimum": 0, "maximum": 1000000000000, "default": 0.1, "title": "force on a mode", "description": "A mode of the library is added if the unbalanced force on it, divided by stiffness times area, exceeds this. 0: all modes are added."},
        "progress": {"type": "number", "minimum": 0, "maximum": 1000000000000, "default": 1e-4, "title": "progress", "description": "Nothing is added in places where the active modes still lower the energy, divided by stiffness times volume, by more than this."},
        "drop_rate": {"type": "number", "minimum": 0, "maximum": 1000000000000, "default": 0.1, "x-unit": "1/s", "title": "drop rate", "description": "After a step, modes slower than this, in scene diagonals a second, are dropped. Vertices are dropped if they moved as the modes alone would move them. 0: nothing is dropped."},
        "trust": {"x-paper": 1e12, "type": "number", "minimum": 0, "maximum": 1000000000000, "default": 1, "title": "trust in the secant model", "description": "A region's Hessian is recomputed if the relative error of its secant model exceeds this. 0: always."},
        "linear_tolerance": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 1e-5, "title": "relative residual of the Schur complement"},
        "preconditioner": {"x-paper": "block_jacobi", "type": "string", "enum": ["auto", "block_jacobi"], "default": "auto", "title": "preconditioner of the Schur complement", "description": "`auto`: a factor of the enriched block, or additive Schwarz over regions. `block_jacobi`, as in the paper: its 3 x 3 diagonal blocks."},
        "exact": {"x-paper": "regions", "type": "string", "enum": ["tets", "regions"], "default": "tets", "title": "exact elastic Hessians", "description": "Which elastic Hessians are exact, not secant models. `tets`: those of tets with an enriched vertex. `regions`, as in the paper: all tets of a region with such a vertex."},
        "acceptance": {"x-paper": "oracle", "type": "string", "enum": ["estimate", "oracle"], "default": "estimate", "title": "acceptance", "description": "`estimate`: a step ends once its estimated error is below `accuracy`. `oracle`, as in the paper: a step ends once `vertex_error` and `mode_error` add nothing, perhaps far from the solution."},
        "accuracy": {"type": "number", "exclusiveMinimum": 0, "maximum": 1, "default": 0.02, "title": "accuracy", "description": "For acceptance `estimate`: largest error of a body's mean displacement in a step, divided by that displacement. Errors below `solver.tolerance` are accepted too."}}},
      "multilevel": {"type": "object", "additionalProperties": false, "default": {}, "title": "settings of multilevel methods", "properties": {
        "paper": {"type": "boolean", "default": false, "title": "settings of the paper", "description": "Keys that you leave out get the values of the paper: `partition` `heat`, `stiffness_exponent` 1, and `printed`."},
        "partition": {"x-paper": "heat", "type": "string", "enum": ["geodesic", "heat", "metis", "euclidean"], "default": "geodesic", "title": "partition of the tets", "description": "`geodesic` and `heat`: k-means with distances through the solid, by fast marching or heat diffusion. `metis`: partition of the tets' graph. `euclidean`: k-means with straight distances."},
        "stiffness_exponent": {"x-paper": 1, "type": "number", "minimum": 0, "maximum": 2, "default": 0, "title": "exponent of stiffness in distances", "description": "The metric of clusters is |dx| / E^(p/2) with Young's modulus E and this p. 0: clusters of equal size, which converge fastest. 1, as in the paper: few clusters in stiff regions, which suits a subspace without refinement in full space."},
        "interface_stiffness": {"type": "number", "exclusiveMinimum": 0, "maximum": 1, "default": 0.3, "title": "stiffness at interfaces", "description": "Stiffness between two materials, for distances only, relative to the softest material. Small values keep clusters within materials."},
        "prune_ratio": {"default": 1.75, "title": "pruning of small clusters", "description": "K-means starts with more clusters than handles. The smallest are removed, first clusters that are smaller than the median by more than this factor. `off`, for comparison: k-means starts with as many clusters as handles.", "oneOf": [
          {"type": "number", "minimum": 1, "maximum": 1000000000000, "title": "a ratio"}, {"const": "off", "title": "no pruning"}]},
        "basis": {"type": "string", "enum": ["sms", "rbf", "biharmonic", "eigenmodes"], "default": "sms", "title": "basis functions", "description": "`sms`: sparse functions, weighted by stiffness. For comparison: radial functions (`rbf`), biharmonic coordinates (`biharmonic`), and skinning eigenmodes (`eigenmodes`)."},
        "dirichlet": {"type": "boolean", "default": true, "title": "basis functions at fixed vertices", "description": "Basis functions fall smoothly to zero at fixed vertices. `false`, for comparison: they jump to zero there."},
        "reduced_lag": {"type": "integer", "minimum": 0, "maximum": 1000000, "default": 20, "title": "lag of reduced matrices", "description": "Largest number of consecutive directions that reuse reduced matrices. Matrices are renewed sooner if old ones have cost 20 more CG iterations per decade of error than new ones. For contacts alone the limit is eight. 0: each direction renews the matrices."},
        "eliminate_contacts": {"type": "boolean", "default": true, "title": "vertices in contact", "description": "The preconditioner eliminates vertices in contact exactly. In its reduced matrix, contacts are at most ten times as stiff as their surroundings. `false`: each stiff contact costs several more CG iterations."},
        "forcing": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 0.1, "title": "forcing term", "description": "Relative error of `multilevel` directions in the energy norm. If the quadratic model was accurate in the last step, the error is smaller, down to a tenth of this. A direction also ends if the preconditioner would change it by less than 0.3 times this, relative to the direction's length."},
        "printed": {"x-paper": {}, "type": "object", "additionalProperties": false, "title": "the paper's method", "description": "For comparison, with `stiffness_exponent` 1: affine and subspace corrections, then a fixed number of CG iterations with a block-diagonal preconditioner. Default: off.", "properties": {
          "affine": {"type": "boolean", "default": true, "title": "affine correction"},
          "subspace": {"type": "boolean", "default": true, "title": "correction by the basis functions"},
          "reduced_solver": {"type": "string", "enum": ["factor", "pcg"], "default": "pcg", "title": "solver of reduced systems"},
          "reduced_tolerance": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 1e-4, "title": "relative residual of reduced pcg"},
          "hessian": {"type": "string", "enum": ["full", "cubature"], "default": "cubature", "title": "Hessian of reduced systems", "description": "`full`: over all tets. `cubature`: over the tets of `solver.cubature`."},
          "residual": {"type": "string", "enum": ["full", "cubature"], "default": "full", "title": "Hessian of the residual", "description": "With `cubature`, as in the paper, the refinement stalls."},
          "refinement": {"default": "auto", "title": "refinement", "description": "Number of CG iterations in full space. Directions that may end a step take as many as they need, up to `linear_iterations`. 0: no direction takes any. `auto`: 20 or 40, by the clusters' radius.",
            "oneOf": [{"type": "integer", "minimum": 0, "maximum": 1000000, "title": "a number"}, {"const": "auto", "title": "by the clusters"}]},
          "lag": {"type": "integer", "minimum": 0, "maximum": 1000000, "default": 5, "title": "iterations that keep the elastic Hessian", "description": "Largest number of iterations in a step that reuse the elastic Hessian. Line-search steps below `lag_step` renew the Hessian. 0: each iteration renews it."},
          "lag_step": {"type": "number", "minimum": 0, "maximum": 1, "default": 0.5, "title": "mean line-search step below which the Hessian is renewed"},
          "stop": {"type": "string", "enum": ["full", "subspace"], "default": "subspace", "title": "stop test", "description": "`full`: tests the whole direction, as in `newton`. `subspace`, as in the paper: tests only the corrections in subspaces."}}},
        "cache": {"type": "boolean", "default": true, "title": "cache", "description": "Keeps partition and bases of bodies with at least 20,000 tets in the user's cache folder."}}}}},
  "output": {"type": "object", "additionalProperties": false, "default": {}, "title": "output",
    "properties": {
      "every": {"type": "integer", "minimum": 1, "maximum": 2000000000, "default": 1, "title": "steps between frames"},
      "formats": {"type": "array", "items": {"type": "string", "enum": ["vtu", "pc2", "wav", "html"]}, "default": ["vtu", "html"], "title": "formats of frames",
        "description": "`vtu`: frames for ParaView. `pc2`: point caches for Blender. `wav`: `sound.wav`, the sound of contacts or of large vibrations. `html`: `report.html`, the page. The list may be empty."},
      "fields": {"type": "array", "items": {"type": "string", "enum": ["first_piola", "second_piola", "principal_stress", "principal_stress_directions", "pressure", "strain", "green_strain", "principal_strain", "principal_strain_directions", "jacobian", "contact_pressure", "contact_traction"]}, "default": [], "title": "further fields of frames",
        "description": "In the tets, or at the vertices of contacts. They are in `vtu` frames and, as one number each, on the page. [ParaView](paraview.md#2-fields) explains them."},
      "nodal_fields": {"type": "array", "items": {"type": "string", "enum": ["cauchy_stress", "von_mises", "plastic_strain", "first_piola", "second_piola", "principal_stress", "principal_stress_directions", "pressure", "strain", "green_strain", "principal_strain", "principal_strain_directions", "jacobian"]}, "default": [], "title": "fields of tets averaged at vertices",
        "description": "For `vtu` frames, named `nodal_` and the field. Means run over the tets of one material."},
      "checkpoint": {"type": "integer", "minimum": 0, "maximum": 2000000000, "default": 1, "title": "steps between checkpoints",
        "description": "0: none."},
      "sound": {"type": "object", "additionalProperties": false, "default": {}, "title": "sound", "description": "Settings of format `wav`.", "properties": {
        "source": {"type": "string", "enum": ["modes", "motion"], "default": "modes", "title": "what vibrates",
          "description": "`modes`: the linear modes of vibration at rest, which the contact forces of the steps excite. `motion`: the bodies as they move in the steps, for sounds of large vibrations. It needs a `time.step` of about a sample, 2.2e-5 s, and pays with `method` `reduced`. `modes`, `damping_ratio`, `impact_time` and `tail` then have no effect."},
        "modes": {"type": "integer", "minimum": 1, "maximum": 100000, "default": 100, "title": "modes of vibration",
          "description": "Number of lowest modes of vibration of each connected body. Modes from 20 Hz to 20 kHz are heard."},
        "damping_ratio": {"type": "number", "minimum": 0, "exclusiveMaximum": 1, "default": 0.001, "title": "damping ratio",
          "description": "Share of critical damping, for bodies without `damping`. A mode of f Hz fades by 60 dB in 1.1 / (ratio f) seconds. Bells have 0.0005, wood 0.01."},
        "impact_time": {"type": "number", "exclusiveMinimum": 0, "maximum": 1, "default": 0.0002, "x-unit": "s", "title": "duration of hard impacts",
          "description": "Impacts have this duration if the time step is longer than half of it. Frequencies above 2 / (this time) are almost inaudible. Small, hard bodies have short impacts."},
        "tail": {"type": "number", "minimum": 0, "maximum": 600, "default": 1, "x-unit": "s", "title": "sound after the last step", "description": "Bodies vibrate freely for this time after the last step."},
        "listener": {"title": "head of the listener", "default": "auto", "x-unit": "m", "description": "Centre of the head, which faces the middle of the bodies at rest. `auto`: in front of the scene (+z if y is up, -y if z is up), 30 degrees above it, one scene diagonal away, at least 1 m. Sound travels at 343 m/s. If the first sound arrives after more than 10 s, the file begins with that sound.",
          "oneOf": [{"allOf": [{"$ref": "#/definitions/vector"}]}, {"const": "auto", "title": "in front of the scene"}]},
        "ears": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000, "default": 0.18, "x-unit": "m", "title": "distance of the ears", "description": "Sets the delay between the ears, and how much the head shadows the far ear."},
        "gain": {"title": "gain", "default": "auto", "x-unit": "1/Pa", "description": "Share of full scale for each pascal of pressure. A number makes runs comparable. Values above full scale are kept. `auto`: the peak is at -1 dB; peaks below 1 mPa are quieter.",
          "oneOf": [{"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "title": "a number"}, {"const": "auto", "title": "by the peak"}]}}}}}
})";

const char* const sensor = R"({
  "sensor": {"type": "object", "additionalProperties": false, "title": "sensor", "description": "Give exactly one of the keys from `fix` to `energy`: it says what is measured. Forces are those on the body.",
    "properties": {
      "fix": {"allOf": [{"$ref": "#/definitions/sensor_entry"}], "title": "a fix of a body", "description": "Its force is the reaction."},
      "load": {"allOf": [{"$ref": "#/definitions/sensor_entry"}], "title": "a load of a body"},
      "spring": {"allOf": [{"$ref": "#/definitions/sensor_entry"}], "title": "springs of a body"},
      "tie": {"type": "integer", "minimum": 0, "title": "number of a tie", "description": "From 0 on. Its force acts on the body that follows."},
      "obstacle": {"type": "string", "minLength": 1, "title": "name of an obstacle", "description": "Its contact with all bodies."},
      "contact": {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 2, "maxItems": 2, "title": "two bodies, or a body and an obstacle", "description": "Forces act on the first body."},
      "body": {"type": "string", "minLength": 1, "title": "name of a body"},
      "point": {"type": "object", "additionalProperties": false, "required": ["body", "at"], "title": "a point of a body",
        "properties": {
          "body": {"type": "string", "minLength": 1, "title": "name of the body"},
          "at": {"allOf": [{"$ref": "#/definitions/vector"}], "x-unit": "m", "title": "position of the point at rest, after the transform"}}},
      "gap": {"type": "array", "items": {"allOf": [{"$ref": "#/definitions/sensor_side"}]}, "minItems": 2, "maxItems": 2, "title": "two surfaces"},
      "energy": {"const": "all", "title": "energies of the scene"},
      "select": {"allOf": [{"$ref": "#/definitions/selection"}], "title": "part of the body", "description": "Only with `body`. Tets count if all of their vertices are selected; if there is none, those with a selected face. Default: all of the body."},
      "about": {"allOf": [{"$ref": "#/definitions/vector"}], "x-unit": "m", "title": "centre of moments", "description": "Default: the centre of the measured vertices at rest."},
      "quantities": {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1, "title": "quantities",
        "description": "Names such as `force`, `displacement.y`, `displacement.norm` or `von_mises.max`. A component may follow the name, then `mean` (the default), `min` or `max`. Each kind of sensor has its own default."}}},
  "sensor_entry": {"title": "an entry of a body's list", "oneOf": [
    {"type": "string", "minLength": 1, "title": "name of the body, for all entries"},
    {"type": "object", "additionalProperties": false, "required": ["body", "entry"], "title": "body and entry",
      "properties": {
        "body": {"type": "string", "minLength": 1, "title": "name of the body"},
        "entry": {"type": "integer", "minimum": 0, "title": "number in the list, from 0 on"}}}]},
  "sensor_side": {"title": "a surface", "oneOf": [
    {"type": "string", "minLength": 1, "title": "name of a body or obstacle"},
    {"type": "object", "additionalProperties": false, "required": ["body", "select"], "title": "faces of a body",
      "properties": {
        "body": {"type": "string", "minLength": 1, "title": "name of the body"},
        "select": {"allOf": [{"$ref": "#/definitions/selection"}], "title": "faces"}}}]}
})";

}  // namespace sinew::schema_text
