#include "sinew/dynamics/subspace_model.h"

#include <algorithm>
#include <span>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/dynamics/state_archive.h"
#include "sinew/dynamics/subspace_reactions.h"
#include "sinew/dynamics/time_rule.h"
#include "sinew/reduced/reduced_basis.h"
#include "sinew/solver/minimizer.h"

namespace sinew {
namespace {

constexpr double same_positions = 1e-9;  // of a checkpoint, over the scene's diagonal

constexpr Points State::*moved[] = {&State::x, &State::v, &State::x_previous, &State::v_previous, &State::a};
constexpr const char* stretches = "coordinates/stretches";

// The number of different times before `time` at which vertices are released.
int releases_before(const System& system, double time) {
  std::vector<double> times;
  for (const PrescribedVertex& prescribed : system.prescribed)
    if (!prescribed.holds_at(time) && !prescribed.by_edit) times.push_back(prescribed.until);
  std::ranges::sort(times);
  return static_cast<int>(std::unique(times.begin(), times.end()) - times.begin());
}

}  // namespace

SubspaceModel::SubspaceModel(std::shared_ptr<const System> system, Formulation formulation, const Preparation& prepared)
    : system_(std::move(system)),
      formulation_(formulation),
      levels_(prepared.levels ? prepared.levels : std::make_shared<Shared<EstimatorLevels>>()) {
  set_up(prepared.basis ? prepared.time : end_of_step(*system_, initial_state(*system_)), prepared.basis);
}

void SubspaceModel::share(Preparation& prepared) const {
  prepared.basis = model_.basis;
  prepared.time = set_up_at_;
  prepared.levels = levels_;
}

// All that depends on which vertices are prescribed, at a time.
void SubspaceModel::set_up(double time, std::shared_ptr<const ReducedBasis> basis) {
  set_up_at_ = time;
  releases_ = releases_before(*system_, time);
  model_ = make_reduced_model(*system_, time, std::move(basis));
  potential_.emplace(*system_, model_, formulation_);
  direction_.emplace(*potential_);
}

// Throws InputError where what q moves touches what it may not.
void SubspaceModel::check(const Points& q, const std::vector<PlaneState>& planes) {
  if (model_.contact) model_.contact->check(potential_->packed().y_of(q), potential_->packed().obstacles(q), planes);
}

// Where vertices are released before the end of the step, projects the state into a space that is made without them.
void SubspaceModel::follow_releases(State& state, double end) {
  if (releases_before(*system_, end) == releases_) return;
  const State full = lift(state);
  const bool inverted = !(elastic_energy(y_of(state.x)) < forever);
  const double before = set_up_at_;
  try {
    set_up(end);
    State released = project_onto_space(full);
    if (!inverted && formulation_ == Formulation::standard && !(elastic_energy(y_of(released.x)) < forever))
      fail_input(code::start_inverted, "a tet would be inverted or flat, which its material does not allow");
    state = std::move(released);
  } catch (const InputError& error) {
    set_up(before);
    throw SimulationError(
        code::step_failed,
        fmt::format("step {}: vertices are released, but the subspace of the freed bodies cannot represent their "
                    "current shape: {}; or release the vertices when the bodies are less deformed",
                    state.step + 1, error.what()));
  }
}

// What the next step holds may not be what was held before: a state of another method may be of any time.
State SubspaceModel::project(State full) {
  const double next = end_of_step(*system_, full);
  if (releases_before(*system_, next) == releases_) return project_onto_space(full);
  const double before = set_up_at_;
  set_up(next);
  try {
    return project_onto_space(full);
  } catch (...) {
    set_up(before);
    throw;
  }
}

Points SubspaceModel::obstacles_of(const Points& full) const {
  return full.rightCols(potential_->packed().obstacle_columns());
}

// y is the mass-weighted fit of x - X, with the prescribed part from the motions; velocities and accelerations
// likewise.
State SubspaceModel::project_onto_space(const State& full) {
  const Index n = system_->dynamic_count;
  const double h = system_->setup.time.step;
  const MatX zero = MatX::Zero(kinematics().rows(), kinematics().columns());
  State state;
  state.time = full.time;
  state.start_time = full.start_time;
  state.step = full.step;
  state.previous_step = full.previous_step;
  state.contact_stiffness = full.contact_stiffness;
  const auto position = [&](double time, const Points& x, Points& q) {
    MatX y = zero;
    kinematics().prescribe(time, y);
    Points posed = x;
    for (const Skin& skin : system_->skins) skin.undo(time, posed);
    kinematics().project(posed.leftCols(n) - system_->rest.leftCols(n), y);
    potential_->pack(y, true, obstacles_of(x), q);
  };
  position(full.time, full.x, state.x);
  // The prescribed part of velocities is that of the motions over the last step.
  const auto velocity = [&](double time, const Points& at, const Points& values, Points& v) {
    MatX now = zero, before = zero;
    kinematics().prescribe(time, now);
    kinematics().prescribe(time - h, before);
    now = (now - before) / h;
    Points own = values.leftCols(n);
    if (!system_->skins.empty()) {
      Points rest = system_->rest, u;
      kinematics().lift(potential_->packed().y_of(at), u);
      rest.leftCols(n) += u;
      for (const Skin& skin : system_->skins) skin.undo_velocity(time, h, rest, own);
    }
    kinematics().project_velocity(potential_->packed().y_of(at), own, now);
    potential_->pack(now, false, obstacles_of(values), v);
  };
  velocity(full.time, state.x, full.v, state.v);
  if (full.x_previous.cols() == full.x.cols()) {
    const double before = full.time - (full.previous_step > 0 ? full.previous_step : h);
    position(before, full.x_previous, state.x_previous);
    velocity(before, state.x_previous, full.v_previous, state.v_previous);
  }
  if (full.a.cols() == full.x.cols()) {
    MatX a = zero;
    kinematics().project_velocity(potential_->packed().y_of(state.x), full.a.leftCols(n), a);
    potential_->pack(a, false, obstacles_of(full.a), state.a);
  }
  if (model_.contact) {
    state.planes = full.planes;
    state.planes_previous = full.planes_previous;
  }
  check(state.x, state.planes);
  return state;
}

// x = X + U y. Obstacles that nothing feels have their places at the time.
void SubspaceModel::lift_positions(const Points& q, double time, Points& x) const {
  const Index n = system_->dynamic_count;
  Points u;
  kinematics().lift(potential_->packed().y_of(q), u);
  x = system_->rest;
  x.leftCols(n) += u;
  for (const Skin& skin : system_->skins) skin.place(time, x);
  system_->embedding.place(x);
  if (model_.contact)
    x.rightCols(potential_->packed().obstacle_columns()) = potential_->packed().obstacles(q);
  else
    place_obstacles(*system_, time, x);
}

// Of a velocity or acceleration v at a position.
Points SubspaceModel::lift_motion(const Points& at, const Points& v, double time, bool is_velocity) const {
  const Index n = system_->dynamic_count;
  Points u, out = Points::Zero(3, system_->vertex_count());
  kinematics().lift_motion(potential_->packed().y_of(at), potential_->packed().y_of(v), u);
  out.leftCols(n) = u;
  if (!system_->skins.empty() && is_velocity) {
    Points rest = system_->rest;
    kinematics().lift(potential_->packed().y_of(at), u);
    rest.leftCols(n) += u;
    for (const Skin& skin : system_->skins) skin.place_velocity(time, system_->setup.time.step, rest, out);
  }
  system_->embedding.place(out);
  if (model_.contact) {
    out.rightCols(potential_->packed().obstacle_columns()) = potential_->packed().obstacles(v);
    return out;
  }
  const double h = system_->setup.time.step;
  Points now = out, before = out;
  place_obstacles(*system_, time, now);
  place_obstacles(*system_, time - h, before);
  const Index obstacles = system_->obstacle_vertex_count();
  out.rightCols(obstacles) = ((now - before) / h).rightCols(obstacles);
  return out;
}

// Bones move bodies with a skeleton, and act on whole meshes.
void SubspaceModel::lift_at(const State& state, std::span<const Index> vertices, Points& x, Points* v) {
  if (!system_->skins.empty()) {
    lift_positions(state.x, state.time, x);
    if (v) *v = lift_motion(state.x, state.v, state.time);
    return;
  }
  const MatX y = potential_->packed().y_of(state.x);
  kinematics().lift_at(y, vertices, x);
  for (const Index i : vertices) x.col(i) += system_->rest.col(i);
  if (v) kinematics().lift_motion_at(y, potential_->packed().y_of(state.v), vertices, *v);
}

State SubspaceModel::lift(const State& state) {
  State full = state;
  lift_positions(state.x, state.time, full.x);
  full.v = lift_motion(state.x, state.v, state.time);
  const double before = state.time - (state.previous_step > 0 ? state.previous_step : system_->setup.time.step);
  if (state.x_previous.size() > 0) {
    lift_positions(state.x_previous, before, full.x_previous);
    full.v_previous = lift_motion(state.x_previous, state.v_previous, before);
  }
  if (state.a.size() > 0) full.a = lift_motion(state.x, state.a, state.time, false);
  if (!model_.contact) {
    full.planes = planes_at(*system_, state.time);
    full.planes_previous.clear();
    if (state.x_previous.size() > 0) full.planes_previous = planes_at(*system_, before);
  }
  return full;
}

// Predictor y~ and reference y^ of the integrator (time_rule.h). In statics there is no predictor.
void SubspaceModel::prepare(const State& from, double end, double step) {
  before_ = from;
  prepare_motion(*system_, from, end, step, from.x.cols() - potential_->packed().obstacle_columns(), context_);
  potential_->begin_step(context_, from.contact_stiffness);
}

// The iterations start at the state, not at the predictor.
void SubspaceModel::start(Points& q, const std::vector<PlaneState>& planes) {
  direction_->begin_step();
  if (potential_->open_gaps(q, planes)) potential_->update_lagged(q);
}

// The trapezoidal rule keeps all of velocities and accelerations that leads off a curved set of positions, with its
// sign changed in each step: it grows (Hairer and Wanner 1996, section VII.1, of constraints by their second
// derivative).
void SubspaceModel::finish(const State& from, const Points& q, const std::vector<PlaneState>& planes, State& next) {
  next = from;
  finish_step(*system_, context_, q, planes, kick(q), next);
  if (context_.inertia && system_->setup.time.integrator == Integrator::newmark && is_curved()) {
    v_ = potential_->packed().y_of(next.v);
    a_ = potential_->packed().y_of(next.a);
    kinematics().keep_on(y_of(next.x), v_, a_);
    potential_->packed().put(v_, next.v);
    potential_->packed().put(a_, next.a);
  }
  next.contact_stiffness = potential_->contact().stiffness();
}

// As in full space (FullSpaceModel::leave_out_residual): a -= J (J^T M J)^-1 grad E / scale.
void SubspaceModel::leave_out_residual(State& next) {
  if (!context_.inertia || !is_kicked(system_->setup.time)) return;
  Points g;
  potential_->gradient(next.x, g);
  MatX r = MatX::Zero(kinematics().unknown_rows(), kinematics().unknown_columns()), missing;
  potential_->packed().read_unknowns(g, r);
  kinematics().accelerate(y_of(next.x), r, missing);
  a_ = potential_->packed().y_of(next.a);
  a_ -= missing / context_.scale;
  potential_->packed().put(a_, next.a);
}

// The displacement by contact and friction at the end of a step (time_rule.h), as far as coordinates have it; empty
// where there is none or no rule asks for it.
Points SubspaceModel::kick(const Points& q) {
  if (!context_.inertia || !is_kicked(system_->setup.time)) return {};
  Points force = contact_force(q);
  if (force.cols() == 0) return {};
  for (Index i = 0; i < force.cols(); ++i) force.col(i) *= context_.contact_scale() / system_->mass[i];
  MatX y = MatX::Zero(kinematics().rows(), kinematics().columns());
  kinematics().project_velocity(potential_->packed().y_of(q), force, y);
  Points kick;
  potential_->pack(y, false, Points::Zero(3, potential_->packed().obstacle_columns()), kick);
  return kick;
}

// Of the points, not of their stretches.
double SubspaceModel::elastic_energy(const MatX& y) const {
  const ElasticPoints& points = model_.energy ? *model_.energy : *model_.points;
  return points.value(potential_->deformation_gradients(y), 1) + model_.report(&CoordinateEnergy::elastic, y);
}

Energies SubspaceModel::energies(const State& state, const PotentialValue& E) {
  const MatX& y = y_of(state.x);
  v_ = potential_->packed().y_of(state.v);
  Energies energies;
  energies.kinetic = model_.report(&CoordinateEnergy::kinetic, v_);
  energies.gravity = model_.report(&CoordinateEnergy::gravity, y);
  energies.springs = model_.report(&CoordinateEnergy::springs, y);
  energies.barrier = E[EnergyKind::barrier] / context_.contact_scale();
  energies.friction = E[EnergyKind::friction] / context_.contact_scale();
  energies.elastic = potential_->is_mixed()
                         ? potential_->stretch_energy(state.x) + model_.report(&CoordinateEnergy::elastic, y)
                         : elastic_energy(y);
  return energies;
}

double SubspaceModel::min_jacobian(const State& state) {
  if (model_.points->slot_count() == 0) return 1;
  return model_.points->min_jacobian(potential_->deformation_gradients(y_of(state.x)));
}

Points SubspaceModel::contact_force(const Points&) {
  const ContactModel& model = potential_->contact();
  if (model.contacts().empty() && !model.has_friction()) return Points(3, 0);
  Points force = Points::Zero(3, system_->dynamic_count);
  model_.contact->add_full_gradient(-1, force, force);
  return force;
}

// Of handles row 4 i + k, column a of y is entry 12 i + 3 k + a of q.
VecX SubspaceModel::coordinates(const State& state) const {
  if (!subspace()) return {};
  const MatX y = potential_->packed().y_of(state.x);
  if (subspace()->is_dense()) return kinematics().coordinates(y);
  const MatX q = y.topRows(subspace()->dof_count() / 3).transpose();
  return Eigen::Map<const VecX>(q.data(), q.size());
}

const MatX* SubspaceModel::reduced_positions(const State& state) const {
  if (!subspace()) return nullptr;
  return &y_of(state.x);
}

// Sets the coordinates and drops the history of the integrator, which would belong to other positions.
void SubspaceModel::set_coordinates(const VecX& values, State& state) {
  const Index count = subspace()->dof_count();
  if (values.size() != count)
    fail_input(code::argument, "reduced coordinates: found {} numbers, expected {}, {}", values.size(), count,
               subspace()->is_dense() ? std::string("for each body one per mode; a free body has three for its "
                                                    "translation and three for its rotation before its modes")
                                      : fmt::format("12 for each of {} handles", subspace()->handle_count()));
  if (!values.allFinite()) fail_input(code::argument, "reduced coordinates: found a number that is not finite");
  MatX y = potential_->packed().y_of(state.x);
  if (subspace()->is_dense())
    kinematics().set_coordinates(values, y);
  else
    y.topRows(count / 3) = Eigen::Map<const MatX>(values.data(), 3, count / 3).transpose();
  Points obstacles(3, potential_->packed().obstacle_columns()), q;
  std::vector<PlaneState> planes;
  if (model_.contact) {
    place_obstacle_vertices(*system_, state.time, obstacles);
    planes = planes_at(*system_, state.time);
  }
  potential_->pack(y, true, obstacles, q);
  check(q, planes);
  drop_history(state);
  state.x = std::move(q);
  state.planes = std::move(planes);
}

// Goes over to the other formulation. Stretches start at those of the positions, s = S(F).
bool SubspaceModel::set_formulation(Formulation formulation, State& state) {
  if (formulation == Formulation::standard && !(elastic_energy(y_of(state.x)) < forever))
    fail_input(code::start_inverted, "{}", inverted_text);
  State bare = state;
  for (Points State::*q : moved) {
    if ((state.*q).cols() > 0) potential_->packed().remove_stretches(state.*q, bare.*q);
  }
  formulation_ = formulation;
  potential_->set_formulation(formulation);
  for (Points State::*q : moved) {
    if ((bare.*q).cols() > 0) potential_->insert_stretches(bare.*q, q == &State::x, state.*q);
  }
  return true;
}

// Stretches have an entry of their own, that a standard formulation does without.
void SubspaceModel::save(ArchiveWriter& archive, const State& state) const {
  State bare = state;
  for (Points State::*q : moved) {
    if ((state.*q).cols() > 0) potential_->packed().remove_stretches(state.*q, bare.*q);
  }
  save_state(archive, "coordinates/", bare);
  const std::span<const double> s = potential_->packed().stretches_of(state.x);
  if (potential_->is_mixed()) archive.write(stretches, s);
}

// Coordinates say nothing of the modes or handles that they belong to; the positions that were lifted with them do.
State SubspaceModel::load(const ArchiveReader& archive) {
  const double time = load_clock(archive).time;
  if (releases_before(*system_, time) != releases_) set_up(time);
  const bool trusted = !archive.has("state/x");  // Simulation::save_state()
  if (trusted && model_.basis && archive.text("state/basis") != model_.basis->identity)
    fail_input(code::argument,
               "{}: belongs to another subspace; a new one begins when you fix or release vertices, or give a fix its "
               "first target. Take states after such changes",
               archive.source());
  State state = load_state(archive, "coordinates/", potential_->packed().bare_columns(),
                           model_.contact ? system_->planes.size() : 0, "reduced coordinates");
  const State bare = state;
  for (Points State::*q : moved) {
    if ((bare.*q).cols() > 0) potential_->insert_stretches(bare.*q, q == &State::x, state.*q);
  }
  if (potential_->is_mixed() && archive.has(stretches) &&
      !potential_->packed().put_stretches(archive.doubles(stretches), state.x))
    fail_input(code::checkpoint_scene,
               "the checkpoint's stretches do not fit the scene: the checkpoint belongs to another scene or method");
  if (trusted) return state;
  const Points written = archive.points("state/x");
  Points now;
  lift_positions(state.x, state.time, now);
  const double off = written.cols() == now.cols()
                         ? (now - written).leftCols(system_->dynamic_count).colwise().norm().maxCoeff()
                         : forever;
  if (!(off <= same_positions * system_->diagonal))
    fail_input(
        code::checkpoint_scene,
        "the checkpoint's coordinates belong to another subspace; positions would be off by {:.3g} m. A file of modes, "
        "a material or fixed vertices have changed; start from the checkpoint's positions with \"initial\" instead",
        off);
  check(state.x, state.planes);
  return state;
}

}  // namespace sinew
