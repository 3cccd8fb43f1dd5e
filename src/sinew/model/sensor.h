// Sensors: named quantities of a simulation, such as the force of a fix or the mean stress of a part of a body.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

enum class SensorTarget { fix, load, spring, tie, bolt, obstacle, contact, body, point, gap, energy };
constexpr int sensor_targets = 11;

enum class Quantity {
  // of forces
  force,
  moment,
  work,
  // of bolts
  axial_force,
  shear_force,
  shortening,
  // of contacts
  normal_force,
  friction_force,
  contact_area,
  mean_pressure,
  peak_pressure,
  gap,
  // at vertices
  position,
  displacement,
  velocity,
  // in tets
  stress,
  principal_stress,
  von_mises,
  pressure,
  strain,
  principal_strain,
  green_strain,
  jacobian,
  plastic_strain,
  // of a body
  volume,
  mass,
  momentum,
  angular_momentum,
  kinetic_energy,
  // of a gas
  gas_pressure,
  gas_energy,
  // of the scene
  kinetic,
  elastic,
  gravity,
  barrier,
  friction,
  springs,
  total
};

// The places of a quantity's values, over which a statistic runs.
enum class QuantityPlace { whole, vertices, tets };

enum class Statistic { mean, min, max };

struct QuantityInfo {
  Quantity quantity;
  std::string_view name, unit, text;
  QuantityPlace place = QuantityPlace::whole;
  std::span<const std::string_view> components;  // of its values; empty: it is one number
  bool has_norm = false;                         // whether "norm", the length of the vector, is a component too
  std::vector<SensorTarget> targets;             // that have it
};

// One row for each quantity, in the order of the enumeration.
std::span<const QuantityInfo> quantities();
const QuantityInfo& info_of(Quantity quantity);
std::string_view target_name(SensorTarget target);

// One quantity of a sensor, as the user names it: "force", "displacement.y", "von_mises.max", "stress.xx.mean".
struct SensorReading {
  static constexpr int all = -1, norm = -2;

  Quantity quantity = Quantity::force;
  int component = all;  // number of a component; all: each of them; norm: the length of the vector
  Statistic statistic = Statistic::mean;
  std::string name;

  // Names of its numbers beside `name`: {"x", "y", "z"}; {""} for a single number.
  std::vector<std::string_view> numbers() const;
  std::size_t count() const { return numbers().size(); }
};

// Reads the name of a quantity of this target. Throws InputError naming what is known.
SensorReading parse_reading(SensorTarget target, const std::string& name);
// The quantities of a sensor of this target if the scene names none.
std::vector<std::string> default_readings(SensorTarget target);

// A part of a body or obstacle. Numbers are those of the body in a Setup, and those of the simulation in a System.
struct SensorPlace {
  Index body = -1, obstacle = -1;
  std::vector<Index> vertices;
  std::vector<double> weights;  // by vertex, with sum 1; empty: masses, or equal weights if the vertices have none
  Triangles faces;              // outward
  std::vector<Index> tets;
};

struct Sensor {
  std::string name;
  SensorTarget target = SensorTarget::body;
  // Number in the list of the body's fixes, loads, springs or bolts, or in that of the ties; -1: all of the body. In a
  // System a bolt has its number in System::bolts.
  Index entry = -1;
  // The place that is measured; of contacts and gaps also the other side.
  std::array<SensorPlace, 2> places;
  std::optional<Vec3> about;  // centre of moments [m]; none: the mean position of the place at rest
  std::vector<SensorReading> readings;

  std::size_t count() const;  // of its numbers
};

// The tets of a selection: those with all vertices selected. If there is none, those with a selected face, or else with
// a selected vertex.
std::vector<Index> selected_tets(const Tets& tets, std::span<const Index> vertices, const Triangles& faces);

}  // namespace sinew
