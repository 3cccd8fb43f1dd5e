#include "sinew/model/sensor.h"

#include <algorithm>
#include <map>

#include "sinew/core/error.h"
#include "sinew/core/suggest.h"
#include "sinew/core/utf8.h"

namespace sinew {
namespace {

constexpr std::string_view xyz[] = {"x", "y", "z"};
constexpr std::string_view tensor_axes[] = {"xx", "yy", "zz", "xy", "yz", "xz"};
constexpr std::string_view principal[] = {"1", "2", "3"};
constexpr std::string_view statistic_names[] = {"mean", "min", "max"};
constexpr std::string_view norm_name = "norm";
constexpr std::string_view target_names[sensor_targets] = {"fix",     "load", "spring", "tie", "bolt",  "obstacle",
                                                           "contact", "body", "point",  "gap", "energy"};

std::vector<QuantityInfo> make_quantities() {
  using enum SensorTarget;
  using Q = Quantity;
  using enum QuantityPlace;
  const std::vector<SensorTarget> forces = {fix, load, spring, tie, obstacle, contact}, contacts = {obstacle, contact},
                                  moves = {fix, load, spring, obstacle, body, point}, tensors = {body, point},
                                  of_body = {body}, of_scene = {energy}, of_gas = {load};
  return {
      {Q::force, "force", "N", "force on the body by what the sensor names", whole, xyz, true, forces},
      {Q::moment, "moment", "N m", "moment of this force about `about`", whole, xyz, true, forces},
      {Q::work, "work", "J", "work of this force since the start", whole, {}, false, forces},
      {Q::axial_force, "axial_force", "N", "pull along the bolt, negative in compression", whole, {}, false, {bolt}},
      {Q::shear_force, "shear_force", "N", "force across the bolt", whole, {}, false, {bolt}},
      {Q::shortening, "shortening", "m", "shortening of the bolt across its cut", whole, {}, false, {bolt}},
      {Q::normal_force, "normal_force", "N", "the part of the force without friction", whole, xyz, true, contacts},
      {Q::friction_force, "friction_force", "N", "the part of the force by friction", whole, xyz, true, contacts},
      {Q::contact_area, "area", "m^2", "area of the vertices in contact", whole, {}, false, contacts},
      {Q::mean_pressure,
       "mean_pressure",
       "Pa",
       "normal force over area, mean over the area",
       whole,
       {},
       false,
       contacts},
      {Q::peak_pressure, "peak_pressure", "Pa", "largest pressure of a vertex", whole, {}, false, contacts},
      {Q::gap, "gap", "m", "smallest distance of the two sides", whole, {}, false, {contact, SensorTarget::gap}},
      {Q::position, "position", "m", "position", vertices, xyz, true, moves},
      {Q::displacement, "displacement", "m", "displacement from the rest state", vertices, xyz, true, moves},
      {Q::velocity, "velocity", "m/s", "velocity", vertices, xyz, true, moves},
      {Q::stress, "stress", "Pa", "Cauchy stress", tets, tensor_axes, false, tensors},
      {Q::principal_stress, "principal_stress", "Pa", "principal stresses, largest first", tets, principal, false,
       tensors},
      {Q::von_mises, "von_mises", "Pa", "von Mises stress", tets, {}, false, tensors},
      {Q::pressure, "pressure", "Pa", "minus a third of the trace of the stress", tets, {}, false, tensors},
      {Q::strain, "strain", "", "logarithmic strain, in the axes of space", tets, tensor_axes, false, tensors},
      {Q::principal_strain, "principal_strain", "", "principal logarithmic strains, largest first", tets, principal,
       false, tensors},
      {Q::green_strain, "green_strain", "", "Green strain, in the axes of the rest state", tets, tensor_axes, false,
       tensors},
      {Q::jacobian, "jacobian", "", "volume over volume at rest, det F", tets, {}, false, tensors},
      {Q::plastic_strain, "plastic_strain", "", "equivalent plastic strain", tets, {}, false, tensors},
      {Q::volume,
       "volume",
       "m^3",
       "volume that the selected faces enclose; volume of a gas",
       whole,
       {},
       false,
       {body, load}},
      {Q::mass, "mass", "kg", "mass of the selected vertices", whole, {}, false, of_body},
      {Q::momentum, "momentum", "kg m/s", "momentum of the selected vertices", whole, xyz, true, of_body},
      {Q::angular_momentum, "angular_momentum", "kg m^2/s", "angular momentum about `about`", whole, xyz, true,
       of_body},
      {Q::kinetic_energy, "kinetic_energy", "J", "kinetic energy of the selected vertices", whole, {}, false, of_body},
      {Q::gas_pressure, "gas_pressure", "Pa", "pressure of a gas above the ambient pressure", whole, {}, false, of_gas},
      {Q::gas_energy, "gas_energy", "J", "energy of a gas and the ambient pressure", whole, {}, false, of_gas},
      {Q::kinetic, "kinetic", "J", "kinetic energy", whole, {}, false, of_scene},
      {Q::elastic, "elastic", "J", "elastic energy", whole, {}, false, of_scene},
      {Q::gravity, "gravity", "J", "energy of weight", whole, {}, false, of_scene},
      {Q::barrier, "barrier", "J", "energy of contacts", whole, {}, false, of_scene},
      {Q::friction, "friction", "J", "potential of lagged friction", whole, {}, false, of_scene},
      {Q::springs, "springs", "J", "energy of springs", whole, {}, false, of_scene},
      {Q::total, "total", "J", "sum of kinetic, elastic, gravity, barrier and springs", whole, {}, false, of_scene},
  };
}

bool has(SensorTarget target, const QuantityInfo& info) {
  return std::ranges::count(info.targets, target) > 0;
}

std::vector<std::string> names_of(SensorTarget target) {
  std::vector<std::string> names;
  for (const QuantityInfo& info : quantities())
    if (has(target, info)) names.emplace_back(info.name);
  return names;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

// What may follow the name of a quantity: "x, y, z or norm", then "mean, min or max".
std::vector<std::string> suffixes(SensorTarget target, const QuantityInfo& info) {
  std::vector<std::string> names(info.components.begin(), info.components.end());
  if (info.has_norm) names.emplace_back(norm_name);
  if (info.place != QuantityPlace::whole && target != SensorTarget::point)
    names.insert(names.end(), std::begin(statistic_names), std::end(statistic_names));
  return names;
}

}  // namespace

std::span<const QuantityInfo> quantities() {
  static const std::vector<QuantityInfo> all = make_quantities();
  return all;
}

const QuantityInfo& info_of(Quantity quantity) {
  return quantities()[static_cast<std::size_t>(quantity)];
}

std::string_view target_name(SensorTarget target) {
  return target_names[static_cast<std::size_t>(target)];
}

std::vector<std::string_view> SensorReading::numbers() const {
  const QuantityInfo& info = info_of(quantity);
  if (component != all || info.components.empty()) return {""};
  return {info.components.begin(), info.components.end()};
}

std::size_t Sensor::count() const {
  std::size_t sum = 0;
  for (const SensorReading& reading : readings) sum += reading.count();
  return sum;
}

SensorReading parse_reading(SensorTarget target, const std::string& name) {
  const std::vector<std::string> parts = split(name), known = names_of(target);
  const auto at = std::ranges::find_if(
      quantities(), [&](const QuantityInfo& info) { return info.name == parts[0] && has(target, info); });
  if (at == quantities().end())
    fail_input(code::sensor, "found \"{}\", expected a quantity of \"{}\": {}{}", shortened(name), target_name(target),
               quoted_list(known), did_you_mean(parts[0], known));
  SensorReading reading{at->quantity, SensorReading::all, Statistic::mean, name};
  const std::vector<std::string> allowed = suffixes(target, *at);
  bool component_given = false, statistic_given = false;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto component = std::ranges::find(at->components, parts[i]);
    const auto statistic = std::ranges::find(statistic_names, parts[i]);
    const bool known_suffix = std::ranges::count(allowed, parts[i]) > 0;
    const bool is_statistic = statistic != std::end(statistic_names);
    bool& given = is_statistic ? statistic_given : component_given;
    // A component comes before a statistic, each once.
    if (!known_suffix || given || (!is_statistic && statistic_given))
      fail_input(code::sensor, "found \"{}\", expected \"{}\"{}{}", shortened(name), at->name,
                 allowed.empty() ? " alone" : ", alone or followed by ", allowed.empty() ? "" : quoted_list(allowed));
    given = true;
    if (is_statistic)
      reading.statistic = static_cast<Statistic>(statistic - std::begin(statistic_names));
    else
      reading.component =
          parts[i] == norm_name ? SensorReading::norm : static_cast<int>(component - at->components.begin());
  }
  return reading;
}

std::vector<std::string> default_readings(SensorTarget target) {
  switch (target) {
    case SensorTarget::fix:
    case SensorTarget::load:
    case SensorTarget::spring:
      return {"force", "moment", "displacement"};
    case SensorTarget::tie:
      return {"force", "moment"};
    case SensorTarget::bolt:
      return {"axial_force", "shear_force", "shortening"};
    case SensorTarget::obstacle:
      return {"force", "moment", "area", "mean_pressure", "peak_pressure", "displacement"};
    case SensorTarget::contact:
      return {"force", "moment", "area", "mean_pressure", "peak_pressure", "gap"};
    case SensorTarget::body:
    case SensorTarget::point:
      return {"position", "displacement", "von_mises"};
    case SensorTarget::gap:
      return {"gap"};
    case SensorTarget::energy:
      return names_of(target);
  }
  return {};
}

std::vector<Index> selected_tets(const Tets& tets, std::span<const Index> vertices, const Triangles& faces) {
  const Index last = tets.size() > 0 ? tets.maxCoeff() : -1;
  std::vector<char> mask(static_cast<std::size_t>(last) + 1, 0);
  for (const Index v : vertices)
    if (v <= last) mask[v] = 1;
  const auto with = [&](int least) {
    std::vector<Index> found;
    for (Index t = 0; t < tets.cols(); ++t) {
      int count = 0;
      for (int k = 0; k < 4; ++k) count += mask[tets(k, t)];
      if (count >= least) found.push_back(t);
    }
    return found;
  };
  std::vector<Index> found = with(4);
  if (!found.empty()) return found;
  if (faces.cols() > 0) {
    std::map<std::array<Index, 3>, char> known;
    const auto key = [](Index a, Index b, Index c) {
      std::array<Index, 3> corners{a, b, c};
      std::ranges::sort(corners);
      return corners;
    };
    for (Index f = 0; f < faces.cols(); ++f) known[key(faces(0, f), faces(1, f), faces(2, f))] = 1;
    for (Index t = 0; t < tets.cols(); ++t)
      for (int k = 0; k < 4; ++k)
        if (known.contains(key(tets((k + 1) % 4, t), tets((k + 2) % 4, t), tets((k + 3) % 4, t)))) {
          found.push_back(t);
          break;
        }
  }
  return found.empty() ? with(1) : found;
}

}  // namespace sinew
