#include "sinew/adaptive/enriched_system.h"

#include <utility>

#include "sinew/adaptive/mode_product.h"
#include "sinew/core/parallel.h"
#include "sinew/core/sort_unique.h"
#include "sinew/linalg/block_submatrix.h"
#include "sinew/linalg/operator.h"
#include "sinew/multilevel/handle_matrix.h"
#include "sinew/potential/inertia.h"

namespace sinew {
namespace {

// Share of U^T M U that is added to H_q's diagonal. Inertia of enriched vertices is subtracted from it; if a mode's
// vertices are nearly all enriched, the difference is rounding of either sign.
constexpr double cancelled_inertia = 1e-12;
}  // namespace

void EnrichedSystem::begin_step() {
  A_all_ = {};
  A_modal_ = {};
  factor_all_.emplace();
  factor_modal_.emplace();
  modes_factored_ = false;
  enriched_.begin_step();
}

// U_a for the system. U^T M U depends on nothing else, so it is formed once and not in each iteration.
void EnrichedSystem::set_basis(const ModeBasis& basis, std::span<const char> fixed) {
  basis_ = &basis;
  fixed_ = fixed;
  transfer_ = std::make_unique<ModeTransfer>(basis, system_->rest.leftCols(system_->dynamic_count));
  reduce_inertia();
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
  std::vector<Index> inner, modal;
  find_touched(H, enriched, inner, modal);
  const Points& rest = system_->rest;
  all_.take(*basis_, rest, fixed_, touched_);
  principal_submatrix(H, touched_, C_all_);
  C_all_.constrain(all_.fixed, EnrichedBlock::fixed_diagonal);
  enriched_.set(std::move(inner), fixed_, H, bodies, exact);
  if (enriched_.empty()) return;
  modal_.take(*basis_, rest, fixed_, std::move(modal));
  coupling_.set(C_all_, is_enriched_);
}

// A vertex is touched if it is enriched, or if its diagonal block has more than inertia. In a positive semidefinite
// matrix a zero diagonal means a zero row, so that no off-diagonal block needs to be looked at. modal: the touched
// vertices that are not enriched.
void EnrichedSystem::find_touched(const SymBlockMatrix& H, std::span<const char> enriched, std::vector<Index>& inner,
                                  std::vector<Index>& modal) {
  const Index n = system_->dynamic_count;
  std::vector<char> touched(n);
  parallel_for(
      n,
      [&](std::size_t i) {
        const std::size_t c = 3 * i;
        const double mass = inertia_ ? system_->mass[i] : 0.0;
        const double* D = H.block(H.pattern().row_begin[i]);
        const bool plain = D[0] == mass && D[4] == mass && D[8] == mass;
        touched[i] = (!plain || enriched[i]) && !(fixed_[c] && fixed_[c + 1] && fixed_[c + 2]);
      },
      4096);
  touched_.clear();
  is_enriched_.clear();
  for (Index i = 0; i < n; ++i) {
    if (!touched[i]) continue;
    touched_.push_back(i);
    is_enriched_.push_back(enriched[i]);
    (enriched[i] ? inner : modal).push_back(i);
  }
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
    for (std::size_t c = 0; c < inner.size(); ++c) inner[c] = is_enriched_[c / 3];
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

// r = U^T b without fixed coordinates and some vertices.
void EnrichedSystem::project(const Points& b, VecX& r, std::span<const Index> without) {
  r.resize(12 * basis_->block_count());
  masked_.resize(3, b.cols());
  parallel_for(
      b.cols(),
      [&](std::size_t i) {
        for (int k = 0; k < 3; ++k) masked_(k, i) = fixed_[3 * i + k] ? 0.0 : b(k, i);
      },
      4096);
  for (const Index i : without) masked_.col(i).setZero();
  transfer_->restrict_to(masked_.data(), r.data());
}

// q_a = H_a^{-1} U_a^T b (TS, equation 18): all vertices move by modes, enriched ones too.
bool EnrichedSystem::solve_modes_alone(const Points& b, VecX& q) {
  assemble_modes(false, A_all_);
  bool computed = false;
  const bool definite = factor_shifted(A_all_, *factor_all_, computed);
  modes_factored_ = computed;
  if (!definite && (exact_ || !computed)) return false;
  project(b, r_);
  q.resize(r_.size());
  factor_all_->solve(r_.data(), q.data());
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
  project(weighted, b);
  q.setZero(b.size());
  if (computed) solver.solve(b.data(), q.data());
  lift(q, u);
}

// H_q by Cholesky, shifted by a tiny share of its diagonal where columns of U are dependent, and the preconditioner
// of H_x. Without enriched vertices the factor of the oracle's H_a is the same matrix and is used again.
bool EnrichedSystem::factor() {
  if (enriched_.empty() && modes_factored_) return true;
  bool computed = false;
  if (enriched_.empty()) {
    assemble_modes(false, A_all_);
    const bool definite = factor_shifted(A_all_, *factor_all_, computed);
    modes_factored_ = computed;
    return exact_ ? definite : computed;
  }
  if (!enriched_.factor()) return false;
  assemble_modes(true, A_modal_);
  const bool definite = factor_shifted(A_modal_, *factor_modal_, computed);
  return exact_ ? definite : computed;
}

// The operator S = H_x - J^T H_q^{-1} J (TS, equation 22), applied in the four steps of TS, section 3.10:
//
//   y_1 = J x,   y_2 = H_q^{-1} y_1,   y_3 = J^T y_2,   S x = H_x x - y_3.
class EnrichedSystem::Schur : public Operator {
 public:
  explicit Schur(EnrichedSystem& system) : s_(system) {}
  Index rows() const override { return s_.enriched_.matrix().rows(); }
  void multiply(const double* x, double* y) const override {
    s_.enriched_.matrix().multiply(x, y);
    if (s_.coupling_.empty()) return;
    to_modes(x, s_.r_);
    s_.z_.resize(s_.r_.size());
    s_.factor_modal_->solve(s_.r_.data(), s_.z_.data());
    from_modes(s_.z_, y);
  }
  double multiply_dot(const double* x, double* y) const override {
    multiply(x, y);
    return parallel_sum(3 * static_cast<std::size_t>(rows()), [&](std::size_t i) { return x[i] * y[i]; });
  }

  // r = J x = U_m^T C_mx x.
  void to_modes(const double* x, VecX& r) const {
    s_.coupling_.to_others(x, s_.p_);
    r.resize(12 * s_.basis_->block_count());
    s_.modal_.transfer->restrict_to(s_.p_.data(), r.data());
  }
  // y -= J^T q.
  void from_modes(const VecX& q, double* y) const {
    s_.p_.setZero(3, static_cast<Index>(s_.modal_.vertices.size()));
    s_.modal_.transfer->add_lifted(q.data(), s_.modal_.fixed.data(), s_.p_.data());
    s_.coupling_.subtract(s_.p_, y);
  }

 private:
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
  const std::vector<Index>& inner = enriched_.vertices();
  const std::vector<char>& held = enriched_.fixed();
  VecX bq;
  project(b, bq, inner);
  q.resize(bq.size());
  SparseCholesky& modes = inner.empty() ? *factor_all_ : *factor_modal_;
  // Step 1; without enriched vertices this is d_q.
  modes.solve(bq.data(), q.data());
  if (!inner.empty()) {
    // Step 2.
    const Schur schur(*this);
    rhs_.resize(3 * inner.size());
    x_.assign(3 * inner.size(), 0.0);
    for (std::size_t i = 0; i < inner.size(); ++i)
      for (int k = 0; k < 3; ++k) rhs_[3 * i + k] = held[3 * i + k] ? 0.0 : b(k, inner[i]);
    schur.from_modes(q, rhs_.data());
    for (std::size_t c = 0; c < rhs_.size(); ++c)
      if (held[c]) rhs_[c] = 0;
    ResidualStop stop(tolerance);
    report = iterations_.solve(schur, enriched_.preconditioner(), rhs_.data(), x_.data(), stop, most_iterations);
    // Step 3.
    VecX Jx;
    schur.to_modes(x_.data(), Jx);
    bq -= Jx;
    factor_modal_->solve(bq.data(), q.data());
  }
  Points u;
  lift(q, u);
  for (std::size_t i = 0; i < inner.size(); ++i)
    for (int k = 0; k < 3; ++k) u(k, inner[i]) = held[3 * i + k] ? 0.0 : x_[3 * i + k];
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
