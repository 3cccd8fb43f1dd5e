#include "sinew/sensors/sensors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "sinew/contact/surface_gap.h"
#include "sinew/potential/gas.h"
#include "sinew/sensors/place_values.h"

namespace sinew {
namespace {

// In checkpoints.
constexpr const char *work_entry = "sensors/work", *begun_entry = "sensors/begun";

bool has_work(const Sensor& sensor) {
  return std::ranges::any_of(sensor.readings, [](const SensorReading& r) { return r.quantity == Quantity::work; });
}

// The chosen components of a vector.
void append(const SensorReading& reading, const VecX& values, std::vector<double>& numbers) {
  if (reading.component == SensorReading::norm)
    numbers.push_back(values.norm());
  else if (reading.component != SensorReading::all)
    numbers.push_back(values[reading.component]);
  else
    numbers.insert(numbers.end(), values.data(), values.data() + values.size());
}

// The mean, or the extreme of each component, of the columns. The norm of a mean is that of the mean vector; extremes
// are those of the columns' norms.
void append_statistic(const SensorReading& reading, const MatX& values, const VecX& weights,
                      std::vector<double>& numbers) {
  if (reading.statistic == Statistic::mean) return append(reading, values * weights / weights.sum(), numbers);
  const bool largest = reading.statistic == Statistic::max;
  if (reading.component == SensorReading::norm) {
    const VecX norms = values.colwise().norm();
    numbers.push_back(largest ? norms.maxCoeff() : norms.minCoeff());
  } else {
    append(reading, largest ? VecX(values.rowwise().maxCoeff()) : VecX(values.rowwise().minCoeff()), numbers);
  }
}

VecX weights_of(const SensorPlace& place, Index columns) {
  if (static_cast<Index>(place.weights.size()) != columns) return VecX::Ones(columns);
  return Eigen::Map<const VecX>(place.weights.data(), columns);
}

// Faces of one side of a contact or gap.
Triangles faces_of(const System& system, const SensorPlace& place) {
  if (place.faces.cols() > 0) return place.faces;
  const CollisionMesh& mesh = system.collision;
  const Index owner = owner_of(system, place);
  std::vector<Index> corners;
  for (Index t = 0; t < mesh.triangles.cols(); ++t)
    if (mesh.vertex_owner[mesh.triangles(0, t)] == owner)
      corners.insert(corners.end(), mesh.triangles.col(t).data(), mesh.triangles.col(t).data() + 3);
  return Eigen::Map<const Triangles>(corners.data(), 3, static_cast<Eigen::Index>(corners.size() / 3));
}

// The height of a surface over an analytic plane, the smallest of its corners.
double height_over(const PlaneState& plane, const Triangles& faces, const Points& x) {
  double least = std::numeric_limits<double>::infinity();
  for (Eigen::Index i = 0; i < faces.size(); ++i)
    least = std::min(least, plane.normal.dot(x.col(faces.data()[i]) - plane.point));
  return least;
}

double gap_of(const System& system, const Sensor& sensor, const std::array<Triangles, 2>& sides, const State& state) {
  const auto plane_of = [&](const SensorPlace& place) -> const PlaneState* {
    for (std::size_t p = 0; p < state.planes.size(); ++p)
      if (system.collision.planes[p].owner == owner_of(system, place)) return &state.planes[p];
    return nullptr;
  };
  const PlaneState *first = plane_of(sensor.places[0]), *second = plane_of(sensor.places[1]);
  // Surfaces lie above their meshes by their thickness.
  const double offset = system.collision.offset(owner_of(system, sensor.places[0]), owner_of(system, sensor.places[1]));
  if (first) return height_over(*first, sides[1], state.x) - offset;
  if (second) return height_over(*second, sides[0], state.x) - offset;
  return surface_gap(state.x, sides[0], sides[1]) - offset;
}

// Mass, momentum sum m v, angular momentum sum m (x - c) x v, and sum m v^2 / 2.
VecX motion_of(const System& system, const Sensor& sensor, Quantity quantity, const State& state) {
  double mass = 0, energy = 0;
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  for (const Index i : sensor.places[0].vertices) {
    const double m = system.mass[i];
    const Vec3 v = state.v.col(i);
    mass += m;
    energy += m * v.squaredNorm() / 2;
    linear += m * v;
    angular += m * (Vec3(state.x.col(i)) - *sensor.about).cross(v);
  }
  switch (quantity) {
    case Quantity::mass:
      return VecX::Constant(1, mass);
    case Quantity::momentum:
      return linear;
    case Quantity::angular_momentum:
      return angular;
    default:
      return VecX::Constant(1, energy);
  }
}

double bolt_number(const Sensor& sensor, Quantity quantity, SensorSource& source) {
  if (quantity == Quantity::shortening) return source.state().shortening[sensor.entry];
  const BoltForce& bolt = source.bolt_forces()[sensor.entry];
  return quantity == Quantity::axial_force ? bolt.axial : bolt.shear;
}

// The gas that a sensor of a load names; build_sensors() has found it to be the only one.
double gas_number(const System& system, const Sensor& sensor, Quantity quantity, const State& state) {
  const auto found = std::ranges::find_if(system.loads, [&](const FaceLoad& load) {
    return load.kind == LoadKind::gas && load.body == sensor.places[0].body &&
           (sensor.entry < 0 || load.entry == sensor.entry);
  });
  const GasState gas = gas_state(system, *found, state.x, state.time);
  return quantity == Quantity::volume ? gas.volume : quantity == Quantity::gas_energy ? gas.energy : gas.pressure;
}

double energy_of(Quantity quantity, SensorSource& source) {
  const std::array<double, 6> energies = source.energies();
  const auto at = static_cast<std::size_t>(quantity) - static_cast<std::size_t>(Quantity::kinetic);
  if (at < energies.size()) return energies[at];
  double sum = 0;
  for (std::size_t k = 0; k < energies.size(); ++k)
    if (k != static_cast<std::size_t>(Quantity::friction) - static_cast<std::size_t>(Quantity::kinetic))
      sum += energies[k];
  return sum;
}

}  // namespace

std::vector<SensorColumn> sensor_columns(std::span<const Sensor> sensors) {
  std::vector<SensorColumn> columns;
  for (const Sensor& sensor : sensors)
    for (const SensorReading& reading : sensor.readings)
      for (const std::string_view number : reading.numbers())
        columns.push_back({number.empty() ? fmt::format("{}.{}", sensor.name, reading.name)
                                          : fmt::format("{}.{}.{}", sensor.name, reading.name, number),
                           std::string(info_of(reading.quantity).unit)});
  return columns;
}

Sensors::Sensors(const System& system)
    : system_(system),
      gatherer_(system),
      patches_(system),
      work_(system.sensors.size(), 0.0),
      at_start_(system.sensors.size()) {
  for (const Sensor& sensor : system.sensors) {
    volumes_.push_back(tet_volumes(system, sensor.places[0]));
    std::array<Triangles, 2>& sides = sides_.emplace_back();
    const bool has_gap =
        std::ranges::any_of(sensor.readings, [](const SensorReading& r) { return r.quantity == Quantity::gap; });
    for (int side = 0; side < 2 && has_gap; ++side) sides[side] = faces_of(system, sensor.places[side]);
  }
}

// The forces of all sensors that sum work, and where they act.
void Sensors::gather_work(SensorSource& source) {
  gatherer_.begin(source);
  bool any = false;
  for (std::size_t k = 0; k < system_.sensors.size(); ++k) {
    if (!has_work(system_.sensors[k])) continue;
    any = true;
    at_start_[k] = gatherer_.forces(system_.sensors[k]);
  }
  if (any) start_ = source.state().x;
  begun_ = true;
}

void Sensors::begin_step(SensorSource& source) {
  if (!begun_) gather_work(source);
}

// W += (f_0 + f_1) / 2 . (x_1 - x_0) at each point.
void Sensors::end_step(SensorSource& source) {
  const std::vector<PointForces> before = at_start_;
  const Points start = start_;
  gather_work(source);
  for (std::size_t k = 0; k < before.size(); ++k)
    if (has_work(system_.sensors[k]))
      work_[k] += (before[k].work(start, start_) + at_start_[k].work(start, start_)) / 2;
}

std::vector<double> Sensors::measure(SensorSource& source) {
  gatherer_.begin(source);
  std::vector<double> numbers;
  for (const Sensor& sensor : system_.sensors)
    for (const SensorReading& reading : sensor.readings) read(sensor, reading, source, numbers);
  return numbers;
}

void Sensors::read(const Sensor& sensor, const SensorReading& reading, SensorSource& source,
                   std::vector<double>& numbers) {
  const SensorPlace& place = sensor.places[0];
  switch (info_of(reading.quantity).place) {
    case QuantityPlace::vertices: {
      const MatX values = vertex_values(system_, place, reading.quantity, source.state());
      return append_statistic(reading, values, weights_of(place, values.cols()), numbers);
    }
    case QuantityPlace::tets:
      return append_statistic(reading, tet_values(place, reading.quantity, source), volumes_[number_of(sensor)],
                              numbers);
    case QuantityPlace::whole:
      break;
  }
  switch (reading.quantity) {
    case Quantity::work:
      return numbers.push_back(work_[number_of(sensor)]);
    case Quantity::axial_force:
    case Quantity::shear_force:
    case Quantity::shortening:
      return numbers.push_back(bolt_number(sensor, reading.quantity, source));
    case Quantity::gap:
      return numbers.push_back(gap_of(system_, sensor, sides_[number_of(sensor)], source.state()));
    case Quantity::contact_area:
    case Quantity::mean_pressure:
    case Quantity::peak_pressure: {
      const PointForces& normal = gatherer_.forces(sensor, ForceGatherer::Part::normal);
      const ContactPatch patch = patches_.patch(normal, source);
      return numbers.push_back(reading.quantity == Quantity::contact_area    ? patch.area
                               : reading.quantity == Quantity::peak_pressure ? patch.peak_pressure
                                                                             : patch.mean_pressure);
    }
    case Quantity::force:
      return append(reading, gatherer_.forces(sensor).sum(), numbers);
    case Quantity::normal_force:
      return append(reading, gatherer_.forces(sensor, ForceGatherer::Part::normal).sum(), numbers);
    case Quantity::friction_force:
      return append(reading, gatherer_.forces(sensor, ForceGatherer::Part::friction).sum(), numbers);
    case Quantity::moment:
      return append(reading, gatherer_.forces(sensor).moment(source.state().x, *sensor.about), numbers);
    case Quantity::gas_pressure:
    case Quantity::gas_energy:
      return numbers.push_back(gas_number(system_, sensor, reading.quantity, source.state()));
    case Quantity::volume:
      if (sensor.target == SensorTarget::load)
        return numbers.push_back(gas_number(system_, sensor, reading.quantity, source.state()));
      return numbers.push_back(enclosed_volume(place, source.state().x));
    case Quantity::mass:
    case Quantity::momentum:
    case Quantity::angular_momentum:
    case Quantity::kinetic_energy:
      return append(reading, motion_of(system_, sensor, reading.quantity, source.state()), numbers);
    default:
      return numbers.push_back(energy_of(reading.quantity, source));
  }
}

void Sensors::save(ArchiveWriter& archive) const {
  if (empty()) return;
  archive.write(work_entry, std::span<const double>(work_));
  for (std::size_t k = 0; k < at_start_.size(); ++k) {
    if (!has_work(system_.sensors[k])) continue;
    Points forces(3, static_cast<Index>(at_start_[k].forces.size()));
    for (Index i = 0; i < forces.cols(); ++i) forces.col(i) = at_start_[k].forces[i];
    archive.write(fmt::format("sensors/{}/vertices", k), std::span<const Index>(at_start_[k].vertices));
    archive.write(fmt::format("sensors/{}/forces", k), forces);
  }
  archive.write(begun_entry, static_cast<std::int64_t>(begun_));
}

// Archives of other scenes, or of versions without sensors, start the sums anew.
void Sensors::load(const ArchiveReader& archive, const Points& x) {
  std::ranges::fill(work_, 0.0);
  begun_ = false;
  if (empty() || !archive.has(work_entry)) return;
  const std::vector<double> work = archive.doubles(work_entry);
  if (work.size() != work_.size()) return;
  work_ = work;
  for (std::size_t k = 0; k < at_start_.size(); ++k) {
    const std::string name = fmt::format("sensors/{}/", k);
    if (!has_work(system_.sensors[k]) || !archive.has(name + "vertices")) continue;
    const std::vector<std::int32_t> vertices = archive.integers32(name + "vertices");
    const Points forces = archive.points(name + "forces");
    const bool fits = static_cast<Index>(vertices.size()) == forces.cols() &&
                      std::ranges::all_of(vertices, [&](Index v) { return v >= 0 && v < system_.vertex_count(); });
    if (!fits) continue;
    at_start_[k].vertices.assign(vertices.begin(), vertices.end());
    at_start_[k].forces.clear();
    for (Index i = 0; i < forces.cols(); ++i) at_start_[k].forces.push_back(forces.col(i));
  }
  begun_ = archive.integer(begun_entry) != 0;
  start_ = x;
}

}  // namespace sinew
