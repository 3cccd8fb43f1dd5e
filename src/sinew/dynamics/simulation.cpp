#include "sinew/dynamics/simulation.h"

#include "sinew/contact/intersection.h"
#include "sinew/dynamics/methods.h"
#include "sinew/potential/elastic.h"

namespace sinew {
namespace {

void refuse_intersections(const System& system, const Points& x, const std::vector<PlaneState>& planes,
                          const std::string& when) {
  if (!system.setup.contact.enabled) return;
  const std::string text = describe_intersections(system.collision, x, planes, system.vertex_to_user);
  if (!text.empty())
    fail_input("{}: {}; move the bodies apart (sinew check lists all intersections)", when, text);
}

}  // namespace

Simulation::Simulation(std::shared_ptr<const System> system)
    : system_(std::move(system)), stepper_(make_stepper(system_)) {
  refuse_intersections(*system_, state().x, state().planes, "the initial state intersects");
}

Simulation::~Simulation() = default;

StepReport Simulation::step() { return stepper_->advance(); }

const State& Simulation::state() const { return stepper_->sample(); }

void Simulation::set_positions(const Points& x) {
  if (x.cols() != system_->dynamic_count)
    fail_input("positions: {} vertices given, the simulation has {}", x.cols(), system_->dynamic_count);
  if (!x.allFinite()) fail_input("positions: a coordinate is not finite");
  State next = state();
  next.x.leftCols(system_->dynamic_count) = x;
  next.x_previous.resize(3, 0);
  next.v_previous.resize(3, 0);
  refuse_intersections(*system_, next.x, next.planes, "the given positions intersect");
  ElasticEnergy elastic(system_->rest, system_->tets, system_->groups, system_->dynamic_count);
  if (!(elastic.value(next.x) < forever))
    fail_input("positions: a tet is inverted or flat, which its material does not allow (J must stay positive)");
  stepper_->replace(std::move(next));
}

void Simulation::set_velocities(const Points& v) {
  if (v.cols() != system_->dynamic_count)
    fail_input("velocities: {} vertices given, the simulation has {}", v.cols(), system_->dynamic_count);
  if (!v.allFinite()) fail_input("velocities: a component is not finite");
  State next = state();
  next.v.leftCols(system_->dynamic_count) = v;
  next.x_previous.resize(3, 0);
  next.v_previous.resize(3, 0);
  stepper_->replace(std::move(next));
}

Energies Simulation::energies() const { return stepper_->energies(); }

NodalForces Simulation::forces() const { return stepper_->forces(); }

void Simulation::stress(Eigen::MatrixXd& cauchy, std::vector<double>& von_mises) const {
  stepper_->stress(cauchy, von_mises);
}

void Simulation::save(ArchiveWriter& archive) const { stepper_->save(archive); }

void Simulation::load(const ArchiveReader& archive) { stepper_->load(archive); }

void Simulation::set_interrupt(std::function<bool()> interrupted) { stepper_->set_interrupt(std::move(interrupted)); }

}  // namespace sinew
