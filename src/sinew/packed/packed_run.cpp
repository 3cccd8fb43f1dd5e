#include "sinew/packed/packed_run.h"

#include <utility>

#include "sinew/core/error.h"
#include "sinew/dynamics/step_settings.h"
#include "sinew/dynamics/subspace_model.h"
#include "sinew/model/edit.h"
#include "sinew/packed/model_bytes.h"

namespace sinew {
namespace {

MinimizerSettings settings_of_reduced(const System& system) {
  const int budget = system.setup.solver.iterations;
  return step_settings(system, budget < 0 ? 0 : budget);
}

}  // namespace

PackedRun::PackedRun(std::string_view bytes) : PackedRun(unpack(bytes)) {}

PackedRun::PackedRun(CutModel model) : system_(std::move(model.system)) {
  Preparation prepared;
  prepared.basis = model.basis;
  prepared.loads = true;
  auto subspace = std::make_unique<SubspaceModel>(system_, Formulation::standard, prepared);
  stepper_ = std::make_unique<Stepper>(system_, std::move(subspace), settings_of_reduced, /*loads=*/true);
  stepper_->load(ArchiveReader(model.state, "page"));
  watch_ = std::make_unique<StepWatch>(*system_);
}

// As Simulation::step(): in parts where bodies would meet at a large part of their size.
StepReport PackedRun::step() {
  watch_->before(*stepper_);
  return stepper_->advance();
}

Vec3 PackedRun::place(Index vertex) const {
  Points x = system_->rest, v;
  return stepper_->motion_of({&vertex, 1}, false, x, v).first->col(vertex);
}

void PackedRun::edit(const Edit& edit) {
  stepper_->adapt(apply(*system_, edit));
}

void PackedRun::pull(int id, Index vertex, const Vec3& target, double stiffness) {
  edit(PullEdit{{0, id}, Pull{vertex, target, stiffness > 0 ? stiffness : pull_stiffness(*system_, vertex)}});
}

void PackedRun::release(int id) {
  edit(PullEdit{{0, id}, {}});
}

void PackedRun::set(const std::string& key, std::vector<double> value) {
  if (key == "time.step") fail_input(code::edit, "time.step: a page keeps the scene's time step");
  edit(ScalarEdit{key, std::move(value)});
}

}  // namespace sinew
