#include "sinew/dynamics/static_hold.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

// The least stiffness of the hold over that of the piece, about its Young's modulus times its length: far below that of
// slender bodies, far above rounding.
constexpr double least_share = 1e-6;
// How far a piece that nothing touches yet may go in the first round, over its size: what closes in on it, as the jaws
// of a gripper, must still meet it.
constexpr double first_displacement = 0.01;
constexpr double falling = 1.0 / 16;  // of the stiffness from round to round
constexpr double too_far = 10;        // diagonals of the scene in a round, beyond which nothing holds a piece
// Motion below this many roundings of positions is none.
constexpr double roundings = 64;

double extent(const Points& x, std::span<const Index> vertices) {
  Vec3 low = x.col(vertices[0]), high = low;
  for (const Index v : vertices) {
    low = low.cwiseMin(x.col(v));
    high = high.cwiseMax(x.col(v));
  }
  return (high - low).norm();
}

// The force on the free motions of a piece [N]: of motions that turn it, over the diagonal.
double free_force(const System& system, const StepContext& context, const FreePiece& piece, const Points& x,
                  const Points& g) {
  Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
  for (const Index v : piece.vertices) {
    Vec3 force = g.col(v);
    for (int k = 0; k < 3; ++k)
      if (context.prescribed[3 * static_cast<std::size_t>(v) + k]) force[k] = 0;
    const Vec3 arm = (x.col(v) - x.col(piece.vertex)) / system.diagonal;
    sum.head<3>() += force;
    sum.tail<3>() += arm.cross(force);
  }
  return (piece.free.transpose() * sum).norm();
}

}  // namespace

// k is such that the new load moves the piece by its own size where it is pressed already, and by a small part of that
// where nothing touches it.
void StaticHold::begin(const System& system, IncrementalPotential* potential, const Points& x) {
  system_ = &system;
  potential_ = potential;
  pieces_.clear();
  if (!potential) return;
  const StepContext& context = potential->context();
  if (context.inertia) return;
  std::vector<FreePiece> free = free_pieces(system, context.time_end, {}, context.ties.get());
  if (free.empty()) return;
  Points g;
  potential->gradient(x, g);
  const Points contact = potential->force(EnergyKind::barrier, x);
  std::vector<double> body_mass(system.bodies.size(), 0.0);
  for (Index v = 0; v < system.dynamic_count; ++v) body_mass[system.vertex_body[v]] += system.mass[v];
  for (FreePiece& piece : free) {
    Held held;
    double pressed = 0;
    for (const Index v : piece.vertices) {
      held.mass += system.mass[v];
      pressed += contact.col(v).norm();
    }
    const double size = extent(x, piece.vertices);
    const double share = held.mass / body_mass[piece.body];
    held.least = least_share * share * system.bodies[piece.body].stiffness / (size * size);
    const double force = free_force(system, context, piece, x, g);
    held.stiffness = std::max(held.least, force / (pressed > force ? size : first_displacement * size));
    held.piece = std::move(piece);
    pieces_.push_back(std::move(held));
  }
  hold(x);
}

void StaticHold::release() {
  if (potential_) potential_->pseudo_inertia().release();
}

// The stiffness of a piece is shared out by mass, as that of a body in pseudo time.
void StaticHold::hold(const Points& x) const {
  std::vector<double> stiffness(system_->dynamic_count, 0.0);
  for (const Held& held : pieces_)
    for (const Index v : held.piece.vertices) stiffness[v] = held.stiffness * system_->mass[v] / held.mass;
  potential_->pseudo_inertia().hold(std::move(stiffness), x);
}

bool StaticHold::released(const Points& x, double force_tolerance) const {
  if (pieces_.empty()) return true;
  const double reach = x.cwiseAbs().maxCoeff();
  const double bound = force_tolerance * potential_->largest_force(x);
  for (const Held& held : pieces_) {
    const double rounding = held.stiffness * roundings * std::numeric_limits<double>::epsilon() * reach;
    for (const Index v : held.piece.vertices)
      if (potential_->pseudo_inertia().force(x, v) > std::max(bound, rounding * system_->mass[v] / held.mass))
        return false;
  }
  return true;
}

bool StaticHold::lost(const Points& x) const {
  return std::ranges::any_of(pieces_, [&](const Held& held) {
    return potential_->pseudo_inertia().displacement(x, held.piece.vertex) > too_far * system_->diagonal;
  });
}

void StaticHold::hold_least(const Points& x) {
  if (pieces_.empty()) return;
  for (Held& held : pieces_) held.stiffness = held.least;
  hold(x);
}

void StaticHold::next_round(const Points& x) {
  if (pieces_.empty()) return;
  for (Held& held : pieces_) held.stiffness = std::max(held.least, falling * held.stiffness);
  hold(x);
}

Index StaticHold::pulled_body(const Points& x) const {
  double most = -1;
  Index body = 0;
  for (const Held& held : pieces_) {
    double sum = 0;
    for (const Index v : held.piece.vertices) sum += potential_->pseudo_inertia().force(x, v);
    if (sum > most) {
      most = sum;
      body = held.piece.body;
    }
  }
  return body;
}

}  // namespace sinew
