// What pages leave out of the engine: making a subspace, which the program does before, reports that take the whole
// mesh, and load steps. packed/cut_model.cpp refuses scenes that need them.
#include "sinew/core/error.h"
#include "sinew/dynamics/full_space_gradient.h"
#include "sinew/dynamics/named_forces.h"
#include "sinew/dynamics/rigid_freedom.h"
#include "sinew/dynamics/stepper.h"
#include "sinew/dynamics/subspace_model.h"
#include "sinew/model/edit_parts.h"
#include "sinew/reduced/mode_model.h"
#include "sinew/reduced/reduced_basis.h"
#include "sinew/reduced/vertex_model.h"

namespace sinew {
namespace {

[[noreturn]] void refuse(const char* what) {
  fail_input(code::method, "a page has no {}", what);
}

}  // namespace

// ---- edits other than pulls and numbers
Change edit_target(System&, const TargetEdit&) {
  refuse("targets");
}
Change edit_forces(System&, const ForceEdit&) {
  refuse("added forces");
}
Change edit_pair_friction(System&, const PairFrictionEdit&) {
  refuse("friction of pairs");
}
Change edit_activation(System&, const ActivationEdit&) {
  refuse("activations");
}
Change edit_tie(System&, const TieEdit&) {
  refuse("ties");
}
void edit_material(System&, const MaterialEdit&) {
  refuse("edits of materials");
}
void edit_curves(System&, const CurvesEdit&) {
  refuse("edits of materials");
}
void edit_fibers(System&, const FiberEdit&) {
  refuse("edits of materials");
}

// ---- reduced
std::shared_ptr<const ReducedBasis> make_reduced_basis(const System&, double) {
  refuse("meshes from which to make a subspace");
}
void check_reduced_setup(const System&, double) {}
ReducedModel make_vertex_model(const System&, const std::vector<double>&, double) {
  refuse("subspace \"full\"");
}
void add_modes(const System&, double, ReducedModel&) {
  refuse("dense modes");
}
bool ReducedBasis::has_mode_weights() const {
  return false;
}
Index ReducedBasis::dof_count() const {
  return 12 * handle_count();
}

// ---- SubspaceModel
void SubspaceModel::adapt(Change change) {
  model_.adapt(*system_, change);
}
NodalForces SubspaceModel::forces(const State&, const std::vector<TermForce>&) {
  refuse("forces on vertices");
}
std::vector<ContactForce> SubspaceModel::contact_forces(const State&) {
  refuse("contact forces");
}
std::vector<ContactRow> SubspaceModel::contact_rows(const State&) {
  refuse("contact forces");
}
std::vector<TermForce> SubspaceModel::term_forces(const State&) {
  refuse("forces on vertices");
}
double SubspaceModel::contact_area(Index) const {
  return 0;
}
std::vector<const LoadEnergy*> SubspaceModel::load_terms() {
  return {};
}
Points SubspaceModel::reactions(const State&, const std::vector<TermForce>&) {
  refuse("reactions");
}
// The report of the minimisation says why it ended.
Diagnosis SubspaceModel::diagnose(const Points&, const Points&, const MinimizerSettings&, const MinimizeReport& end) {
  Diagnosis diagnosis;
  diagnosis.cause = end.cause;
  diagnosis.reason = end.reason;
  return diagnosis;
}
std::optional<FullGradient> SubspaceModel::full_gradient(const State&) {
  return {};
}
std::optional<StateError> SubspaceModel::error(const State&, const StepReport&) {
  return {};
}
void SubspaceModel::stress(const State&, Eigen::MatrixXd&, std::vector<double>&) {
  refuse("stresses");
}
void SubspaceModel::deformation_gradients(const State&, std::span<double>) {
  refuse("deformation gradients of all tets");
}
void SubspaceModel::energy_density(const State&, std::span<double>) {
  refuse("energies of all tets");
}
std::unique_ptr<PointProbe> make_subspace_probe(const ReducedPotential&, std::vector<PointRow>) {
  refuse("probes");
}

// ---- Stepper
void Stepper::adapt_estimator(Change) {}
void Stepper::solve_load_step(State&, Solution&, StepReport&) {
  refuse("load steps");
}
void Stepper::follow_path(State&, Solution&, StepReport&) {
  refuse("load steps");
}
void Stepper::leave_unstable(Solution&, StepReport&) {}
void Continuation::forget() {}
void Continuation::save(ArchiveWriter&) const {}
void Continuation::load(const ArchiveReader&) {}
void StaticHold::begin(const System&, IncrementalPotential*, const Points&) {}
void StaticHold::release() {}
bool StaticHold::released(const Points&, double) const {
  return true;
}
bool StaticHold::lost(const Points&) const {
  return false;
}
void StaticHold::next_round(const Points&) {}
Index StaticHold::pulled_body(const Points&) const {
  return 0;
}
bool BoltRounds::begin(const StepContext&, double) {
  return false;
}
std::vector<double> BoltRounds::predict(const std::vector<BoltForce>&) {
  return {};
}
std::vector<double> BoltRounds::next(const std::vector<BoltForce>&) {
  return {};
}
std::string BoltRounds::lack(const std::vector<BoltForce>&) const {
  return {};
}
void BoltRounds::save(ArchiveWriter&) const {}
void BoltRounds::load(const ArchiveReader&) {}
double bolt_target(const Bolt&, const TimeSetup&, double, double) {
  return 0;
}
std::string details_text(const Diagnosis&, const std::string&) {
  return {};
}
std::shared_ptr<const Embedding> held_vertices(const System&, std::span<const char>) {
  return nullptr;
}
std::vector<char> held_at(const System&, double) {
  return {};
}
void refuse_free_pieces(const System&, double, std::span<const ContactStencil>, const Embedding*) {}
NamedForces named_forces(const System&, const StepContext&, const std::vector<TermForce>&, bool) {
  refuse("forces on vertices");
}

}  // namespace sinew
