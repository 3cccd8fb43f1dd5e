// The interface of a method to its time steps (stepper.h): coordinates q of bodies and obstacles, the incremental
// potential E(q), directions, and reports about a state.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sinew/core/archive.h"
#include "sinew/core/preparation.h"
#include "sinew/dynamics/point_probe.h"
#include "sinew/dynamics/step_report.h"
#include "sinew/model/change.h"
#include "sinew/model/state.h"
#include "sinew/model/step_context.h"
#include "sinew/potential/bolt_force.h"
#include "sinew/potential/contact_force.h"
#include "sinew/potential/contact_row.h"
#include "sinew/reduced/formulation.h"
#include "sinew/solver/descent_direction.h"
#include "sinew/solver/elimination.h"

namespace sinew {

class LoadEnergy;  // potential/load_energy.h
struct TermForce;  // potential/incremental_potential.h
struct ReducedBasis;

// Nodal forces [N], 3 x body_vertex_count(), at the end of the last step.
struct NodalForces {
  Points elastic;   // -grad Psi
  Points contact;   // -grad B
  Points friction;  // -grad D
  Points reaction;  // force of prescribed vertices on the bodies
  // Mean of contact and friction forces over the whole step, which may consist of parts.
  Points mean_contact;
};

// The message of methods that cannot continue from a state with inverted tets. Mixed methods can, because their energy
// depends on separate stretches.
inline constexpr const char* inverted_text =
    "a tet of the current state is inverted or flat, which this method does not allow: wait until the tet has "
    "recovered, or restart";

// The State of a run (model/state.h) has positions, velocities and history of q, each 3 x m as in Potential.
class StepModel {
 public:
  virtual ~StepModel() = default;

  virtual Potential& potential() = 0;
  virtual DescentDirection& direction() = 0;
  // Returns potential() if q holds the positions of all vertices, else null.
  virtual IncrementalPotential* full_space() { return nullptr; }
  // Eliminates a few vertices between the iterations of a step; null: nothing does.
  virtual Elimination* elimination() { return nullptr; }
  // Whether interpolation between two q may give an invalid configuration.
  virtual bool is_curved() const { return false; }

  // Call when the system has changed.
  virtual void adapt(Change change) = 0;

  // ---- coordinates
  // lift() converts a state to full space. project() projects a full-space state onto q in the mass norm, and throws
  // InputError if contact forbids the result.
  virtual State lift(const State& state) = 0;
  virtual State project(State full) = 0;
  // Adapts coordinates to vertices released before `end` [s], the end of the next step. Throws SimulationError and
  // changes nothing if the new coordinates cannot represent the state.
  virtual void follow_releases(State& /*state*/, double /*end*/) {}
  // Sets the positions and velocities of some vertices of bodies in x and v, 3 x dynamic_count or more; other columns
  // are undefined. v may be null.
  virtual void lift_at(const State& state, std::span<const Index> vertices, Points& x, Points* v) = 0;

  // ---- a step, or a part of it
  // Sets context() and E for the step, or part, from a state to time `end` of size `step` [s] (unused in statics).
  // Contacts are found at the state.
  virtual void prepare(const State& from, double end, double step) = 0;
  virtual const StepContext& context() const = 0;
  // Begins the step's directions and sets q to the start of the iterations.
  virtual void start(Points& q, const std::vector<PlaneState>& planes) = 0;
  virtual void end_step() {}
  // Sets `next` to the state at the end of the step, which is at q.
  virtual void finish(const State& from, const Points& q, const std::vector<PlaneState>& planes, State& next) = 0;
  // Ends ties that break in the step to `next` and ties that expire, and describes them in `events`.
  virtual void release(State& /*next*/, std::vector<std::string>& /*events*/) {}
  // Recomputes the accelerations of `next` without the residual of forces.
  virtual void leave_out_residual(State& /*next*/) {}

  // ---- reports, with the contacts found last. E: the value at the state
  virtual Energies energies(const State& state, const PotentialValue& E) = 0;
  virtual double min_jacobian(const State& state) = 0;
  // Contact and friction forces on the vertices at q [N]; empty without contact.
  virtual Points contact_force(const Points& q) = 0;
  // Without reactions. terms: those of term_forces() for models in a subspace; other models do not need them.
  virtual NodalForces forces(const State& state, const std::vector<TermForce>& terms) = 0;
  // The forces of each contact; `v` are vertices of the system. contact_area() is that of SensorSource.
  virtual std::vector<ContactForce> contact_forces(const State& state) = 0;
  virtual std::vector<ContactRow> contact_rows(const State& state) = 0;
  // The forces of each term on the vertices, as if nothing were tied [N]; contact and friction as E weighs them.
  virtual std::vector<TermForce> term_forces(const State& state) = 0;
  virtual double contact_area(Index /*vertex*/) const { return 0; }
  // Loads that depend on positions, as the last step had them.
  virtual std::vector<const LoadEnergy*> load_terms() = 0;
  // Forces of ties on the vertices that follow [N], 3 x dynamic_count; empty: nothing is tied.
  virtual Points tie_forces(const State& /*state*/) { return Points(3, 0); }
  // By bolt, at q, with the shortening of the context. Subspaces have no bolts.
  virtual std::vector<BoltForce> bolt_forces(const Points& /*q*/) { return {}; }
  // Sets the context's shortening, and the potential with it.
  virtual void set_shortening(std::vector<double> /*shortening*/) {}
  // Reaction forces [N] of the step that ended at the state; terms as in forces().
  virtual Points reactions(const State& state, const std::vector<TermForce>& terms) = 0;
  // Diagnoses a minimisation that ended at q without converging; d: its last direction.
  virtual Diagnosis diagnose(const Points& q, const Points& d, const MinimizerSettings& settings,
                             const MinimizeReport& end) = 0;
  virtual std::optional<StateError> error(const State& state, const StepReport& report) = 0;
  virtual void stress(const State& state, Eigen::MatrixXd& cauchy, std::vector<double>& von_mises) = 0;
  // F of each tet with an energy density, row-major, 9 numbers each.
  virtual void deformation_gradients(const State& state, std::span<double> out) = 0;
  // The elastic energy of each of these tets over its volume at rest [J/m^3].
  virtual void energy_density(const State& state, std::span<double> out) = 0;
  // The equivalent plastic strain of each tet; empty: no material flows.
  virtual std::vector<double> plastic_strain(const State& /*state*/) const { return {}; }

  // Makes a probe of sums of vertices, valid until the model ends or set_ups() changes.
  virtual std::unique_ptr<PointProbe> make_probe(std::vector<PointRow> rows) const = 0;
  // How often the coordinates have been set up anew, for example after a release of prescribed vertices.
  virtual int set_ups() const { return 0; }

  // ---- subspaces (see Stepper)
  virtual const ReducedBasis* subspace() const { return nullptr; }
  virtual VecX coordinates(const State&) const { return {}; }
  virtual const MatX* reduced_positions(const State&) const { return nullptr; }
  virtual void set_coordinates(const VecX& /*values*/, State& /*state*/) {}
  virtual bool set_formulation(Formulation, State& /*state*/) { return false; }
  virtual std::optional<FullGradient> full_gradient(const State& /*state*/) { return {}; }

  // Adds what copies of a simulation share.
  virtual void share(Preparation&) const {}
  // Saves and loads the model's own data and the state. load() throws InputError if the checkpoint belongs to another
  // model.
  virtual void save(ArchiveWriter& archive, const State& state) const = 0;
  virtual State load(const ArchiveReader& archive) = 0;
};

}  // namespace sinew
