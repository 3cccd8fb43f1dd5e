#include "sinew/solver/enriched_system.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/core/sort_unique.h"
#include "sinew/linalg/operator.h"
#include "sinew/linalg/ordering.h"
#include "sinew/linalg/symbolic_factor.h"
#include "sinew/reduced/handle_matrix.h"
#include "sinew/subspace/handle_scalars.h"

namespace sinew {
namespace {

// Flops of a factorisation of a solid over the square of its vertices.
constexpr double solid_flops = 130;

// The pattern that A has, where it is the same: what was analysed for it is kept.
void set_pattern(SymBlockMatrix& A, std::shared_ptr<BlockPattern> pattern) {
  if (A.rows() > 0 && A.pattern() == *pattern) return A.set_zero();
  A.set_pattern(std::move(pattern));
}

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

void EnrichedSystem::set_basis(const ModeBasis& basis, std::span<const char> fixed) {
  basis_ = &basis;
  fixed_ = fixed;
  transfer_ = std::make_unique<ModeTransfer>(basis, system_->rest.leftCols(system_->dynamic_count));
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
        for (Index k = 0; k < 3 && basis_->dense.rows() > 0; ++k) {
          auto column = part.basis.dense.col(3 * static_cast<Index>(i) + k);
          if (part.fixed[3 * i + k])
            column.setZero();
          else
            column = basis_->dense.col(3 * v + k);
        }
      },
      1024);
  part.transfer = std::make_unique<ModeTransfer>(part.basis, part.rest);
}

// C = the rows and columns of H at some vertices, ascending.
void EnrichedSystem::extract(const SymBlockMatrix& H, const std::vector<Index>& vertices, SymBlockMatrix& C) {
  const BlockPattern& from = H.pattern();
  number_.resize(std::max<std::size_t>(number_.size(), static_cast<std::size_t>(system_->dynamic_count)), -1);
  for (std::size_t i = 0; i < vertices.size(); ++i) number_[vertices[i]] = static_cast<Index>(i);
  auto pattern = std::make_shared<BlockPattern>();
  pattern->rows = static_cast<Index>(vertices.size());
  pattern->row_begin.assign(vertices.size() + 1, 0);
  parallel_for(
      vertices.size(),
      [&](std::size_t i) {
        for (auto slot = from.row_begin[vertices[i]]; slot < from.row_begin[vertices[i] + 1]; ++slot)
          pattern->row_begin[i + 1] += number_[from.columns[slot]] >= 0;
      },
      1024);
  for (std::size_t i = 0; i < vertices.size(); ++i) pattern->row_begin[i + 1] += pattern->row_begin[i];
  pattern->columns.resize(pattern->row_begin.back());
  parallel_for(
      vertices.size(),
      [&](std::size_t i) {
        auto to = pattern->row_begin[i];
        for (auto slot = from.row_begin[vertices[i]]; slot < from.row_begin[vertices[i] + 1]; ++slot)
          if (number_[from.columns[slot]] >= 0) pattern->columns[to++] = number_[from.columns[slot]];
      },
      1024);
  set_pattern(C, pattern);
  parallel_for(
      vertices.size(),
      [&](std::size_t i) {
        auto to = pattern->row_begin[i];
        for (auto slot = from.row_begin[vertices[i]]; slot < from.row_begin[vertices[i] + 1]; ++slot)
          if (number_[from.columns[slot]] >= 0) std::copy_n(H.block(slot), 9, C.block(to++));
      },
      1024);
  for (const Index v : vertices) number_[v] = -1;
}

void EnrichedSystem::set(const SymBlockMatrix& H, const SymBlockMatrix* bodies, bool exact,
                         const RegionHessians& regions, bool inertia, std::span<const char> enriched) {
  const Index n = system_->dynamic_count;
  const auto& begin = H.pattern().row_begin;
  regions_ = &regions;
  inertia_ = inertia;
  modes_factored_ = false;
  exact_ = exact;
  has_bodies_ = false;
  enriched_.assign(enriched.begin(), enriched.end());
  // A positive semidefinite row is empty where its diagonal is: beyond inertia nothing reaches such a vertex.
  is_touched_.resize(n);
  parallel_for(
      n,
      [&](std::size_t i) {
        const std::size_t c = 3 * i;
        const double mass = inertia ? system_->mass[i] : 0.0;
        const double* D = H.block(begin[i]);
        const bool plain = D[0] == mass && D[4] == mass && D[8] == mass;
        is_touched_[i] = (!plain || enriched_[i]) && !(fixed_[c] && fixed_[c + 1] && fixed_[c + 2]);
      },
      4096);
  touched_.clear();
  inner_.clear();
  std::vector<Index> modal;
  for (Index i = 0; i < n; ++i) {
    if (!is_touched_[i]) continue;
    touched_.push_back(i);
    (enriched_[i] ? inner_ : modal).push_back(i);
  }
  extract(H, touched_, C_all_);
  make_part(touched_, all_);
  double diagonal = 1;
  C_all_.constrain(all_.fixed, diagonal);

  // H_x and J^T.
  std::vector<Index> all_of_modal, all_of_inner;  // places in touched_
  std::vector<Index> modal_number(touched_.size(), -1), inner_number(touched_.size(), -1);
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    auto& list = enriched_[touched_[i]] ? all_of_inner : all_of_modal;
    (enriched_[touched_[i]] ? inner_number : modal_number)[i] = static_cast<Index>(list.size());
    list.push_back(static_cast<Index>(i));
  }
  if (inner_.empty()) return;
  make_part(std::move(modal), modal_);
  const auto split = [&](const SymBlockMatrix& C, const std::vector<Index>& rows, const std::vector<Index>& number,
                         SymBlockMatrix& to) {
    const BlockPattern& from = C.pattern();
    auto pattern = std::make_shared<BlockPattern>();
    pattern->rows = static_cast<Index>(rows.size());
    pattern->row_begin.push_back(0);
    for (const Index i : rows) {
      for (auto slot = from.row_begin[i]; slot < from.row_begin[i + 1]; ++slot)
        if (number[from.columns[slot]] >= 0) pattern->columns.push_back(number[from.columns[slot]]);
      pattern->row_begin.push_back(static_cast<std::int64_t>(pattern->columns.size()));
    }
    set_pattern(to, pattern);
    parallel_for(
        rows.size(),
        [&](std::size_t r) {
          auto at = pattern->row_begin[r];
          for (auto slot = from.row_begin[rows[r]]; slot < from.row_begin[rows[r] + 1]; ++slot)
            if (number[from.columns[slot]] >= 0) std::copy_n(C.block(slot), 9, to.block(at++));
        },
        1024);
  };
  split(C_all_, all_of_inner, inner_number, Hx_);
  split(C_all_, all_of_modal, modal_number, C_modal_);
  inner_fixed_.resize(3 * inner_.size());
  for (std::size_t i = 0; i < inner_.size(); ++i)
    for (int k = 0; k < 3; ++k) inner_fixed_[3 * i + k] = fixed_[3 * static_cast<std::size_t>(inner_[i]) + k];
  has_bodies_ = bodies != nullptr;
  touching_.clear();
  if (has_bodies_) {
    extract(*bodies, touched_, C_bodies_);
    C_bodies_.constrain(all_.fixed, diagonal);
    split(C_bodies_, all_of_inner, inner_number, bodies_x_);
    // Vertices in contact are those whose diagonal knows of it.
    for (std::size_t i = 0; i < inner_.size(); ++i) {
      const std::int64_t slot = Hx_.pattern().row_begin[i];
      if (!std::equal(Hx_.block(slot), Hx_.block(slot) + 9, bodies_x_.block(slot)))
        touching_.push_back(static_cast<Index>(i));
    }
  }

  struct Block {
    Index inner, modal;
    double value[9];
  };
  std::vector<Block> blocks;
  const BlockPattern& from = C_all_.pattern();
  for (Index i = 0; i < from.rows; ++i) {
    for (auto slot = from.row_begin[i] + 1; slot < from.row_begin[i + 1]; ++slot) {
      const Index j = from.columns[slot];
      const bool row_inner = inner_number[i] >= 0;
      if (row_inner == (inner_number[j] >= 0)) continue;
      Block block{row_inner ? inner_number[i] : inner_number[j], row_inner ? modal_number[j] : modal_number[i], {}};
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
  const IndexLists transposed = grouped(coupling_column_, static_cast<Index>(modal_.vertices.size()));
  transposed_begin_ = transposed.begin;
  transposed_slot_.assign(transposed.items.begin(), transposed.items.end());
  transposed_row_.resize(blocks.size());
  for (std::size_t k = 0; k < transposed.items.size(); ++k) transposed_row_[k] = blocks[transposed.items[k]].inner;
}

// U^T M U over the vertices that nothing else reaches: of handles W^T M W (x) I_3.
void EnrichedSystem::add_inertia(SymBlockMatrix& A) const {
  if (!inertia_) return;
  const HandleBasis& handles = basis_->handles;
  const MatX& dense = basis_->dense;
  const Index n = system_->dynamic_count, handle_count = handles.handle_count(),
              modes = static_cast<Index>(dense.rows());
  constexpr std::size_t chunk = 2048;
  // Sums of a chunk over the pairs of its own handles, and of dense modes after them.
  struct Sums {
    std::vector<Index> handles;
    std::vector<MatX> values;  // by axis, one where the axes are alike
  };
  std::vector<Sums> sums((n + chunk - 1) / chunk);
  parallel_chunks(n, chunk, [&](std::size_t first, std::size_t last) {
    Sums& mine = sums[first / chunk];
    for (std::size_t i = first; i < last; ++i)
      if (!is_touched_[i])
        mine.handles.insert(mine.handles.end(), handles.handle.begin() + handles.begin[i],
                            handles.handle.begin() + handles.begin[i + 1]);
    sort_unique(mine.handles);
    const Index width = 4 * static_cast<Index>(mine.handles.size());
    if (width + modes == 0) return;
    bool split = modes > 0;
    for (std::size_t c = 3 * first; c < 3 * last && !split; c += 3)
      split = fixed_[c] != fixed_[c + 1] || fixed_[c] != fixed_[c + 2];
    const int axes = split ? 3 : 1;
    for (int axis = 0; axis < axes; ++axis) {
      MatX W = MatX::Zero(static_cast<Index>(last - first), width + modes);
      for (std::size_t i = first; i < last; ++i) {
        if (is_touched_[i] || fixed_[3 * i + axis]) continue;
        const double root = std::sqrt(system_->mass[i]);
        std::size_t at = 0;
        for (auto e = handles.begin[i]; e < handles.begin[i + 1]; ++e) {
          const Index h = handles.handle[e];
          while (mine.handles[at] != h) ++at;
          const auto w = handle_scalars(handles, e, system_->rest.col(i));
          for (int k = 0; k < 4; ++k) W(i - first, 4 * at + k) = root * w[k];
        }
        if (modes > 0) W.row(i - first).tail(modes) = root * dense.col(3 * static_cast<Index>(i) + axis).transpose();
      }
      mine.values.push_back(W.transpose() * W);
    }
  });
  const BlockPattern& pattern = A.pattern();
  const auto dense_rows = modes / 3;  // block rows
  parallel_for(
      handle_count,
      [&](std::size_t row) {
        for (const Sums& mine : sums) {
          const auto found = std::lower_bound(mine.handles.begin(), mine.handles.end(), static_cast<Index>(row));
          if (found == mine.handles.end() || *found != static_cast<Index>(row)) continue;
          const auto i = static_cast<Index>(found - mine.handles.begin());
          for (std::size_t j = i; j < mine.handles.size(); ++j)
            for (Index p = 0; p < 4; ++p)
              for (Index q = static_cast<Index>(j) == i ? p : 0; q < 4; ++q) {
                double* block = A.block(pattern.find(4 * static_cast<Index>(row) + p, 4 * mine.handles[j] + q));
                for (int axis = 0; axis < 3; ++axis) {
                  const MatX& values = mine.values[mine.values.size() == 3 ? axis : 0];
                  block[4 * axis] += values(4 * i + p, 4 * static_cast<Index>(j) + q);
                }
              }
          // Beside dense modes: row `axis` of a block is that of the handle's axis.
          const Index width = 4 * static_cast<Index>(mine.handles.size());
          for (Index p = 0; p < 4; ++p)
            for (Index q = 0; q < dense_rows; ++q) {
              Eigen::Map<Mat3> block(A.block(pattern.find(4 * static_cast<Index>(row) + p, 4 * handle_count + q)));
              for (int axis = 0; axis < 3; ++axis)
                block.row(axis) += mine.values[axis].block<1, 3>(4 * i + p, width + 3 * q);
            }
        }
      },
      1);
  for (const Sums& mine : sums) {
    const Index width = 4 * static_cast<Index>(mine.handles.size());
    for (const MatX& values : mine.values)
      for (Index p = 0; p < dense_rows; ++p)
        for (Index q = p; q < dense_rows; ++q)
          Eigen::Map<Mat3>(A.block(pattern.find(4 * handle_count + p, 4 * handle_count + q))) +=
              values.block<3, 3>(width + 3 * p, width + 3 * q);
  }
}

// The rows and columns of the dense modes D: D^T C D, and (W (x) I)^T C D beside them.
void EnrichedSystem::add_dense(const Part& part, const SymBlockMatrix& C, SymBlockMatrix& A) const {
  const MatX& D = part.basis.dense;
  const Index blocks = part.basis.dense_blocks(), n = C.rows(), handle_count = part.basis.handles.handle_count();
  if (blocks == 0 || n == 0) return;
  const BlockPattern& from = C.pattern();
  MatX T = MatX::Zero(D.rows(), D.cols());  // (C D)^T
  parallel_for(
      blocks,
      [&](std::size_t block) {
        const Index j = 12 * static_cast<Index>(block);
        for (Index r = 0; r < n; ++r)
          for (auto slot = from.row_begin[r]; slot < from.row_begin[r + 1]; ++slot) {
            const Index c = from.columns[slot];
            const Eigen::Map<const Mat3> value(C.block(slot));
            T.block<12, 3>(j, 3 * r).noalias() += D.block<12, 3>(j, 3 * c) * value.transpose();
            if (c != r) T.block<12, 3>(j, 3 * c).noalias() += D.block<12, 3>(j, 3 * r) * value;
          }
      },
      1);
  const BlockPattern& pattern = A.pattern();
  const MatX P = T * D.transpose();
  const Index rows = 4 * blocks;
  for (Index p = 0; p < rows; ++p)
    for (Index q = p; q < rows; ++q)
      Eigen::Map<Mat3>(A.block(pattern.find(4 * handle_count + p, 4 * handle_count + q))) +=
          P.block<3, 3>(3 * p, 3 * q);
  VecX column(T.cols()), reduced(12 * handle_count);
  for (Index j = 0; j < T.rows(); ++j) {
    column = T.row(j);
    for (std::size_t c = 0; c < part.fixed.size(); ++c)
      if (part.fixed[c]) column[static_cast<Index>(c)] = 0;
    part.transfer->restrict_to_handles(column.data(), reduced.data());
    for (Index row = 0; row < 4 * handle_count; ++row) {
      double* block = A.block(pattern.find(row, 4 * handle_count + j / 3));
      for (int axis = 0; axis < 3; ++axis) block[3 * (j % 3) + axis] += reduced[3 * row + axis];
    }
  }
}

// A = soft tets + inertia + U^T C U.
void EnrichedSystem::assemble_modes(const RegionHessians& regions, const Part& part, const SymBlockMatrix& C,
                                    SymBlockMatrix& A) {
  SymBlockMatrix exact;
  GalerkinProduct product(part.basis.handles, part.rest);
  product.compute(C, part.fixed, exact);
  const Index blocks = basis_->block_count();
  std::vector<std::pair<Index, Index>> coupled = regions.pairs(), pairs;
  for (Index i = 0; i < blocks; ++i) coupled.emplace_back(i, i);
  // Inertia and contacts couple dense modes with all others.
  for (Index i = 0; i < blocks; ++i)
    for (Index j = std::max(i, basis_->handles.handle_count()); j < blocks; ++j) coupled.emplace_back(i, j);
  const BlockPattern& pattern = exact.pattern();
  for (Index i = 0; i < exact.rows(); i += 4)
    for (auto slot = pattern.row_begin[i]; slot < pattern.row_begin[i + 1]; ++slot)
      if (pattern.columns[slot] % 4 == 0) coupled.emplace_back(i / 4, pattern.columns[slot] / 4);
  sort_unique(coupled);
  for (const auto& [i, j] : coupled)
    for (Index p = 0; p < 4; ++p)
      for (Index q = i == j ? p : 0; q < 4; ++q) pairs.emplace_back(4 * i + p, 4 * j + q);
  if (A.rows() != 4 * blocks || !A.pattern().contains(pairs)) {
    A.set_pattern(make_pattern(4 * blocks, pairs));
  } else {
    A.set_zero();
  }
  regions.add_to(A);
  add_inertia(A);
  A.add(exact);
  add_dense(part, C, A);
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

bool EnrichedSystem::solve_modes_alone(const Points& b, VecX& q) {
  assemble_modes(*regions_, all_, C_all_, A_all_);
  bool computed = false;
  const bool definite = factor_shifted(A_all_, factor_all_, computed);
  modes_factored_ = computed;
  if (!definite) return false;
  project(b, {}, r_);
  q.resize(r_.size());
  factor_all_.solve(r_.data(), q.data());
  return q.allFinite();
}

void EnrichedSystem::lift(const VecX& q, Points& u) {
  u.setZero(3, system_->dynamic_count);
  transfer_->add_lifted(q.data(), fixed_.data(), u.data());
}

bool EnrichedSystem::factor() {
  if (inner_.empty() && modes_factored_) return true;
  bool computed = false;
  if (inner_.empty()) {
    assemble_modes(*regions_, all_, C_all_, A_all_);
    const bool definite = factor_shifted(A_all_, factor_all_, computed);
    modes_factored_ = computed;
    return definite;
  }
  NewtonSystem system(Hx_);
  system.exact = exact_;
  system.fixed = inner_fixed_;
  if (wants_bodies(static_cast<Index>(inner_.size()))) {
    if (has_bodies_) system.bodies = &bodies_x_;
    system.touching = touching_;
    schwarz_.set_vertices(inner_, region_);
    if (!schwarz_.compute(system)) return false;
    preconditioner_ = &schwarz_;
  } else {
    if (!factored_.compute(system)) return false;
    preconditioner_ = &factored_;
  }
  assemble_modes(*regions_, modal_, C_modal_, A_modal_);
  return factor_shifted(A_modal_, factor_modal_, computed);
}

// H_x - J^T H_q^-1 J.
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

LinearSolveReport EnrichedSystem::solve(const Points& b, double tolerance, int most_iterations, VecX& q, Points& d) {
  LinearSolveReport report;
  VecX bq;
  project(b, enriched_, bq);
  q.resize(bq.size());
  SparseCholesky& modes = inner_.empty() ? factor_all_ : factor_modal_;
  modes.solve(bq.data(), q.data());
  if (!inner_.empty()) {
    // b_x - J^T H_q^-1 b_q
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
    // q = H_q^-1 (b_q - J d_x)
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
  // Prescribed coordinates of d stay as they are.
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
