#include "sinew/dynamics/simulation.h"

#include <algorithm>
#include <cmath>

#include "sinew/contact/intersection.h"
#include "sinew/core/log.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/dynamics/method_choice.h"
#include "sinew/dynamics/methods.h"
#include "sinew/model/naming.h"
#include "sinew/potential/elastic.h"
#include "sinew/potential/inverted_tets.h"
#include "sinew/reduced/reduced_model.h"

namespace sinew {
namespace {

// Throws InputError that names the first intersection's bodies and primitives, in the numbering of their files.
void refuse_intersections(const System& system, const State& state, const std::string& when) {
  const Points& x = state.x;
  if (!system.setup.contact.enabled || system.setup.contact.model == ContactKind::penalty) return;
  const CollisionMesh& mesh = system.collision;
  const char* remedy =
      "move the bodies apart (sinew check SCENE --intersections FILE.vtu lists all intersections and writes them as a "
      "mesh to look at)";
  const std::vector<Intersection> pairs = find_intersections(mesh, x, state.held);
  if (!pairs.empty()) {
    const Intersection& first = pairs[0];
    fail_input("{}: {} of {} crosses {} of {} at {}, and {} more such pairs; {}", when,
               primitive_text(system, {&mesh.edges(0, first.edge), 2}), owner_text(system, first.edge_owner),
               primitive_text(system, {&mesh.triangles(0, first.triangle), 3}),
               owner_text(system, first.triangle_owner), place_text(intersection_point(mesh, x, first)),
               pairs.size() - 1, remedy);
  }
  const std::vector<BelowPlane> below = find_below_planes(mesh, x, state.planes);
  if (!below.empty()) {
    const Index owner = mesh.planes[below[0].plane].owner;
    fail_input("{}: {} at {} lies {:.3g} m behind the plane of {}, and {} more vertices; {}", when,
               vertex_text(system, below[0].vertex), place_text(x.col(below[0].vertex)), 0 - below[0].height,
               owner_text(system, owner), below.size() - 1, remedy);
  }
}

// In checkpoints: all edits, and those before the method was set up.
constexpr const char* edits_folder = "changes/";
constexpr const char* set_up_folder = "changes/set_up/";

// Numbers beyond this overflow in energies and single precision boxes; the bound is that of a scene's numbers.
constexpr double largest_number = 1e12;

// Refuses arrays of another size, and numbers that are not finite or beyond the bound.
void check_values(const System& system, const Points& values, const char* what, const char* unit) {
  if (values.cols() != system.body_vertex_count())
    fail_input("{}: {} vertices given, the simulation has {}", what, values.cols(), system.body_vertex_count());
  for (Index i = 0; i < values.cols(); ++i)
    for (int k = 0; k < 3; ++k)
      if (!(std::abs(values(k, i)) <= largest_number))
        fail_input("{}: found {:g} at {}, expected finite numbers of at most {:g} {} in size", what, values(k, i),
                   vertex_text(system, i), largest_number, unit);
}

// Of the scene's diagonal: how far tied vertices may be from where they follow to, for they go through single
// precision.
constexpr double together_within = 1e-5;

// The elastic energy over all tets, infinite where a tet is inverted and its material does not allow it.
double elastic_energy(const System& system, const Points& x) {
  return ElasticEnergy(system.rest, system.tets, system.groups, system.dynamic_count).value(x);
}

// In positions that are given from outside, ties that may end and whose faces are not together have ended.
void end_ties_apart(const System& system, State& state) {
  Points together = state.x;
  system.place_followers(together, held_vertices(system, state.held).get());
  for (std::size_t t = 0; t < state.held.size(); ++t) {
    if (!state.held[t]) continue;
    double apart = 0;
    for (const Index v : system.ties[t].vertices) apart = std::max(apart, (together.col(v) - state.x.col(v)).norm());
    if (apart <= together_within * system.diagonal) continue;
    if (!system.ties[t].may_end())
      fail_input(
          "positions: the faces of ties[{}], of bodies '{}' and '{}', are {:.3g} m apart; give positions in which "
          "they are together",
          t, system.bodies[system.ties[t].body].name, system.bodies[system.ties[t].to].name, apart);
    state.held[t] = 0;
  }
}

// Sets positions that are given from outside, and drops the history. Throws InputError where they intersect or invert a
// tet.
void place(const System& system, const Points& x, State& state) {
  check_values(system, x, "positions", "m");
  state.x.leftCols(x.cols()) = x;
  end_ties_apart(system, state);
  system.place_followers(state.x, held_vertices(system, state.held).get());
  drop_history(state);
  if (!has_coarse_contact(system.setup.solver)) refuse_intersections(system, state, "the given positions intersect");
  if (elastic_energy(system, state.x) < forever) return;
  for (const InvertedTet& inverted : inverted_tets(system, state.x)) {
    if (inverted.allowed) continue;
    fail_input(
        "positions: a tet is inverted or flat, which its material does not allow (J must stay positive): det F = "
        "{:.2g} of {} at {}; start from another state, or take a material that allows it (stable_neo_hookean)",
        inverted.jacobian, tet_text(system, inverted.tet), place_text(state.x.col(system.tets(0, inverted.tet))));
  }
  fail_input("positions: a tet is inverted or flat, which its material does not allow (J must stay positive)");
}

// Whether a coordinate follows its motion in the next step, which undoes what is assigned to it.
bool holds_next(const System& system, const PrescribedVertex& prescribed, const Clock& clock) {
  const TimeSetup& time = system.setup.time;
  const bool statics = time.integrator == Integrator::statics;
  return prescribed.holds_at(statics ? (clock.step + 1.0) / time.steps : clock.time + time.step);
}

// Positions that go through single precision on their way differ by its rounding. Velocities that rules of time give to
// one motion differ by more.
constexpr double single_rounding = 1e-6, other_velocity = 0.05;

// Throws InputError where positions of prescribed vertices are not those that they have: the next step would undo them.
// What differs by rounding becomes what it was.
void keep_prescribed(const System& system, const Points& now, const Clock& clock, Points& x) {
  for (const PrescribedVertex& prescribed : system.prescribed) {
    if (!holds_next(system, prescribed, clock)) continue;
    const Index v = prescribed.vertex;
    const double rounding = single_rounding * std::max(system.diagonal, now.col(v).cwiseAbs().maxCoeff());
    for (int k = 0; k < 3; ++k) {
      if (!prescribed.axes[k]) continue;
      if (!(std::abs(x(k, v) - now(k, v)) <= rounding))
        fail_input(
            "positions: {} is prescribed ({}): found {} = {:.6g} m, it is at {:.6g} m and the next step would move it "
            "back; {}",
            vertex_text(system, v), prescribed.by_edit ? "held by fix()" : "\"fix\" of the scene", "xyz"[k], x(k, v),
            now(k, v),
            prescribed.by_edit ? "let go of it with unfix(), or leave its position as it is"
                               : "give its \"fix\" a \"motion\" in the scene, or let go of it with unfix() first");
      x(k, v) = now(k, v);
    }
  }
}

// The velocities of prescribed coordinates are those of their motion. Returns how many others were given.
Index keep_prescribed_velocities(const System& system, const Points& now, const Clock& clock, Points& v) {
  std::vector<char> kept(static_cast<std::size_t>(now.cols()), 0);
  const double fastest =
      v.size() > 0 ? std::max(now.leftCols(v.cols()).cwiseAbs().maxCoeff(), v.cwiseAbs().maxCoeff()) : 0;
  for (const PrescribedVertex& prescribed : system.prescribed) {
    if (!holds_next(system, prescribed, clock)) continue;
    for (int k = 0; k < 3; ++k) {
      double& given = v(k, prescribed.vertex);
      const double own = now(k, prescribed.vertex);
      if (!prescribed.axes[k]) continue;
      if (std::abs(given - own) > other_velocity * std::abs(own) + single_rounding * fastest)
        kept[prescribed.vertex] = 1;
      given = own;
    }
  }
  return static_cast<Index>(std::ranges::count(kept, 1));
}

void move(const System& system, const Points& v, State& state) {
  check_values(system, v, "velocities", "m/s");
  state.v.leftCols(v.cols()) = v;
  system.place_followers(state.v, held_vertices(system, state.held).get());
  drop_history(state);
}

}  // namespace

Simulation::Simulation(std::shared_ptr<const System> system, const std::optional<InitialMotion>& start)
    : system_(std::move(system)), linear_solver_(system_->setup.solver.linear_solver), watch_(*system_) {
  // Before a method is set up, which may take long.
  State first = initial_state(*system_, start ? start->time : 0);
  if (start) {
    place(*system_, start->x, first);
    move(*system_, start->v, first);
  } else {
    refuse_intersections(*system_, first, "the initial state intersects");
  }
  set_stepper(make_stepper(system_));
  if (start) stepper_->replace(std::move(first));
}

Simulation::~Simulation() = default;

System& Simulation::changeable() {
  if (!own_) fail_input("the model of this simulation is shared with others: it cannot be changed between steps");
  note_set_up();
  return *own_;
}

void Simulation::set_stepper(std::unique_ptr<Stepper> stepper) {
  stepper->set_interrupt(interrupted_);
  stepper_ = std::move(stepper);
  watch_.forget();
  set_up_ = edits_;
  basis_ = stepper_->subspace();
}

// A release in a subspace sets the stepper up anew: with the edits that had been made by then.
void Simulation::note_set_up() {
  if (stepper_->subspace() == basis_) return;
  set_up_ = edits_;
  basis_ = stepper_->subspace();
}

StateLoss Simulation::edit(const Edit& edit) {
  System& system = changeable();
  if (const auto* method = std::get_if<MethodEdit>(&edit)) return change_method(*method);
  const auto* prescribed = std::get_if<PrescribedEdit>(&edit);
  if (prescribed && prescribes_others(system, *prescribed)) {
    set_up_with(*prescribed);
    return {};
  }
  const Change change = apply(system, edit);
  edits_.add(edit);
  if (change == Change::time_step) {
    // The number of steps goes on; the start time is moved so that the present time stays.
    const Clock now = clock();
    stepper_->drop_history();
    stepper_->set_clock(now.step, now.time - now.step * system.setup.time.step);
  }
  stepper_->adapt(change);
  return {};
}

void Simulation::release(const std::vector<Index>& vertices) {
  edit(released(*system_, vertices, clock().time));
}

void Simulation::hold(const std::vector<Index>& vertices) {
  const State& state = stepper_->sample();
  edit(prescribed_at(*system_, vertices, state.x, state.time));
}

// With other vertices that are prescribed. Where that fails all is as before.
void Simulation::set_up_with(const PrescribedEdit& edit) {
  System& system = *own_;
  const std::vector<PrescribedVertex> prescribed = system.prescribed;
  const std::vector<Motion> motions = system.motions;
  State state = stepper_->sample();
  apply(system, edit);
  try {
    std::unique_ptr<Stepper> next = make_stepper(system_);
    next->replace(std::move(state));
    edits_.add(edit);
    set_stepper(std::move(next));
  } catch (...) {
    system.prescribed = prescribed;
    system.motions = motions;
    throw;
  }
}

// Puts into the setup: the method of that name; for "auto" the one that is chosen at the start of the scene, with its
// linear solver. Throws InputError naming the known methods.
void Simulation::settle(const std::string& name) {
  SolverSetup& solver = own_->setup.solver;
  SolverSetup next = solver;
  if (name == "auto") {
    next.linear_solver = linear_solver_;
    settle_method(next, *system_);
  } else {
    next.method = find_method(name).name;
  }
  solver = std::move(next);
}

// Goes on by another method from the present state, in place where both are reduced, else with a new stepper.
StateLoss Simulation::change_method(const MethodEdit& edit) {
  SolverSetup& solver = own_->setup.solver;
  const SolverSetup before = solver;
  try {
    apply(*own_, edit);
    settle(edit.method);
    const Method& method = find_method(resolved_method(solver));
    if (method.formulation) check_subspace(*system_, stepper_->clock().time);
    if (method.formulation && stepper_->set_formulation(*method.formulation)) {
      edits_.add(edit);
      return {};
    }
    State state = stepper_->sample();
    if (!has_coarse_contact(solver)) refuse_intersections(*system_, state, "the present state intersects");
    if (!method.formulation && !(elastic_energy(*system_, state.x) < forever)) fail_input("{}", inverted_text);
    std::unique_ptr<Stepper> next = make_stepper(system_);
    const StateLoss loss = next->replace(std::move(state));
    if (method.formulation && !(next->energies().elastic < forever)) fail_input("{}", inverted_text);
    edits_.add(edit);
    set_stepper(std::move(next));
    return loss;
  } catch (...) {
    solver = before;
    throw;
  }
}

StepReport Simulation::step() {
  note_set_up();
  watch_.before(*stepper_);
  StepReport report = stepper_->advance();
  watch_.after(*stepper_, report);
  note_set_up();
  return report;
}

const State& Simulation::state() const {
  return stepper_->sample();
}

Clock Simulation::clock() const {
  return stepper_->clock();
}

StateLoss Simulation::replace(State state) {
  watch_.forget();
  return stepper_->replace(std::move(state));
}

void Simulation::set_positions(const Points& x) {
  State next = state();
  check_values(*system_, x, "positions", "m");
  Points kept = x;
  keep_prescribed(*system_, next.x, clock(), kept);
  place(*system_, kept, next);
  watch_.forget();
  stepper_->replace(std::move(next));
}

void Simulation::set_velocities(const Points& v) {
  State next = state();
  check_values(*system_, v, "velocities", "m/s");
  Points kept = v;
  const Index others = keep_prescribed_velocities(*system_, next.v, clock(), kept);
  move(*system_, kept, next);
  watch_.forget();
  stepper_->replace(std::move(next));
  if (others > 0)
    log::warning("velocities: {} prescribed vertices keep the velocities of their motions; others cannot be assigned",
                 others);
}

const ReducedBasis* Simulation::subspace() const {
  return stepper_->subspace();
}

VecX Simulation::coordinates() const {
  return stepper_->coordinates();
}

std::optional<FullGradient> Simulation::full_gradient() {
  return stepper_->full_gradient();
}

void Simulation::set_coordinates(const VecX& q) {
  watch_.forget();
  stepper_->set_coordinates(q);
}

Energies Simulation::energies() const {
  return stepper_->energies();
}

NodalForces Simulation::forces() const {
  return stepper_->forces();
}

void Simulation::stress(Eigen::MatrixXd& cauchy, std::vector<double>& von_mises) const {
  stepper_->stress(cauchy, von_mises);
}

void Simulation::save(ArchiveWriter& archive) const {
  stepper_->save(archive);
  edits_.save(archive, edits_folder, *system_);
  save_pulls(archive, edits_folder, *system_);
  (stepper_->subspace() == basis_ ? set_up_ : edits_).save(archive, set_up_folder, *system_);
}

void Simulation::load(const ArchiveReader& archive) {
  watch_.forget();
  const Edits all = Edits::load(archive, edits_folder, *system_);
  const Edits first = Edits::load(archive, set_up_folder, *system_);
  const bool pulled = holds_pulls(archive, edits_folder);
  if (!own_ && (pulled || !all.empty() || !first.empty()))
    fail_input("{}: holds changes made between steps, but the model of this simulation is shared with others",
               archive.source());
  if (pulled) {
    load_pulls(archive, edits_folder, *own_);
    stepper_->adapt(Change::pulls);
  }
  if (all.empty() && first.empty()) {
    stepper_->load(archive);
    note_set_up();
    return;
  }
  load_edited(archive, first, all);
}

// Follows the way of the simulation that was saved: first the edits before its method was set up, with the state, in
// which vertices may have been released; then the others. The state comes last once more, as edits act on it.
void Simulation::load_edited(const ArchiveReader& archive, const Edits& first, const Edits& all) {
  const PrescribedEdit none;
  const auto prescribed = [&](const Edits& edits) {
    const PrescribedEdit* edit = edits.find(none);
    return edit ? edit->vertices : none.vertices;
  };
  if (prescribed(first) != prescribed(all))
    fail_input("{}: entry '{}pins/held' is damaged; start the run anew", archive.source(), edits_folder);
  const auto make = [&](const Edits& edits, const char* folder) {
    const std::set<Change> changes = edits.make(*own_, fmt::format("{}: entry '{}", archive.source(), folder));
    const MethodEdit* method = edits.find(MethodEdit{});
    if (!method) return changes;
    try {
      settle(method->method);
    } catch (const InputError& error) {
      fail_input("{}: entry '{}method': {}", archive.source(), folder, error.what());
    }
    return changes;
  };
  if (!first.empty()) {
    make(first, set_up_folder);
    edits_ = first;
    set_stepper(make_stepper(system_));
  }
  stepper_->load(archive);
  for (const Change change : make(all, edits_folder))
    if (change != Change::method) stepper_->adapt(change);
  const MethodEdit *before = first.find(MethodEdit{}), *now = all.find(MethodEdit{});
  if (now && (!before || before->method != now->method)) {
    const auto& formulation = find_method(resolved_method(system_->setup.solver)).formulation;
    if (!formulation || !stepper_->set_formulation(*formulation))
      fail_input("{}: entry '{}method' is damaged; start the run anew", archive.source(), edits_folder);
  }
  stepper_->load(archive);
  edits_ = all;
  set_up_ = first;
  basis_ = stepper_->subspace();
}

void Simulation::set_interrupt(std::function<bool()> interrupted) {
  interrupted_ = std::move(interrupted);
  stepper_->set_interrupt(interrupted_);
}

}  // namespace sinew
