#include "sinew/subspace/handle_basis.h"

#include <algorithm>
#include <map>

#include "sinew/core/parallel.h"
#include "sinew/core/sort_unique.h"

namespace sinew {
namespace {

constexpr std::size_t lift_chunk = 2048;  // vertices

}  // namespace

std::vector<std::pair<Index, double>> handle_row(const HandleBasis& basis, const Embedding& embedding, Index vertex) {
  std::map<Index, double> row;
  embedding.for_each(vertex, [&](Index v, double w) {
    for (std::int64_t k = basis.begin[v]; k < basis.begin[v + 1]; ++k) row[basis.handle[k]] += w * basis.weight[k];
  });
  return {row.begin(), row.end()};
}

// The weights by vertex in compressed form.
void set_rows(const std::vector<std::vector<std::pair<Index, double>>>& rows, HandleBasis& basis) {
  basis.begin.assign(1, 0);
  basis.handle.clear();
  basis.weight.clear();
  for (const auto& row : rows) {
    for (const auto& [handle, weight] : row) {
      basis.handle.push_back(handle);
      basis.weight.push_back(weight);
    }
    basis.begin.push_back(static_cast<std::int64_t>(basis.handle.size()));
  }
}

// The handles of several bases as one basis; each vertex has the weights of the first basis, then those of the next.
HandleBasis joined_handles(const std::vector<const HandleBasis*>& bases) {
  HandleBasis all;
  const std::size_t vertices = bases.empty() ? 0 : bases[0]->vertex_count();
  std::vector<Index> first;
  std::size_t weights = 0;
  for (const HandleBasis* basis : bases) {
    first.push_back(all.handle_count());
    weights += basis->weight.size();
    all.center.insert(all.center.end(), basis->center.begin(), basis->center.end());
    all.radius.insert(all.radius.end(), basis->radius.begin(), basis->radius.end());
  }
  all.begin.assign(1, 0);
  all.handle.reserve(weights);
  all.weight.reserve(weights);
  for (std::size_t v = 0; v < vertices; ++v) {
    for (std::size_t b = 0; b < bases.size(); ++b)
      for (auto e = bases[b]->begin[v]; e < bases[b]->begin[v + 1]; ++e) {
        all.handle.push_back(first[b] + bases[b]->handle[e]);
        all.weight.push_back(bases[b]->weight[e]);
      }
    all.begin.push_back(static_cast<std::int64_t>(all.handle.size()));
  }
  return all;
}

// u(v) = sum_i phi_i(v) A_i [1, (X_v - c_i) / r_i], vertex by vertex.
void lift(const HandleBasis& basis, const Points& rest, const double* q, Points& u) {
  const Index n = basis.vertex_count();
  u.resize(3, n);
  parallel_for(
      n,
      [&](std::size_t v) {
        Vec3 sum = Vec3::Zero();
        for (auto e = basis.begin[v]; e < basis.begin[v + 1]; ++e) {
          const Index i = basis.handle[e];
          const Eigen::Map<const Eigen::Matrix<double, 3, 4>> A(q + 12 * static_cast<std::size_t>(i));
          const Vec3 s = (rest.col(v) - basis.center[i]) / basis.radius[i];
          sum += basis.weight[e] * (A.col(0) + A.rightCols<3>() * s);
        }
        u.col(v) = sum;
      },
      lift_chunk);
}

// r_i = sum_v phi_i(v) g_v [1, (X_v - c_i) / r_i]^T, the transpose of lift().
void restrict_to(const HandleBasis& basis, const Points& rest, const Points& g, double* r) {
  const Index n = basis.vertex_count();
  const std::size_t size = 12 * static_cast<std::size_t>(basis.handle_count());
  // A chunk of consecutive vertices touches few handles, which it sums by itself; the chunks are added in their order.
  struct Part {
    std::vector<Index> handles;
    std::vector<double> sums;  // 12 each
  };
  std::vector<Part> parts((static_cast<std::size_t>(n) + lift_chunk - 1) / lift_chunk);
  parallel_chunks(n, lift_chunk, [&](std::size_t begin, std::size_t end) {
    Part& part = parts[begin / lift_chunk];
    for (auto e = basis.begin[begin]; e < basis.begin[end]; ++e) part.handles.push_back(basis.handle[e]);
    sort_unique(part.handles);
    part.sums.assign(12 * part.handles.size(), 0.0);
    for (std::size_t v = begin; v < end; ++v) {
      for (auto e = basis.begin[v]; e < basis.begin[v + 1]; ++e) {
        const Index i = basis.handle[e];
        const auto local = std::lower_bound(part.handles.begin(), part.handles.end(), i) - part.handles.begin();
        Eigen::Map<Eigen::Matrix<double, 3, 4>> sum(part.sums.data() + 12 * local);
        const Vec3 force = basis.weight[e] * g.col(v);
        sum.col(0) += force;
        sum.rightCols<3>() += force * ((rest.col(v) - basis.center[i]) / basis.radius[i]).transpose();
      }
    }
  });
  // The chunks' sums in their order: the same bits for any number of threads.
  std::fill(r, r + size, 0.0);
  for (const Part& part : parts) {
    for (std::size_t k = 0; k < part.handles.size(); ++k) {
      for (int j = 0; j < 12; ++j) r[12 * static_cast<std::size_t>(part.handles[k]) + j] += part.sums[12 * k + j];
    }
  }
}

}  // namespace sinew
