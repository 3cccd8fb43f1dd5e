#include "sinew/sensors/point_forces.h"

#include <algorithm>

#include <Eigen/Geometry>

namespace sinew {

void PointForces::add(Index vertex, const Vec3& force) {
  vertices.push_back(vertex);
  forces.push_back(force);
}

Vec3 PointForces::sum() const {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& force : forces) sum += force;
  return sum;
}

Vec3 PointForces::moment(const Points& x, const Vec3& about) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < vertices.size(); ++i) sum += (x.col(vertices[i]) - about).cross(forces[i]);
  return sum;
}

double PointForces::work(const Points& before, const Points& after) const {
  double sum = 0;
  for (std::size_t i = 0; i < vertices.size(); ++i)
    sum += forces[i].dot(after.col(vertices[i]) - before.col(vertices[i]));
  return sum;
}

Index owner_of(const System& system, const SensorPlace& place) {
  return place.obstacle < 0 ? place.body : static_cast<Index>(system.bodies.size()) + place.obstacle;
}

ForceGatherer::ForceGatherer(const System& system)
    : system_(system), pressure_(system), gas_(system), moment_(system), springs_(system) {}

void ForceGatherer::begin(SensorSource& source) {
  source_ = &source;
  reactions_.reset();
  ties_.reset();
  contacts_.reset();
  gathered_.clear();
}

// As StepContext::load_factor.
double ForceGatherer::ramp() const {
  const TimeSetup& time = system_.setup.time;
  return time.integrator == Integrator::statics && time.ramp ? source_->state().time : 1;
}

const PointForces& ForceGatherer::forces(const Sensor& sensor, Part part) {
  const auto [at, anew] = gathered_.try_emplace({&sensor, part});
  PointForces& found = at->second;
  if (!anew) return found;
  switch (sensor.target) {
    case SensorTarget::fix:
      add_fix(sensor, found);
      break;
    case SensorTarget::load:
      add_load(sensor, found);
      add_follower_loads(sensor, found);
      break;
    case SensorTarget::spring:
      add_springs(sensor, found);
      break;
    case SensorTarget::tie:
      add_tie(sensor, found);
      break;
    case SensorTarget::obstacle:
    case SensorTarget::contact:
      add_contacts(sensor, part, found);
      break;
    default:
      break;
  }
  return found;
}

// Reactions at the coordinates that the fix prescribes.
void ForceGatherer::add_fix(const Sensor& sensor, PointForces& to) {
  if (!reactions_) reactions_ = source_->reactions();
  const Index body = sensor.places[0].body;
  for (const PrescribedVertex& p : system_.prescribed) {
    if (system_.vertex_body[p.vertex] != body || (sensor.entry >= 0 && p.entry != sensor.entry)) continue;
    if (!p.holds_at(source_->state().time)) continue;
    Vec3 force = Vec3::Zero();
    for (int k = 0; k < 3; ++k)
      if (p.axes[k]) force[k] = (*reactions_)(k, p.vertex);
    to.add(p.vertex, force);
  }
}

// Tractions and forces: area times traction at each corner of each face.
void ForceGatherer::add_load(const Sensor& sensor, PointForces& to) {
  for (const FaceLoad& load : system_.loads) {
    if (load.body != sensor.places[0].body || (sensor.entry >= 0 && load.entry != sensor.entry)) continue;
    if (!is_dead(load.kind)) continue;
    const Vec3 traction = load.traction(source_->state().time, ramp());
    for (Eigen::Index i = 0; i < load.faces.size(); ++i)
      to.add(load.faces.data()[i], load.corner_area.data()[i] * traction);
  }
}

// Pressures, moments and remote forces as the step had them; before the first step, at the state.
void ForceGatherer::add_follower_loads(const Sensor& sensor, PointForces& to) {
  std::vector<const LoadEnergy*> terms = source_->load_terms();
  const Points& x = source_->state().x;
  if (terms.empty()) {
    StepContext context;
    context.start = x;
    context.time_end = source_->state().time;
    context.load_factor = ramp();
    pressure_.begin_step(context);
    gas_.begin_step(context);
    moment_.begin_step(context);
    terms = {&pressure_, &gas_, &moment_};
  }
  Points force;
  for (const LoadEnergy* term : terms)
    for (std::size_t l = 0; l < term->count(); ++l) {
      const FaceLoad& load = term->source(l);
      if (load.body != sensor.places[0].body || (sensor.entry >= 0 && load.entry != sensor.entry)) continue;
      force.setZero(3, system_.body_vertex_count());
      term->add_load_gradient(l, x, -1, force);
      for (Index v = 0; v < force.cols(); ++v)
        if (!force.col(v).isZero(0)) to.add(v, force.col(v));
    }
}

void ForceGatherer::add_springs(const Sensor& sensor, PointForces& to) {
  springs_.set_time(source_->state().time);
  for (std::size_t s = 0; s < system_.scene_spring_count(); ++s) {
    const Spring& spring = system_.springs[s];
    if (spring.body != sensor.places[0].body || (sensor.entry >= 0 && spring.entry != sensor.entry)) continue;
    to.add(spring.vertex, springs_.force(source_->state().x, s));
  }
}

void ForceGatherer::add_tie(const Sensor& sensor, PointForces& to) {
  if (!ties_) ties_ = source_->tie_forces();
  const std::vector<char>& held = source_->state().held;
  if (!held.empty() && !held[sensor.entry]) return;
  if (ties_->cols() == 0) return;
  for (const Index v : system_.ties[sensor.entry].vertices) to.add(v, ties_->col(v));
}

// The forces on the first side by the second; of an obstacle those on all bodies.
void ForceGatherer::add_contacts(const Sensor& sensor, Part part, PointForces& to) {
  if (!contacts_) contacts_ = source_->contact_forces();
  const CollisionMesh& mesh = system_.collision;
  const bool of_obstacle = sensor.target == SensorTarget::obstacle;
  const Index one = owner_of(system_, sensor.places[of_obstacle ? 0 : 1]);
  const Index other = of_obstacle ? -1 : owner_of(system_, sensor.places[0]);
  for (const ContactForce& contact : *contacts_) {
    if (part != Part::all && contact.friction != (part == Part::friction)) continue;
    bool touches = contact.plane >= 0 && mesh.planes[contact.plane].owner == one;
    for (const Index v : contact.v) touches = touches || (v >= 0 && mesh.vertex_owner[v] == one);
    if (!touches) continue;
    for (int a = 0; a < 4; ++a) {
      const Index v = contact.v[a];
      if (v < 0 || mesh.vertex_owner[v] == one || (other >= 0 && mesh.vertex_owner[v] != other)) continue;
      to.add(v, contact.force[a]);
    }
  }
}

}  // namespace sinew
