#include "sinew/reduced/point_energy.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sinew/core/sort_unique.h"
#include "sinew/potential/pressure.h"
#include "sinew/potential/springs.h"
#include "sinew/reduced/point_springs.h"

namespace sinew {
namespace {

// Springs [begin, end) of the system.
PointEnergy::Model springs_over_points(const System& system, const Kinematics& kinematics, std::size_t begin,
                                       std::size_t end) {
  PointEnergy::Model model;
  auto [springs, rows] = point_springs(system, begin, end);
  model.points = kinematics.make_points(rows, &springs);
  model.system.motions = system.motions;
  model.system.springs = springs_of_points(system, springs);
  return model;
}

// The vertices under pressure, whose faces have them for corners.
PointEnergy::Model pressures_over_points(const System& system, const Kinematics& kinematics) {
  PointEnergy::Model model;
  std::vector<Index> vertices;
  for (const FaceLoad& load : system.loads)
    if (load.kind == LoadKind::pressure)
      vertices.insert(vertices.end(), load.faces.data(), load.faces.data() + load.faces.size());
  sort_unique(vertices);
  std::vector<PointRow> rows;
  for (const Index v : vertices) rows.push_back({{v, 1.0}});
  model.points = kinematics.make_points(rows);
  const auto point_of = [&](Index v) {
    return static_cast<Index>(std::lower_bound(vertices.begin(), vertices.end(), v) - vertices.begin());
  };
  for (const FaceLoad& load : system.loads) {
    if (load.kind != LoadKind::pressure) continue;
    FaceLoad& of_points = model.system.loads.emplace_back(load);
    of_points.faces = load.faces.unaryExpr(point_of);
  }
  return model;
}

template <class Kind>
std::unique_ptr<Energy> make_energy(const System& system) {
  return std::make_unique<Kind>(system);
}

}  // namespace

PointEnergy::PointEnergy(MakeModel make_model, MakeEnergy make_energy, std::vector<Change> changes, MatX start,
                         double time)
    : make_model_(std::move(make_model)),
      make_energy_(std::move(make_energy)),
      changes_(std::move(changes)),
      start_(std::move(start)) {
  context_.inertia = false;
  context_.time_end = time;
  make();
}

void PointEnergy::make() {
  energy_.reset();
  model_ = make_model_();
  System& system = model_.system;
  system.dynamic_count = model_.points->count();
  all_.resize(system.dynamic_count);
  std::iota(all_.begin(), all_.end(), 0);
  energy_ = make_energy_(system);
  x_.setZero(3, system.dynamic_count);
  g_.setZero(3, system.dynamic_count);
  std::vector<std::pair<Index, Index>> pairs;
  energy_->collect_pairs(pairs);
  H_.set_pattern(make_pattern(system.dynamic_count, pairs));
  context_.start = place(start_);
  energy_->begin_step(context_);
}

void PointEnergy::adapt(Change change) {
  if (std::ranges::find(changes_, change) != changes_.end()) make();
}

void PointEnergy::begin_step(const CoordinateStep& step, const MatX& start) {
  static_cast<StepScalars&>(context_) = step;
  start_ = start;
  if (empty()) return;
  context_.start = place(start);
  energy_->begin_step(context_);
}

const Points& PointEnergy::place(const MatX& y) const {
  model_.points->positions(y, x_);
  return x_;
}

void PointEnergy::lag(const MatX& y) {
  if (energy_->lags()) energy_->lag(place(y));
}

LaggingChange PointEnergy::lagging_change(const MatX& y) {
  return energy_->lags() ? energy_->lagging_change(place(y)) : LaggingChange{};
}

double PointEnergy::value(const MatX& y) {
  return empty() ? 0 : context_.scale * energy_->value(place(y));
}

double PointEnergy::springs(const MatX& y) const {
  return empty() || energy_->kind() != EnergyKind::springs ? 0 : energy_->value(place(y));
}

// The chain rule over the points.
void PointEnergy::add_gradient(const MatX& y, MatX& G) {
  if (empty()) return;
  g_.setZero();
  energy_->add_gradient(place(y), context_.scale, g_);
  model_.points->add_gradient(y, g_, G);
}

void PointEnergy::add_hessian(const MatX& y, Projection projection, CoordinateHessian& H) {
  if (empty()) return;
  H_.set_zero();
  g_.setZero();
  energy_->add_derivatives(place(y), context_.scale, projection, g_, H_);
  model_.points->add_hessian(H_, all_, H);
}

std::unique_ptr<CoordinateEnergy> scene_springs(const System& system, const Kinematics& kinematics, double time) {
  return std::make_unique<PointEnergy>(
      [&system, &kinematics] { return springs_over_points(system, kinematics, 0, system.scene_spring_count()); },
      make_energy<SpringEnergy>, std::vector{Change::springs}, kinematics.rest(), time);
}

std::unique_ptr<CoordinateEnergy> pulls(const System& system, const Kinematics& kinematics, double time) {
  return std::make_unique<PointEnergy>(
      [&system, &kinematics] {
        return springs_over_points(system, kinematics, system.scene_spring_count(), system.springs.size());
      },
      make_energy<SpringEnergy>, std::vector{Change::pulls}, kinematics.rest(), time);
}

std::unique_ptr<CoordinateEnergy> pressures(const System& system, const Kinematics& kinematics, double time) {
  return std::make_unique<PointEnergy>([&system, &kinematics] { return pressures_over_points(system, kinematics); },
                                       make_energy<PressureEnergy>, std::vector{Change::loads}, kinematics.rest(),
                                       time);
}

}  // namespace sinew
