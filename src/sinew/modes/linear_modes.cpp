#include "sinew/modes/linear_modes.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sinew/core/activity.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/partition/domain.h"
#include "sinew/partition/submesh.h"
#include "sinew/potential/elastic.h"
#include "sinew/subspace/index_lists.h"

namespace sinew {
namespace {

// Of E / (rho r^2): the shift is of the size of the lowest eigenvalues of a body ten times as long as it is thick.
constexpr double shift_share = 0.01;
constexpr double rigid_share = 1e-8;

// A connected body: its vertices with a free coordinate, and its size.
struct Part {
  Submesh mesh;
  std::vector<Index> vertices;  // of the system, ascending
  double stiffness = 0;         // E / (rho r^2) of its softest material [1/s^2]
  bool stiff = true;            // all of its tets have stiffness at rest
};

Part make_part(const Domain& domain, std::span<const Index> tets, const std::vector<char>& fixed) {
  Part part;
  part.mesh = extract(domain, tets);
  double volume = 0, softest = std::numeric_limits<double>::max(), mass = 0;
  for (const Index t : part.mesh.tet) {
    volume += domain.volume[t];
    softest = std::min(softest, domain.young[t]);
    part.stiff = part.stiff && (domain.lambda[t] > 0 || domain.mu[t] > 0);
  }
  for (const Index v : part.mesh.vertex) {
    mass += domain.mass[v];
    const std::size_t c = 3 * static_cast<std::size_t>(v);
    if (!(fixed[c] && fixed[c + 1] && fixed[c + 2])) part.vertices.push_back(v);
  }
  const Vec3 center = part.mesh.vertices.rowwise().mean();
  const double radius2 = (part.mesh.vertices.colwise() - center).colwise().squaredNorm().maxCoeff();
  part.stiffness = softest * volume / (mass * radius2);
  return part;
}

std::vector<Part> make_parts(const System& system, const std::vector<char>& fixed) {
  const Domain domain = make_domain(system, fixed);
  const IndexLists tets = grouped(domain.component, domain.component_count);
  std::vector<Part> parts(domain.component_count);
  for (Index c = 0; c < domain.component_count; ++c) parts[c] = make_part(domain, tets[c], fixed);
  return parts;
}

// K at rest between the vertices of a part, with its coordinates' mass.
struct Stiffness {
  SymBlockMatrix K;
  std::vector<char> fixed;  // 3 a vertex
  VecX mass;                // 3 a vertex
};

Stiffness part_stiffness(const System& system, const SymBlockMatrix& whole, const Part& part,
                         const std::vector<char>& fixed) {
  const auto n = static_cast<Index>(part.vertices.size());
  std::vector<Index> number(system.dynamic_count, -1);
  for (Index i = 0; i < n; ++i) number[part.vertices[i]] = i;
  const BlockPattern& from = whole.pattern();
  auto pattern = std::make_shared<BlockPattern>();
  pattern->rows = n;
  pattern->row_begin.push_back(0);
  for (const Index v : part.vertices) {
    for (auto slot = from.row_begin[v]; slot < from.row_begin[v + 1]; ++slot)
      if (number[from.columns[slot]] >= 0) pattern->columns.push_back(number[from.columns[slot]]);
    pattern->row_begin.push_back(static_cast<std::int64_t>(pattern->columns.size()));
  }
  Stiffness result;
  result.K.set_pattern(pattern);
  result.mass.resize(3 * n);
  result.fixed.resize(3 * static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    const Index v = part.vertices[i];
    auto to = pattern->row_begin[i];
    for (auto slot = from.row_begin[v]; slot < from.row_begin[v + 1]; ++slot)
      if (number[from.columns[slot]] >= 0) std::copy_n(whole.block(slot), 9, result.K.block(to++));
    for (int k = 0; k < 3; ++k) {
      result.mass[3 * i + k] = system.mass[v];
      result.fixed[3 * i + k] = fixed[3 * static_cast<std::size_t>(v) + k];
    }
  }
  return result;
}

// Shift-invert Lanczos with K + shift M factored. Prescribed coordinates are out of reach of (K + shift M)^-1.
Eigenpairs part_modes(Stiffness part, Index count, double shift) {
  const auto& begin = part.K.pattern().row_begin;
  const Index n = part.K.rows();
  const auto free = static_cast<Index>(std::count(part.fixed.begin(), part.fixed.end(), 0));
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k) part.K.block(begin[i])[4 * k] += shift * part.mass[3 * i + k];
  double largest = 0;
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k) largest = std::max(largest, part.K.block(begin[i])[4 * k]);
  part.K.constrain(part.fixed, largest);
  SparseCholesky factor;
  if (!factor.compute(part.K))
    throw SimulationError(
        "linear modes: the stiffness at rest is not positive definite; a body may hang together by an edge or a "
        "vertex alone, or its stiffnesses differ by more than 1e12");
  const auto solve = [&](const MatX& b) {
    MatX x(b.rows(), b.cols());
    VecX rhs(b.rows()), column(b.rows());
    for (Eigen::Index c = 0; c < b.cols(); ++c) {
      rhs = b.col(c);
      for (Eigen::Index i = 0; i < rhs.size(); ++i)
        if (part.fixed[static_cast<std::size_t>(i)]) rhs[i] = 0;
      factor.solve(rhs.data(), column.data());
      for (Eigen::Index i = 0; i < rhs.size(); ++i)
        if (part.fixed[static_cast<std::size_t>(i)]) column[i] = 0;
      x.col(c) = column;
    }
    return x;
  };
  LanczosOptions options;
  options.after_block = activity::advance;
  Eigenpairs modes = lowest_eigenpairs(solve, part.mass, std::min(count, free), shift, options);
  for (Eigen::Index i = 0; i < modes.vectors.rows(); ++i)
    if (part.fixed[static_cast<std::size_t>(i)]) modes.vectors.row(i).setZero();  // but for rounding they are
  return modes;
}

}  // namespace

double rigid_threshold(const System& system, const std::vector<char>& fixed) {
  double least = std::numeric_limits<double>::max();
  for (const Part& part : make_parts(system, fixed)) least = std::min(least, part.stiffness);
  return rigid_share * least;
}

// The modes of each body, then the lowest of all.
Eigenpairs linear_modes(const System& system, const std::vector<char>& fixed, Index count) {
  const Index n = system.dynamic_count;
  const std::vector<Part> parts = make_parts(system, fixed);
  Index coordinates = 0;
  for (const Part& part : parts)
    for (const Index v : part.vertices)
      for (int k = 0; k < 3; ++k) coordinates += !fixed[3 * static_cast<std::size_t>(v) + k];
  if (count > coordinates)
    fail_input("{} linear modes are more than the {} coordinates that move; ask for fewer", count, coordinates);
  for (const Part& part : parts)
    if (!part.stiff)
      fail_input(
          "a body has tets without stiffness at rest, so no linear modes; use another material, or modes of frames");
  SymBlockMatrix K;
  {
    const ElasticEnergy elastic(system.rest, system.tets, system.groups, n);
    std::vector<std::pair<Index, Index>> pairs;
    elastic.collect_pairs(pairs);
    K.set_pattern(make_pattern(n, pairs));
    Points unused = Points::Zero(3, n);
    elastic.add_derivatives(system.rest, 1.0, Projection::none, unused, K);
  }
  struct Mode {
    double value;
    std::size_t part;
    Index column;
  };
  std::vector<Eigenpairs> found(parts.size());
  std::vector<Mode> modes;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (parts[p].vertices.empty()) continue;
    activity::begin("linear modes");
    found[p] = part_modes(part_stiffness(system, K, parts[p], fixed), count, shift_share * parts[p].stiffness);
    for (Index i = 0; i < found[p].values.size(); ++i) modes.push_back({found[p].values[i], p, i});
  }
  std::stable_sort(modes.begin(), modes.end(), [](const Mode& a, const Mode& b) { return a.value < b.value; });
  modes.resize(std::min<std::size_t>(modes.size(), static_cast<std::size_t>(count)));
  Eigenpairs result;
  result.values.resize(static_cast<Index>(modes.size()));
  result.vectors.setZero(3 * n, static_cast<Index>(modes.size()));
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const auto& vertices = parts[modes[i].part].vertices;
    const auto column = found[modes[i].part].vectors.col(modes[i].column);
    result.values[static_cast<Index>(i)] = modes[i].value;
    for (std::size_t v = 0; v < vertices.size(); ++v)
      result.vectors.col(static_cast<Index>(i)).segment<3>(3 * vertices[v]) =
          column.segment<3>(3 * static_cast<Index>(v));
  }
  activity::finish();
  return result;
}

}  // namespace sinew
