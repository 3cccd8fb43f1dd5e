#include "sinew/modes/mass_gram_schmidt.h"

#include <algorithm>
#include <cmath>

#include "sinew/linalg/tall_products.h"
#include "sinew/partition/voxel_sample.h"

namespace sinew {
namespace {

constexpr double vertices_a_decade = 40;  // of the sample, for each decade of vertices (EP: |S| grows as log n)
constexpr Index vertices_a_mode = 10;     // at least (docs/developing/notes.md)
constexpr double shrunk = 0.01;           // 1 - alpha^2 below which the norm is found anew (EP, algorithm 2, line 12)
constexpr double cancelled =
    0.3;  // l over the norm before, below which errors of sampled products show (docs/developing/notes.md)
constexpr int most_sweeps = 20;
constexpr double dependent = 1e-8;  // of the norm before: what is left of a column that depends on the others

}  // namespace

MassGramSchmidt::MassGramSchmidt(const Points& rest, const VecX& mass, Index most, GramSchmidtOptions options)
    : mass_(mass), options_(options) {
  if (!options_.reduced) return;
  const auto n = static_cast<Index>(rest.cols());
  const Index wanted =
      std::max(vertices_a_mode * most, static_cast<Index>(vertices_a_decade * std::log10(std::max<Index>(n, 10))));
  const VecX of_vertex = Eigen::Map<const Points>(mass.data(), 3, n).row(0).transpose();
  const VoxelSample sample = voxel_sample(rest, of_vertex, wanted);
  sample_ = sample.chosen;
  sample_mass_ = Eigen::Map<const VecX>(sample.share.data(), static_cast<Index>(sample.share.size()));
}

VecX MassGramSchmidt::sampled(Eigen::Ref<const VecX> v) const {
  VecX result(3 * static_cast<Index>(sample_.size()));
  for (std::size_t p = 0; p < sample_.size(); ++p)
    result.segment<3>(3 * static_cast<Index>(p)) =
        std::sqrt(sample_mass_[static_cast<Index>(p)]) * v.segment<3>(3 * sample_[p]);
  return result;
}

// EP, algorithm 2, with the comparison of alpha and the length of the subtraction put right: v has the running norm l.
bool MassGramSchmidt::reduce(VecX& v, const Eigen::Ref<const MatX>& modes) {
  const double whole = v.dot(mass_.cwiseProduct(v));
  VecX s = sampled(v);
  const double before = s.norm();
  double l = before;
  if (!(l > 0)) return false;
  for (Index j = 0; j < modes.cols(); ++j) {
    const double alpha = s.dot(sampled_.col(j)) / l;
    if (std::abs(alpha) < options_.least_cosine) continue;
    v -= alpha * l * over_[j] * modes.col(j);
    s -= alpha * l * sampled_.col(j);
    const double remaining = 1 - alpha * alpha;
    l = remaining < shrunk ? s.norm() : std::sqrt(remaining) * l;
    if (!(l > dependent * before)) return false;
  }
  // What is left of a column that nearly lies in the span is of the size of the products' errors, and the sample cannot
  // see that: the products of all vertices take it away.
  if (l >= cancelled * before) return true;
  return reduce_exactly(v, modes, std::sqrt(whole));
}

// v -= U U^T M v in sweeps until one leaves half of the norm: then what it removed was not what errors of the last one
// left (Giraud and Langou 2002). Modes that are not quite orthonormal are subtracted one by one: a sweep is one of
// Gauss's and Seidel's for v's part in their span. first: the norm of v before anything was subtracted.
bool MassGramSchmidt::reduce_exactly(Eigen::Ref<VecX> v, const Eigen::Ref<const MatX>& modes, double first) const {
  const auto norm = [&] { return std::sqrt(v.dot(mass_.cwiseProduct(v))); };
  double before = norm(), after = before;
  for (int sweep = 0; sweep < most_sweeps && before > 0; ++sweep) {
    if (options_.reduced)
      for (Eigen::Index j = 0; j < modes.cols(); ++j) v -= modes.col(j).dot(mass_.cwiseProduct(v)) * modes.col(j);
    else
      subtract_tall_product(modes, weighted_product(modes, mass_, v), v);
    after = norm();
    if (!(after > dependent * first)) return false;
    if (after > 0.5 * before) return true;
    before = after;
  }
  return after > 0;
}

// A block against all modes before it, twice (Stewart 2008), then its columns one by one against each other, and
// against all where little of one is left.
void MassGramSchmidt::append_exactly(MatX more, Index most, MatX& modes) const {
  const auto norms = [&] {
    return VecX(more.cwiseProduct(mass_.asDiagonal() * more).colwise().sum().cwiseSqrt().transpose());
  };
  const VecX first = norms();
  const Eigen::Index known = modes.cols();
  for (int sweep = 0; sweep < 2 && known > 0; ++sweep)
    subtract_tall_product(modes, weighted_product(modes, mass_, more), more);
  const VecX remaining = norms();
  Eigen::Index kept = known;
  modes.conservativeResize(more.rows(), std::min<Eigen::Index>(most, known + more.cols()));
  for (Eigen::Index c = 0; c < more.cols() && kept < modes.cols(); ++c) {
    if (!(remaining[c] > dependent * first[c])) continue;
    Eigen::Ref<VecX> v = more.col(c);
    const double before = std::sqrt(v.dot(mass_.cwiseProduct(v)));
    if (!reduce_exactly(v, modes.middleCols(known, kept - known), first[c])) continue;
    const double after = std::sqrt(v.dot(mass_.cwiseProduct(v)));
    if (after < 0.5 * before && !reduce_exactly(v, modes.leftCols(kept), first[c])) continue;
    modes.col(kept++) = v / std::sqrt(v.dot(mass_.cwiseProduct(v)));
  }
  modes.conservativeResize(more.rows(), kept);
}

void MassGramSchmidt::append(const MatX& more, Index most, MatX& modes) {
  if (!options_.reduced) return append_exactly(more, most, modes);
  Eigen::Index kept = modes.cols();
  modes.conservativeResize(more.rows(), std::min<Eigen::Index>(most, kept + more.cols()));
  for (Eigen::Index c = 0; c < more.cols() && kept < modes.cols(); ++c) {
    VecX v = more.col(c);
    if (!reduce(v, modes.leftCols(kept))) continue;
    v /= std::sqrt(v.dot(mass_.cwiseProduct(v)));
    modes.col(kept++) = v;
    const VecX s = sampled(v);
    sampled_.conservativeResize(s.size(), kept);
    sampled_.rightCols(1) = s / s.norm();
    over_.push_back(1 / s.norm());
  }
  modes.conservativeResize(more.rows(), kept);
}

}  // namespace sinew
