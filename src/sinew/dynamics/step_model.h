// What a method is made of, as its time steps see it (stepper.h): coordinates q of bodies and obstacles, the
// incremental potential E(q), how directions are found, and what is reported of a state.
#pragma once

#include <optional>

#include "sinew/core/archive.h"
#include "sinew/dynamics/step_report.h"
#include "sinew/model/change.h"
#include "sinew/model/state.h"
#include "sinew/model/step_context.h"
#include "sinew/reduced/formulation.h"
#include "sinew/solver/descent_direction.h"

namespace sinew {

struct ReducedBasis;

// Nodal forces [N], 3 x body_vertex_count(), at the end of the last step.
struct NodalForces {
  Points elastic;   // -grad Psi
  Points contact;   // -grad B
  Points friction;  // -grad D
  Points reaction;  // what prescribed vertices exert on the bodies to follow their motion
  // Contact and friction over the whole step, which may have been made in parts.
  Points mean_contact;
};

// The message where a method cannot go on from a state with inverted tets. Mixed methods can: their energy is that of
// stretches.
inline constexpr const char* inverted_text =
    "a tet of the present state is inverted or flat, which its material does not allow in this method: wait until it "
    "has "
    "come back, or go back to the start";

// The state of a run (model/state.h) is that of q, 3 x m as a Potential has it: positions, velocities and history of
// its columns.
class StepModel {
 public:
  virtual ~StepModel() = default;

  virtual Potential& potential() = 0;
  virtual DescentDirection& direction() = 0;
  // The potential again where q are the positions of all vertices, so that states are those of full space; else null.
  virtual IncrementalPotential* full_space() { return nullptr; }
  // Whether the coordinates between two q are no places of the bodies.
  virtual bool is_curved() const { return false; }

  // The system has changed.
  virtual void adapt(Change change) = 0;

  // ---- coordinates
  // The state of full space, and the state of q that is nearest to one in mass. Throws InputError where contact does
  // not allow it.
  virtual State lift(const State& state) = 0;
  virtual State project(State full) = 0;
  // Vertices may be released before `end` [s], the end of the next step. Throws SimulationError where the coordinates
  // that bodies have then cannot hold the state; all is as before then.
  virtual void follow_releases(State& /*state*/, double /*end*/) {}

  // ---- a step, or a part of it
  // Sets context() and E for the step from a state to `end`, of size `step` [s] (in statics without meaning), with the
  // contacts at the state.
  virtual void prepare(const State& from, double end, double step) = 0;
  virtual const StepContext& context() const = 0;
  // Begins the directions of the step, and sets q to where its iterations begin.
  virtual void start(Points& q, const std::vector<PlaneState>& planes) = 0;
  virtual void end_step() {}
  // next: the state at the end of the step, where it ends at q.
  virtual void finish(const State& from, const Points& q, const std::vector<PlaneState>& planes, State& next) = 0;
  // Ends ties that the step to `next` has broken, and those whose time is over. Adds to `events` what has happened.
  virtual void release(State& /*next*/, std::vector<std::string>& /*events*/) {}
  // Takes out of the accelerations of a state, the next one, what forces lack to balance.
  virtual void leave_out_residual(State& /*next*/) {}

  // ---- reports, with contacts as they were found last. E: the value at the state.
  virtual Energies energies(const State& state, const PotentialValue& E) = 0;
  virtual double min_jacobian(const State& state) = 0;
  // Contact and friction on the vertices at q [N]; empty: there is none.
  virtual Points contact_force(const Points& q) = 0;
  virtual NodalForces forces(const State& state) = 0;  // without reactions
  // Of the step that ended at the state.
  virtual Points reactions(const State& state) = 0;
  // Why a minimisation ended at q without converging, d being its last direction.
  virtual Diagnosis diagnose(const Points& q, const Points& d, const MinimizerSettings& settings,
                             const MinimizeReport& end) = 0;
  virtual std::optional<StateError> error(const State& state, const StepReport& report) = 0;
  virtual void stress(const State& state, Eigen::MatrixXd& cauchy, std::vector<double>& von_mises) = 0;

  // ---- of subspaces (Stepper)
  virtual const ReducedBasis* subspace() const { return nullptr; }
  virtual VecX coordinates(const State&) const { return {}; }
  virtual const MatX* reduced_positions(const State&) const { return nullptr; }
  virtual void set_coordinates(const VecX& /*values*/, State& /*state*/) {}
  virtual bool set_formulation(Formulation, State& /*state*/) { return false; }
  virtual std::optional<FullGradient> full_gradient(const State& /*state*/) { return {}; }

  // What the model has beside the state. check() and load() throw InputError where the checkpoint is of another one.
  virtual void save(ArchiveWriter& archive, const State& state) const = 0;
  virtual State load(const ArchiveReader& archive) = 0;
};

}  // namespace sinew
