#include "sinew/quasi_newton/projective_matrix.h"

#include <algorithm>
#include <numeric>

#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/material/effective_stiffness.h"
#include "sinew/mesh/quality.h"
#include "sinew/model/element_parameters.h"
#include "sinew/partition/laplacian.h"

namespace sinew {
namespace {

using Entries = std::vector<Eigen::Triplet<double>>;

// A spring to the mean of at most this many vertices enters A exactly. For more the dense block is replaced by a
// diagonal upper bound, from |u - mean|^2 <= 2 |u|^2 + 2 |mean|^2 and |mean|^2 <= mean of squares.
constexpr std::size_t few_ends = 8;

// A bound of k/2 |x|^2 for one vertex: where it follows others, |sum w q|^2 <= sum |w| |w_v| |q_v|^2.
void add_bound(const Embedding& embedding, Index vertex, double k, Entries& entries) {
  double whole = 0;
  embedding.for_each(vertex, [&](Index, double w) { whole += std::abs(w); });
  embedding.for_each(vertex, [&](Index v, double w) { entries.emplace_back(v, v, k * whole * std::abs(w)); });
}

// The Hessian of k/2 |x_i - p|^2, p a point or the mean of some vertices.
void add_spring(const Embedding& embedding, const Spring& spring, double k, Entries& entries) {
  const std::size_t ends = spring.others.size();
  if (ends > few_ends) {
    add_bound(embedding, spring.vertex, 2 * k, entries);
    for (const Index other : spring.others) add_bound(embedding, other, 2 * k / static_cast<double>(ends), entries);
    return;
  }
  std::vector<std::pair<Index, double>> row;
  const auto add = [&](Index vertex, double c) {
    embedding.for_each(vertex, [&](Index v, double w) { row.emplace_back(v, c * w); });
  };
  add(spring.vertex, 1);
  for (const Index other : spring.others) add(other, -1.0 / static_cast<double>(ends));
  for (const auto& [i, a] : row)
    for (const auto& [j, b] : row) entries.emplace_back(i, j, k * a * b);
}

std::vector<double> volumes_of(const System& system) {
  std::vector<double> volume(static_cast<std::size_t>(system.tets.cols()));
  parallel_for(volume.size(),
               [&](std::size_t t) { volume[t] = tet_volume(system.rest, system.tets, static_cast<Eigen::Index>(t)); });
  return volume;
}

// A <- P^T A P where vertices are tied, x = P q (model/tie.h); the rows of tied vertices keep a diagonal alone.
void condense(const Embedding& ties, SparseMatrix& A) {
  const auto n = static_cast<Index>(A.cols());
  Entries rows, own;
  for (Index i = 0; i < n; ++i) {
    ties.for_each(i, [&](Index v, double w) { rows.emplace_back(i, v, w); });
    if (ties.follows(i)) own.emplace_back(i, i, A.coeff(i, i));
  }
  SparseMatrix P(n, n), diagonal(n, n);
  P.setFromTriplets(rows.begin(), rows.end());
  diagonal.setFromTriplets(own.begin(), own.end());
  const SparseMatrix AP = A * P;
  A = SparseMatrix(P.transpose()) * AP;
  A += diagonal;
}

// Whether each connected piece of the bodies has a prescribed vertex or a spring to a point. In statics A is singular
// without, and rounding may hide that from a factorisation. A 1 = 0 except at vertices with springs to points.
bool holds_every_piece(const SparseMatrix& A, const std::vector<char>& fixed) {
  constexpr double rounding = 1e-10;  // of the diagonal
  std::vector<Index> parent(fixed.size());
  std::iota(parent.begin(), parent.end(), Index{0});
  const auto root = [&](Index v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  std::vector<char> held = fixed;
  for (Index j = 0; j < A.cols(); ++j) {
    double sum = 0;
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      sum += entry.value();
      const auto [low, high] = std::minmax({root(static_cast<Index>(entry.row())), root(j)});
      parent[high] = low;
    }
    if (sum > rounding * A.coeff(j, j)) held[j] = 1;
  }
  std::vector<char> piece_held(fixed.size(), 0);
  for (std::size_t v = 0; v < held.size(); ++v)
    if (held[v]) piece_held[root(static_cast<Index>(v))] = 1;
  for (std::size_t v = 0; v < held.size(); ++v)
    if (!piece_held[root(static_cast<Index>(v))]) return false;
  return true;
}

}  // namespace

ProjectiveMatrix::ProjectiveMatrix(const System& system, double low, double high,
                                   std::shared_ptr<Shared<ProjectiveConstant>> shared)
    : system_(system),
      low_(low),
      high_(high),
      shared_(shared ? std::move(shared) : std::make_shared<Shared<Constant>>()),
      stiffness_known_(true) {}

// The materials are those of a model that no copy has any more.
void ProjectiveMatrix::forget_materials() {
  stiffness_known_ = false;
  shared_ = std::make_shared<Shared<Constant>>();
}

// k_e of each tet: the slope of the least-squares line of dW/ds_1 at (s, 1, 1) over s in [low, high] (QN, equation
// 10). The second derivative at rest would be 0 for W = mu (s - 1)^4. Found once for a material with equal parameters
// in all tets.
std::vector<double> ProjectiveMatrix::find_stiffness() const {
  std::vector<double> stiffness(static_cast<std::size_t>(system_.tets.cols()), 0.0);
  for (const ElasticGroup& group : system_.groups) {
    const bool uniform =
        std::ranges::all_of(group.parameters, [](const std::vector<double>& values) { return values.size() == 1; });
    const auto of = [&](Index t) {
      return effective_stiffness(*group.model, element_parameters(group, t - group.tet_begin).kernel, low_, high_);
    };
    if (uniform && group.tet_end > group.tet_begin) {
      std::fill(stiffness.begin() + group.tet_begin, stiffness.begin() + group.tet_end, of(group.tet_begin));
    } else {
      parallel_for(
          group.tet_end - group.tet_begin,
          [&](std::size_t i) {
            const Index t = group.tet_begin + static_cast<Index>(i);
            stiffness[t] = of(t);
          },
          64);
    }
  }
  return stiffness;
}

// A = M + a h^2 L (QN, algorithm 1, line 4; print divides by h^2), both triangles:
//
//   L = sum_e V_e k_e G_e^T G_e,   G_e the gradients of the hat functions of tet e.
//
// Every term is an upper bound or a mean of its Hessian that does not depend on x, so that one factor serves all
// steps. Rayleigh damping adds a h^2 / h^ (zeta M + xi L).
void ProjectiveMatrix::assemble(const StepContext& context, Constant& to) const {
  const Index n = system_.dynamic_count;
  const std::vector<double> volume = volumes_of(system_);
  const double damping = context.inertia ? 1 / context.reference_step : 0;
  std::vector<double> k(to.stiffness.size());
  for (std::size_t t = 0; t < k.size(); ++t)
    k[t] = context.scale * to.stiffness[t] * (1 + damping * system_.bodies[system_.tet_body[t]].damping_stiffness);
  // The elastic part: L with weights k_e a h^2, and xi / h^ of it for stiffness damping.
  to.A = stiffness_laplacian(system_.rest.leftCols(n), system_.tets, volume, k);
  to.weights = std::move(k);
  for (std::size_t t = 0; t < to.weights.size(); ++t) to.weights[t] *= volume[t];
  // The mass matrix, with zeta / h^ of it for mass damping.
  Entries entries;
  for (Index i = 0; context.inertia && i < n; ++i) {
    const double rate = context.scale * damping * system_.bodies[system_.vertex_body[i]].damping_mass;
    entries.emplace_back(i, i, system_.mass[i] * (1 + rate));
  }
  // Fibers: a h^2 V c (d . grad N_i) (d . grad N_j), with stiffness c and direction d.
  for (const ElasticGroup& group : system_.groups) {
    if (group.fiber_stiffness.empty()) continue;
    for (Index t = group.tet_begin; t < group.tet_end; ++t) {
      const ElementParameters of = element_parameters(group, t - group.tet_begin);
      const Eigen::Vector4d along = hat_gradients(system_.rest, system_.tets, t).transpose() * of.fiber_direction;
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          entries.emplace_back(system_.tets(i, t), system_.tets(j, t),
                               context.scale * volume[t] * of.fiber_stiffness * along[i] * along[j]);
    }
  }
  // Springs on edges, as if their rest length were zero: w [1 -1; -1 1] bounds their Hessian from above.
  for (const EdgeSpring& spring : system_.edge_springs) {
    const double xi = system_.bodies[system_.vertex_body[spring.a]].damping_stiffness;
    const double w = context.scale * spring.stiffness * (1 + damping * xi);
    for (const Index i : {spring.a, spring.b}) entries.emplace_back(i, i, w);
    entries.emplace_back(spring.a, spring.b, -w);
    entries.emplace_back(spring.b, spring.a, -w);
  }
  // The scene's springs that still hold.
  for (std::size_t s = 0; s < system_.scene_spring_count(); ++s)
    if (context.time_end <= system_.springs[s].until)
      add_spring(system_.embedding, system_.springs[s], context.scale * system_.springs[s].stiffness, entries);
  SparseMatrix rest(n, n);
  rest.setFromTriplets(entries.begin(), entries.end());
  to.A += rest;
  to.ties = context.ties;
  if (to.ties) condense(*to.ties, to.A);
}

// Brings A up to date: assembled and factored if something that it depends on has changed, while pulls of users,
// which change at every frame, come in by a low-rank update.
bool ProjectiveMatrix::update(const StepContext& context) {
  // All that A depends on: while it stays the same, so does the factor.
  Constant::Key key{context.scale, context.reference_step, context.inertia, context.prescribed, {}};
  for (std::size_t s = 0; s < system_.scene_spring_count(); ++s)
    key.springs.push_back(context.time_end <= system_.springs[s].until ? system_.springs[s].stiffness : 0);
  if (!constant_ || !stiffness_known_ || !(key == constant_->key)) {
    const Stopwatch watch;
    const std::shared_ptr<const Constant> known = shared_->get();
    if (known && known->key == key) {
      take(known);
    } else {
      auto made = std::make_shared<Constant>();
      made->key = std::move(key);
      const Constant* before = constant_ ? constant_.get() : known.get();
      made->stiffness = stiffness_known_ && before ? before->stiffness : find_stiffness();
      assemble(context, *made);
      made->positive = factor(*made);
      shared_->offer(made);
      take(std::move(made));
    }
    stiffness_known_ = true;
    factor_seconds_ += watch.seconds();
  }
  if (constant_->positive) update_pulls(context);
  return constant_->positive;
}

void ProjectiveMatrix::take(std::shared_ptr<const Constant> constant) {
  constant_ = std::move(constant);
  ++changes_;
  factors_.clear();
  for (const Constant::Part& part : constant_->parts) factors_.push_back(part.cholesky.sharing());
  pulls_.clear();
  columns_.clear();
}

// One factor for all axes along which the same vertices are prescribed: L is the same for x, y and z (QN, section
// 4.1). Rows and columns of prescribed vertices keep their diagonal alone.
bool ProjectiveMatrix::factor(Constant& of) {
  const Index n = system_.dynamic_count;
  for (int a = 0; a < 3; ++a) {
    std::vector<char> fixed(n);
    for (Index i = 0; i < n; ++i) fixed[i] = of.key.fixed[3 * static_cast<std::size_t>(i) + a];
    const auto same = std::ranges::find(of.parts, fixed, &Constant::Part::fixed);
    if (same != of.parts.end()) {
      same->axes.push_back(a);
    } else {
      of.parts.push_back({{a}, std::move(fixed)});
    }
  }
  for (Constant::Part& part : of.parts) {
    if (!of.key.inertia && !holds_every_piece(of.A, part.fixed)) return false;
    SparseMatrix free = of.A;
    free.prune([&](Index i, Index j, double) { return i == j || (i > j && !part.fixed[i] && !part.fixed[j]); });
    ++factorizations_;
    if (!part.cholesky.compute(free)) return false;
  }
  return true;
}

// Calls visit(v, w) for the vertices with equations that a vertex follows.
template <class Visit>
void ProjectiveMatrix::for_each_followed(Index vertex, Visit&& visit) const {
  const Embedding* ties = constant_->ties.get();
  if (ties && ties->follows(vertex)) return ties->for_each(vertex, visit);
  system_.embedding.for_each(vertex, visit);
}

// x of a vertex, which may follow others.
Vec3 ProjectiveMatrix::place_of(const Points& x, Index vertex) const {
  Vec3 sum = Vec3::Zero();
  for_each_followed(vertex, [&](Index v, double w) { sum += w * x.col(v); });
  return sum;
}

// Woodbury's identity for pulls E D E^T (a unit vector of E and an entry of D for each): the columns Z = A^-1 E, one
// solve for each new vertex, and the small matrix D^-1 + E^T Z for each axis.
void ProjectiveMatrix::update_pulls(const StepContext& context) {
  std::vector<std::pair<Index, double>> wanted;
  for (std::size_t s = system_.scene_spring_count(); s < system_.springs.size(); ++s) {
    const Spring& pull = system_.springs[s];
    if (pull.stiffness > 0) wanted.emplace_back(pull.vertex, context.scale * pull.stiffness);
  }
  // Columns of vertices that were already pulled at are kept, whatever the stiffness.
  if (wanted == pulls_) return;
  const Index n = system_.dynamic_count;
  std::vector<Points> columns(wanted.size());
  for (std::size_t p = 0; p < wanted.size(); ++p) {
    const auto known = std::ranges::find(pulls_, wanted[p].first, &std::pair<Index, double>::first);
    if (known != pulls_.end()) {
      columns[p] = columns_[known - pulls_.begin()];
      continue;
    }
    Points unit = Points::Zero(3, n);
    for_each_followed(wanted[p].first, [&](Index v, double w) { unit.col(v).array() += w; });
    columns[p].resize(3, n);
    solve_without_pulls(unit, columns[p]);
  }
  pulls_ = std::move(wanted);
  columns_ = std::move(columns);
  // D^-1 + E^T Z, symmetric up to rounding, for each axis.
  const auto count = static_cast<Eigen::Index>(pulls_.size());
  for (int a = 0; a < 3 && count > 0; ++a) {
    Eigen::MatrixXd S(count, count);
    for (Eigen::Index p = 0; p < count; ++p)
      for (Eigen::Index q = 0; q < count; ++q)
        S(p, q) = place_of(columns_[q], pulls_[p].first)[a] + (p == q ? 1 / pulls_[p].second : 0);
    small_[a].compute(0.5 * (S + S.transpose()));
  }
}

// x = A^-1 b with zeros at prescribed vertices; one solve with three right-hand sides for each factor.
void ProjectiveMatrix::solve_without_pulls(const Points& b, Points& x) {
  for (std::size_t p = 0; p < factors_.size(); ++p) {
    const Constant::Part& part = constant_->parts[p];
    Points& target = part.axes.size() == 3 ? x : work_;
    target.resize(3, b.cols());
    const auto free = [&](std::size_t i, const auto& value) -> Vec3 {
      return part.fixed[i] ? Vec3(Vec3::Zero()) : Vec3(value);
    };
    parallel_for(
        b.cols(), [&](std::size_t i) { target.col(i) = free(i, b.col(i)); }, 4096);
    factors_[p].solve(target, target);
    if (part.axes.size() == 3) return;
    for (const int a : part.axes) x.row(a) = work_.row(a);
  }
}

// x = A^-1 b - Z (D^-1 + E^T Z)^-1 E^T A^-1 b, axis by axis.
void ProjectiveMatrix::solve(const Points& b, Points& x) {
  x.resize(3, b.cols());
  solve_without_pulls(b, x);
  if (pulls_.empty()) return;
  for (int a = 0; a < 3; ++a) {
    VecX pulled(static_cast<Eigen::Index>(pulls_.size()));
    for (std::size_t p = 0; p < pulls_.size(); ++p) pulled[p] = place_of(x, pulls_[p].first)[a];
    const VecX share = small_[a].solve(pulled);
    for (std::size_t p = 0; p < pulls_.size(); ++p) x.row(a) -= share[p] * columns_[p].row(a);
  }
}

// b -= A d, where d holds the displacements of prescribed vertices.
void ProjectiveMatrix::subtract_prescribed(const Points& d, Points& b) const {
  parallel_for(
      constant_->A.cols(),
      [&](std::size_t i) {  // A is symmetric: columns are rows
        for (SparseMatrix::InnerIterator entry(constant_->A, static_cast<Eigen::Index>(i)); entry; ++entry)
          b.col(i) -= entry.value() * d.col(entry.row());
      },
      256);
}

std::size_t ProjectiveMatrix::memory_bytes() const {
  if (!constant_) return 0;
  std::size_t bytes = 12 * static_cast<std::size_t>(constant_->A.nonZeros());
  for (const ScalarCholesky& factor : factors_) bytes += factor.memory_bytes();
  return bytes;
}

}  // namespace sinew
