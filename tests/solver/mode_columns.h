// The columns of a basis of modes as a dense matrix.
#pragma once

#include <cmath>

#include "solver/bent_bar.h"

#include "sinew/subspace/mode_basis.h"

namespace sinew::test {

// Prescribes one or two axes of some vertices, where handles do not vanish.
inline void hold_some_axes(Bent& bent) {
  for (Index v = 7; v < bent.system->dynamic_count; v += 11) {
    bent.context.prescribed[3 * v + v % 3] = 1;
    if (v % 2) bent.context.prescribed[3 * v] = 1;
  }
}

// [S' U, S] with its fixed coordinates zero; columns of enriched vertices follow those of the modes.
inline MatX mode_columns(const Bent& bent, const ModeBasis& basis, const std::vector<char>& enriched) {
  const Index n = bent.system->dynamic_count;
  const auto inner = static_cast<Index>(std::count(enriched.begin(), enriched.end(), 1));
  const HandleBasis& handles = basis.handles;
  const Index by_handles = 12 * handles.handle_count(), modes = 12 * basis.block_count();
  MatX B = MatX::Zero(3 * n, modes + 3 * inner);
  Index next = 0;
  for (Index v = 0; v < n; ++v) {
    if (enriched[v]) {
      for (int k = 0; k < 3; ++k) B(3 * v + k, modes + 3 * next + k) = !bent.context.prescribed[3 * v + k];
      ++next;
      continue;
    }
    for (auto e = handles.begin[v]; e < handles.begin[v + 1]; ++e) {
      const Index h = handles.handle[e];
      const Vec3 place = (bent.system->rest.col(v) - handles.center[h]) / handles.radius[h];
      const double monomials[4] = {1, place[0], place[1], place[2]};
      for (int p = 0; p < 4; ++p)
        for (int k = 0; k < 3; ++k)
          if (!bent.context.prescribed[3 * v + k]) B(3 * v + k, 12 * h + 3 * p + k) = handles.weight[e] * monomials[p];
    }
    for (int k = 0; k < 3; ++k)
      if (basis.dense.rows() > 0 && !bent.context.prescribed[3 * v + k])
        B.row(3 * v + k).segment(by_handles, basis.dense.rows()) = basis.dense.col(3 * v + k).transpose();
  }
  return B;
}

// Smooth displacements that no handle has, `count` of them and zeros until blocks of 12 are full; empty: none. Zero at
// fixed coordinates.
inline MatX waves(const Bent& bent, Index count) {
  const System& system = *bent.system;
  const Index padded = (count + 11) / 12 * 12;
  MatX dense = MatX::Zero(padded, count > 0 ? 3 * system.dynamic_count : 0);
  for (Index v = 0; v < system.dynamic_count && count > 0; ++v)
    for (Index s = 0; s < count; ++s)
      for (int k = 0; k < 3; ++k)
        if (!bent.context.prescribed[3 * v + k])
          dense(s, 3 * v + k) = std::sin((3 + s) * 4 * system.rest(0, v) + 2 * k + system.rest((s + k) % 3, v) * 20);
  return dense;
}

}  // namespace sinew::test
