#include "sinew/dynamics/simulation.h"

#include <atomic>
#include <cmath>

#include "sinew/core/log.h"
#include "sinew/dynamics/control_in_time.h"
#include "sinew/dynamics/given_state.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/dynamics/method_choice.h"
#include "sinew/dynamics/methods.h"
#include "sinew/dynamics/stepper_source.h"
#include "sinew/model/scene_course.h"
#include "sinew/reduced/reduced_basis.h"
#include "sinew/reduced/reduced_model.h"

namespace sinew {
namespace {

// In checkpoints: all edits, and those before the method was set up.
constexpr const char* edits_folder = "changes/";
constexpr const char* set_up_folder = "changes/set_up/";
// In states: targets and added forces.
constexpr const char* control_folder = "control/";

}  // namespace

Simulation::Simulation(std::shared_ptr<const System> system, const std::optional<InitialMotion>& start)
    : system_(std::move(system)),
      model_(std::make_shared<char>()),
      linear_solver_(system_->setup.solver.linear_solver),
      sensors_(*system_),
      watch_(*system_) {
  // Before a method is set up, which may take long.
  State first = initial_state(*system_, start ? start->time : 0);
  if (start) {
    set_given_positions(*system_, start->x, first);
    set_given_velocities(*system_, start->v, first);
    first.material_history = start->material_history;
    first.shortening = start->shortening;
  } else {
    refuse_intersections(*system_, first, "the initial state intersects");
  }
  set_stepper(make_stepper(system_));
  if (start) stepper_->replace(std::move(first));
}

Simulation::~Simulation() = default;

Simulation::Simulation(const Simulation& other, std::unique_ptr<Stepper> stepper)
    : system_(other.system_),
      own_(other.own_),
      model_(other.model_),
      linear_solver_(other.linear_solver_),
      stepper_(std::move(stepper)),
      sensors_(*system_),
      watch_(*system_),
      edits_(other.edits_),
      masses_(other.masses_),
      forces_spent_(other.forces_spent_),
      set_up_(other.set_up_),
      basis_(stepper_->subspace()) {}

// A stepper of the same system that takes over what the method has prepared, then the state: what a checkpoint holds,
// without edits, which the shared system has already.
std::unique_ptr<Simulation> Simulation::copy() const {
  Preparation prepared;
  prepared.loads = true;
  stepper_->share(prepared);
  std::unique_ptr<Simulation> result(new Simulation(*this, make_stepper(system_, prepared)));
  MemoryArchive state;
  ArchiveWriter writer(state);
  stepper_->save(writer, /*full_space=*/false);
  sensors_->save(writer);
  result->restore(ArchiveReader(state, "copy"));
  return result;
}

// A new model with a new stepper in the same state, which takes over what the method has prepared.
void Simulation::own_model() {
  if (model_.use_count() == 1) {
    // A copy that has left the model in another thread read it before.
    std::atomic_thread_fence(std::memory_order_acquire);
    return;
  }
  auto own = std::make_shared<System>(*system_);
  Preparation prepared;
  prepared.loads = true;
  stepper_->share(prepared);
  prepared.part();
  MemoryArchive state;
  ArchiveWriter writer(state);
  stepper_->save(writer, /*full_space=*/false);
  sensors_->save(writer);
  std::unique_ptr<Stepper> stepper = make_stepper(own, prepared);
  stepper->set_interrupt(interrupted_);
  stepper_ = std::move(stepper);
  system_ = own;
  if (own_) own_ = std::move(own);
  model_ = std::make_shared<char>();
  sensors_.emplace(*system_);
  watch_.emplace(*system_);
  ++steppers_;
  basis_ = stepper_->subspace();
  restore(ArchiveReader(state, "copy"));
}

// What is kept from step to step to judge and to measure steps is not of the present state.
void Simulation::forget() {
  watch_->forget();
  sensors_->forget();
}

System& Simulation::changeable() {
  if (!own_)
    fail_input(code::edit, "the model of this simulation is shared with others: it cannot be changed between steps");
  note_set_up();
  own_model();
  return *own_;
}

void Simulation::set_stepper(std::unique_ptr<Stepper> stepper) {
  stepper->set_interrupt(interrupted_);
  stepper_ = std::move(stepper);
  ++steppers_;
  forget();
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
  const StateLoss loss = make(edit);
  if (listener_.edited) listener_.edited({&edit, 1});
  return loss;
}

void Simulation::state_was_set(std::string_view what) const {
  if (listener_.state_set) listener_.state_set(what);
}

StateLoss Simulation::make(const Edit& edit) {
  System& system = changeable();
  if (const auto* method = std::get_if<MethodEdit>(&edit)) return change_method(*method);
  if (const auto* material = std::get_if<MaterialEdit>(&edit)) refuse_tighter_limit(system, *material, state().x);
  const auto* prescribed = std::get_if<PrescribedEdit>(&edit);
  if (prescribed && prescribes_others(system, *prescribed)) {
    set_up_with(*prescribed);
    return {};
  }
  const auto* target = std::get_if<TargetEdit>(&edit);
  if (target && subspace() && needs_new_subspace(system, *target)) {
    set_up_with(edit);
    return {};
  }
  const StepSpan before = next_step();
  const Change change = apply(system, edit);
  edits_.add(edit);
  if (std::holds_alternative<ForceEdit>(edit)) forces_spent_ = false;
  if (change == Change::time_step) {
    restart_steps();
    follow_time(before);
  }
  stepper_->adapt(change);
  return {};
}

void Simulation::edit(const std::vector<Edit>& edits) {
  System& system = changeable();
  for (const Edit& edit : edits)
    if (const auto* material = std::get_if<MaterialEdit>(&edit)) refuse_tighter_limit(system, *material, state().x);
  std::set<Change> changes;
  for (const Edit& edit : edits) {
    changes.insert(apply(system, edit));
    edits_.add(edit);
  }
  for (const Change change : changes) stepper_->adapt(change);
  if (listener_.edited) listener_.edited(edits);
}

// After a change of the time step: the number of steps goes on; the start time is moved so that the present time stays.
void Simulation::restart_steps() {
  const Clock now = clock();
  stepper_->drop_history();
  stepper_->set_clock(now.step, now.time - now.step * system_->setup.time.step);
}

// Whether the state is one of steps of another length, which its time and number of steps tell.
bool Simulation::has_other_time_step() const {
  if (system_->setup.time.integrator == Integrator::statics) return false;
  const double step = system_->setup.time.step, end = clock().time + step;
  return std::abs(stepper_->next_time() - end) > 1e-6 * step + 1e-15 * std::abs(end);
}

// Targets and forces of the next step, which was another one before.
void Simulation::follow_time(const StepSpan& before) {
  for (const Edit& edit : control_moved(*system_, !forces_spent_, before, next_step())) adopt(edit);
}

StepSpan Simulation::next_step() const {
  const ReducedBasis* basis = subspace();
  return {clock().time, stepper_->next_time(), basis != nullptr, basis && basis->is_dense()};
}

void Simulation::end_control() {
  for (std::size_t m = 0; m < system_->motions.size(); ++m)
    if (const auto& course = system_->motions[m].course; course && course != scene_course(*system_, m))
      edit(TargetEdit{m, nullptr});
  if (!system_->added_forces.vertices.empty()) edit(ForceEdit{});
}

// Forces that were added act in one step, and are known until the next one begins.
void Simulation::drop_forces() {
  const AddedForces& added = system_->added_forces;
  if (!added.vertices.empty() && (forces_spent_ || !added.act_at(stepper_->next_time()))) make(ForceEdit{});
}

void Simulation::release(const std::vector<Index>& vertices) {
  edit(released(*system_, vertices, clock().time));
}

void Simulation::hold(const std::vector<Index>& vertices) {
  const State& state = stepper_->sample();
  edit(prescribed_at(*system_, vertices, state.x, state.time));
}

// With other vertices or motions that are prescribed. Where that fails all is as before.
void Simulation::set_up_with(const Edit& edit) {
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
    if (!method.formulation && !has_elastic_energy(*system_, state.x))
      fail_input(code::start_inverted, "{}", inverted_text);
    std::unique_ptr<Stepper> next = make_stepper(system_);
    const StateLoss loss = next->replace(std::move(state));
    if (method.formulation && !(next->energies().elastic < forever))
      fail_input(code::start_inverted, "{}", inverted_text);
    edits_.add(edit);
    set_stepper(std::move(next));
    return loss;
  } catch (...) {
    solver = before;
    throw;
  }
}

std::unique_ptr<PointProbe> Simulation::make_probe(std::vector<PointRow> rows) const {
  return stepper_->make_probe(std::move(rows));
}

StepReport Simulation::step() {
  note_set_up();
  drop_forces();
  watch_->before(*stepper_);
  if (!sensors_->empty()) {
    StepperSource before(*stepper_);
    sensors_->begin_step(before);
  }
  StepReport report = stepper_->advance();
  forces_spent_ = true;
  if (!sensors_->empty()) {
    StepperSource after(*stepper_);
    sensors_->end_step(after);
    report.sensors = sensors_->measure(after);
  }
  watch_->after(*stepper_, report);
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
  forget();
  const StateLoss loss = stepper_->replace(std::move(state));
  state_was_set("the state");
  return loss;
}

void Simulation::set_positions(const Points& x) {
  State next = state();
  Points kept = x;
  keep_prescribed_positions(*system_, next.x, clock(), kept);
  set_given_positions(*system_, kept, next);
  forget();
  stepper_->replace(std::move(next));
  state_was_set("positions");
}

void Simulation::set_velocities(const Points& v) {
  State next = state();
  Points kept = v;
  const Index others = keep_prescribed_velocities(*system_, next.v, clock(), kept);
  set_given_velocities(*system_, kept, next);
  forget();
  stepper_->replace(std::move(next));
  state_was_set("velocities");
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
  forget();
  stepper_->set_coordinates(q);
  state_was_set("reduced coordinates");
}

Energies Simulation::energies() const {
  return stepper_->energies();
}

std::vector<double> Simulation::sensors() const {
  StepperSource source(*stepper_);
  return sensors_->measure(source);
}

NodalForces Simulation::forces() const {
  return stepper_->forces();
}

std::pair<NodalForces, std::optional<NamedForces>> Simulation::all_forces() const {
  return stepper_->all_forces();
}

BodyPlace Simulation::body_place(Index body) const {
  const BodyMasses& masses = masses_->of(*system_, body);
  Points x, v;
  return place_of(*system_, masses, *stepper_->motion_of(masses.vertices, false, x, v).first);
}

BodyMomenta Simulation::body_momenta(Index body) const {
  const BodyMasses& masses = masses_->of(*system_, body);
  Points x, v;
  const auto [positions, velocities] = stepper_->motion_of(masses.vertices, true, x, v);
  return momenta_of(*system_, masses, *positions, *velocities);
}

std::optional<NamedForces> Simulation::named_forces() const {
  return stepper_->named_forces();
}

std::vector<ContactForce> Simulation::contact_forces() const {
  return stepper_->contact_forces();
}

std::vector<ContactRow> Simulation::contacts() const {
  return stepper_->contact_rows();
}

void Simulation::stress(Eigen::MatrixXd& cauchy, std::vector<double>& von_mises) const {
  stepper_->stress(cauchy, von_mises);
}

std::vector<double> Simulation::deformation_gradients() const {
  return stepper_->deformation_gradients();
}

std::vector<double> Simulation::energy_density() const {
  return stepper_->energy_density();
}

std::vector<double> Simulation::plastic_strain() const {
  return stepper_->plastic_strain();
}

void Simulation::save(ArchiveWriter& archive) const {
  stepper_->save(archive);
  sensors_->save(archive);
  edits_.save(archive, edits_folder, *system_);
  save_pulls(archive, edits_folder, *system_);
  (stepper_->subspace() == basis_ ? set_up_ : edits_).save(archive, set_up_folder, *system_);
}

void Simulation::save_state(ArchiveWriter& archive) const {
  stepper_->save(archive, /*full_space=*/false);
  sensors_->save(archive);
  control_of(*system_, !forces_spent_).save(archive, control_folder, *system_);
}

void Simulation::load_state(const ArchiveReader& archive) {
  const Edits control = Edits::load(archive, control_folder, *system_);
  const Edits before = control_of(*system_, !forces_spent_);
  const bool spent = forces_spent_;
  const auto follow = [&](const Edits& wanted) {
    for (const Edit& edit : edits_to_control(*system_, !forces_spent_, wanted)) adopt(edit);
    if (wanted.find(ForceEdit())) forces_spent_ = false;
  };
  try {
    restore(archive);
    follow(control);
  } catch (...) {
    follow(before);
    forces_spent_ = spent;
    throw;
  }
  follow_time(next_step());  // the time step may be another one than that of the state
  state_was_set("the state");
}

void Simulation::adopt(const Edit& edit) {
  System& system = changeable();
  const Change change = apply(system, edit);
  edits_.add(edit);
  stepper_->adapt(change);
}

void Simulation::restore(const ArchiveReader& archive) {
  forget();
  stepper_->load(archive);
  note_set_up();
  if (has_other_time_step()) restart_steps();
  if (!sensors_->empty()) sensors_->load(archive, state().x);
}

void Simulation::set_time(double time) {
  const TimeSetup& setup = system_->setup.time;
  if (setup.integrator == Integrator::statics)
    fail_input(code::argument, "time: found {:g}, but in statics the time is the share of the load; take steps", time);
  if (!std::isfinite(time)) fail_input(code::argument, "time: found {}, expected a finite number [s]", time);
  forget();
  const StepSpan before = next_step();
  stepper_->set_time(time);
  follow_time(before);
  state_was_set("the time");
}

void Simulation::load(const ArchiveReader& archive) {
  forget();
  forces_spent_ = false;
  const Edits all = Edits::load(archive, edits_folder, *system_);
  const Edits first = Edits::load(archive, set_up_folder, *system_);
  const bool pulled = holds_pulls(archive, edits_folder);
  if (!own_ && (pulled || !all.empty() || !first.empty()))
    fail_input(code::edit,
               "{}: holds changes made between steps, but the model of this simulation is shared with others",
               archive.source());
  if (pulled) {
    load_pulls(archive, edits_folder, *own_);
    stepper_->adapt(Change::pulls);
  }
  if (all.empty() && first.empty()) {
    stepper_->load(archive);
    note_set_up();
  } else {
    load_edited(archive, first, all);
  }
  sensors_->load(archive, state().x);
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
    fail_input(code::file_damaged, "{}: entry '{}pins/held' is damaged; start the run again", archive.source(),
               edits_folder);
  const auto make = [&](const Edits& edits, const char* folder) {
    const std::set<Change> changes = edits.make(*own_, fmt::format("{}: entry '{}", archive.source(), folder));
    const MethodEdit* method = edits.find(MethodEdit{});
    if (!method) return changes;
    try {
      settle(method->method);
    } catch (const InputError& error) {
      fail_input(error.code(), "{}: entry '{}method': {}", archive.source(), folder, error.what());
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
      fail_input(code::file_damaged, "{}: entry '{}method' is damaged; start the run again", archive.source(),
                 edits_folder);
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
