#include "sinew/adaptive/basis_rows.h"

#include <algorithm>
#include <utility>

#include "sinew/core/parallel.h"

namespace sinew {

void BasisRows::take(const ModeBasis& from, const Points& all_rest, std::span<const char> all_fixed,
                     std::vector<Index> at) {
  const auto n = static_cast<Index>(at.size());
  vertices = std::move(at);
  rest.resize(3, n);
  fixed.resize(3 * static_cast<std::size_t>(n));
  const HandleBasis& handles = from.handles;
  HandleBasis& to = basis.handles;
  to.center = handles.center;
  to.radius = handles.radius;
  to.begin.assign(1, 0);
  for (const Index v : vertices) to.begin.push_back(to.begin.back() + handles.begin[v + 1] - handles.begin[v]);
  to.handle.resize(to.begin.back());
  to.weight.resize(to.begin.back());
  basis.dense.resize(from.dense.rows(), from.dense.rows() > 0 ? 3 * n : 0);
  parallel_for(
      n,
      [&](std::size_t i) {
        const Index v = vertices[i];
        rest.col(i) = all_rest.col(v);
        for (int k = 0; k < 3; ++k) fixed[3 * i + k] = all_fixed[3 * static_cast<std::size_t>(v) + k];
        std::copy(handles.handle.begin() + handles.begin[v], handles.handle.begin() + handles.begin[v + 1],
                  to.handle.begin() + to.begin[i]);
        std::copy(handles.weight.begin() + handles.begin[v], handles.weight.begin() + handles.begin[v + 1],
                  to.weight.begin() + to.begin[i]);
        if (from.dense.rows() > 0)
          basis.dense.middleCols<3>(3 * static_cast<Index>(i)) = from.dense.middleCols<3>(3 * v);
      },
      1024);
  transfer = std::make_unique<ModeTransfer>(basis, rest);
}

}  // namespace sinew
