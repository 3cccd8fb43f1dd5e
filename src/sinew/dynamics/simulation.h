// A running simulation: a System and the Stepper of its method, with access to the state.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/core/activity.h"
#include "sinew/core/archive.h"
#include "sinew/core/error.h"
#include "sinew/dynamics/body_motion.h"
#include "sinew/dynamics/step_report.h"
#include "sinew/dynamics/step_watch.h"
#include "sinew/dynamics/stepper.h"
#include "sinew/model/control.h"
#include "sinew/model/edit.h"
#include "sinew/model/state.h"
#include "sinew/model/system.h"
#include "sinew/sensors/sensors.h"

namespace sinew {

// Functions that are called when a simulation changes between steps, for viewers and recordings.
struct SimulationListener {
  std::function<void(std::span<const Edit>)> edited;     // after edits between steps
  std::function<void(std::string_view what)> state_set;  // after a call other than step() has set the state: of what
};

// Initial positions and velocities, 3 x body_vertex_count().
struct InitialMotion {
  Points x;         // [m]
  Points v;         // [m/s]
  double time = 0;  // start time [s]; in statics the fraction of the load
  // Whether one of state and scene is static and the other dynamic: their times are then unrelated.
  bool other_clock = false;
  std::vector<double> material_history = {};  // State::material_history; empty: at rest until now
  std::vector<double> shortening = {};        // by bolt [m]; empty: unknown
};

class Simulation {
 public:
  // Throws InputError naming bodies and primitives if the initial state intersects.
  explicit Simulation(std::shared_ptr<const System> system, const std::optional<InitialMotion>& start = {});
  ~Simulation();

  // A simulation that continues from the present state, bit for bit the same, with the edits made so far. It shares the
  // model, until one of the two is edited, and what the method has prepared. Edits are allowed if they are here.
  std::unique_ptr<Simulation> copy() const;
  // Makes sure that no copy shares the model: afterwards the address of system() stays the same.
  void own_model();

  // Takes one time step. If the step does not converge, no exception is thrown; the report tells.
  StepReport step();

  const System& system() const { return *system_; }
  std::shared_ptr<const System> shared_system() const { return system_; }

  // Returns the full-space state in the simulation's numbering. Reduced methods lift it, at O(n): use clock() for
  // times.
  const State& state() const;

  Clock clock() const;

  // Continues from a state of another simulation of the same model, including its history and contact stiffness.
  StateLoss replace(State state);

  // Replaces positions or velocities of the bodies (3 x body_vertex_count()) and drops the BDF2 history. Throws
  // InputError for positions that intersect, are not finite or move prescribed vertices. Prescribed vertices keep their
  // velocities.
  void set_positions(const Points& x);
  void set_velocities(const Points& v);

  Energies energies() const;
  NodalForces forces() const;
  // These and named_forces() at the cost of one evaluation of all terms.
  std::pair<NodalForces, std::optional<NamedForces>> all_forces() const;
  // See Stepper. Contacts are those at the end of the last step.
  std::optional<NamedForces> named_forces() const;
  std::vector<ContactForce> contact_forces() const;
  std::vector<ContactRow> contacts() const;
  // The numbers of the system's sensors, in the order of sensor_columns().
  std::vector<double> sensors() const;

  // Returns for each tet, in the simulation's order, Cauchy stress (6 x m, XX YY ZZ XY YZ XZ) and von Mises stress
  // [Pa].
  void stress(Eigen::MatrixXd& cauchy, std::vector<double>& von_mises) const;

  // F of each tet, in the simulation's order: row-major, 9 numbers each.
  std::vector<double> deformation_gradients() const;

  // The elastic energy of each tet over its volume at rest, in the simulation's order [J/m^3].
  std::vector<double> energy_density() const;

  // The equivalent plastic strain of each tet, in the simulation's order; empty: no material flows.
  std::vector<double> plastic_strain() const;

  // Sums over a body at its cost alone, also in a subspace; the mass is a constant. body: index into System::bodies.
  double body_mass(Index body) const { return masses_->of(*system_, body).total; }
  BodyPlace body_place(Index body) const;
  BodyMomenta body_momenta(Index body) const;

  double time() const { return clock().time; }
  // See Stepper.
  bool path_ended() const { return stepper_->path_ended(); }

  // Makes a probe of sums of vertices, which reads own_positions(). It is valid as long as space() stays the same: a
  // change of the method, or of the vertices that a subspace prescribes, ends it.
  std::unique_ptr<PointProbe> make_probe(std::vector<PointRow> rows) const;
  const Points& own_positions() const { return stepper_->own_positions(); }
  std::pair<int, int> space() const { return {steppers_, stepper_->set_ups()}; }

  // Allows edits between steps. `system` must be the simulation's own; nothing else may use it.
  void allow_changes(std::shared_ptr<System> system) { own_ = std::move(system); }

  // ---- Edits between steps
  // Each function throws InputError and changes nothing if the edit is invalid or allow_changes() was not called. A new
  // time step drops the history. A new method projects the current state; edit() returns the loss.
  StateLoss edit(const Edit& edit);
  // Several edits of the same kind at once, none of which sets up the method again.
  void edit(const std::vector<Edit>& edits);
  // The next step, for edits that act in it.
  StepSpan next_step() const;
  void release(const std::vector<Index>& vertices);  // releases prescribed vertices
  // Ends targets of fixes and obstacles, which then move as in the scene again, and forces that were added.
  void end_control();
  // Fixes vertices at their current positions, which replaces their prescribed motion, and sets up the method again.
  // Throws InputError in a subspace, whose basis depends on the scene's prescribed vertices.
  void hold(const std::vector<Index>& vertices);
  // Edits since the system was built, except pulls, which are in the system.
  const Edits& edits() const { return edits_; }
  // Copies have no listener.
  void set_listener(SimulationListener listener) { listener_ = std::move(listener); }
  // Makes the current state step 0; positions and history stay.
  void restart_clock() { stepper_->set_clock(0, clock().time); }
  // Sets the time [s] of the current state; positions and history stay, and targets and added forces move along. Throws
  // InputError in statics.
  void set_time(double time);

  // See Stepper.
  const ReducedBasis* subspace() const;
  VecX coordinates() const;
  const MatX* reduced_positions() const { return stepper_->reduced_positions(); }
  void set_coordinates(const VecX& q);
  std::optional<FullGradient> full_gradient();
  std::optional<StateError> error(const StepReport& report) { return stepper_->error(report); }
  std::optional<ActiveSubspace> active_subspace() const { return stepper_->active_subspace(); }

  // Save and load everything that influences later results, including edits. load() throws InputError if the archive is
  // damaged, belongs to another scene, or has edits of a shared model.
  void save(ArchiveWriter& archive) const;
  void load(const ArchiveReader& archive);
  // Save and load without edits but targets and added forces, which is cheap: for earlier states, or states of copies,
  // of the present method. If load_state() throws, all is as before.
  void save_state(ArchiveWriter& archive) const;
  void load_state(const ArchiveReader& archive);

  // Sets a function called between iterations. If it returns true, step() throws Interrupted and restores the state
  // before the step.
  void set_interrupt(std::function<bool()> interrupted);

 private:
  Simulation(const Simulation& other, std::unique_ptr<Stepper> stepper);
  void forget();
  void restore(const ArchiveReader& archive);
  void adopt(const Edit& edit);
  StateLoss make(const Edit& edit);
  void state_was_set(std::string_view what) const;
  System& changeable();
  void settle(const std::string& method);
  StateLoss change_method(const MethodEdit& edit);
  void set_up_with(const Edit& edit);
  void drop_forces();
  void follow_time(const StepSpan& before);
  void restart_steps();
  bool has_other_time_step() const;
  void set_stepper(std::unique_ptr<Stepper> stepper);
  void note_set_up();
  void load_edited(const ArchiveReader& archive, const Edits& first, const Edits& all);

  std::shared_ptr<const System> system_;
  std::shared_ptr<System> own_;  // system_, if changes are allowed; else null
  std::shared_ptr<char> model_;  // one for all simulations that share system_
  std::string linear_solver_;    // the scene's linear solver, for "auto"
  std::unique_ptr<Stepper> stepper_;
  mutable std::optional<Sensors> sensors_;  // always has a value
  int steppers_ = 0;                        // number of steppers so far
  std::optional<StepWatch> watch_;          // always has a value
  Edits edits_;
  std::shared_ptr<BodyMassTable> masses_ = std::make_shared<BodyMassTable>();
  SimulationListener listener_;
  bool forces_spent_ = false;  // whether the forces of System::added_forces have had their step
  // Edits before the method was set up, on which bases and cubature points depend.
  Edits set_up_;
  const ReducedBasis* basis_ = nullptr;  // basis of that set-up
  std::function<bool()> interrupted_;
};

}  // namespace sinew
