#include "sinew/potential/friction_energy.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/core/error.h"

namespace sinew {
namespace {

// Friction of one stencil, as StencilSum sums it: energy mu lambda f0(|u|), force c_a f on vertex a, Hessian block
// c_a c_b K with the force f and the 3x3 matrix K of contact/friction.h.
struct FrictionKernel {
  const Points& x;
  const Points& reference;
  double eps;
  std::span<const FrictionStencil> stencils;
  std::span<const Eigen::Vector2d> dual;
  double radius;

  std::size_t size() const { return stencils.size(); }
  StencilAssembly::Vertices vertices(std::size_t s) const { return stencils[s].v; }
  double value(std::size_t s) const { return friction_energy(stencils[s], x, reference, eps); }
  void gradient(std::size_t s, Vec12& g) const {
    const Vec3 force = friction_gradient(stencils[s], x, reference, eps);
    for (int a = 0; a < 4; ++a) g.segment<3>(3 * a) = stencils[s].c[a] * force;
  }
  // Positive semidefinite with or without projection.
  void derivatives(std::size_t s, bool, Vec12& g, Mat12& H) const {
    gradient(s, g);
    const Mat3 K = radius > 0 ? least_friction_hessian(stencils[s], x, reference, eps, radius)
                              : friction_hessian(stencils[s], x, reference, eps, dual[s]);
    const Eigen::Vector4d& c = stencils[s].c;
    for (int b = 0; b < 4; ++b)
      for (int a = 0; a < 4; ++a) H.block<3, 3>(3 * a, 3 * b) = (c[a] * c[b]) * K;
  }
};

}  // namespace

void FrictionEnergy::set_reference(const Points& reference, double eps) {
  if (!(eps > 0)) {
    fail_input(code::scene_value,
               "friction: the slip distance slip_speed * time step is {} m, expected a positive number; set "
               "contact.slip_speed "
               "above 0",
               eps);
  }
  reference_ = &reference;
  eps_ = eps;
}

// Lags all contacts in parallel, then keeps those with mu lambda > 0 in their order.
// Fixes lambda_k and T_k of each contact at x (IPC, section 5.3): contacts in parallel, then those with mu lambda > 0
// in their order. `predicted` gives normal forces to come in place of those at x.
void FrictionEnergy::lag_contacts(std::span<const ContactStencil> contacts, const Points& x,
                                  std::span<const PlaneState> planes, const BarrierParameters& barrier,
                                  const CollisionMesh& mesh, const PredictedForces* predicted) {
  stencils_.resize(contacts.size());
  parallel_for(
      contacts.size(),
      [&](std::size_t s) {
        const double coefficient = friction_coefficient(mesh, contacts[s]);
        stencils_[s] = coefficient > 0 ? lag_friction(contacts[s], x, planes, barrier, coefficient) : FrictionStencil{};
        if (predicted && coefficient > 0) stencils_[s].normal_force = predicted->of(contacts[s]);
      },
      256);
  plane_contacts_.clear();
  std::size_t kept = 0;
  for (std::size_t s = 0; s < contacts.size(); ++s) {
    if (!(stencils_[s].coefficient * stencils_[s].normal_force > 0)) continue;
    if (contacts[s].kind == StencilKind::point_plane) {
      plane_contacts_.push_back({kept, contacts[s].plane, x.col(contacts[s].v[0])});
    }
    stencils_[kept++] = stencils_[s];
  }
  stencils_.resize(kept);
  dual_.assign(kept, Eigen::Vector2d::Zero());
  all_.invalidate();
}

// Planes that move drag the contacts with them: displacement of the plane's material point under each contact.
void FrictionEnergy::set_plane_motion(std::span<const PlaneState> reference, std::span<const PlaneState> now) {
  for (const PlaneContact& contact : plane_contacts_) {
    stencils_[contact.stencil].plane_displacement =
        plane_displacement(reference[contact.plane], now[contact.plane], contact.point);
  }
}

void FrictionEnergy::set_stencils(std::vector<FrictionStencil> stencils) {
  stencils_ = std::move(stencils);
  dual_.assign(stencils_.size(), Eigen::Vector2d::Zero());
  plane_contacts_.clear();
  all_.invalidate();
}

// The primal-dual unknown w of each contact after a step alpha d from x (Chan, Golub and Mulet 1999; theory, section
// 3):
//
//   w <- w + alpha (w+ - w), cut to length 1.
void FrictionEnergy::took(const Points& x, const Points& d, double alpha) {
  parallel_for(
      stencils_.size(),
      [&](std::size_t s) { dual_[s] = friction_dual(stencils_[s], x, d, alpha, *reference_, eps_, dual_[s]); }, 1024);
}

// At some contact that matters beside inertia, the tangential stiffness mu lambda f1/|u| falls below half within a
// displacement `radius`.
bool FrictionEnergy::softens(const Points& x, double radius, std::span<const double> mass, double scale) const {
  return std::any_of(stencils_.begin(), stencils_.end(), [&](const FrictionStencil& stencil) {
    const double stiffness = friction_slopes(friction_slip(stencil, x, *reference_).norm(), eps_).secant *
                             stencil.coefficient * stencil.normal_force;
    return matters_beside_inertia(stencil.v, scale * stiffness, mass) &&
           friction_softening(stencil, x, *reference_, eps_, radius) < 0.5;
  });
}

void FrictionEnergy::append_forces(const Points& x, std::vector<ContactForce>& forces) const {
  for (std::size_t s = 0; s < stencils_.size(); ++s) {
    const Vec3 along = friction_gradient(stencils_[s], x, *reference_, eps_);
    ContactForce& force = forces.emplace_back();
    force.v = stencils_[s].v;
    force.plane = stencils_[s].plane;
    force.friction = true;
    for (int a = 0; a < 4; ++a) force.force[a] = -stencils_[s].c[a] * along;
  }
}

// Takes over newly lagged contacts. Each keeps its w, turned from one tangent basis into the other: w <- T_new^T
// T_old w. A contact that starts anew has w = 0, the secant stiffness. With share < 1 normal forces are damped,
//
//   lambda' <- (1 - share) lambda' + share lambda,
//
// where a contact that only one of both has counts as zero in the other.
void FrictionEnergy::adopt(FrictionEnergy& anew, double share) {
  using Key = std::pair<std::array<Index, 4>, Index>;  // vertices and plane
  std::vector<std::pair<Key, std::size_t>> known;
  known.reserve(stencils_.size());
  for (std::size_t s = 0; s < stencils_.size(); ++s) known.emplace_back(Key{stencils_[s].v, stencils_[s].plane}, s);
  std::sort(known.begin(), known.end());
  std::vector<char> kept(stencils_.size(), 0);
  for (std::size_t s = 0; s < anew.stencils_.size(); ++s) {
    FrictionStencil& stencil = anew.stencils_[s];
    stencil.normal_force *= share;
    const Key key{stencil.v, stencil.plane};
    auto at = std::lower_bound(known.begin(), known.end(), std::pair(key, std::size_t{0}));
    while (at != known.end() && at->first == key && kept[at->second]) ++at;  // of another kind with the same vertices
    if (at == known.end() || at->first != key) continue;
    const FrictionStencil& before = stencils_[at->second];
    const Eigen::Vector2d w = stencil.T.transpose() * (before.T * dual_[at->second]);
    anew.dual_[s] = w / std::max(1.0, w.norm());
    stencil.normal_force += (1 - share) * before.normal_force;
    kept[at->second] = 1;
  }
  if (share < 1) anew.take_others(*this, kept, 1 - share);
  std::swap(stencils_, anew.stencils_);
  std::swap(dual_, anew.dual_);
  std::swap(plane_contacts_, anew.plane_contacts_);
  all_.invalidate();
  anew.all_.invalidate();
}

// Appends the stencils of `from` that are not kept, with a share of their normal forces.
void FrictionEnergy::take_others(const FrictionEnergy& from, std::span<const char> kept, double share) {
  std::vector<std::size_t> now(from.stencils_.size(), 0);
  for (std::size_t s = 0; s < from.stencils_.size(); ++s) {
    if (kept[s]) continue;
    now[s] = stencils_.size();
    stencils_.push_back(from.stencils_[s]);
    stencils_.back().normal_force *= share;
    dual_.push_back(from.dual_[s]);
  }
  for (const PlaneContact& contact : from.plane_contacts_)
    if (!kept[contact.stencil]) plane_contacts_.push_back({now[contact.stencil], contact.plane, contact.point});
}

// For Coulomb's law, by vertex: the limit mu lambda, the force mu lambda f1(|u|) that is used, and the limits of
// contacts that slip. Shares are |c_a|, the barycentric weights of the contact.
void FrictionEnergy::use(const Points& x, FrictionUse& use) const {
  const auto rows = static_cast<std::size_t>(rows_);
  for (auto* values : {&use.limit, &use.used, &use.slipping}) {
    use.vertices.for_each([&](Index v) { (*values)[v] = 0; });
    values->resize(rows, 0);
  }
  use.vertices.reset(rows);
  for (const FrictionStencil& stencil : stencils_) {
    const double limit = stencil.coefficient * stencil.normal_force;
    const double y = friction_slip(stencil, x, *reference_).norm();
    const double used = limit * y * friction_slopes(y, eps_).secant;
    for (int i = 0; i < 4; ++i) {
      const Index v = stencil.v[i];
      if (v < 0 || v >= rows_) continue;
      const double share = std::abs(stencil.c[i]);
      use.vertices.insert(v);
      use.limit[v] += share * limit;
      use.used[v] += share * used;
      if (y >= eps_) use.slipping[v] += share * limit;
    }
  }
}

// D(x) = sum_k mu_k lambda_k f0(|u_k|), u_k = T_k^T (x - x^) (IPC, equation 15).
double FrictionEnergy::value(const Points& x) const {
  if (empty()) return 0;
  return all_.value(FrictionKernel{x, *reference_, eps_, stencils_, dual_, radius_});
}

void FrictionEnergy::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  if (empty()) return;
  all_.add_vertex_energies(FrictionKernel{x, *reference_, eps_, stencils_, dual_, radius_}, scale, values);
}

void FrictionEnergy::add_gradient(const Points& x, double scale, Points& g) const {
  if (empty()) return;
  all_.add_gradient(FrictionKernel{x, *reference_, eps_, stencils_, dual_, radius_}, rows_, scale, g);
}

void FrictionEnergy::add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                                     SymBlockMatrix& H) const {
  if (empty()) return;
  all_.add_derivatives(FrictionKernel{x, *reference_, eps_, stencils_, dual_, radius_}, rows_, scale, projection, g, H);
}

void FrictionEnergy::add_softened(const Points& x, double scale, Projection projection,
                                  std::span<const double> stiffness, Points& unused_gradient, SymBlockMatrix& H) const {
  if (empty()) return;
  const FrictionKernel kernel{x, *reference_, eps_, stencils_, dual_, radius_};
  all_.add_derivatives(SoftenedStencils<FrictionKernel>{kernel, scale, stiffness}, rows_, scale, projection,
                       unused_gradient, H);
}

void FrictionEnergy::collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const {
  for (const FrictionStencil& stencil : stencils_) append_pairs(stencil.v, rows_, pairs);
}

double FrictionEnergy::value(const Points& x, std::span<const Index> ids, std::span<const double> weights) const {
  if (ids.empty()) return 0;
  const FrictionKernel kernel{x, *reference_, eps_, stencils_, dual_, radius_};
  return listed_.value(ListedStencils<FrictionKernel>{kernel, ids, weights});
}

void FrictionEnergy::add_gradient(const Points& x, std::span<const Index> ids, std::span<const double> weights,
                                  double scale, Points& g) const {
  if (ids.empty()) return;
  const FrictionKernel kernel{x, *reference_, eps_, stencils_, dual_, radius_};
  listed_.invalidate();
  listed_.add_gradient(ListedStencils<FrictionKernel>{kernel, ids, weights}, rows_, scale, g);
}

void FrictionEnergy::add_derivatives(const Points& x, std::span<const Index> ids, std::span<const double> weights,
                                     double scale, Projection projection, Points& g, SymBlockMatrix& H) const {
  if (ids.empty()) return;
  const FrictionKernel kernel{x, *reference_, eps_, stencils_, dual_, radius_};
  listed_.invalidate();
  listed_.add_derivatives(ListedStencils<FrictionKernel>{kernel, ids, weights}, rows_, scale, projection, g, H);
}

}  // namespace sinew
