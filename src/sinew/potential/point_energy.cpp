#include "sinew/potential/point_energy.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sinew/potential/point_springs.h"
#include "sinew/potential/vertex_terms.h"

namespace sinew {
namespace {

// Springs [begin, end) of the system over points: a spring sees its extension alone, so that one point does for all
// of its vertices.
PointEnergy::Model springs_over_points(const System& system, const Kinematics& kinematics, std::size_t begin,
                                       std::size_t end) {
  PointEnergy::Model model;
  auto [springs, rows] = point_springs(system, begin, end);
  resolve_followers(system.embedding, rows);
  model.points = kinematics.make_points(rows, &springs);
  model.system.motions = system.motions;
  model.system.springs = springs_of_points(system, springs);
  return model;
}

// Some vertices of the system as a System of their own, which holds what terms over vertices read: places, masses,
// bodies, motions and loads that depend on positions (potential/vertex_terms.h).
System system_of_vertices(const System& system, const std::vector<Index>& vertices) {
  System part;
  part.setup = system.setup;
  part.bodies = system.bodies;
  part.motions = system.motions;
  part.diagonal = system.diagonal;
  part.rest.resize(3, static_cast<Index>(vertices.size()));
  for (const Index v : vertices) {
    part.rest.col(static_cast<Index>(part.mass.size())) = system.rest.col(v);
    part.mass.push_back(v < system.dynamic_count ? system.mass[v] : 0.0);
    part.vertex_body.push_back(system.vertex_body[v]);
  }
  const auto point_of = [&](Index v) {
    return static_cast<Index>(std::lower_bound(vertices.begin(), vertices.end(), v) - vertices.begin());
  };
  for (const FaceLoad& load : system.loads) {
    if (is_dead(load.kind)) continue;
    part.loads.emplace_back(load).faces = load.faces.unaryExpr(point_of);
  }
  const AddedForces& added = system.added_forces;
  part.added_forces.begin = added.begin;
  part.added_forces.until = added.until;
  part.added_forces.forces.resize(3, 0);
  for (std::size_t i = 0; i < added.vertices.size(); ++i) {
    if (!std::ranges::binary_search(vertices, added.vertices[i])) continue;
    const auto count = static_cast<Index>(part.added_forces.vertices.size());
    part.added_forces.forces.conservativeResize(3, count + 1);
    part.added_forces.forces.col(count) = added.forces.col(static_cast<Index>(i));
    part.added_forces.vertices.push_back(point_of(added.vertices[i]));
  }
  return part;
}

// A term over few points: each a sparse row over the vertices, x_p = sum_v w_pv x_v(y). The same Energy class acts on
// them.
PointEnergy::Model term_over_points(const System& system, const Kinematics& kinematics, const VertexTerm& term) {
  PointEnergy::Model model;
  const std::vector<Index> vertices = term.vertices(system);
  std::vector<PointRow> rows;
  for (const Index v : vertices) rows.push_back({{v, 1.0}});
  resolve_followers(system.embedding, rows);
  model.points = kinematics.make_points(rows);
  model.system = system_of_vertices(system, vertices);
  return model;
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

// Points are the only vertices of a small System, so that energies need no second implementation for subspaces.
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
  context_.reference = context_.start;
  energy_->begin_step(context_);
}

// Energies of points read copies of the system, which changes of it make anew.
void PointEnergy::adapt(Change change) {
  if (std::ranges::find(changes_, change) != changes_.end()) make();
}

// Start of a step: scalars of the integrator, the points at the start for what is lagged, and those that velocities are
// measured from.
void PointEnergy::begin_step(const CoordinateStep& step, const MatX& start) {
  static_cast<StepScalars&>(context_) = step;
  start_ = start;
  if (empty()) return;
  context_.start = place(start);
  context_.reference = place(step.reference);
  energy_->begin_step(context_);
}

// x_p(y) of the points.
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

// a h^2 E over the points at y.
double PointEnergy::value(const MatX& y) {
  return empty() ? 0 : context_.scale * energy_->value(place(y));
}

// The energy of springs alone, for output.
double PointEnergy::springs(const MatX& y) const {
  return empty() || energy_->kind() != EnergyKind::springs ? 0 : energy_->value(place(y));
}

// G += sum_p (dx_p/dC)^T grad_p E.
void PointEnergy::add_gradient(const MatX& y, MatX& G) {
  if (empty()) return;
  g_.setZero();
  energy_->add_gradient(place(y), context_.scale, g_);
  model_.points->add_gradient(y, g_, G);
}

// H += J^T (d2E/dx_p2) J over the points.
void PointEnergy::add_hessian(const MatX& y, Projection projection, CoordinateHessian& H) {
  if (empty()) return;
  H_.set_zero();
  g_.setZero();
  energy_->add_derivatives(place(y), context_.scale, projection, g_, H_);
  const std::vector<RankOne> ranks = H_.take_ranks();
  model_.points->add_hessian(H_, all_, H);
  for (const RankOne& term : ranks) {
    g_.setZero();
    for (std::size_t i = 0; i < term.rows.size(); ++i) g_.col(term.rows[i]) = term.u.col(static_cast<Index>(i));
    MatX G = MatX::Zero(y.rows(), y.cols());
    model_.points->add_gradient(y, g_, G);
    H.add_rank(term.factor, G);
  }
}

// Each row of vertex_terms() as an energy of coordinates. Springs are apart for two reasons. A spring needs one
// point, its extension, where its vertices would be many; and springs without length may be merged
// (potential/point_springs.h). Those that users pull with change at every frame and form an energy of their own.
std::vector<std::unique_ptr<CoordinateEnergy>> point_energies(const System& system, const Kinematics& kinematics,
                                                              double time) {
  std::vector<std::unique_ptr<CoordinateEnergy>> energies;
  const auto add = [&](PointEnergy::MakeModel model, PointEnergy::MakeEnergy energy, std::vector<Change> changes) {
    energies.push_back(std::make_unique<PointEnergy>(std::move(model), std::move(energy), std::move(changes),
                                                     kinematics.rest(), time));
  };
  for (const VertexTerm& term : vertex_terms()) {
    if (term.name != "springs") {
      add([&system, &kinematics, &term] { return term_over_points(system, kinematics, term); }, term.make,
          term.changes);
      continue;
    }
    add([&system, &kinematics] { return springs_over_points(system, kinematics, 0, system.scene_spring_count()); },
        term.make, {Change::springs});
    add(
        [&system, &kinematics] {
          return springs_over_points(system, kinematics, system.scene_spring_count(), system.springs.size());
        },
        term.make, {Change::pulls});
  }
  return energies;
}

}  // namespace sinew
