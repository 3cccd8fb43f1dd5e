#include <algorithm>
#include <set>

#include "sinew/core/error.h"
#include "sinew/core/sort_unique.h"
#include "sinew/mesh/surface.h"
#include "sinew/model/build_parts.h"

namespace sinew {
namespace {

// Of each of the user's tets of a body: its tet in the simulation; the control tet of an affine body stands for all.
std::vector<std::vector<Index>> tets_by_body(const System& s) {
  std::vector<std::vector<Index>> result;
  for (const SystemBody& body : s.bodies) result.emplace_back(static_cast<std::size_t>(body.tet_count), Index{-1});
  for (Index t = 0; t < s.tet_count(); ++t) {
    std::vector<Index>& of_body = result[s.tet_body[t]];
    if (s.tet_to_user[t] < 0)
      std::ranges::fill(of_body, t);
    else
      of_body[s.tet_to_user[t] - s.bodies[s.tet_body[t]].tet_user_begin] = t;
  }
  return result;
}

class SensorBuilder {
 public:
  SensorBuilder(const Setup& setup, const VertexMaps& maps, System& system)
      : setup_(setup), maps_(maps), s_(system), tets_(tets_by_body(system)) {}

  void build() {
    std::set<std::string> names;
    for (const Sensor& sensor : setup_.sensors) {
      if (!names.insert(sensor.name).second)
        fail_input(code::scene_name, "sensors: the name \"{}\" is given twice; give each sensor its own", sensor.name);
      s_.sensors.push_back(built(sensor));
    }
  }

 private:
  template <class... Args>
  [[noreturn]] static void fail(const Sensor& sensor, fmt::format_string<Args...> format, Args&&... args) {
    fail_input(code::sensor, "sensor \"{}\": {}", sensor.name, fmt::format(format, std::forward<Args>(args)...));
  }

  Sensor built(const Sensor& sensor) const {
    Sensor out = sensor;
    for (SensorPlace& place : out.places) check(sensor, place);
    set_places(sensor, out);
    if (out.readings.empty()) add_default_readings(out);
    for (SensorPlace& place : out.places)
      if (place.weights.empty()) place.weights = mean_weights(place.vertices);
    check_readings(out);
    if (!out.about) out.about = center(out.places[0]);
    return out;
  }

  // Cloth has no tets.
  static void add_default_readings(Sensor& sensor) {
    for (const std::string& name : default_readings(sensor.target)) {
      const SensorReading reading = parse_reading(sensor.target, name);
      const bool of_tets = info_of(reading.quantity).place == QuantityPlace::tets;
      if (!of_tets || !sensor.places[0].tets.empty()) sensor.readings.push_back(reading);
    }
  }

  void check(const Sensor& sensor, const SensorPlace& place) const {
    const auto bodies = static_cast<Index>(setup_.bodies.size());
    if (place.body >= bodies || place.obstacle >= static_cast<Index>(setup_.obstacles.size()))
      fail(sensor, "names body {} and obstacle {}, the scene has {} and {}", place.body, place.obstacle, bodies,
           setup_.obstacles.size());
  }

  // What the sensor names, in the simulation's numbering.
  void set_places(const Sensor& sensor, Sensor& out) const {
    SensorPlace& place = out.places[0];
    switch (sensor.target) {
      case SensorTarget::fix:
        place.vertices = gathered(sensor, body_of(sensor).fixes, [](const FixSetup& fix) { return fix.vertices; });
        break;
      case SensorTarget::load:
        place.vertices =
            gathered(sensor, body_of(sensor).loads, [](const LoadSetup& load) { return used_vertices(load.faces); });
        break;
      case SensorTarget::spring:
        place.vertices =
            gathered(sensor, body_of(sensor).springs, [](const SpringSetup& spring) { return spring.vertices; });
        break;
      case SensorTarget::tie:
        if (sensor.entry < 0 || sensor.entry >= static_cast<Index>(s_.ties.size()))
          fail(sensor, "found ties[{}], but the scene has {} ties", sensor.entry, s_.ties.size());
        place.body = s_.ties[sensor.entry].body;
        place.vertices = s_.ties[sensor.entry].vertices;
        break;
      case SensorTarget::bolt:
        set_bolt(sensor, out);
        break;
      case SensorTarget::obstacle:
        set_obstacle(place);
        break;
      case SensorTarget::contact:
      case SensorTarget::gap:
        for (SensorPlace& side : out.places) side.obstacle >= 0 ? set_obstacle(side) : set_body(sensor, side);
        break;
      case SensorTarget::body:
      case SensorTarget::point:
        set_body(sensor, place);
        break;
      case SensorTarget::energy:
        break;
    }
  }

  const BodySetup& body_of(const Sensor& sensor) const {
    if (sensor.places[0].body < 0) fail(sensor, "names no body");
    return setup_.bodies[sensor.places[0].body];
  }

  // The vertices of one entry of a list of the body, or of all entries.
  template <class Entry, class Vertices>
  std::vector<Index> gathered(const Sensor& sensor, const std::vector<Entry>& entries, Vertices&& vertices) const {
    const auto count = static_cast<Index>(entries.size());
    if (count == 0 || sensor.entry >= count)
      fail(sensor, "found {} {} of body \"{}\", which has {}", target_name(sensor.target), std::max(sensor.entry, 0),
           body_of(sensor).name, count);
    std::vector<Index> ids;
    for (Index i = 0; i < count; ++i)
      if (sensor.entry < 0 || sensor.entry == i)
        for (const Index v : vertices(entries[i])) ids.push_back(maps_.body[sensor.places[0].body][v]);
    std::erase(ids, -1);
    sort_unique(ids);
    return ids;
  }

  // A bolt by its number in the system. Its place is the cut.
  void set_bolt(const Sensor& sensor, Sensor& out) const {
    const auto found = std::ranges::find_if(s_.bolts, [&](const Bolt& bolt) {
      return bolt.body == sensor.places[0].body && bolt.entry == std::max(sensor.entry, 0);
    });
    const auto count = static_cast<Index>(body_of(sensor).bolts.size());
    if (found == s_.bolts.end() || (sensor.entry < 0 && count > 1))
      fail(sensor, "found bolt {} of body \"{}\", which has {}", sensor.entry, body_of(sensor).name, count);
    out.entry = static_cast<Index>(found - s_.bolts.begin());
    for (const Index t : found->tets)
      for (int k = 0; k < 4; ++k) out.places[0].vertices.push_back(s_.tets(k, t));
    sort_unique(out.places[0].vertices);
  }

  void set_body(const Sensor& sensor, SensorPlace& place) const {
    if (place.body < 0) fail(sensor, "names no body");
    const std::vector<Index>& map = maps_.body[place.body];
    const auto number = [&](Index& v) {
      if (v < 0 || v >= static_cast<Index>(map.size()) || map[v] < 0)
        fail(sensor, "names vertex {} of body \"{}\", which no tet uses", v, setup_.bodies[place.body].name);
      v = map[v];
    };
    if (place.vertices.empty() && sensor.target != SensorTarget::gap) {  // all of the body
      place.vertices.assign(map.begin(), map.end());
      std::erase(place.vertices, -1);
      place.tets = tets_[place.body];
    } else {
      for (Index& v : place.vertices) number(v);
      for (Index& t : place.tets) t = tets_[place.body][t];
    }
    for (Eigen::Index i = 0; i < place.faces.size(); ++i) number(place.faces.data()[i]);
    std::erase(place.tets, -1);
    if (sensor.target == SensorTarget::body) sort_unique(place.tets);
  }

  void set_obstacle(SensorPlace& place) const {
    place.vertices = maps_.obstacle[place.obstacle];
    std::erase(place.vertices, -1);
    sort_unique(place.vertices);
  }

  // Over the masses; over equal weights where some vertex has none (obstacles, followers).
  std::vector<double> mean_weights(const std::vector<Index>& vertices) const {
    std::vector<double> weights(vertices.size(), 1);
    double sum = static_cast<double>(vertices.size());
    if (std::ranges::all_of(vertices, [&](Index v) { return v < s_.dynamic_count; })) {
      sum = 0;
      for (std::size_t i = 0; i < vertices.size(); ++i) sum += weights[i] = s_.mass[vertices[i]];
    }
    for (double& weight : weights) weight /= sum;
    return weights;
  }

  Vec3 center(const SensorPlace& place) const {
    if (place.vertices.empty()) {
      const bool plane = place.obstacle >= 0 && setup_.obstacles[place.obstacle].plane;
      return plane ? setup_.obstacles[place.obstacle].plane->point : Vec3::Zero();
    }
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < place.vertices.size(); ++i) sum += place.weights[i] * s_.rest.col(place.vertices[i]);
    return sum;
  }

  void check_readings(const Sensor& sensor) const {
    const SensorPlace& place = sensor.places[0];
    const bool follows = std::ranges::any_of(place.vertices, [&](Index v) { return v >= s_.dynamic_count; });
    const bool is_plane = place.obstacle >= 0 && setup_.obstacles[place.obstacle].plane;
    for (const SensorReading& reading : sensor.readings) {
      const QuantityInfo& info = info_of(reading.quantity);
      if (info.place == QuantityPlace::tets && place.tets.empty())
        fail(sensor, "\"{}\" needs tets, but the selection of body \"{}\" has none", reading.name,
             setup_.bodies[place.body].name);
      if (reading.quantity >= Quantity::mass && reading.quantity <= Quantity::kinetic_energy && follows)
        fail(sensor, "\"{}\" needs vertices with masses, but those of the affine body \"{}\" follow others",
             reading.name, setup_.bodies[place.body].name);
      if (reading.quantity == Quantity::velocity && is_plane)
        fail(sensor, "\"{}\" is not known of a plane; measure its displacement", reading.name);
      if (sensor.target == SensorTarget::load && of_gas(reading.quantity)) {
        const auto& loads = body_of(sensor).loads;
        Index gases = 0;
        for (std::size_t i = 0; i < loads.size(); ++i)
          if (sensor.entry < 0 || sensor.entry == static_cast<Index>(i)) gases += loads[i].kind == LoadKind::gas;
        if (gases != 1)
          fail(sensor, "\"{}\" needs one gas, found {} among the loads of body \"{}\"; name a gas by its entry",
               reading.name, gases, body_of(sensor).name);
        continue;
      }
      if (reading.quantity == Quantity::volume && !encloses_volume(place.faces))
        fail(sensor, "\"volume\" needs faces that enclose a volume; select all faces of a closed surface");
    }
  }

  static bool of_gas(Quantity quantity) {
    return quantity == Quantity::volume || quantity == Quantity::gas_pressure || quantity == Quantity::gas_energy;
  }

  const Setup& setup_;
  const VertexMaps& maps_;
  System& s_;
  std::vector<std::vector<Index>> tets_;
};

}  // namespace

void build_sensors(const Setup& setup, const VertexMaps& maps, System& system) {
  if (!setup.sensors.empty()) SensorBuilder(setup, maps, system).build();
}

}  // namespace sinew
