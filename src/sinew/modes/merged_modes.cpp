#include "sinew/modes/merged_modes.h"

#include <algorithm>

namespace sinew {

void merge_modes(const std::vector<BodyModes>& bodies, Index vertices, Index count, VecX& values, MatX& vectors) {
  struct Mode {
    double value;
    std::size_t body;
    Index column;
  };
  std::vector<Mode> modes;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    for (Index i = 0; i < bodies[b].values.size(); ++i) modes.push_back({bodies[b].values[i], b, i});
  std::ranges::stable_sort(modes, {}, &Mode::value);
  modes.resize(std::min(modes.size(), static_cast<std::size_t>(count)));
  const auto kept = static_cast<Index>(modes.size());
  values.resize(kept);
  vectors.setZero(3 * vertices, kept);
  for (Index i = 0; i < kept; ++i) {
    const BodyModes& body = bodies[modes[i].body];
    values[i] = modes[i].value;
    for (std::size_t v = 0; v < body.vertices.size(); ++v)
      vectors.col(i).segment<3>(3 * body.vertices[v]) =
          body.vectors.col(modes[i].column).segment<3>(3 * static_cast<Index>(v));
  }
}

}  // namespace sinew
