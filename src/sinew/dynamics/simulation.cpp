#include "sinew/dynamics/simulation.h"

#include <cmath>

#include "sinew/contact/intersection.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/dynamics/methods.h"
#include "sinew/model/naming.h"
#include "sinew/potential/elastic.h"

namespace sinew {
namespace {

// Throws InputError that names the first intersection's bodies and primitives, in the numbering of their files.
void refuse_intersections(const System& system, const Points& x, const std::vector<PlaneState>& planes,
                          const std::string& when) {
  if (!system.setup.contact.enabled) return;
  const CollisionMesh& mesh = system.collision;
  const char* remedy =
      "move the bodies apart (sinew check SCENE --intersections FILE.vtu lists all intersections and writes them as a "
      "mesh to look at)";
  const std::vector<Intersection> pairs = find_intersections(mesh, x);
  if (!pairs.empty()) {
    const Intersection& first = pairs[0];
    fail_input("{}: {} of {} crosses {} of {} at {}, and {} more such pairs; {}", when,
               primitive_text(system, {&mesh.edges(0, first.edge), 2}), owner_text(system, first.edge_owner),
               primitive_text(system, {&mesh.triangles(0, first.triangle), 3}),
               owner_text(system, first.triangle_owner), place_text(intersection_point(mesh, x, first)),
               pairs.size() - 1, remedy);
  }
  const std::vector<BelowPlane> below = find_below_planes(mesh, x, planes);
  if (!below.empty()) {
    const Index owner = mesh.planes[below[0].plane].owner;
    fail_input("{}: {} at {} lies {:.3g} m behind the plane of {}, and {} more vertices; {}", when,
               vertex_text(system, below[0].vertex), place_text(x.col(below[0].vertex)), -below[0].height,
               owner_text(system, owner), below.size() - 1, remedy);
  }
}

// Beyond this squares lose their meaning in single precision boxes and energies; as for a scene's numbers.
constexpr double largest_number = 1e12;

void check_values(const System& system, const Points& values, const char* what, const char* unit) {
  if (values.cols() != system.dynamic_count)
    fail_input("{}: {} vertices given, the simulation has {}", what, values.cols(), system.dynamic_count);
  for (Index i = 0; i < values.cols(); ++i)
    for (int k = 0; k < 3; ++k)
      if (!(std::abs(values(k, i)) <= largest_number))
        fail_input("{}: found {:g} at {}, expected finite numbers of at most {:g} {} in size", what, values(k, i),
                   vertex_text(system, i), largest_number, unit);
}

// Positions from outside; without the history of others.
void place(const System& system, const Points& x, State& state) {
  check_values(system, x, "positions", "m");
  state.x.leftCols(system.dynamic_count) = x;
  state.x_previous.resize(3, 0);
  state.v_previous.resize(3, 0);
  state.a.resize(3, 0);
  if (!has_coarse_contact(system.setup.solver))
    refuse_intersections(system, state.x, state.planes, "the given positions intersect");
  const ElasticEnergy elastic(system.rest, system.tets, system.groups, system.dynamic_count);
  if (!(elastic.value(state.x) < forever))
    fail_input("positions: a tet is inverted or flat, which its material does not allow (J must stay positive)");
}

void move(const System& system, const Points& v, State& state) {
  check_values(system, v, "velocities", "m/s");
  state.v.leftCols(system.dynamic_count) = v;
  state.x_previous.resize(3, 0);
  state.v_previous.resize(3, 0);
  state.a.resize(3, 0);
}

}  // namespace

Simulation::Simulation(std::shared_ptr<const System> system, const std::optional<InitialMotion>& start)
    : system_(std::move(system)) {
  // Before a method is set up, which may take long.
  State first = initial_state(*system_, start ? start->time : 0);
  if (start) {
    place(*system_, start->x, first);
    move(*system_, start->v, first);
  } else {
    refuse_intersections(*system_, first.x, first.planes, "the initial state intersects");
  }
  stepper_ = make_stepper(system_);
  if (start) stepper_->replace(std::move(first));
}

Simulation::~Simulation() = default;

StepReport Simulation::step() {
  return stepper_->advance();
}

const State& Simulation::state() const {
  return stepper_->sample();
}

Clock Simulation::clock() const {
  return stepper_->clock();
}

StateLoss Simulation::replace(State state) {
  return stepper_->replace(std::move(state));
}

void Simulation::set_positions(const Points& x) {
  State next = state();
  place(*system_, x, next);
  stepper_->replace(std::move(next));
}

void Simulation::set_velocities(const Points& v) {
  State next = state();
  move(*system_, v, next);
  stepper_->replace(std::move(next));
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
}

void Simulation::load(const ArchiveReader& archive) {
  stepper_->load(archive);
}

void Simulation::set_interrupt(std::function<bool()> interrupted) {
  stepper_->set_interrupt(std::move(interrupted));
}

}  // namespace sinew
