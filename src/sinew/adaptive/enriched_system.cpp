#include "sinew/adaptive/enriched_system.h"

#include <algorithm>
#include <cmath>

#include "sinew/adaptive/mode_product.h"
#include "sinew/core/parallel.h"
#include "sinew/core/sort_unique.h"
#include "sinew/linalg/block_submatrix.h"
#include "sinew/linalg/operator.h"
#include "sinew/linalg/ordering.h"
#include "sinew/linalg/symbolic_factor.h"
#include "sinew/multilevel/handle_matrix.h"
#include "sinew/potential/inertia.h"

namespace sinew {
namespace {

constexpr double least_shift = 1e-13, most_shift = 1e-8;  // of the largest diagonal entry

double largest_diagonal(const SymBlockMatrix& H) {
  double largest = 0;
  for (Index i = 0; i < H.rows(); ++i)
    for (int k = 0; k < 3; ++k) largest = std::max(largest, H.block(H.pattern().row_begin[i])[4 * k]);
  return largest;
}

// Share of U^T M U that is added to H_q's diagonal. Inertia of enriched vertices is subtracted from it; if a mode's
// vertices are nearly all enriched, the difference is rounding of either sign.
constexpr double cancelled_inertia = 1e-12;
// On the diagonal of prescribed coordinates, which nothing else couples with.
constexpr double fixed_diagonal = 1;
// Flops of a factorisation of a solid over the square of its vertices.
constexpr double solid_flops = 130;

}  // namespace

CholeskyOptions EnrichedSystem::Factored::options() {
  CholeskyOptions options;
  options.compact = true;
  return options;
}

// Flops grow at least as the vertices of a body do and at most as those of a solid: two bounds for some of its
// vertices.
bool EnrichedSystem::wants_bodies(Index vertices) {
  const double n = vertices;
  if (solid_flops * n * n <= most_flops_) return false;
  if (mesh_flops_ < 0)
    mesh_flops_ = predict_flops(*mesh_, fill_reducing_order(*mesh_, OrderingMethod::minimum_degree).order);
  return mesh_flops_ * n / system_->dynamic_count > most_flops_;
}

void EnrichedSystem::begin_step() {
  A_all_ = {};
  A_modal_ = {};
  modes_factored_ = false;
  schwarz_.reset();
}

// U_a for the system. U^T M U depends on nothing else, so it is formed once and not in each iteration.
void EnrichedSystem::set_basis(const ModeBasis& basis, std::span<const char> fixed) {
  basis_ = &basis;
  fixed_ = fixed;
  transfer_ = std::make_unique<ModeTransfer>(basis, system_->rest.leftCols(system_->dynamic_count));
  reduce_inertia();
}

// The rows of U at some vertices.
void EnrichedSystem::make_part(std::vector<Index> vertices, Part& part) const {
  const auto n = static_cast<Index>(vertices.size());
  part.vertices = std::move(vertices);
  part.rest.resize(3, n);
  part.fixed.resize(3 * static_cast<std::size_t>(n));
  const HandleBasis& from = basis_->handles;
  HandleBasis& to = part.basis.handles;
  to.center = from.center;
  to.radius = from.radius;
  to.begin.assign(1, 0);
  for (const Index v : part.vertices) to.begin.push_back(to.begin.back() + from.begin[v + 1] - from.begin[v]);
  to.handle.resize(to.begin.back());
  to.weight.resize(to.begin.back());
  part.basis.dense.resize(basis_->dense.rows(), basis_->dense.rows() > 0 ? 3 * n : 0);
  parallel_for(
      n,
      [&](std::size_t i) {
        const Index v = part.vertices[i];
        part.rest.col(i) = system_->rest.col(v);
        for (int k = 0; k < 3; ++k) part.fixed[3 * i + k] = fixed_[3 * static_cast<std::size_t>(v) + k];
        std::copy(from.handle.begin() + from.begin[v], from.handle.begin() + from.begin[v + 1],
                  to.handle.begin() + to.begin[i]);
        std::copy(from.weight.begin() + from.begin[v], from.weight.begin() + from.begin[v + 1],
                  to.weight.begin() + to.begin[i]);
        if (basis_->dense.rows() > 0)
          part.basis.dense.middleCols<3>(3 * static_cast<Index>(i)) = basis_->dense.middleCols<3>(3 * v);
      },
      1024);
  part.transfer = std::make_unique<ModeTransfer>(part.basis, part.rest);
}

// Splits the exact part C by the vertices that it touches: enriched ones (x) and those that move by modes (m),
//
//   H_x = C_xx,   J = U_m^T C_mx,   H_q = sum_l B_l + U^T M U + U_m^T (C_mm - M_mm) U_m    (TS, equation 19).
//
// The masked basis B_a = S' U_a of the paper is zero at enriched vertices: these rows are left out of U here. C
// touches few vertices, those at contacts and around enriched ones, and so nothing below is of the size of the mesh.
void EnrichedSystem::set(const SymBlockMatrix& H, const SymBlockMatrix* bodies, bool exact,
                         const RegionHessians& regions, bool inertia, std::span<const char> enriched) {
  regions_ = &regions;
  inertia_ = inertia;
  modes_factored_ = false;
  exact_ = exact;
  has_bodies_ = false;
  enriched_.assign(enriched.begin(), enriched.end());
  const std::vector<Index> modal = find_touched(H);
  make_part(touched_, all_);
  principal_submatrix(H, touched_, C_all_);
  C_all_.constrain(all_.fixed, fixed_diagonal);
  if (inner_.empty()) return;
  make_part(modal, modal_);
  take_inner(H, bodies);
  couple();
}

// A vertex is touched if it is enriched, or if its diagonal block has more than inertia. In a positive semidefinite
// matrix a zero diagonal means a zero row, so that no off-diagonal block needs to be looked at. Returns the touched
// vertices that are not enriched.
std::vector<Index> EnrichedSystem::find_touched(const SymBlockMatrix& H) {
  const Index n = system_->dynamic_count;
  std::vector<char> touched(n);
  parallel_for(
      n,
      [&](std::size_t i) {
        const std::size_t c = 3 * i;
        const double mass = inertia_ ? system_->mass[i] : 0.0;
        const double* D = H.block(H.pattern().row_begin[i]);
        const bool plain = D[0] == mass && D[4] == mass && D[8] == mass;
        touched[i] = (!plain || enriched_[i]) && !(fixed_[c] && fixed_[c + 1] && fixed_[c + 2]);
      },
      4096);
  touched_.clear();
  inner_.clear();
  std::vector<Index> modal;
  for (Index i = 0; i < n; ++i) {
    if (!touched[i]) continue;
    touched_.push_back(i);
    (enriched_[i] ? inner_ : modal).push_back(i);
  }
  return modal;
}

// H_x, and what its preconditioner asks for.
void EnrichedSystem::take_inner(const SymBlockMatrix& H, const SymBlockMatrix* bodies) {
  inner_fixed_.resize(3 * inner_.size());
  for (std::size_t i = 0; i < inner_.size(); ++i)
    for (int k = 0; k < 3; ++k) inner_fixed_[3 * i + k] = fixed_[3 * static_cast<std::size_t>(inner_[i]) + k];
  principal_submatrix(H, inner_, Hx_);
  Hx_.constrain(inner_fixed_, fixed_diagonal);
  has_bodies_ = bodies != nullptr;
  touching_.clear();
  if (!has_bodies_) return;
  principal_submatrix(*bodies, inner_, bodies_x_);
  bodies_x_.constrain(inner_fixed_, fixed_diagonal);
  // Vertices in contact are those whose diagonal knows of it.
  for (std::size_t i = 0; i < inner_.size(); ++i) {
    const std::int64_t slot = Hx_.pattern().row_begin[i];
    if (!std::equal(Hx_.block(slot), Hx_.block(slot) + 9, bodies_x_.block(slot)))
      touching_.push_back(static_cast<Index>(i));
  }
}

// The blocks C_xm of J^T, row by row of enriched vertices, and an index by columns for products with J. J = U_m^T
// C_mx is never formed: products with C_mx and U_m cost the stencils at the border of the enriched set (TS, section
// 3.8: "only sourced from energy stencils that include both enriched and subspace DOF").
void EnrichedSystem::couple() {
  std::vector<Index> number(touched_.size());  // of a touched vertex among the enriched or among the others
  Index inner_count = 0, modal_count = 0;
  for (std::size_t i = 0; i < touched_.size(); ++i) number[i] = enriched_[touched_[i]] ? inner_count++ : modal_count++;
  struct Block {
    Index inner, modal;
    double value[9];
  };
  std::vector<Block> blocks;
  const BlockPattern& from = C_all_.pattern();
  for (Index i = 0; i < from.rows; ++i) {
    const bool row_inner = enriched_[touched_[i]] != 0;
    for (auto slot = from.row_begin[i] + 1; slot < from.row_begin[i + 1]; ++slot) {
      const Index j = from.columns[slot];
      if (row_inner == (enriched_[touched_[j]] != 0)) continue;
      Block block{row_inner ? number[i] : number[j], row_inner ? number[j] : number[i], {}};
      const double* value = C_all_.block(slot);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) block.value[3 * b + a] = row_inner ? value[3 * b + a] : value[3 * a + b];
      blocks.push_back(block);
    }
  }
  std::ranges::sort(
      blocks, [](const Block& a, const Block& b) { return std::pair(a.inner, a.modal) < std::pair(b.inner, b.modal); });
  coupling_begin_.assign(inner_.size() + 1, 0);
  coupling_column_.clear();
  coupling_value_.clear();
  for (const Block& block : blocks) {
    ++coupling_begin_[block.inner + 1];
    coupling_column_.push_back(block.modal);
    coupling_value_.insert(coupling_value_.end(), block.value, block.value + 9);
  }
  for (std::size_t i = 0; i < inner_.size(); ++i) coupling_begin_[i + 1] += coupling_begin_[i];
  const IndexLists transposed = grouped(coupling_column_, modal_count);
  transposed_begin_ = transposed.begin;
  transposed_slot_.assign(transposed.items.begin(), transposed.items.end());
  transposed_row_.resize(blocks.size());
  for (std::size_t k = 0; k < transposed.items.size(); ++k) transposed_row_[k] = blocks[transposed.items[k]].inner;
}

// U_a^T M U_a over all vertices. M is diagonal: n blocks.
void EnrichedSystem::reduce_inertia() {
  const Index n = system_->dynamic_count;
  SymBlockMatrix M(make_pattern(n, {}));
  add_inertia_hessian(system_->mass, M);
  M.constrain(fixed_, 0);
  mode_product(*basis_, system_->rest.leftCols(n), *transfer_, M, fixed_, inertia_modes_);
}

// H_q, or the unmasked H_a of the oracle (TS, equation 18):
//
// 1. C over the touched vertices, without rows of enriched vertices if `masked`, and minus M there.
// 2. U^T (C - M) U with the rows of U at touched vertices.
// 3. The pattern: pairs of blocks that regions, C or inertia couple; kept while it suffices, since its symbolic
//    factorisation is kept as well.
// 4. A = sum_l B_l + U^T (C - M) U + U^T M U.
void EnrichedSystem::assemble_modes(bool masked, SymBlockMatrix& A) {
  // Step 1.
  SymBlockMatrix C = C_all_;
  if (masked) {
    std::vector<char> inner(3 * touched_.size());
    for (std::size_t c = 0; c < inner.size(); ++c) inner[c] = enriched_[touched_[c / 3]];
    C.constrain(inner, 0);
  }
  if (inertia_)
    for (std::size_t i = 0; i < touched_.size(); ++i)
      for (int k = 0; k < 3; ++k) C.block(C.pattern().row_begin[i])[4 * k] -= system_->mass[touched_[i]];
  // Step 2.
  SymBlockMatrix exact;
  mode_product(all_.basis, all_.rest, *all_.transfer, C, all_.fixed, exact);

  // Step 3.
  const Index blocks = basis_->block_count();
  std::vector<std::pair<Index, Index>> pairs;
  const auto add_pair = [&](Index i, Index j) {
    for (Index p = 0; p < 4; ++p)
      for (Index q = i == j ? p : 0; q < 4; ++q) pairs.emplace_back(4 * i + p, 4 * j + q);
  };
  for (Index i = 0; i < blocks; ++i) add_pair(i, i);
  for (const auto& [i, j] : regions_->pairs()) add_pair(i, j);
  for (const SymBlockMatrix* term : {&exact, &inertia_modes_}) {
    if (term == &inertia_modes_ && !inertia_) continue;
    const BlockPattern& pattern = term->pattern();
    for (Index i = 0; i < pattern.rows; i += 4)
      for (auto slot = pattern.row_begin[i]; slot < pattern.row_begin[i + 1]; ++slot)
        if (pattern.columns[slot] % 4 == 0) add_pair(i / 4, pattern.columns[slot] / 4);
  }
  sort_unique(pairs);
  if (A.rows() != 4 * blocks || !A.pattern().contains(pairs))
    A.set_pattern(make_pattern(4 * blocks, pairs));
  else
    A.set_zero();
  // Step 4.
  regions_->add_to(A);
  A.add(exact);
  if (inertia_) {
    A.add(inertia_modes_);
    // Where U^T M U and U^T (C - M) U cancel, of modes whose vertices are nearly all enriched, rounding of the first is
    // left, of either sign.
    for (Index i = 0; i < A.rows(); ++i)
      for (int k = 0; k < 3; ++k)
        A.block(A.pattern().row_begin[i])[4 * k] +=
            cancelled_inertia * inertia_modes_.block(inertia_modes_.pattern().row_begin[i])[4 * k];
  }
  fill_empty_rows(A);
}

void EnrichedSystem::project(const Points& b, std::span<const char> without, VecX& r) {
  r.resize(12 * basis_->block_count());
  masked_.resize(3, b.cols());
  parallel_for(
      b.cols(),
      [&](std::size_t i) {
        for (int k = 0; k < 3; ++k)
          masked_(k, i) = fixed_[3 * i + k] || (!without.empty() && without[i]) ? 0.0 : b(k, i);
      },
      4096);
  transfer_->restrict_to(masked_.data(), r.data());
}

// q_a = H_a^{-1} U_a^T b (TS, equation 18): all vertices move by modes, enriched ones too.
bool EnrichedSystem::solve_modes_alone(const Points& b, VecX& q) {
  assemble_modes(false, A_all_);
  bool computed = false;
  const bool definite = factor_shifted(A_all_, factor_all_, computed);
  modes_factored_ = computed;
  if (!definite && (exact_ || !computed)) return false;
  project(b, {}, r_);
  q.resize(r_.size());
  factor_all_.solve(r_.data(), q.data());
  return q.allFinite();
}

void EnrichedSystem::lift(const VecX& q, Points& u) {
  u.setZero(3, system_->dynamic_count);
  transfer_->add_lifted(q.data(), fixed_.data(), u.data());
}

// Closest combination of active modes to d in the metric of mass:
//
//   min_q |U q - d|_M^2:   (U^T M U) q = U^T M d.
void EnrichedSystem::fit(const Points& d, Points& u) {
  const Index n = system_->dynamic_count;
  Points weighted = d.leftCols(n);
  parallel_for(
      n, [&](std::size_t i) { weighted.col(i) *= system_->mass[i]; }, 4096);
  SymBlockMatrix A = inertia_modes_;
  fill_empty_rows(A);
  SparseCholesky solver;
  bool computed = false;
  factor_shifted(A, solver, computed);
  VecX b, q;
  project(weighted, {}, b);
  q.setZero(b.size());
  if (computed) solver.solve(b.data(), q.data());
  lift(q, u);
}

// H_q by Cholesky, shifted by a tiny share of its diagonal where columns of U are dependent, and the preconditioner
// of H_x. Without enriched vertices the factor of the oracle's H_a is the same matrix and is used again.
bool EnrichedSystem::factor() {
  if (inner_.empty() && modes_factored_) return true;
  bool computed = false;
  if (inner_.empty()) {
    assemble_modes(false, A_all_);
    const bool definite = factor_shifted(A_all_, factor_all_, computed);
    modes_factored_ = computed;
    return exact_ ? definite : computed;
  }
  // Where stiffness is beyond 1 / eps of the mass, rounding alone makes a projected H_x indefinite: H_x + s I with the
  // smallest s that helps, as in full space.
  bool definite = factor_vertices();
  const double diagonal = exact_ || definite ? 0 : largest_diagonal(Hx_);
  for (double shift = least_shift; !exact_ && !definite && shift < most_shift; shift *= 100) {
    for (Index i = 0; i < Hx_.rows(); ++i)
      for (int k = 0; k < 3; ++k) Hx_.block(Hx_.pattern().row_begin[i])[4 * k] += shift * diagonal;
    definite = factor_vertices();
  }
  if (!definite) return false;
  assemble_modes(true, A_modal_);
  definite = factor_shifted(A_modal_, factor_modal_, computed);
  return exact_ ? definite : computed;
}

// Preconditioner of H_x: its factor in single precision, or additive Schwarz over regions if a factor takes more than
// most_flops_. The paper's 3 x 3 block diagonal takes hundreds of iterations (theory, section 8).
bool EnrichedSystem::factor_vertices() {
  NewtonSystem system(Hx_);
  system.exact = exact_;
  system.fixed = inner_fixed_;
  if (!wants_bodies(static_cast<Index>(inner_.size()))) {
    preconditioner_ = &factored_;
    return factored_.compute(system);
  }
  if (has_bodies_) system.bodies = &bodies_x_;
  system.touching = touching_;
  schwarz_.set_vertices(inner_, region_);
  preconditioner_ = &schwarz_;
  return schwarz_.compute(system);
}

// The operator S = H_x - J^T H_q^{-1} J (TS, equation 22), applied in the four steps of TS, section 3.10:
//
//   y_1 = J x,   y_2 = H_q^{-1} y_1,   y_3 = J^T y_2,   S x = H_x x - y_3.
class EnrichedSystem::Schur : public Operator {
 public:
  explicit Schur(EnrichedSystem& system) : s_(system) {}
  Index rows() const override { return s_.Hx_.rows(); }
  void multiply(const double* x, double* y) const override {
    s_.Hx_.multiply(x, y);
    couple(x, y);
  }
  double multiply_dot(const double* x, double* y) const override {
    multiply(x, y);
    return parallel_sum(3 * static_cast<std::size_t>(rows()), [&](std::size_t i) { return x[i] * y[i]; });
  }

  // r = U^T (blocks of J) x over the modal part.
  void to_modes(const double* x, VecX& r) const {
    s_.p_.resize(3, static_cast<Index>(s_.modal_.vertices.size()));
    parallel_for(
        s_.p_.cols(),
        [&](std::size_t j) {
          Vec3 sum = Vec3::Zero();
          for (auto k = s_.transposed_begin_[j]; k < s_.transposed_begin_[j + 1]; ++k) {
            const double* value = s_.coupling_value_.data() + 9 * s_.transposed_slot_[k];
            const double* at = x + 3 * static_cast<std::size_t>(s_.transposed_row_[k]);
            for (int b = 0; b < 3; ++b)
              for (int a = 0; a < 3; ++a) sum[b] += value[3 * b + a] * at[a];
          }
          s_.p_.col(j) = sum;
        },
        1024);
    r.resize(12 * s_.basis_->block_count());
    s_.modal_.transfer->restrict_to(s_.p_.data(), r.data());
  }
  // y -= (blocks of J)^T U q.
  void from_modes(const VecX& q, double* y) const {
    s_.p_.setZero(3, static_cast<Index>(s_.modal_.vertices.size()));
    s_.modal_.transfer->add_lifted(q.data(), s_.modal_.fixed.data(), s_.p_.data());
    parallel_for(
        s_.inner_.size(),
        [&](std::size_t i) {
          for (auto k = s_.coupling_begin_[i]; k < s_.coupling_begin_[i + 1]; ++k) {
            const double* value = s_.coupling_value_.data() + 9 * k;
            const auto at = s_.p_.col(s_.coupling_column_[k]);
            for (int b = 0; b < 3; ++b)
              for (int a = 0; a < 3; ++a) y[3 * i + a] -= value[3 * b + a] * at[b];
          }
        },
        1024);
  }

 private:
  void couple(const double* x, double* y) const {
    if (s_.coupling_column_.empty()) return;
    to_modes(x, s_.r_);
    s_.z_.resize(s_.r_.size());
    s_.factor_modal_.solve(s_.r_.data(), s_.z_.data());
    from_modes(s_.z_, y);
  }

  EnrichedSystem& s_;
};

// Schur complement solve (TS, equations 21 and 22), b = -g:
//
// 1. z = H_q^{-1} b_q.
// 2. S d_x = b_x - J^T z              by PCG to linear_tolerance.
// 3. d_q = H_q^{-1} (b_q - J d_x).
// 4. d = B_a d_q + S_a d_x.
LinearSolveReport EnrichedSystem::solve(const Points& b, double tolerance, int most_iterations, VecX& q, Points& d) {
  LinearSolveReport report;
  VecX bq;
  project(b, enriched_, bq);
  q.resize(bq.size());
  SparseCholesky& modes = inner_.empty() ? factor_all_ : factor_modal_;
  // Step 1; without enriched vertices this is d_q.
  modes.solve(bq.data(), q.data());
  if (!inner_.empty()) {
    // Step 2.
    const Schur schur(*this);
    rhs_.resize(3 * inner_.size());
    x_.assign(3 * inner_.size(), 0.0);
    for (std::size_t i = 0; i < inner_.size(); ++i)
      for (int k = 0; k < 3; ++k)
        rhs_[3 * i + k] = fixed_[3 * static_cast<std::size_t>(inner_[i]) + k] ? 0.0 : b(k, inner_[i]);
    schur.from_modes(q, rhs_.data());
    for (std::size_t i = 0; i < inner_.size(); ++i)
      for (int k = 0; k < 3; ++k)
        if (fixed_[3 * static_cast<std::size_t>(inner_[i]) + k]) rhs_[3 * i + k] = 0;
    ResidualStop stop(tolerance);
    report = iterations_.solve(schur, *preconditioner_, rhs_.data(), x_.data(), stop, most_iterations);
    // Step 3.
    VecX Jx;
    schur.to_modes(x_.data(), Jx);
    bq -= Jx;
    factor_modal_.solve(bq.data(), q.data());
  }
  Points u;
  lift(q, u);
  for (std::size_t i = 0; i < inner_.size(); ++i)
    for (int k = 0; k < 3; ++k)
      u(k, inner_[i]) = fixed_[3 * static_cast<std::size_t>(inner_[i]) + k] ? 0.0 : x_[3 * i + k];
  // Step 4. Prescribed coordinates of d stay as they are.
  parallel_for(
      u.cols(),
      [&](std::size_t i) {
        for (int k = 0; k < 3; ++k)
          if (!fixed_[3 * i + k]) d(k, i) = u(k, i);
      },
      4096);
  return report;
}

}  // namespace sinew
