#include "sinew/scene/schema_text.h"

namespace sinew::schema_text {

const char* const top_level = R"({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "sinew scene",
  "description": "A scene of contacting hyperelastic bodies. SI units; lengths in metres. No number may exceed 1e20 in size; smaller bounds are given where they hold.",
  "type": "object",
  "properties": {
    "$schema": {"type": "string", "title": "schema", "description": "Where the schema of this format lies, for editors."},
    "sinew": {"const": 1, "default": 1, "title": "format version", "description": "The version of the scene format."},
    "name": {"type": "string", "title": "name of the scene", "description": "Default: the name of the file without its extension."},
    "size": {"allOf": [{"$ref": "#/definitions/shape_size"}], "default": "small", "title": "size of the gallery shapes that state none"},
    "time": {},
    "gravity": {"allOf": [{"$ref": "#/definitions/vector"}], "default": [0, -9.81, 0]},
    "materials": {},
    "bodies": {"type": "array", "minItems": 1, "title": "bodies", "description": "The deformable bodies, meshes of tetrahedra; of triangles with material model mass_spring.",
      "items": {"allOf": [{"$ref": "#/definitions/body"}]}},
    "obstacles": {"type": "array", "default": [], "title": "obstacles",
      "description": "What bodies touch but cannot deform.", "items": {"allOf": [{"$ref": "#/definitions/obstacle"}]}},
    "ties": {"type": "array", "default": [], "title": "ties", "description": "Faces of bodies that are glued to other bodies, whatever their meshes.",
      "items": {"allOf": [{"$ref": "#/definitions/tie"}]}},
    "contact": {},
    "solver": {},
    "output": {},
    "compare": {"type": "object", "default": {}, "title": "comparison", "description": "Defaults of sinew compare.",
      "additionalProperties": false,
      "properties": {
        "from": {"type": "integer", "minimum": 0, "maximum": 2000000000, "default": 0, "title": "first step",
          "description": "The step from whose state every method starts."}}},
    "initial": {"title": "initial state",
      "description": "A frame (.vtu) or checkpoint (.h5) of a run with the same meshes, whose positions, velocities and time the run starts from; relative to the scene file. Motions, loads and releases go on from that time; time.steps steps are made, counted from 1. In statics the load steps share out what is left of the load. Time is 0 if one of the two runs is static and the other dynamic: a share of a load is no time in seconds. BDF2 starts without history: only --resume goes on with the same bits.",
      "oneOf": [
        {"type": "string", "minLength": 1, "title": "path of a frame or checkpoint"},
        {"type": "object", "additionalProperties": false, "required": ["file"], "title": "file and time",
          "properties": {
            "file": {"type": "string", "minLength": 1, "title": "path of a frame or checkpoint"},
            "time": {"type": "string", "enum": ["continue", "reset"], "default": "continue", "title": "time to start at", "description": "continue: that of the state. reset: 0, where motions are at their first key."}}}]}
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
    "description": "Moves rest positions: scale, then rotate, then translate. Linear between keys, held before the first and after the last.",
    "properties": {
      "translate": {"type": "object", "additionalProperties": false, "required": ["times", "values"], "title": "translation",
        "properties": {
          "times": {"allOf": [{"$ref": "#/definitions/times"}]},
          "values": {"type": "array", "items": {"allOf": [{"$ref": "#/definitions/vector"}]}, "minItems": 1, "x-unit": "m",
            "title": "a displacement for each time"}}},
      "rotate": {"type": "object", "additionalProperties": false, "required": ["times", "degrees"], "title": "rotation",
        "properties": {
          "axis": {"allOf": [{"$ref": "#/definitions/axis"}], "default": "y", "title": "axis of rotation"},
          "center": {"allOf": [{"$ref": "#/definitions/vector"}], "default": [0, 0, 0], "x-unit": "m", "title": "a point of the axis"},
          "times": {"allOf": [{"$ref": "#/definitions/times"}]},
          "degrees": {"type": "array", "items": {"type": "number"}, "minItems": 1, "title": "an angle for each time",
            "description": "In degrees, counter-clockwise where the axis points at the viewer."}}},
      "scale": {"type": "object", "additionalProperties": false, "required": ["times", "values"], "title": "scaling",
        "properties": {
          "center": {"allOf": [{"$ref": "#/definitions/vector"}], "default": [0, 0, 0], "x-unit": "m", "title": "the point that stays"},
          "times": {"allOf": [{"$ref": "#/definitions/times"}]},
          "values": {"type": "array", "minItems": 1, "title": "a factor, or three, for each time",
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
    "description": "small: 5 to 10 thousand tets a scene; medium: about 200 thousand; large: more. A number is the edge length.",
    "oneOf": [
      {"type": "string", "enum": ["small", "medium", "large"], "title": "a size by name; a number is an edge length"},
      {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "title": "an edge length"}]},
  "shape": {"type": "object", "title": "gallery shape", "required": ["shape"], "additionalProperties": false,
    "properties": {
      "shape": {"type": "string", "minLength": 1, "title": "name of a gallery shape", "description": "sinew-mesh shape --list shows all."},
      "size": {"allOf": [{"$ref": "#/definitions/shape_size"}], "title": "size", "description": "Default: the size of the scene."},
      "set": {"type": "object", "title": "parameters of the shape by name", "description": "sinew-mesh shape NAME --list shows them.",
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
            "edge": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "edge length", "description": "The same as size."}}},
        "box": {"type": "object", "additionalProperties": false, "required": ["size"], "title": "box",
          "allOf": [{"not": {"required": ["cells", "edge"]}}],
          "properties": {
            "size": {"type": "array", "items": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "title": "extent"}, "minItems": 3, "maxItems": 3, "x-unit": "m", "title": "extents"},
            "cells": {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 100000}, "minItems": 3, "maxItems": 3, "title": "cells along each axis",
              "description": "Of five tetrahedra each."},
            "edge": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "edge length of the cells",
              "description": "Default, without cells: a quarter of the shortest extent."}}},
        "cylinder": {"type": "object", "additionalProperties": false, "required": ["radius", "height"], "title": "solid cylinder",
          "allOf": [{"not": {"required": ["size", "edge"]}}],
          "properties": {
            "radius": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "radius"},
            "height": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "height"},
            "size": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "edge length",
              "description": "Default: a quarter of the radius, or of the height when that is less."},
            "edge": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "edge length", "description": "The same as size."},
            "axis": {"type": "string", "enum": ["x", "y", "z"], "default": "y", "title": "axis"}}},
        "torus": {"type": "object", "additionalProperties": false, "required": ["radius", "tube"], "title": "solid torus",
          "allOf": [{"not": {"required": ["size", "edge"]}}],
          "properties": {
            "radius": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "radius of the centre line"},
            "tube": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "radius of the tube"},
            "size": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "edge length", "description": "Default: half the radius of the tube."},
            "edge": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "edge length", "description": "The same as size."},
            "axis": {"type": "string", "enum": ["x", "y", "z"], "default": "y", "title": "axis"}}},
        "sheet": {"type": "object", "additionalProperties": false, "required": ["size"], "title": "flat rectangle of triangles",
          "description": "A cloth, of material model mass_spring, or an obstacle.",
          "allOf": [{"not": {"required": ["cells", "edge"]}}],
          "properties": {
            "size": {"type": "array", "items": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "title": "extent"}, "minItems": 2, "maxItems": 2, "x-unit": "m", "title": "extents", "description": "Along the two axes across the normal, in alphabetical order."},
            "cells": {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 100000}, "minItems": 2, "maxItems": 2, "title": "cells along each side",
              "description": "Of two triangles each, with alternating diagonals."},
            "edge": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "edge length of the cells",
              "description": "Default, without cells: a twentieth of the shorter side."},
            "axis": {"type": "string", "enum": ["x", "y", "z"], "default": "y", "title": "normal"}}}}}]}]}
})";

const char* const selection = R"({
  "box": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"allOf": [{"$ref": "#/definitions/vector"}]}, "x-unit": "m",
    "title": "box", "description": "Vertices between two corners, those on its faces included."},
  "sphere": {"type": "object", "additionalProperties": false, "required": ["center", "radius"], "title": "ball",
    "description": "Vertices within a distance of a point.",
    "properties": {
      "center": {"allOf": [{"$ref": "#/definitions/vector"}], "x-unit": "m", "title": "centre"},
      "radius": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "x-unit": "m", "title": "radius"}}},
  "halfspace": {"type": "object", "additionalProperties": false, "required": ["point", "normal"], "title": "half-space",
    "description": "Vertices on the side of a plane to which its normal points, those on the plane included.",
    "properties": {
      "point": {"allOf": [{"$ref": "#/definitions/vector"}], "x-unit": "m", "title": "a point of the plane"},
      "normal": {"allOf": [{"$ref": "#/definitions/vector"}], "title": "normal", "description": "Of any length but zero."}}},
  "group": {"type": "string", "minLength": 1, "title": "group of the mesh",
    "description": "A physical surface or volume of the mesh file, by name or as \"dim:id\", e.g. \"2:5\"."},
  "vertices": {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 1, "title": "vertex ids",
    "description": "In the order of the mesh file, from 0."},
  "all": {"const": true, "title": "everything"},
  "any": {"type": "array", "minItems": 1, "items": {"allOf": [{"$ref": "#/definitions/selection"}]}, "title": "any of",
    "description": "What at least one of the selections holds."},
  "not": {"allOf": [{"$ref": "#/definitions/selection"}], "title": "not", "description": "What the selection does not hold."}
})";

const char* const body = R"({
  "fix": {"type": "object", "additionalProperties": false, "title": "fixed vertices",
    "description": "Vertices whose position is prescribed.",
    "properties": {
      "axes": {"type": "string", "pattern": "^(?!.*(.).*\\1)[xyz]{1,3}$", "default": "xyz", "title": "prescribed coordinates",
        "description": "Some of the letters x, y and z, in any order, each once."},
      "motion": {"allOf": [{"$ref": "#/definitions/motion"}], "default": {}},
      "until": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000, "x-unit": "s", "title": "release time", "description": "Default: never."}}},
  "load": {"type": "object", "additionalProperties": false, "title": "load on faces",
    "allOf": [{"oneOf": [{"required": ["traction"]}, {"required": ["pressure"]}, {"required": ["force"]}]}],
    "properties": {
      "traction": {"allOf": [{"$ref": "#/definitions/vector_or_keys"}], "x-unit": "Pa", "title": "traction",
        "x-expected": "three numbers [x, y, z] in Pa, or keyframes {\"times\": [...], \"values\": [[x, y, z], ...]}",
        "description": "Force an area of the rest state, of fixed direction."},
      "pressure": {"allOf": [{"$ref": "#/definitions/scalar_or_keys"}], "x-unit": "Pa", "title": "pressure",
        "x-expected": "a number in Pa, or keyframes {\"times\": [...], \"values\": [...]}",
        "description": "Pushes inwards, follows the deformed faces."},
      "force": {"allOf": [{"$ref": "#/definitions/vector_or_keys"}], "x-unit": "N", "title": "total force",
        "x-expected": "three numbers [x, y, z] in N, or keyframes {\"times\": [...], \"values\": [[x, y, z], ...]}",
        "description": "The total of a uniform traction over the selected faces."}}},
  "spring": {"type": "object", "additionalProperties": false, "required": ["to", "stiffness"], "title": "springs",
    "description": "One spring for each selected vertex. To glue a face onto another body let its springs end at the nearest points.",
    "properties": {
      "to": {"title": "the other end",
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
      "at": {"type": "string", "enum": ["mean", "nearest"], "default": "mean", "title": "where each spring ends", "description": "mean: all springs end at the mean position of all selected vertices, which they pull together: an anchor, no glue. nearest: each ends at the point that is nearest to its vertex in the rest state, on the faces between selected vertices, or if there are none at a selected vertex."}}},
  "tie": {"type": "object", "additionalProperties": false, "required": ["body", "to"], "title": "tie",
    "description": "The selected faces follow those of another body, which lie opposite no further away than half an edge. The tie is exact and has no stiffness of its own: meshes need not match, and a uniform stress passes unchanged. Tied faces do not touch each other. Vertices that follow cannot be fixed, nor tied twice. Which side follows is of little matter; take the finer mesh, and the smaller face where one is larger. Not of methods adaptive, mixed and reduced.",
    "properties": {
      "body": {"type": "string", "title": "name of the body that follows", "description": "Not an affine one, nor a cloth."},
      "to": {"allOf": [{"$ref": "#/definitions/tie_end"}], "title": "the faces that they are glued to"},
      "until": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000, "x-unit": "s", "title": "time at which the tie ends", "description": "From then on the faces touch as others do, for which the scene leaves a gap between them. A tie whose faces cross then holds on until they do not. Default: never."},
      "breaks_at": {"type": "number", "exclusiveMinimum": 0, "maximum": 1e20, "x-unit": "Pa", "title": "traction at which the tie breaks", "description": "The mean over the face of the size of the traction that the tie carries at the end of a step, pressure left out: glue is pulled or sheared off. The whole tie ends with the next step, as at its time. Default: never."}}},
  "tie_end": {"type": "object", "additionalProperties": false, "required": ["body"], "title": "selected faces of another body",
    "properties": {
      "body": {"type": "string", "title": "name of the body"}}},
  "body": {"type": "object", "additionalProperties": false, "required": ["mesh"], "title": "body",
    "properties": {
      "name": {"type": "string", "minLength": 1, "title": "name", "description": "Default: body0, body1, ... in the order of the scene."},
      "mesh": {"allOf": [{"$ref": "#/definitions/mesh"}]},
      "material": {"title": "material", "description": "Default: the only material of the scene.",
        "x-expected": "the name of a material, {\"regions\": {\"1\": \"name\", ...}}, or a material such as {\"young\": 1e6, \"poisson\": 0.4}", "oneOf": [
        {"type": "string", "title": "name of a material"},
        {"type": "object", "additionalProperties": false, "required": ["regions"], "title": "materials by region",
          "properties": {"regions": {"type": "object", "minProperties": 1, "title": "at least one region and the name of its material",
            "description": "Name of a material by region id or name of a volume group of the mesh. Ids: the physical volumes of a .msh; in a .vtu the first cell array of whole numbers called region(s), RegionId(s), MaterialId(s), Material(s), gmsh:physical or CellEntityIds, in any case, with or without '_'.",
            "additionalProperties": {"type": "string", "title": "name of a material"}}}},
        {"allOf": [{"$ref": "#/definitions/material"}]}]},
      "transform": {"allOf": [{"$ref": "#/definitions/transform"}], "default": {}},
      "collision": {"allOf": [{"$ref": "#/definitions/mesh"}], "title": "collision surface", "description": "A surface in or near the mesh, on which contact acts in place of the mesh's own: a fine skin of a coarse body, or a plain hull of a detailed one. It is placed by the body's transform and follows the tets. Default: the surface of the mesh."},
      "render": {"allOf": [{"$ref": "#/definitions/mesh"}], "title": "render surface", "description": "A surface in or near the mesh that is drawn in place of the mesh's own: on the page, live, and in pc2 and vtu. Of an .obj file pc2 keeps polygons, texture coordinates and names. It is placed by the body's transform, follows the tets, and takes no part in the simulation. Default: the surface of the mesh."},
      "kinematics": {"type": "string", "enum": ["full", "affine"], "default": "full", "title": "how the body can move", "description": "full: every vertex by itself. affine: the whole body by one affine map, twelve coordinates whatever its mesh, as for stiff bodies: dice, gears, stones. An affine body is as stiff as its material; its mesh may be a closed surface too."},
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
            "description": "Slows all motion down, that of the whole body too."},
          "stiffness": {"type": "number", "minimum": 0, "maximum": 1000000000, "default": 0, "x-unit": "s", "title": "stiffness damping",
            "description": "Slows deformation down, fast vibrations most."}}}}}
})";

const char* const contact = R"({
  "obstacle": {"type": "object", "additionalProperties": false, "title": "obstacle",
    "oneOf": [{"required": ["plane"]}, {"required": ["mesh"]}],
    "properties": {
      "name": {"type": "string", "minLength": 1, "title": "name", "description": "Default: obstacle0, obstacle1, ... in the order of the scene."},
      "plane": {"type": "object", "additionalProperties": false, "title": "half-space", "description": "Bodies stay on the side to which the normal points.",
        "properties": {
          "point": {"allOf": [{"$ref": "#/definitions/vector"}], "default": [0, 0, 0], "x-unit": "m", "title": "a point of the plane"},
          "normal": {"allOf": [{"$ref": "#/definitions/vector"}], "default": [0, 1, 0], "title": "normal", "description": "Of any length but zero."}}},
      "mesh": {"allOf": [{"$ref": "#/definitions/mesh"}]},
      "transform": {"allOf": [{"$ref": "#/definitions/transform"}]},
      "motion": {"allOf": [{"$ref": "#/definitions/motion"}], "default": {}},
      "material": {"type": "string", "minLength": 1, "title": "material", "description": "For pairs of friction only. Default: the obstacle's own name."}}},
  "contact": {"type": "object", "additionalProperties": false, "default": {}, "title": "contact",
    "properties": {
      "enabled": {"type": "boolean", "default": true, "title": "contact on"},
      "model": {"type": "string", "enum": ["barrier", "penalty"], "default": "barrier", "title": "contact model",
        "description": "barrier: nothing ever intersects. penalty: fast and approximate: surface vertices are pushed back from what they have come too near to or gone into; bodies go into each other a little, a body's contact with itself is not seen, and a body that crosses a thin one within a step may come out on the other side. Not of the reduced methods."},
      "distance": {"default": "auto", "x-unit": "m", "title": "distance at which contact forces begin",
        "description": "auto: 1e-3 of the diagonal of the smallest body, at most a quarter of the shortest surface edge; of bodies that start from another state and overlap at rest, as after a shrink fit, at most a fortieth of the overlap.",
        "oneOf": [{"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "title": "a distance"}, {"const": "auto", "title": "chosen from the meshes"}]},
      "stiffness": {"default": "auto", "x-unit": "Pa", "title": "contact stiffness",
        "description": "Of penalties: the pressure at a depth of the mean edge of the surfaces; auto: Young's modulus of the softest body, bounded by inertia as that of the barrier. Of the barrier, auto: starts at a tenth of Young's modulus of the softest body, in dynamics at a hundred times the pressure that stops the heaviest body within a step if that is less, and adapts.",
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
        "description": "In statics in metres a load step. auto: 1e-3 m/s, for bodies smaller than 0.2 m 5e-3 of the smallest diagonal a second; in statics a hundredth of the largest prescribed motion of a load step, without one 1e-4 of the diagonal over the number of load steps.",
        "oneOf": [{"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "title": "slip speed below which friction is static"}, {"const": "auto", "title": "chosen from the motion of the scene"}]},
      "friction_iterations": {"default": "auto", "title": "updates of the lagged friction in a step",
        "description": "At most: updates end when friction is within friction_tolerance. auto: 20, in statics 100.",
        "oneOf": [{"type": "integer", "minimum": 1, "maximum": 1000, "title": "updates of the lagged friction in a step"}, {"const": "auto", "title": "by the mode of time"}]},
      "friction_tolerance": {"type": "number", "exclusiveMinimum": 0, "maximum": 1, "default": 1e-2, "title": "error of friction forces below which their updates end", "description": "The share of the coefficient times the normal force at the end of a step by which the friction of any body may be off. In dynamics with friction_iterations auto five times as much."},
      "surface_samples": {"default": "auto", "title": "samples of the surfaces", "description": "Of the reduced methods, whose contacts are those of coarse surfaces through so many points of the bodies, shared out by area. A body with a sample for each vertex of its surface has that surface; others do not touch themselves. auto: 300.",
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
      "steps": {"type": "integer", "minimum": 1, "maximum": 2000000000, "default": 100, "title": "number of steps", "description": "In statics, of load steps."},
      "integrator": {"type": "string", "enum": ["implicit_euler", "bdf2", "newmark"], "default": "implicit_euler", "title": "integrator",
        "description": "implicit_euler: of first order, damps motion. bdf2: of second order, damps much less. newmark: by time.newmark, of second order without damping unless gamma is above 1/2; vibrations that the step does not resolve stay, too."},
      "newmark": {"type": "object", "additionalProperties": false, "default": {}, "title": "parameters of newmark", "description": "Stable for any step where 2 beta >= gamma >= 1/2. Contact and friction act apart from these parameters, with their forces at the end of a step alone, and only take energy.", "properties": {
        "beta": {"type": "number", "minimum": 0.25, "maximum": 1, "default": 0.25, "title": "beta"},
        "gamma": {"type": "number", "minimum": 0.5, "maximum": 1, "default": 0.5, "title": "gamma"}}},
      "mode": {"type": "string", "enum": ["dynamic", "static"], "default": "dynamic", "title": "mode",
        "description": "dynamic: motion in time. static: equilibrium under a load that grows over the steps."},
      "ramp": {"type": "boolean", "default": true, "title": "load ramp", "description": "In statics: gravity and loads without keyframes of their own grow from 0 to 1."},
      "substeps": {"default": "auto", "title": "parts of a step that fails, at most", "description": "A step or load step that fails is solved again in parts, halved where they fail and doubled after two that do not. Results are those of whole steps; rows say how many parts it took (substeps). If the smallest parts fail too, a time step is made in one after all. A number is rounded down to a power of two; 0: steps are never divided. auto: 64.", "oneOf": [
        {"type": "integer", "minimum": 0, "maximum": 1048576, "title": "a number"}, {"const": "auto", "title": "64"}]},
      "max_travel": {"default": "auto", "title": "way to what a body meets in a part of a step, over its size, at most", "description": "In dynamics: a body that meets another body, or an obstacle that it could pass round, at more than this times the size of the smaller one a step may end up on its far side. Such a step is made in parts from its start, at most time.substeps, none of which is longer. 0: steps are divided only where they fail; a warning then tells of more than one size a step. auto: 0.5.", "oneOf": [
        {"type": "number", "minimum": 0, "maximum": 1000000000, "title": "a number of body sizes"}, {"const": "auto", "title": "0.5"}]}}},
  "solver": {"type": "object", "additionalProperties": false, "default": {}, "title": "solver",
    "properties": {
      "method": {"type": "string", "default": "auto", "title": "method",
        "description": "auto: newton or multilevel, by the work of a factorisation of the meshes; check, run, summary.json and the page say which and why. newton: direct factorisation. newton-pcg: preconditioned conjugate gradients. newton-multilevel: Newton's directions to solver.linear_tolerance, by conjugate gradients whose preconditioner is the multilevel one. multilevel: corrections from sparse material-aware bases, then some conjugate gradients. adaptive: subspaces that grow inside a step where they do not suffice. mixed: mixed finite elements with stretches of their own in a subspace, for real time. reduced: standard finite elements in the same subspace.",
        "enum": ["auto", "newton", "newton-pcg", "newton-multilevel", "multilevel", "adaptive", "quasi_newton", "mixed", "reduced"]},
      "linear_solver": {"type": "string", "enum": ["llt", "pcg", "multilevel"], "title": "linear solver",
        "description": "Chooses among the newtons when method is newton, or auto, which is newton then. Default: llt."},
      "tolerance": {"default": "auto", "x-unit": "m/s", "title": "tolerance",
        "description": "A step is solved when the norm of the next change of the velocity is below, and contact forces have settled. In statics of the positions [m]. auto: 1e-3 m/s, for scenes smaller than 1 m 1e-3 of their diagonal a second; in statics 1e-6 of the diagonal; with friction at most half of contact.slip_speed.",
        "oneOf": [{"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "title": "a speed"}, {"const": "auto", "title": "chosen from the size of the scene"}]},
      "norm": {"type": "string", "enum": ["max", "mean"], "default": "max", "title": "norm of the tolerance",
        "description": "max: of the fastest vertex; mean: over all vertices."},
      "instability": {"type": "string", "enum": ["follow", "report", "ignore"], "default": "follow", "title": "unstable equilibria", "description": "In statics: at the end of a load step the curvature of the energy tells whether the equilibrium is stable, as that of a straight column above its buckling load is not. follow: bodies go on to a stable one; where that is elsewhere the row says so (instability). report: they stay, and the row says so. ignore: it is not tested. In a subspace the energy is that of its coordinates; where a row has an error estimate and the equilibrium is unstable in full space, it says full_space. Modal cubature has no energy, and no test of its own."},
      "force_tolerance": {"type": "number", "exclusiveMinimum": 0, "maximum": 1, "default": 1e-3, "title": "unbalanced forces of a load step", "description": "In statics a step is solved when beside solver.tolerance the largest force that nothing balances at a vertex is below this share of the largest force of any one kind on a vertex, of elasticity, loads, contact and others. In a subspace forces cannot balance at each vertex: there it is the share of all forces on the coordinates, in the norm of the mass, of elastic ones."},
      "max_iterations": {"type": "integer", "minimum": 1, "maximum": 2000000000, "default": 200, "title": "iterations of a step, at most"},
      "linear_tolerance": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 1e-4, "title": "relative residual of pcg", "description": "Of newton-pcg and newton-multilevel. And of the last direction of a step of multilevel where it has no basis functions in its preconditioner."},
      "linear_iterations": {"type": "integer", "minimum": 1, "maximum": 2000000000, "default": 10000, "title": "iterations of pcg, at most"},
      "linear_preconditioner": {"type": "string", "enum": ["block_jacobi", "jacobi"], "default": "block_jacobi", "title": "preconditioner of pcg", "description": "block_jacobi: the 3 x 3 blocks of the diagonal. jacobi: the diagonal alone, for comparison."},
      "subspace": {"default": "eigenmodes", "title": "subspace of the reduced methods: a kind, the path of a file of modes, or a list of these", "description": "Handles: eigenmodes, skinning eigenmodes, global functions that know shape and material. sms: sparse ones around the middles of clusters. affine: an affine motion of each connected body. biharmonic: smooth coordinates of the shape alone, for comparison. Dense modes of each connected body, which turn with it where nothing, a line or a point holds it: linear, the lowest modes of vibration. derivatives: these and what pairs of them bend, in few modes. inertia and inertia_derivatives: about the same, from one factorisation, made in seconds. quadratic: linear and quadratic in the place. Or a file of modes that `sinew modes` wrote. full: none, all vertices move, with all tets: the reference of the others. A list of kinds of dense modes and files of them: all that they span together, solver.handles of each.", "oneOf": [
        {"type": "string", "pattern": "^(eigenmodes|sms|affine|biharmonic|full|linear|derivatives|inertia|inertia_derivatives|quadratic|.*\\.npz)$", "title": "a kind or a file"},
        {"type": "array", "minItems": 1, "maxItems": 20, "title": "kinds of modes and files", "items": {"type": "string", "pattern": "^(linear|derivatives|inertia|inertia_derivatives|quadratic|.*\\.npz)$", "title": "kind or file"}}]},
      "handles": {"title": "handles of a subspace", "default": "auto", "description": "For methods with a subspace: how many affine handles share out the bodies, each at least one. auto: of multilevel as many as vertices can be picked 12 edges or more from each other; of the reduced methods 16, or a quarter of the vertices that are free if that is less. Of dense modes: their number in each connected body or domain, of each kind of a list. auto: 30.",
        "oneOf": [{"type": "integer", "minimum": 1, "maximum": 10000000, "title": "a number"}, {"const": "auto", "title": "chosen from the shape"}]},
      "domains": {"title": "domains of dense modes", "default": "auto", "description": "Substructures with modes of their own, in all: bodies are divided into connected domains, each of which turns by itself where nothing holds it, and are held together where these meet. auto: one a connected body.",
        "oneOf": [{"type": "integer", "minimum": 1, "maximum": 1000000, "title": "a number"}, {"const": "auto", "title": "one a connected body"}]},
      "warping": {"type": "boolean", "default": false, "title": "modal warping", "description": "Of dense modes: elasticity is linear, that of the materials at rest, and displacements turn with the mean rotation that the modes have where they act (Choi and Ko 2005), so that bodies bend far. No cubature is fitted; stiffness does not grow with the load, and nothing keeps tets from inversion. Vertices may be held still, but not moved."},
      "cubature": {"title": "cubature", "description": "For methods with a subspace: how elastic energies (of multilevel: Hessians) are integrated over few tets. Default: stiffness; of the reduced methods with 24 points a handle. Of dense modes: energies.", "oneOf": [
        {"type": "string", "enum": ["stiffness", "clusters", "modal", "polynomial", "all", "energies", "modal_forces", "optimized"], "title": "name of a rule"},
        {"type": "integer", "minimum": 1, "maximum": 2000000000, "title": "number of points"},
        {"type": "object", "additionalProperties": false, "title": "settings of the rule", "properties": {
          "rule": {"type": "string", "enum": ["stiffness", "clusters", "modal", "polynomial", "all", "energies", "modal_forces", "optimized"], "title": "rule", "description": "stiffness: fitted to the reduced stiffness at rest; for the reduced methods with a given number of points. clusters: the middles of clusters of tets that deform alike, as in the paper, for the reduced methods. modal: fitted to products of the basis functions. polynomial: fitted to polynomials. all: all tets. Of dense modes: energies, points spread evenly whose weights are fitted to the energies of training poses, in seconds. modal_forces: as in the paper, with weights for each mode by itself, fitted to the forces of poses: these are not the derivative of an energy, and may feed motions where materials hardly change their volume. optimized: points and weights chosen for such poses one by one, slowly; forces then are the derivative of an energy."},
          "degree": {"type": "integer", "minimum": 1, "maximum": 6, "default": 2, "title": "degree of the products or polynomials", "description": "Of modal: 1 or 2."},
          "points": {"default": "auto", "title": "number of points", "description": "Of stiffness and clusters in the reduced methods; at least one a handle. auto: 24 a handle. Of energies, modal_forces and optimized, in each body or domain: auto, 4 a mode.",
            "oneOf": [{"type": "integer", "minimum": 1, "maximum": 2000000000, "title": "a number"}, {"const": "auto", "title": "by the handles"}]},
          "power": {"type": "number", "minimum": 0, "maximum": 4, "default": 0, "title": "power of the eigenvalues", "description": "Of clusters of eigenmodes: their weights count by the eigenvalue to minus this power. 2, as in the paper: clusters follow the softest motions alone, and bodies bend too easily. 0: all weights count alike."},
          "jacobian": {"type": "string", "enum": ["symmetric", "exact", "free"], "default": "symmetric", "title": "derivative of the forces", "description": "Of modal_forces, whose forces are not the gradient of an energy. symmetric: positive semidefinite, with the root of the weights on both sides. exact: not symmetric. free, as in the paper: products by differences of forces, in GMRES."},
          "poses": {"default": "auto", "title": "training poses", "description": "Of energies, modal_forces and optimized. auto: rounds of poses until the error changes by less than the tolerance; of optimized 10 a mode.",
            "oneOf": [{"type": "integer", "minimum": 1, "maximum": 1000000, "title": "a number"}, {"const": "auto", "title": "as many as are needed"}]},
          "pose_size": {"type": "number", "exclusiveMinimum": 0, "maximum": 10, "default": 0.1, "title": "size of the training poses", "description": "Their largest displacement over the diagonal of the scene, in the mean."},
          "tolerance": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 0.005, "title": "tolerance of the training", "description": "Of energies and modal_forces: of the change of the error in a round of poses. Of optimized: of the error."}}}]},
      "error_every": {"default": "auto", "title": "rows with an estimated error", "description": "Of the reduced methods, and of adaptive with acceptance oracle: the first row and every N-th have error_estimate, the estimated distance from the step in full space. 0: none. auto: every row in statics and where an estimate costs less than a tenth of a step, else every tenth; none in sinew live. With acceptance estimate all rows of adaptive have error_estimate.",
        "oneOf": [{"type": "integer", "minimum": 0, "maximum": 2000000000, "title": "a number"}, {"const": "auto", "title": "by what an estimate costs"}]},
      "iterations": {"default": "auto",
        "oneOf": [{"type": "integer", "title": "a number"}, {"const": "auto", "title": "as the method says"}]},
      "quasi_newton": {"type": "object", "additionalProperties": false, "default": {}, "title": "settings of quasi_newton", "properties": {
        "initial": {"type": "string", "enum": ["laplacian", "rest", "identity"], "default": "laplacian", "title": "first guess of the Hessian", "description": "laplacian: M + a h^2 L, the matrix of Projective Dynamics. The others are for comparison: rest, the Hessian at rest; identity, scaled by the last secant pair."},
        "acceleration": {"type": "string", "enum": ["lbfgs", "chebyshev", "none"], "default": "lbfgs", "title": "acceleration", "description": "lbfgs: secant pairs of the step's last iterations. chebyshev, for comparison: extrapolation with weights for a spectral radius. none: the first guess alone."},
        "history": {"type": "integer", "minimum": 0, "maximum": 1000, "default": 5, "title": "secant pairs", "description": "Of lbfgs: how many are kept. 0: none, as in Projective Dynamics."},
        "spectral_radius": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 0.9, "title": "spectral radius", "description": "Of chebyshev: how slowly iterations without it converge, measured beforehand."},
        "line_search": {"type": "boolean", "default": true, "title": "line search", "description": "false, as in Projective Dynamics and for comparison: steps are taken whether the potential falls or not. Most materials then blow up."},
        "rotations": {"type": "boolean", "default": true, "title": "rotations of parts", "description": "Of laplacian: parts of one material turn by a correction of their own. false, as in the paper and for comparison: stiff parts that turn converge slowly."},
        "stretches": {"type": "array", "items": {"type": "number", "exclusiveMinimum": 0, "maximum": 100}, "minItems": 2, "maxItems": 2, "default": [0.5, 1.5], "title": "stretches of the fit", "description": "The stiffness of a tet is the slope of the line that fits its stress over this interval best."}}},
      "adaptive": {"type": "object", "additionalProperties": false, "default": {}, "title": "settings of adaptive", "properties": {
        "library": {"type": "array", "default": ["eigenmodes"], "title": "library of modes", "description": "What a step may take in, of each kind solver.handles handles or modes (auto: 20, or three a body). eigenmodes: skinning eigenmodes. sms: sparse handles around the middles of clusters. biharmonic: smooth coordinates of the shape alone. affine: a motion of each connected body, which all libraries have. linear: the lowest modes of vibration. inertia: about the same motions, from one factorisation. derivatives, inertia_derivatives: these and what pairs of them bend, in few modes. quadratic: linear and quadratic in the place. A file of modes that `sinew modes` wrote, such as those of the frames of an earlier run. May be empty: then vertices are all that can be taken in.", "items": {
          "type": "string", "pattern": "^(eigenmodes|sms|biharmonic|affine|linear|derivatives|inertia|inertia_derivatives|quadratic|.*\\.npz)$", "title": "a kind, or the path of a file of modes"}},
        "initial": {"default": "auto", "title": "modes at the start", "description": "Handles and modes that are active in the first step: in the order of the library, modes after handles; one handle a body at least. auto: one a body and five more.",
          "oneOf": [{"type": "integer", "minimum": 1, "maximum": 10000000, "title": "a number"}, {"const": "auto", "title": "few"}]},
        "regions": {"default": "auto", "title": "regions", "description": "Connected sets of tets: a vertex brings the vertices of its region, and each has a secant Hessian. auto: one for 800 tets, at most 1000.",
          "oneOf": [{"type": "integer", "minimum": 1, "maximum": 10000000, "title": "a number"}, {"const": "auto", "title": "by the number of tets"}]},
        "vertex_error": {"type": "number", "minimum": 0, "maximum": 1000000000000, "default": 0.1, "title": "error of vertices", "description": "Unbalanced force at a vertex over stiffness times area, above which its region is taken in. 0: everything is."},
        "mode_error": {"type": "number", "minimum": 0, "maximum": 1000000000000, "default": 0.1, "title": "error of modes", "description": "The same of the force that a mode of the library stands for."},
        "progress": {"type": "number", "minimum": 0, "maximum": 1000000000000, "default": 1e-4, "title": "progress", "description": "Decrease of energy around a vertex, over stiffness times volume, that the active modes alone would make: nothing is taken in where it is larger."},
        "drop_rate": {"type": "number", "minimum": 0, "maximum": 1000000000000, "default": 0.1, "x-unit": "1/s", "title": "drop rate", "description": "Modes that moved no vertex faster than this share of the scene's diagonal a second are dropped after a step, and vertices that moved as the modes would have moved them. 0: nothing is dropped."},
        "trust": {"type": "number", "minimum": 0, "maximum": 1000000000000, "default": 1, "title": "trust in secants", "description": "Relative error of a region's secant model above which its Hessian is formed anew from all tets. 0: in every iteration."},
        "linear_tolerance": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 1e-5, "title": "relative residual of the Schur complement"},
        "acceptance": {"type": "string", "enum": ["estimate", "oracle"], "default": "estimate", "title": "acceptance", "description": "When a step may end. estimate: once its estimated error is below the accuracy; else the step takes in what the estimate asks for and goes on. oracle, as in the paper and for comparison: once the thresholds above take nothing in; such a step may be far from the solution."},
        "accuracy": {"type": "number", "exclusiveMinimum": 0, "maximum": 1, "default": 0.02, "title": "accuracy", "description": "Of acceptance estimate: the largest error of a body's mean displacement in a step, over the body's mean displacement in this step (in statics: in the load step). An error below solver.tolerance is always accepted."}}},
      "multilevel": {"type": "object", "additionalProperties": false, "default": {}, "title": "settings of multilevel methods", "properties": {
        "partition": {"type": "string", "enum": ["geodesic", "heat", "metis", "euclidean"], "default": "geodesic", "title": "partition into clusters", "description": "geodesic, heat: k-means by distances through the solid, by two algorithms. metis: of the tets' graph. euclidean: plain k-means."},
        "stiffness_exponent": {"type": "number", "minimum": 0, "maximum": 2, "default": 0, "title": "stiffness in distances", "description": "Its exponent. 1, as in the paper: stiff regions are short and get few clusters, which suits bases that are used alone. 0: clusters of equal size everywhere, from which refinement converges in the fewest iterations."},
        "interface_stiffness": {"type": "number", "exclusiveMinimum": 0, "maximum": 1, "default": 0.3, "title": "stiffness at interfaces", "description": "For distances alone, over that of the softest material: small values keep clusters within materials."},
        "basis": {"type": "string", "enum": ["sms", "rbf", "biharmonic", "eigenmodes"], "default": "sms", "title": "basis functions", "description": "sms: sparse, of local biharmonic problems weighted by stiffness. The others are for comparison: radial, global biharmonic coordinates, skinning eigenmodes."},
        "dirichlet": {"type": "boolean", "default": true, "title": "Dirichlet handling", "description": "Basis functions fall to zero smoothly towards fixed vertices. false, for comparison: they know nothing of them, and motions break off there."},
        "reduced_lag": {"type": "integer", "minimum": 0, "maximum": 1000000, "default": 20, "title": "lag of reduced matrices", "description": "Directions of a step in a row that may use the reduced matrices of an earlier one. They are renewed once conjugate gradients have taken twenty iterations more for each decade of the error, in all, than with fresh ones; their contacts alone once old ones have cost eight. 0: none."},
        "eliminate_contacts": {"type": "boolean", "default": true, "title": "contacts in the preconditioner", "description": "The preconditioner eliminates the vertices in contact exactly, and the reduced matrix has contacts no stiffer than ten times what surrounds them. false: conjugate gradients take several iterations more for each stiff contact."},
        "forcing": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 0.1, "title": "forcing term", "description": "Of multilevel: directions are solved until the energy norm of their error is this share of that of the direction, or until the preconditioner would change them by less than 0.3 times this share of their length. Where the quadratic model held well, down to a tenth of this."},
        "printed": {"type": "object", "additionalProperties": false, "title": "the method as its paper has it", "description": "For comparison, with stiffness_exponent 1: corrections by an affine motion of each body and by the basis functions, then a fixed number of conjugate gradients with the block diagonal. Not given: multilevel as described in the theory.", "properties": {
          "affine": {"type": "boolean", "default": true, "title": "affine level", "description": "Correct by an affine motion of each body first."},
          "subspace": {"type": "boolean", "default": true, "title": "subspace level", "description": "Correct by the basis functions."},
          "reduced_solver": {"type": "string", "enum": ["factor", "pcg"], "default": "pcg", "title": "solver of reduced systems"},
          "reduced_tolerance": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 1e-4, "title": "relative residual of reduced pcg"},
          "hessian": {"type": "string", "enum": ["full", "cubature"], "default": "cubature", "title": "Hessian of reduced systems", "description": "full: all tets. cubature: those of solver.cubature."},
          "residual": {"type": "string", "enum": ["full", "cubature"], "default": "full", "title": "Hessian of the residual that is refined", "description": "cubature is what the paper prints, and stalls."},
          "refinement": {"default": "auto", "title": "refinement", "description": "Iterations of conjugate gradients in full space; the direction that may end a step takes as many as it needs, up to linear_iterations (not with 0). auto: 20 or 40, by how many edges lie between the centre of a cluster and its rim.",
            "oneOf": [{"type": "integer", "minimum": 0, "maximum": 1000000, "title": "a number"}, {"const": "auto", "title": "by the clusters"}]},
          "lag": {"type": "integer", "minimum": 0, "maximum": 1000000, "default": 5, "title": "lag of the elastic Hessian", "description": "It is kept within a step and renewed when line searches take short steps, at most every so many iterations. 0: never kept."},
          "lag_step": {"type": "number", "minimum": 0, "maximum": 1, "default": 0.5, "title": "step length that renews the Hessian", "description": "Moving average of line-search steps under which it is renewed."},
          "stop": {"type": "string", "enum": ["full", "subspace"], "default": "subspace", "title": "what the tolerance holds for", "description": "full: the whole direction, as with newton. subspace: its part from the levels above full space, as in the paper."}}},
        "cache": {"type": "boolean", "default": true, "title": "cache", "description": "Keep partition and bases in the user's cache folder for the next run, for meshes of 20,000 tets and more."}}}}},
  "output": {"type": "object", "additionalProperties": false, "default": {}, "title": "output",
    "properties": {
      "every": {"type": "integer", "minimum": 1, "maximum": 2000000000, "default": 1, "title": "steps from frame to frame"},
      "formats": {"type": "array", "items": {"type": "string", "enum": ["vtu", "pc2", "wav", "html"]}, "default": ["vtu", "html"], "title": "formats of frames",
        "description": "vtu: frames for ParaView. pc2: point caches for Blender. wav: sound.wav, what contacts sound like. html: report.html, the page. May be empty."},
      "checkpoint": {"type": "integer", "minimum": 0, "maximum": 2000000000, "default": 1, "title": "steps from checkpoint to checkpoint",
        "description": "0: none."},
      "sound": {"type": "object", "additionalProperties": false, "default": {}, "title": "sound", "description": "Of format wav.", "properties": {
        "modes": {"type": "integer", "minimum": 1, "maximum": 100000, "default": 100, "title": "modes of vibration",
          "description": "Of each connected body, the lowest ones; those from 20 Hz to 20 kHz are heard."},
        "damping_ratio": {"type": "number", "minimum": 0, "exclusiveMaximum": 1, "default": 0.001, "title": "damping ratio",
          "description": "Share of critical damping of the modes of bodies that have no damping of their own; a mode of f Hz fades by 60 dB in 1.1 / (ratio f) seconds. About 0.0005 for bells, 0.01 for wood."},
        "impact_time": {"type": "number", "exclusiveMinimum": 0, "maximum": 1, "default": 0.0002, "x-unit": "s", "title": "duration of an impact",
          "description": "Of hard impacts, which steps longer than half of it cannot tell. Frequencies above 2 over it are hardly heard: hard and small things have short impacts."},
        "tail": {"type": "number", "minimum": 0, "maximum": 600, "default": 1, "x-unit": "s", "title": "sound after the last step", "description": "Bodies vibrate freely there."},
        "listener": {"title": "middle of the listener's head", "default": "auto", "x-unit": "m", "description": "It looks at the middle of the bodies at rest. auto: in front of them (+z where up is y, -y where up is z) and 30 degrees above, at the distance of the scene's diagonal, of 1 m at least. Sound takes its time: 1 s for 343 m. Of more than 10 s until the first sound may arrive nothing is written.",
          "oneOf": [{"allOf": [{"$ref": "#/definitions/vector"}]}, {"const": "auto", "title": "in front of the scene"}]},
        "ears": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000, "default": 0.18, "x-unit": "m", "title": "distance of the ears", "description": "Delays and the shadow of the head follow from it."},
        "gain": {"title": "gain", "default": "auto", "x-unit": "1/Pa", "description": "Full scale over pressure, with which sounds of several runs compare; the file holds what is above full scale, too. auto: so that the peak is at -1 dB, or as quiet as it is below 1 mPa there.",
          "oneOf": [{"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000, "title": "a number"}, {"const": "auto", "title": "by the peak"}]}}}}}
})";

}  // namespace sinew::schema_text
