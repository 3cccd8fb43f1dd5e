#include "sinew/dynamics/tied_mass.h"

#include <Eigen/SparseCholesky>

#include "sinew/core/sort_unique.h"

namespace sinew {

std::vector<Index> followed_by(const Embedding& ties) {
  std::vector<Index> followed;
  for (const Index tied : ties.followers())
    for (const Embedding::Entry& entry : ties.row(tied)) followed.push_back(entry.vertex);
  sort_unique(followed);
  return followed;
}

// (P^T M P)_ab = m_a delta_ab + sum_s w_sa m_s w_sb over tied vertices s.
void divide_by_tied_mass(const System& system, const StepContext& context, const Points& f, Points& out) {
  const Embedding& ties = *context.ties;
  const std::vector<Index> followed = followed_by(ties);
  const auto number = [&](Index v) {
    return static_cast<Index>(std::ranges::lower_bound(followed, v) - followed.begin());
  };
  const auto count = static_cast<Index>(followed.size());
  for (int k = 0; k < 3; ++k) {
    const auto is_free = [&](Index v) { return !context.prescribed[3 * static_cast<std::size_t>(v) + k]; };
    std::vector<Eigen::Triplet<double>> entries;
    for (Index i = 0; i < count; ++i) entries.emplace_back(i, i, system.mass[followed[i]]);
    for (const Index tied : ties.followers())
      for (const Embedding::Entry& a : ties.row(tied))
        for (const Embedding::Entry& b : ties.row(tied))
          if (is_free(a.vertex) && is_free(b.vertex))
            entries.emplace_back(number(a.vertex), number(b.vertex), system.mass[tied] * a.weight * b.weight);
    Eigen::SparseMatrix<double> M(count, count);
    M.setFromTriplets(entries.begin(), entries.end());
    VecX rhs = VecX::Zero(count);
    for (Index i = 0; i < count; ++i)
      if (is_free(followed[i])) rhs[i] = f(k, followed[i]);
    const VecX solution = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(M).solve(rhs);
    for (Index i = 0; i < count; ++i)
      if (is_free(followed[i])) out(k, followed[i]) = solution[i];
  }
  ties.place(out);
}

}  // namespace sinew
