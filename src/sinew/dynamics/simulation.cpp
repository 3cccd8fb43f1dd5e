#include "sinew/dynamics/simulation.h"

#include "sinew/contact/intersection.h"
#include "sinew/dynamics/methods.h"
#include "sinew/potential/elastic.h"

namespace sinew {
namespace {

std::string vertex_list(const System& system, const Index* ids, int count) {
  std::string text;
  for (int k = 0; k < count; ++k) {
    const Index id = ids[k];
    const Index user = id < system.dynamic_count
                           ? system.vertex_to_user[id] - system.bodies[system.vertex_body[id]].user_begin
                           : id - system.dynamic_count;
    text += fmt::format("{}{}", k ? " " : "", user);
  }
  return text;
}

// Throws InputError that names the first intersection's bodies and primitives, in the numbering of their files.
void refuse_intersections(const System& system, const Points& x, const std::vector<PlaneState>& planes,
                          const std::string& when) {
  if (!system.setup.contact.enabled) return;
  const CollisionMesh& mesh = system.collision;
  const char* remedy = "move the bodies apart (sinew check lists all intersections of a scene)";
  const std::vector<Intersection> pairs = find_intersections(mesh, x);
  if (!pairs.empty()) {
    const Intersection& first = pairs[0];
    fail_input("{}: edge ({}) of '{}' crosses triangle ({}) of '{}', and {} more such pairs; {}", when,
               vertex_list(system, &mesh.edges(0, first.edge), 2), mesh.owner_names[first.edge_owner],
               vertex_list(system, &mesh.triangles(0, first.triangle), 3), mesh.owner_names[first.triangle_owner],
               pairs.size() - 1, remedy);
  }
  const std::vector<BelowPlane> below = find_below_planes(mesh, x, planes);
  if (!below.empty())
    fail_input("{}: vertex {} of '{}' lies {:.3g} m behind the plane '{}', and {} more vertices; {}", when,
               vertex_list(system, &below[0].vertex, 1), mesh.owner_names[mesh.vertex_owner[below[0].vertex]],
               -below[0].height, mesh.owner_names[mesh.planes[below[0].plane].owner], below.size() - 1, remedy);
}

}  // namespace

Simulation::Simulation(std::shared_ptr<const System> system, const std::optional<InitialMotion>& start)
    : system_(std::move(system)), stepper_(make_stepper(system_)) {
  if (start) {
    set_positions(start->x);
    set_velocities(start->v);
  } else {
    refuse_intersections(*system_, state().x, state().planes, "the initial state intersects");
  }
}

Simulation::~Simulation() = default;

StepReport Simulation::step() {
  return stepper_->advance();
}

const State& Simulation::state() const {
  return stepper_->sample();
}

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
