#include "sinew/reduced/reduced_space.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/linalg/dense_kernels.h"
#include "sinew/partition/laplacian.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {
namespace {

constexpr Index chunk_slots = 64;         // of points: their gradients stay in the second-level cache
constexpr Index probe_vertices = 64;      // beside the points, for the largest displacement
constexpr std::size_t gram_chunk = 8192;  // vertices

using Affine = Eigen::Matrix<double, 3, 4>;

// The motion as a map of (p, 1); the identity for none.
Affine affine_at(const System& system, Index motion, double time) {
  Affine map = Affine::Identity();
  if (motion < 0 || system.motions[motion].empty()) return map;
  map.col(3) = system.motions[motion].apply(Vec3::Zero(), time);
  for (int k = 0; k < 3; ++k) map.col(k) = system.motions[motion].apply(Vec3::Unit(k), time) - map.col(3);
  return map;
}

// The scalars phi (1, (X - c) / r) of the handles at a vertex, each into its four rows of `out`.
void add_row(const HandleBasis& basis, const Vec3& X, Index vertex, double factor, Index first, double* out) {
  for (auto e = basis.begin[vertex]; e < basis.begin[vertex + 1]; ++e) {
    const Index i = basis.handle[e];
    const Vec3 s = (X - basis.center[i]) / basis.radius[i];
    double* at = out + first + 4 * i;
    const double weight = factor * basis.weight[e];
    at[0] += weight;
    for (int k = 0; k < 3; ++k) at[k + 1] += weight * s[k];
  }
}

// Farthest-point samples of the rest shape, the first one its vertex farthest from the middle.
std::vector<Index> far_vertices(const System& system, Index count) {
  const Index n = system.dynamic_count;
  count = std::min(count, n);
  const Vec3 middle = system.rest.leftCols(n).rowwise().mean();
  std::vector<double> distance(n);
  for (Index v = 0; v < n; ++v) distance[v] = (system.rest.col(v) - middle).squaredNorm();
  std::vector<Index> chosen;
  while (static_cast<Index>(chosen.size()) < count) {
    const auto next = static_cast<Index>(std::ranges::max_element(distance) - distance.begin());
    chosen.push_back(next);
    parallel_for(
        n,
        [&](std::size_t v) {
          distance[v] = std::min(distance[v], (system.rest.col(v) - system.rest.col(next)).squaredNorm());
        },
        4096);
  }
  return chosen;
}

double quadratic_form(const MatX& form, const Eigen::Ref<const VecX>& x) {
  double sum = 0;
  for (Index j = 0; j < x.size(); ++j) sum += x[j] * form.col(j).dot(x);
  return sum;
}

}  // namespace

ReducedSpace::ReducedSpace(const System& system, std::shared_ptr<const ReducedBasis> basis, const ElasticPoints& points,
                           double time)
    : system_(system), basis_(std::move(basis)), set_(basis_->set) {
  free_ = 4 * basis_->handle_count();
  columns_ = free_ + 4 * static_cast<Index>(basis_->motions.size());
  slots_ = points.slot_count();
  for (const SystemBody& body : system.bodies) mass_damping_ |= body.damping_mass > 0;
  for (const AxisHandles& handles : basis_->sets) sets_.push_back({&handles, {}, {}, {}, {}, {}, {}, {}});
  for (int s = 0; s < static_cast<int>(sets_.size()); ++s) make_quadratic(s);
  make_points(points);
  make_springs();
  begin_springs(time);
  if (system.setup.contact.enabled && may_touch_others(system)) make_contact();
  for (Index i = 0; i < system.dynamic_count; ++i) rest_gravity_ -= system.mass[i] * system.setup.gravity.dot(rest(i));
  const Index size = 3 * free_;
  force_.resize(free_, 3);
  H_.resize(size, size);
  solution_.resize(size);
  floor_.resize(size);
  at_.resize(columns_, 3);
  difference_.resize(columns_, 3);
  kernel::use_one_blas_thread();
}

VecX ReducedSpace::row(int set, Index vertex) const {
  VecX w = VecX::Zero(columns_);
  add_row(sets_[set].handles->free, rest(vertex), vertex, 1, 0, w.data());
  add_row(sets_[set].handles->driven, rest(vertex), vertex, 1, free_, w.data());
  return w;
}

// W^T diag(weight) W
MatX ReducedSpace::gram(int set, const std::vector<double>& weight) const {
  const std::size_t n = weight.size();
  std::vector<MatX> parts((n + gram_chunk - 1) / gram_chunk);
  parallel_chunks(n, gram_chunk, [&](std::size_t begin, std::size_t end) {
    MatX rows = MatX::Zero(columns_, static_cast<Index>(end - begin));
    for (std::size_t v = begin; v < end; ++v) {
      const double root = std::sqrt(weight[v]);
      double* out = rows.col(static_cast<Index>(v - begin)).data();
      add_row(sets_[set].handles->free, rest(v), v, root, 0, out);
      add_row(sets_[set].handles->driven, rest(v), v, root, free_, out);
    }
    parts[begin / gram_chunk] = rows * rows.transpose();
  });
  MatX sum = MatX::Zero(columns_, columns_);
  for (const MatX& part : parts) sum += part;
  return sum;
}

void ReducedSpace::make_quadratic(int s) {
  Set& set = sets_[s];
  set.mass = gram(s, system_.mass);
  if (mass_damping_) {
    std::vector<double> rate(system_.mass);
    for (std::size_t v = 0; v < rate.size(); ++v) rate[v] *= system_.bodies[system_.vertex_body[v]].damping_mass;
    set.damping = gram(s, rate);
  }
  set.body_moment.setZero(columns_, static_cast<Index>(system_.bodies.size()));
  for (Index v = 0; v < system_.dynamic_count; ++v) {
    double* out = set.body_moment.col(system_.vertex_body[v]).data();
    add_row(set.handles->free, rest(v), v, system_.mass[v], 0, out);
    add_row(set.handles->driven, rest(v), v, system_.mass[v], free_, out);
  }
  set.load_moment.setZero(columns_, static_cast<Index>(system_.loads.size()));
  for (std::size_t l = 0; l < system_.loads.size(); ++l) {
    const FaceLoad& load = system_.loads[l];
    double* out = set.load_moment.col(static_cast<Index>(l)).data();
    for (Index f = 0; f < load.faces.cols(); ++f) {
      for (int k = 0; k < 3; ++k) {
        const Index v = load.faces(k, f);
        add_row(set.handles->free, rest(v), v, load.face_area[f] / 3, 0, out);
        add_row(set.handles->driven, rest(v), v, load.face_area[f] / 3, free_, out);
      }
    }
  }
  set.free_mass.compute(set.mass.topLeftCorner(free_, free_));
  if (set.free_mass.info() != Eigen::Success) {
    // Columns that depend on each other (coarse meshes): any of their sums will do.
    MatX shifted = set.mass.topLeftCorner(free_, free_);
    shifted.diagonal() *= 1 + 1e-12;
    shifted.diagonal().array() += 1e-14 * shifted.diagonal().maxCoeff();
    set.free_mass.compute(shifted);
  }
}

void ReducedSpace::make_points(const ElasticPoints& points) {
  for (Index begin = 0; begin < slots_; begin += chunk_slots) {
    Chunk chunk;
    chunk.slot_begin = begin;
    chunk.slot_end = std::min(begin + chunk_slots, slots_);
    std::vector<char> seen(basis_->handle_count(), 0);
    for (Index c = chunk.slot_begin; c < chunk.slot_end; ++c)
      for (int i = 0; i < 4; ++i) {
        const Index v = system_.tets(i, points.tet(c));
        for (const Set& set : sets_) {
          const HandleBasis& basis = set.handles->free;
          for (auto e = basis.begin[v]; e < basis.begin[v + 1]; ++e) seen[basis.handle[e]] = 1;
        }
      }
    for (Index h = 0; h < basis_->handle_count(); ++h)
      for (Index k = 0; k < 4 && seen[h]; ++k) chunk.columns.push_back(4 * h + k);
    chunks_.push_back(std::move(chunk));
  }
  Index widest = 0;
  volume_.resize(slots_);
  for (Index c = 0; c < slots_; ++c) volume_[c] = points.volume(c);
  for (Chunk& chunk : chunks_) widest = std::max(widest, static_cast<Index>(chunk.columns.size()));
  y_part_.resize(widest, 3);
  rows_part_.resize(3 * chunk_slots, 3);
  product_.resize(3 * widest, 3 * chunk_slots);
  square_.resize(3 * widest, 3 * widest);
  const std::vector<Index> far = far_vertices(system_, probe_vertices);
  moved_.resize(slots_ + static_cast<Index>(far.size()), 3);
  for (int s = 0; s < static_cast<int>(sets_.size()); ++s) {
    Set& set = sets_[s];
    set.driven_gradients.setZero(columns_ - free_, 3 * slots_);
    set.probes.setZero(columns_, slots_ + static_cast<Index>(far.size()));
    for (std::size_t k = 0; k < far.size(); ++k) set.probes.col(slots_ + static_cast<Index>(k)) = row(s, far[k]);
    for (Chunk& chunk : chunks_)
      chunk.gradients[s].setZero(static_cast<Index>(chunk.columns.size()), 3 * (chunk.slot_end - chunk.slot_begin));
    parallel_for(
        chunks_.size(),
        [&](std::size_t k) {
          Chunk& chunk = chunks_[k];
          for (Index c = chunk.slot_begin; c < chunk.slot_end; ++c) {
            const auto hats = hat_gradients(system_.rest, system_.tets, points.tet(c));
            for (int i = 0; i < 4; ++i) {
              const VecX w = row(s, system_.tets(i, points.tet(c)));
              set.probes.col(c) += 0.25 * w;
              for (int j = 0; j < 3; ++j) {
                const double gradient = hats(j, i);
                auto out = chunk.gradients[s].col(3 * (c - chunk.slot_begin) + j);
                for (Index e = 0; e < out.size(); ++e) out[e] += gradient * w[chunk.columns[e]];
                set.driven_gradients.col(3 * c + j) += gradient * w.tail(columns_ - free_);
              }
            }
          }
        },
        1);
  }
}

void ReducedSpace::make_contact() {
  CoarseSurface surface = make_coarse_surface(system_, system_.setup.contact.samples);
  std::vector<MatX> W;
  for (int s = 0; s < static_cast<int>(sets_.size()); ++s) {
    W.emplace_back(columns_, surface.sample_count);
    for (Index k = 0; k < surface.sample_count; ++k) W[s].col(k) = row(s, surface.vertex[k]);
  }
  contact_ = std::make_unique<ReducedContact>(system_, std::move(surface), std::move(W), set_, free_);
}

void ReducedSpace::make_springs() {
  for (const Spring& spring : system_.springs) {
    std::array<VecX, 3> w;
    for (int a = 0; a < 3; ++a) {
      w[a] = row(set_[a], spring.vertex);
      for (const Index other : spring.others) w[a] -= row(set_[a], other) / static_cast<double>(spring.others.size());
    }
    Vec3 X = rest(spring.vertex);
    for (const Index other : spring.others) X -= rest(other) / static_cast<double>(spring.others.size());
    const bool to_point = spring.others.empty();
    if (spring.length > 0) {
      long_springs_.push_back({&spring, w, X, Vec3::Zero(), true});
      continue;
    }
    const Index motion = to_point ? spring.motion : -1;
    auto group = std::ranges::find_if(
        spring_groups_, [&](const SpringGroup& g) { return g.motion == motion && g.until == spring.until; });
    if (group == spring_groups_.end()) {
      SpringGroup fresh;
      fresh.motion = motion;
      fresh.until = spring.until;
      for (int a = 0; a < 3; ++a) {
        fresh.stiffness[a].setZero(columns_, columns_);
        fresh.rest[a].setZero(columns_);
        fresh.anchor[a].setZero(columns_, 4);
      }
      fresh.rest_anchor.setZero();
      fresh.anchor_square.setZero();
      spring_groups_.push_back(std::move(fresh));
      group = spring_groups_.end() - 1;
    }
    const double k = spring.stiffness;
    Eigen::Vector4d p = Eigen::Vector4d::Zero();  // a spring between vertices has no anchor
    if (to_point) p << spring.point, 1;
    for (int a = 0; a < 3; ++a) {
      group->stiffness[a] += k * w[a] * w[a].transpose();
      group->rest[a] += k * X[a] * w[a];
      group->anchor[a] += k * w[a] * p.transpose();
    }
    group->rest_square += k * X.squaredNorm();
    group->rest_anchor += k * X * p.transpose();
    group->anchor_square += k * p * p.transpose();
  }
}

void ReducedSpace::lift(const MatX& y, Points& u) const {
  const Index n = system_.dynamic_count;
  u.setZero(3, n);
  Points part;
  const auto add = [&](const HandleBasis& basis, Index first, int s) {
    if (basis.handle_count() == 0) return;
    const MatX q = y.middleRows(first, 4 * basis.handle_count()).transpose();  // 3 x 4k
    sinew::lift(basis, system_.rest, q.data(), part);
    for (int a = 0; a < 3; ++a)
      if (set_[a] == s) u.row(a) += part.row(a);
  };
  for (int s = 0; s < static_cast<int>(sets_.size()); ++s) {
    add(sets_[s].handles->free, 0, s);
    add(sets_[s].handles->driven, free_, s);
  }
}

MatX ReducedSpace::restrict_to(const Points& g) const {
  MatX result(free_, 3);
  VecX r(3 * free_);
  for (int s = 0; s < static_cast<int>(sets_.size()); ++s) {
    sinew::restrict_to(sets_[s].handles->free, system_.rest, g, r.data());
    for (int a = 0; a < 3; ++a)
      if (set_[a] == s)
        for (Index i = 0; i < free_; ++i) result(i, a) = r[3 * i + a];
  }
  return result;
}

double ReducedSpace::inverse_mass_square(const MatX& r) const {
  double sum = 0;
  for (int a = 0; a < 3; ++a) sum += r.col(a).dot(sets_[set_[a]].free_mass.solve(r.col(a)));
  return sum;
}

void ReducedSpace::project(const Points& u, MatX& y) const {
  Points driven, weighted(3, system_.dynamic_count);
  MatX known = y;
  known.topRows(free_).setZero();
  lift(known, driven);
  for (Index v = 0; v < system_.dynamic_count; ++v) weighted.col(v) = system_.mass[v] * (u.col(v) - driven.col(v));
  const MatX b = restrict_to(weighted);
  for (int a = 0; a < 3; ++a) {
    const Set& set = sets_[set_[a]];
    VecX q = set.free_mass.solve(b.col(a));
    q += set.free_mass.solve(b.col(a) - set.mass.topLeftCorner(free_, free_) * q);  // one refinement
    y.col(a).head(free_) = q;
  }
}

void ReducedSpace::place(double time, MatX& y) const {
  const HandleBasis& driven = sets_[0].handles->driven;
  for (std::size_t m = 0; m < basis_->motions.size(); ++m) {
    const Affine map = affine_at(system_, basis_->motions[m], time);
    const Vec3& c = driven.center[m];
    const Mat3 turn = map.leftCols<3>() - Mat3::Identity();
    const Index first = free_ + 4 * static_cast<Index>(m);
    y.row(first) = (turn * c + map.col(3)).transpose();
    y.middleRows(first + 1, 3) = driven.radius[m] * turn.transpose();
  }
}

void ReducedSpace::external_force(double time, double ramp, MatX& f) const {
  f.setZero();
  for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
    const SystemBody& body = system_.bodies[b];
    const Vec3 own =
        body.acceleration_keys.empty() ? Vec3(ramp * body.acceleration) : Vec3(body.acceleration_keys.at(time));
    const Vec3 acceleration = ramp * system_.setup.gravity + own;
    for (int a = 0; a < 3; ++a)
      f.col(a) += acceleration[a] * sets_[set_[a]].body_moment.col(static_cast<Index>(b)).head(free_);
  }
  for (std::size_t l = 0; l < system_.loads.size(); ++l) {
    const FaceLoad& load = system_.loads[l];
    if (load.kind == LoadKind::pressure) continue;
    const Vec3 traction = load.traction(time, ramp);
    for (int a = 0; a < 3; ++a)
      f.col(a) += traction[a] * sets_[set_[a]].load_moment.col(static_cast<Index>(l)).head(free_);
  }
}

void ReducedSpace::begin_step(const SpaceStep& step, const MatX& start) {
  step_ = &step;
  external_force(step.time, step.load_factor, force_);
  begin_springs(step.time);
  if (contact_) contact_->begin_step(step, start);
}

bool ReducedSpace::aim(const MatX& target, MatX& y) {
  if (contact_) return contact_->aim(target, y);
  y = target;
  return true;
}

double ReducedSpace::max_step(const MatX& y, const MatX& d) {
  return contact_ ? contact_->max_step(y, d) : 1;
}

void ReducedSpace::took(const MatX& before, const MatX& after) {
  if (contact_) contact_->took(before, after);
}

void ReducedSpace::check_start(const MatX& y, double time) {
  if (contact_) contact_->check(y, time);
}

void ReducedSpace::add_contact_gradient(const MatX& y, double scale, Points& barrier, Points& friction) {
  if (contact_) contact_->add_full_gradient(y, scale, barrier, friction);
}

SpaceContact ReducedSpace::contact() const {
  if (!contact_) return {};
  const double distance = contact_->min_distance();
  return {contact_->count(), std::isfinite(distance) ? distance : -1, contact_->barrier_energy(),
          contact_->friction_energy()};
}

double ReducedSpace::value(const MatX& y) {
  const SpaceStep& step = *step_;
  double value = step.scale * springs(y);
  if (contact_) value += step.scale * contact_->value(y);
  for (int a = 0; a < 3; ++a) {
    value -= step.scale * force_.col(a).dot(y.col(a).head(free_));
    if (step.inertia) {
      difference_.col(a) = y.col(a) - step.predictor.col(a);
      value += 0.5 * quadratic_form(along(a).mass, difference_.col(a));
    }
    if (mass_damping_ && step.inertia) {
      difference_.col(a) = y.col(a) - step.reference.col(a);
      value += 0.5 * step.scale / step.reference_step * quadratic_form(along(a).damping, difference_.col(a));
    }
  }
  return value;
}

void ReducedSpace::gradient(const MatX& y, MatX& g) {
  const SpaceStep& step = *step_;
  at_ = y;
  g.setZero();
  g.topRows(free_) -= step.scale * force_;
  const auto add = [&](const MatX& form, int a, double factor) {
    for (Index j = 0; j < columns_; ++j) g.col(a).head(free_) += factor * difference_(j, a) * form.col(j).head(free_);
  };
  if (step.inertia) {
    difference_ = y - step.predictor;
    for (int a = 0; a < 3; ++a) add(along(a).mass, a, 1);
    if (mass_damping_) {
      difference_ = y - step.reference;
      for (int a = 0; a < 3; ++a) add(along(a).damping, a, step.scale / step.reference_step);
    }
  }
  add_springs(y, g);
  if (contact_) contact_->add_gradient(y, step.scale, g);
}

bool ReducedSpace::factor(std::span<const double> K) {
  const SpaceStep& step = *step_;
  H_.setZero();
  if (step.inertia)
    for (int a = 0; a < 3; ++a) {
      auto block = H_.block(a * free_, a * free_, free_, free_);
      block += along(a).mass.topLeftCorner(free_, free_);
      if (mass_damping_) block += step.scale / step.reference_step * along(a).damping.topLeftCorner(free_, free_);
    }
  add_springs_hessian(H_);
  if (contact_) contact_->add_hessian(step.scale, H_);
  add_stiffness(K, H_);
  // Columns of U that depend on each other leave zero pivots: their diagonal is raised by what rounding loses anyway.
  constexpr double shift = 1e-13;
  const double least = 1e-300 + 1e-30 * H_.diagonal().maxCoeff();
  for (Index i = 0; i < H_.rows(); ++i) {
    H_(i, i) = H_(i, i) * (1 + shift) + least;
    floor_[i] = 1e-16 * H_(i, i);
  }
  const int size = static_cast<int>(H_.rows());
  const bool definite = kernel::factor_diagonal(H_.data(), size, size, floor_.data());
  return definite;
}

void ReducedSpace::solve(const MatX& g, MatX& d) {
  const int size = static_cast<int>(H_.rows());
  for (int a = 0; a < 3; ++a) solution_.segment(a * free_, free_) = -g.col(a).head(free_);
  kernel::solve_lower(H_.data(), size, size, solution_.data());
  kernel::solve_lower_transposed(H_.data(), size, size, solution_.data());
  d.setZero();
  for (int a = 0; a < 3; ++a) d.col(a).head(free_) = solution_.segment(a * free_, free_);
}

double ReducedSpace::kinetic(const MatX& v) const {
  double energy = 0;
  for (int a = 0; a < 3; ++a) energy += 0.5 * quadratic_form(along(a).mass, v.col(a));
  return energy;
}

double ReducedSpace::gravity(const MatX& y) const {
  double energy = rest_gravity_;
  for (int a = 0; a < 3; ++a)
    for (Index b = 0; b < static_cast<Index>(system_.bodies.size()); ++b)
      energy -= system_.setup.gravity[a] * along(a).body_moment.col(b).dot(y.col(a));
  return energy;
}

void ReducedSpace::begin_springs(double time) {
  for (SpringGroup& group : spring_groups_) {
    group.holds = time <= group.until;
    group.place = affine_at(system_, group.motion, time);
  }
  for (LongSpring& spring : long_springs_) {
    spring.holds = time <= spring.spring->until;
    if (!spring.spring->others.empty()) continue;
    const Affine map = affine_at(system_, spring.spring->motion, time);
    spring.target = map.leftCols<3>() * spring.spring->point + map.col(3);
  }
}

double ReducedSpace::springs(const MatX& y) const {
  double value = 0;
  for (const SpringGroup& g : spring_groups_) {
    if (!g.holds) continue;
    // 1/2 sum k |U y + X - A (p, 1)|^2
    value += 0.5 * (g.rest_square - 2 * g.rest_anchor.cwiseProduct(g.place).sum() +
                    (g.place * g.anchor_square).cwiseProduct(g.place).sum());
    for (int a = 0; a < 3; ++a) {
      for (Index i = 0; i < columns_; ++i) {
        const double target = g.anchor[a].row(i).dot(g.place.row(a)) - g.rest[a][i];
        value += y(i, a) * (0.5 * g.stiffness[a].col(i).dot(y.col(a)) - target);
      }
    }
  }
  for (const LongSpring& s : long_springs_) {
    if (!s.holds) continue;
    const double stretch = extension(s, y).norm() - s.spring->length;
    value += 0.5 * s.spring->stiffness * stretch * stretch;
  }
  return value;
}

// g += scale gradient.
void ReducedSpace::add_springs(const MatX& y, MatX& g) const {
  const double scale = step_->scale;
  for (const SpringGroup& group : spring_groups_) {
    if (!group.holds) continue;
    for (int a = 0; a < 3; ++a) {
      for (Index i = 0; i < free_; ++i) {
        const double target = group.anchor[a].row(i).dot(group.place.row(a)) - group.rest[a][i];
        g(i, a) += scale * (group.stiffness[a].col(i).dot(y.col(a)) - target);
      }
    }
  }
  for (const LongSpring& s : long_springs_) {
    if (!s.holds) continue;
    const Vec3 u = extension(s, y);
    const double norm = u.norm();
    if (norm == 0) continue;  // no direction
    const double factor = scale * s.spring->stiffness * (1 - s.spring->length / norm);
    for (int a = 0; a < 3; ++a) g.col(a).head(free_) += factor * u[a] * s.w[a].head(free_);
  }
}

// H += scale Hessian at the last gradient, that of long springs projected: 1 along u, 1 - l/|u| >= 0 across.
void ReducedSpace::add_springs_hessian(MatX& H) const {
  const double scale = step_->scale;
  for (const SpringGroup& group : spring_groups_) {
    if (!group.holds) continue;
    for (int a = 0; a < 3; ++a)
      H.block(a * free_, a * free_, free_, free_) += scale * group.stiffness[a].topLeftCorner(free_, free_);
  }
  for (const LongSpring& s : long_springs_) {
    if (!s.holds) continue;
    const Vec3 u = extension(s, at_);
    const double norm = u.norm();
    if (norm == 0) continue;
    const Vec3 n = u / norm;
    const double across = std::max(1 - s.spring->length / norm, 0.0);
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b <= a; ++b) {
        const double factor = scale * s.spring->stiffness * ((a == b ? across : 0.0) + (1 - across) * n[a] * n[b]);
        for (Index j = 0; j < free_; ++j)
          H.col(b * free_ + j).segment(a * free_, free_) += factor * s.w[b][j] * s.w[a].head(free_);
      }
    }
  }
}

Vec3 ReducedSpace::extension(const LongSpring& spring, const MatX& y) const {
  Vec3 u = spring.rest - spring.target;
  for (int a = 0; a < 3; ++a) u[a] += spring.w[a].dot(y.col(a));
  return u;
}

void ReducedSpace::deformation_gradients(const MatX& y, bool displacement, std::span<double> F) {
  for (const Chunk& chunk : chunks_) {
    const Index slots = chunk.slot_end - chunk.slot_begin, size = static_cast<Index>(chunk.columns.size());
    // U y at the chunk's gradients: column a of rows_part_ holds row a of dF, slot by slot.
    for (int a = 0; a < 3; ++a)
      for (Index i = 0; i < size; ++i) y_part_(i, a) = y(chunk.columns[i], a);
    if (sets_.size() == 1) {
      kernel::multiply_transposed(rows_part_.data(), static_cast<int>(rows_part_.rows()), 3 * slots, 3,
                                  chunk.gradients[0].data(), size, y_part_.data(), static_cast<int>(y_part_.rows()),
                                  size);
    } else {
      for (int a = 0; a < 3; ++a)
        kernel::multiply_transposed(rows_part_.col(a).data(), static_cast<int>(rows_part_.rows()), 3 * slots, 1,
                                    chunk.gradients[set_[a]].data(), size, y_part_.col(a).data(),
                                    static_cast<int>(y_part_.rows()), size);
    }
    for (Index k = 0; k < slots; ++k) {
      const Index slot = chunk.slot_begin + k;
      double* out = F.data() + (static_cast<std::size_t>(9) * (slot / lane_count)) * lane_count + slot % lane_count;
      for (int a = 0; a < 3; ++a)
        for (int j = 0; j < 3; ++j)
          out[(3 * a + j) * lane_count] = rows_part_(3 * k + j, a) + (!displacement && a == j ? 1.0 : 0.0);
    }
    if (columns_ == free_) continue;
    for (Index k = 0; k < slots; ++k) {
      const Index slot = chunk.slot_begin + k;
      double* out = F.data() + (static_cast<std::size_t>(9) * (slot / lane_count)) * lane_count + slot % lane_count;
      for (int a = 0; a < 3; ++a)
        for (int j = 0; j < 3; ++j)
          out[(3 * a + j) * lane_count] +=
              sets_[set_[a]].driven_gradients.col(3 * slot + j).dot(y.col(a).tail(columns_ - free_));
    }
  }
}

void ReducedSpace::add_forces(std::span<const double> P, MatX& g) {
  for (const Chunk& chunk : chunks_) {
    const Index slots = chunk.slot_end - chunk.slot_begin, size = static_cast<Index>(chunk.columns.size());
    for (Index k = 0; k < slots; ++k) {
      const Index slot = chunk.slot_begin + k;
      const double* in =
          P.data() + (static_cast<std::size_t>(9) * (slot / lane_count)) * lane_count + slot % lane_count;
      for (int a = 0; a < 3; ++a)
        for (int j = 0; j < 3; ++j) rows_part_(3 * k + j, a) = in[(3 * a + j) * lane_count];
    }
    y_part_.setZero();
    for (int a = 0; a < 3; ++a)
      kernel::add_multiply(y_part_.col(a).data(), static_cast<int>(y_part_.rows()), size, 1,
                           chunk.gradients[set_[a]].data(), size, rows_part_.col(a).data(),
                           static_cast<int>(rows_part_.rows()), 3 * slots);
    for (int a = 0; a < 3; ++a)
      for (Index i = 0; i < size; ++i) g(chunk.columns[i], a) += y_part_(i, a);
  }
}

// Blocks by axes a >= b: H_ab += sum_c g_c K_ab g_c^T with the 3 x 3 matrix K_ab of the point: first T = g_c K_ab for
// all points of a chunk, a = b .. 2 one below the other, then one product T G^T.
void ReducedSpace::add_stiffness(std::span<const double> K, MatX& H) {
  for (const Chunk& chunk : chunks_) {
    const Index slots = chunk.slot_end - chunk.slot_begin, size = static_cast<Index>(chunk.columns.size());
    const bool all = size == free_;
    double* target = all ? H.data() : square_.data();
    const int ld = static_cast<int>(all ? H.rows() : square_.rows());
    if (!all) square_.topLeftCorner(3 * size, 3 * size).setZero();
    for (int b = 0; b < 3; ++b) {
      const Index height = (3 - b) * size;
      for (Index k = 0; k < slots; ++k) {
        const Index slot = chunk.slot_begin + k;
        const double* in =
            K.data() + (static_cast<std::size_t>(45) * (slot / lane_count)) * lane_count + slot % lane_count;
        for (int a = b; a < 3; ++a) {
          const double* g = chunk.gradients[set_[a]].col(3 * k).data();
          double* T = product_.data() + static_cast<std::ptrdiff_t>(3 * k) * height + (a - b) * size;
          for (int j = 0; j < 3; ++j) {
            double f[3];
            for (int i = 0; i < 3; ++i) {
              const int row = std::max(3 * a + i, 3 * b + j), column = std::min(3 * a + i, 3 * b + j);
              f[i] = in[(row * (row + 1) / 2 + column) * lane_count];
            }
            double* out = T + static_cast<std::ptrdiff_t>(j) * height;
            const double *g0 = g, *g1 = g + size, *g2 = g + 2 * size;
            for (Index e = 0; e < size; ++e) out[e] = g0[e] * f[0] + (g1[e] * f[1] + g2[e] * f[2]);
          }
        }
      }
      const std::ptrdiff_t corner = static_cast<std::ptrdiff_t>(b) * size * (ld + 1);
      kernel::add_product(target + corner, ld, height, size, product_.data(), height, chunk.gradients[set_[b]].data(),
                          size, 3 * slots);
    }
    if (all) continue;
    for (int b = 0; b < 3; ++b)
      for (Index j = 0; j < size; ++j)
        for (int a = b; a < 3; ++a)
          for (Index i = 0; i < size; ++i)
            H(a * free_ + chunk.columns[i], b * free_ + chunk.columns[j]) += square_(a * size + i, b * size + j);
  }
}

// At the barycentres of the points' tets, whose volumes weigh the mean, and at vertices far from each other, where
// limbs end.
Displacement ReducedSpace::displacement(const MatX& d) {
  const int rows = static_cast<int>(d.rows()), probes = static_cast<int>(moved_.rows());
  for (int a = 0; a < 3; ++a)
    kernel::multiply_transposed(moved_.col(a).data(), probes, probes, 1, along(a).probes.data(), columns_,
                                d.col(a).data(), rows, rows);
  Displacement result;
  double sum = 0;
  for (Index c = 0; c < probes; ++c) {
    const double length = std::sqrt(moved_.row(c).squaredNorm());
    result.largest = std::max(result.largest, length);
    if (c < slots_) sum += volume_[c] * length;
  }
  result.mean = sum / volume_.sum();
  return result;
}

}  // namespace sinew
