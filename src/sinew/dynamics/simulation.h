// A running simulation: a System, the Stepper that its method names, and what may be asked of the state.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/core/activity.h"
#include "sinew/core/archive.h"
#include "sinew/core/error.h"
#include "sinew/dynamics/step_report.h"
#include "sinew/dynamics/step_watch.h"
#include "sinew/dynamics/stepper.h"
#include "sinew/model/edit.h"
#include "sinew/model/state.h"
#include "sinew/model/system.h"

namespace sinew {

// A start other than at rest in the shape of the meshes: 3 x body_vertex_count().
struct InitialMotion {
  Points x;         // [m]
  Points v;         // [m/s]
  double time = 0;  // from which the run goes on [s]; in statics the share of the load
  // The state is of a static run and the scene dynamic, or the other way round: their times have nothing in common.
  bool other_clock = false;
};

class Simulation {
 public:
  // Checks the initial state: an intersection is an InputError that names both bodies and primitives.
  explicit Simulation(std::shared_ptr<const System> system, const std::optional<InitialMotion>& start = {});
  ~Simulation();

  // One time step. Does not throw when the step did not converge: the report says so.
  StepReport step();

  const System& system() const { return *system_; }
  std::shared_ptr<const System> shared_system() const { return system_; }

  // Full-space state, simulation numbering. Of a reduced method it is lifted: ask for what clock() says there.
  const State& state() const;

  Clock clock() const;

  // Goes on from a state of another simulation of the same model, history and contact stiffness included.
  StateLoss replace(State state);

  // Replaces positions and/or velocities of the bodies (3 x body_vertex_count()) and drops the BDF2 history.
  // Throws InputError when the new positions intersect or are not finite, or are others than those of prescribed
  // vertices. These keep their velocities too.
  void set_positions(const Points& x);
  void set_velocities(const Points& v);

  Energies energies() const;
  NodalForces forces() const;

  // Per tet, simulation order: 6 x m Cauchy stress [Pa] (XX YY ZZ XY YZ XZ) and von Mises stress [Pa].
  void stress(Eigen::MatrixXd& cauchy, std::vector<double>& von_mises) const;

  double time() const { return clock().time; }

  // `system`, which is that of the simulation, may be changed between steps: nothing else uses it.
  void allow_changes(std::shared_ptr<System> system) { own_ = std::move(system); }

  // ---- Edits between steps. Each throws InputError, and changes nothing, where it makes no sense; also without
  // allow_changes(). After another time step the history of others is gone. Another method takes over from the present
  // state: what it cannot hold of it is lost, which is returned.
  StateLoss edit(const Edit& edit);
  void release(const std::vector<Index>& vertices);  // prescribed ones, from now on
  // Holds vertices where they are from now on, in the place of what was prescribed. The method is set up anew. Not in a
  // subspace, whose handles know the scene's prescribed vertices.
  void hold(const std::vector<Index>& vertices);
  // What was edited since the system was built; pulls are in the system.
  const Edits& edits() const { return edits_; }
  // From here on step 0 is now; positions and history stay.
  void restart_clock() { stepper_->set_clock(0, clock().time); }

  // See Stepper.
  const ReducedBasis* subspace() const;
  VecX coordinates() const;
  const MatX* reduced_positions() const { return stepper_->reduced_positions(); }
  void set_coordinates(const VecX& q);
  std::optional<FullGradient> full_gradient();
  std::optional<StateError> error(const StepReport& report) { return stepper_->error(report); }
  std::optional<ActiveSubspace> active_subspace() const { return stepper_->active_subspace(); }

  // Everything that influences later bits, changes between steps too. load() makes those that the archive names; it
  // throws InputError when the archive is of another scene, damaged, or names changes of a shared model.
  void save(ArchiveWriter& archive) const;
  void load(const ArchiveReader& archive);

  // Called between Newton iterations; returning true abandons the step: step() then throws Interrupted, and
  // the state is that before the step.
  void set_interrupt(std::function<bool()> interrupted);

 private:
  System& changeable();
  void settle(const std::string& method);
  StateLoss change_method(const MethodEdit& edit);
  void set_up_with(const PrescribedEdit& edit);
  void set_stepper(std::unique_ptr<Stepper> stepper);
  void note_set_up();
  void load_edited(const ArchiveReader& archive, const Edits& first, const Edits& all);

  std::shared_ptr<const System> system_;
  std::shared_ptr<System> own_;  // the same, where it may be changed
  std::string linear_solver_;    // of the scene, which "auto" takes
  std::unique_ptr<Stepper> stepper_;
  StepWatch watch_;
  Edits edits_;
  // Those of them that were made before the method was set up: bases and cubature points know them.
  Edits set_up_;
  const ReducedBasis* basis_ = nullptr;  // of that set-up
  std::function<bool()> interrupted_;
};

}  // namespace sinew
