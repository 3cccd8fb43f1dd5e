#include "sinew/scene/read_sensors.h"

#include <algorithm>

#include "sinew/core/suggest.h"
#include "sinew/core/utf8.h"
#include "sinew/mesh/surface.h"
#include "sinew/mesh/tet_locator.h"
#include "sinew/scene/selection.h"

namespace sinew {
namespace {

class SensorReader {
 public:
  explicit SensorReader(const Setup& setup) : setup_(setup) {}

  Sensor read(const std::string& name, const Node& node) const {
    const auto separates = [](unsigned char c) { return c < ' ' || c == '.' || c == ',' || c == '"'; };
    if (name.empty() || std::ranges::any_of(name, separates))
      node.fail(code::sensor, "the name may have no dot, comma, quote or line break, and must not be empty");
    Sensor sensor;
    sensor.name = name;
    sensor.target = target_of(node);
    const Node target = node[std::string(target_name(sensor.target))];
    if (node.has("select") && sensor.target != SensorTarget::body)
      node["select"].fail(code::sensor, "has no meaning beside \"{}\"; use it with \"body\"",
                          target_name(sensor.target));
    read_target(node, target, sensor);
    if (node.has("about")) sensor.about = node["about"].vector(largest_length, "m");
    if (node.has("quantities")) read_quantities(node["quantities"], sensor);
    return sensor;
  }

 private:
  static SensorTarget target_of(const Node& node) {
    int target = 0;
    while (!node.has(std::string(target_name(static_cast<SensorTarget>(target))).c_str())) ++target;
    return static_cast<SensorTarget>(target);
  }

  void read_target(const Node& node, const Node& target, Sensor& sensor) const {
    switch (sensor.target) {
      case SensorTarget::fix:
      case SensorTarget::load:
      case SensorTarget::spring:
      case SensorTarget::bolt:
        return read_entry(target, sensor);
      case SensorTarget::tie:
        sensor.entry = target.integer();
        if (sensor.entry >= static_cast<Index>(setup_.ties.size()))
          target.fail(code::sensor, "found {}, but the scene has {} ties", sensor.entry, setup_.ties.size());
        return;
      case SensorTarget::obstacle:
        sensor.places[0].obstacle = find(target, false, true).obstacle;
        return;
      case SensorTarget::contact:
        read_contact(target, sensor);
        return;
      case SensorTarget::body:
        return read_part(target, node, sensor.places[0]);
      case SensorTarget::point:
        return read_point(target, sensor.places[0]);
      case SensorTarget::gap:
        for (const int side : {0, 1}) read_side(target[side], sensor.places[side]);
        return;
      case SensorTarget::energy:
        return;
    }
  }

  // A body, an obstacle, or either, by its name.
  SensorPlace find(const Node& name, bool bodies, bool obstacles) const {
    const std::string text = name.text();
    std::vector<std::string> known;
    SensorPlace place;
    for (std::size_t b = 0; bodies && b < setup_.bodies.size(); ++b) {
      known.push_back(setup_.bodies[b].name);
      if (known.back() == text) place.body = static_cast<Index>(b);
    }
    for (std::size_t o = 0; obstacles && o < setup_.obstacles.size(); ++o) {
      known.push_back(setup_.obstacles[o].name);
      if (known.back() == text) place.obstacle = static_cast<Index>(o);
    }
    if (place.body >= 0 || place.obstacle >= 0) return place;
    const char* what = !obstacles ? "body" : !bodies ? "obstacle" : "body or obstacle";
    name.fail(code::scene_name, "unknown {} \"{}\"{}the scene has: {}", what, shortened(text),
              did_you_mean_then(text, known), known.empty() ? "none" : quoted_list(known));
  }

  void read_entry(const Node& node, Sensor& sensor) const {
    const bool all = node.json().is_string();
    sensor.places[0] = find(all ? node : node["body"], true, false);
    if (!all) sensor.entry = node["entry"].integer();
    const BodySetup& body = setup_.bodies[sensor.places[0].body];
    const std::size_t count = sensor.target == SensorTarget::fix    ? body.fixes.size()
                              : sensor.target == SensorTarget::load ? body.loads.size()
                              : sensor.target == SensorTarget::bolt ? body.bolts.size()
                                                                    : body.springs.size();
    if (count == 0 || sensor.entry >= static_cast<Index>(count))
      node.fail(code::sensor, "found {} {} of body \"{}\", which has {}", target_name(sensor.target),
                std::max(sensor.entry, 0), body.name, count);
    if (sensor.target == SensorTarget::bolt && all && count > 1)
      node.fail(code::sensor, "body \"{}\" has {} bolts; name one: {{\"body\": ..., \"entry\": 0}}", body.name, count);
  }

  void read_contact(const Node& node, Sensor& sensor) const {
    for (const int side : {0, 1}) sensor.places[side] = find(node[side], true, true);
    if (sensor.places[0].body < 0)
      node[0].fail(code::sensor, "found obstacle \"{}\" first, expected a body: forces act on the first",
                   node[0].text());
    if (sensor.places[0].body == sensor.places[1].body)
      node.fail(code::sensor, "found body \"{}\" twice, expected two bodies", node[0].text());
  }

  void select(const Node& selection, SensorPlace& place) const {
    const BodySetup& body = setup_.bodies[place.body];
    const Selector selector(body.mesh, body.name);
    place.vertices = selector.vertices(selection);
    place.faces = selector.faces_or_none(selection);
    if (!body.mesh.is_cloth()) place.tets = selected_tets(body.mesh.tets, place.vertices, place.faces);
  }

  void read_part(const Node& name, const Node& node, SensorPlace& place) const {
    place = find(name, true, false);
    const BodySetup& body = setup_.bodies[place.body];
    if (node.has("select"))
      select(node["select"], place);
    else if (!body.mesh.is_cloth())
      place.faces = boundary_triangles(body.mesh.tets);
  }

  // The tet that holds the point, by whose vertices it moves.
  void read_point(const Node& node, SensorPlace& place) const {
    place = find(node["body"], true, false);
    const BodySetup& body = setup_.bodies[place.body];
    if (body.mesh.is_cloth())
      node["body"].fail(code::sensor, "found cloth \"{}\", which has no tets; use \"body\" with \"select\"", body.name);
    const TetPoint found =
        TetLocator(body.mesh.vertices, body.mesh.tets).nearest(node["at"].vector(largest_length, "m"));
    const Vec3 extent = body.mesh.vertices.rowwise().maxCoeff() - body.mesh.vertices.rowwise().minCoeff();
    if (found.distance > 1e-6 * extent.norm())
      node["at"].fail(code::sensor, "the point is {:.3g} m outside of body \"{}\"; move it inside", found.distance,
                      body.name);
    place.tets = {found.tet};
    for (int k = 0; k < 4; ++k) {
      place.vertices.push_back(body.mesh.tets(k, found.tet));
      place.weights.push_back(found.weights[k]);
    }
  }

  void read_side(const Node& node, SensorPlace& place) const {
    if (node.json().is_string()) {
      place = find(node, true, true);
      return;
    }
    place = find(node["body"], true, false);
    const BodySetup& body = setup_.bodies[place.body];
    place.faces = Selector(body.mesh, body.name).faces(node["select"]);
  }

  static void read_quantities(const Node& node, Sensor& sensor) {
    for (std::size_t i = 0; i < node.size(); ++i) {
      const std::string name = node[i].text();
      if (std::ranges::count(sensor.readings, name, &SensorReading::name) > 0)
        node[i].fail(code::sensor, "found \"{}\" twice, expected each quantity once", shortened(name));
      try {
        sensor.readings.push_back(parse_reading(sensor.target, name));
      } catch (const InputError& error) {
        node[i].fail(error.code(), "{}", error.what());
      }
    }
  }

  const Setup& setup_;
};

}  // namespace

std::vector<Sensor> read_sensors(const Node& sensors, const Setup& setup) {
  const SensorReader reader(setup);
  std::vector<Sensor> result;
  for (const auto& [name, value] : sensors.json().items()) result.push_back(reader.read(name, sensors[name]));
  return result;
}

}  // namespace sinew
