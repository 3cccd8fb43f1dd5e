#include "small_scene.h"

#include <algorithm>

#include "target.h"

#include "sinew/scene/scene.h"

namespace sinew::fuzz {
namespace {

using Json = nlohmann::json;

double number(const Json& shape, const char* key) {
  const auto found = shape.find(key);
  return found != shape.end() && found->is_number() ? found->get<double>() : 0;
}

void raise(Json& shape, double least) {
  const char* key = shape.contains("edge") ? "edge" : "size";
  shape[key] = std::max(number(shape, key), least);
}

void coarsen_box(Json& box) {
  if (!box.contains("cells")) {
    double longest = 0;
    if (box.contains("size") && box["size"].is_array()) {
      for (const Json& side : box["size"]) longest = std::max(longest, side.is_number() ? side.get<double>() : 0);
    }
    box["edge"] = std::max(number(box, "edge"), longest / 4);
  } else if (box["cells"].is_array()) {
    for (Json& count : box["cells"]) {
      if (count.is_number() && count.get<double>() > 4) count = 4;
    }
  }
}

void coarsen_mesh(Json& mesh) {
  if (!mesh.is_object() || mesh.empty()) return;
  Json& shape = mesh.begin().value();
  if (!shape.is_object()) return;
  const double radius = number(shape, "radius");
  if (mesh.begin().key() == "box") coarsen_box(shape);
  if (mesh.begin().key() == "sphere") raise(shape, radius / 2);
  if (mesh.begin().key() == "cylinder") raise(shape, std::max(radius / 2, number(shape, "height") / 4));
  if (mesh.begin().key() == "torus") raise(shape, std::max(radius, number(shape, "tube")));
}

}  // namespace

Json small_scene() {
  static const Json scene = Json::parse(R"({
    "sinew": 1, "time": {"step": 0.01, "steps": 3, "integrator": "bdf2"},
    "materials": {"rubber": {"model": "neo_hookean", "young": 1e5, "poisson": 0.4}},
    "bodies": [
      {"name": "a", "mesh": {"box": {"size": [1, 1, 1], "cells": [1, 1, 1]}}, "material": "rubber",
       "velocity": [0, -1, 0], "loads": [{"box": [[-1, 0.4, -1], [1, 2, 1]], "force": [0, -1, 0]}]},
      {"name": "b", "mesh": {"box": {"size": [1, 1, 1], "cells": [2, 1, 1]}}, "material": "rubber",
       "transform": {"translate": [0, 1.5, 0]},
       "springs": [{"box": [[-1, 1.9, -1], [1, 3, 1]], "to": [0, 3, 0], "stiffness": 10}]}],
    "obstacles": [{"plane": {"point": [0, -0.51, 0], "normal": [0, 1, 0]}}],
    "contact": {"distance": 0.01, "friction": 0.3}})");
  return scene;
}

void coarsen(Json& scene) {
  for (const char* key : {"bodies", "obstacles"}) {
    if (!scene.contains(key)) continue;
    for (Json& item : scene[key]) {
      if (item.contains("mesh")) coarsen_mesh(item["mesh"]);
    }
  }
}

std::shared_ptr<const System> small_system() {
  static const std::shared_ptr<const System> system = [] {
    Scene scene = parse_scene(small_scene(), scratch_folder(), "scene.json");
    return build_system(scene);
  }();
  return system;
}

}  // namespace sinew::fuzz
