#include "sinew/modes/mass_gram_schmidt.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sinew {
namespace {

constexpr double vertices_a_decade = 40;  // of the sample, for each decade of vertices (EP: |S| grows as log n)
constexpr Index vertices_a_mode = 10;     // at least: with 4 the Gram matrix of 30 modes has condition 11
constexpr double shrunk = 0.01;           // 1 - alpha^2 below which the norm is found anew (EP, algorithm 2, line 12)
constexpr double cancelled = 0.1;         // l over the norm before: below it errors of sampled products show
constexpr int most_sweeps = 20;
constexpr double dependent = 1e-8;  // of the norm before: what is left of a column that depends on the others

// The boxes of a grid of cubes of that edge that hold vertices, each with its vertices.
std::map<std::array<int, 3>, std::vector<Index>> boxes(const Points& rest, const Vec3& low, double edge) {
  std::map<std::array<int, 3>, std::vector<Index>> result;
  for (Index v = 0; v < rest.cols(); ++v) {
    const Vec3 place = (rest.col(v) - low) / edge;
    result[{static_cast<int>(place[0]), static_cast<int>(place[1]), static_cast<int>(place[2])}].push_back(v);
  }
  return result;
}

}  // namespace

// The vertex nearest to the centre of each box, with the mass of the box: cubes so small that there are as many as
// wanted.
MassGramSchmidt::MassGramSchmidt(const Points& rest, const VecX& mass, Index most, GramSchmidtOptions options)
    : mass_(mass), options_(options) {
  if (!options_.reduced) return;
  const auto n = static_cast<Index>(rest.cols());
  const Index wanted = std::min(
      n, std::max(vertices_a_mode * most, static_cast<Index>(vertices_a_decade * std::log10(std::max<Index>(n, 10)))));
  const Vec3 low = rest.rowwise().minCoeff(), size = rest.rowwise().maxCoeff() - low;
  double edge = size.maxCoeff();
  auto cubes = boxes(rest, low, edge);
  while (static_cast<Index>(cubes.size()) < wanted && edge > 1e-6 * size.maxCoeff()) {
    edge *= 0.8;
    cubes = boxes(rest, low, edge);
  }
  sample_mass_.resize(static_cast<Index>(cubes.size()));
  for (const auto& [cube, vertices] : cubes) {
    const Vec3 center = low + edge * Vec3(cube[0] + 0.5, cube[1] + 0.5, cube[2] + 0.5);
    Index nearest = vertices.front();
    double total = 0;
    for (const Index v : vertices) {
      total += mass_[3 * v];
      if ((rest.col(v) - center).squaredNorm() < (rest.col(nearest) - center).squaredNorm()) nearest = v;
    }
    sample_mass_[static_cast<Index>(sample_.size())] = total;
    sample_.push_back(nearest);
  }
}

VecX MassGramSchmidt::sampled(Eigen::Ref<const VecX> v) const {
  VecX result(3 * static_cast<Index>(sample_.size()));
  for (std::size_t p = 0; p < sample_.size(); ++p)
    result.segment<3>(3 * static_cast<Index>(p)) =
        std::sqrt(sample_mass_[static_cast<Index>(p)]) * v.segment<3>(3 * sample_[p]);
  return result;
}

// EP, algorithm 2, with the comparison of alpha and the length of the subtraction put right: v has the running norm l.
bool MassGramSchmidt::reduce(VecX& v, const MatX& modes) {
  VecX s = sampled(v);
  const double before = s.norm();
  double l = before;
  if (!(l > 0)) return false;
  for (Index j = 0; j < modes.cols(); ++j) {
    const double alpha = s.dot(sampled_.col(j)) / l;
    if (std::abs(alpha) < options_.least_cosine) continue;
    v -= alpha * l * over_[j] * modes.col(j);
    s -= alpha * l * sampled_.col(j);
    const double left = 1 - alpha * alpha;
    l = left < shrunk ? s.norm() : std::sqrt(left) * l;
    if (!(l > dependent * before)) return false;
  }
  // What is left of a column that nearly lies in the span is of the size of the products' errors, and the sample cannot
  // see that: the products of all vertices take it away.
  return l >= cancelled * before || reduce_exactly(v, modes);
}

// Sweeps of Gram-Schmidt until one leaves half of the norm: then what it removed was not what errors of the last one
// left (Giraud and Langou 2002). Where modes are not quite orthonormal a sweep is one of Gauss and Seidel's for v's
// part in their span.
bool MassGramSchmidt::reduce_exactly(VecX& v, const MatX& modes) const {
  const auto norm = [&] { return std::sqrt(v.dot(mass_.cwiseProduct(v))); };
  const double first = norm();
  double before = first, after = 0;
  for (int sweep = 0; sweep < most_sweeps && before > 0; ++sweep) {
    for (Index j = 0; j < modes.cols(); ++j) v -= modes.col(j).dot(mass_.cwiseProduct(v)) * modes.col(j);
    after = norm();
    if (!(after > dependent * first)) return false;
    if (after > 0.5 * before) return true;
    before = after;
  }
  return after > 0;
}

void MassGramSchmidt::append(const MatX& more, Index most, MatX& modes) {
  for (Index c = 0; c < more.cols() && modes.cols() < most; ++c) {
    VecX v = more.col(c);
    if (!(options_.reduced ? reduce(v, modes) : reduce_exactly(v, modes))) continue;
    v /= std::sqrt(v.dot(mass_.cwiseProduct(v)));
    modes.conservativeResize(v.size(), modes.cols() + 1);
    modes.rightCols(1) = v;
    if (!options_.reduced) continue;
    const VecX s = sampled(v);
    sampled_.conservativeResize(s.size(), modes.cols());
    sampled_.rightCols(1) = s / s.norm();
    over_.push_back(1 / s.norm());
  }
}

}  // namespace sinew
