#include "sinew/modes/mode_file.h"

#include <cmath>

#include "sinew/core/error.h"
#include "sinew/formats/npz.h"

namespace sinew {
namespace {

constexpr double same_rest = 1e-9;  // of the scene's diagonal

}  // namespace

void write_modes(const std::string& path, const System& system, const ModeSet& modes) {
  const Index n = system.user_vertex_count, k = static_cast<Index>(modes.vectors.cols());
  MatX vectors(3 * n, k);
  for (Index s = 0; s < k; ++s) {
    const Points user = system.to_user(Eigen::Map<const Points>(modes.vectors.col(s).data(), 3, system.dynamic_count));
    vectors.col(s) = Eigen::Map<const VecX>(user.data(), user.size());
  }
  NpzWriter file;
  file.add_text("kind", modes.kind);
  file.add_vector("values", modes.values);
  file.add("modes", vectors);
  file.add("rest", system.user_rest.transpose());
  file.write(path);
}

ModeSet read_modes(const std::string& path, const System& system) {
  const NpzReader file(path);
  const Index n = system.user_vertex_count;
  const NumberArray rest = file.array("rest"), modes = file.array("modes"), values = file.array("values");
  if (rest.columns != 3 || modes.rows != 3 * rest.rows)
    fail_input(
        code::modes,
        "{}: found arrays \"rest\" ({}, {}) and \"modes\" ({}, {}), expected (n, 3) and (3 n, k); make the file with "
        "`sinew modes`",
        path, rest.rows, rest.columns, modes.rows, modes.columns);
  if (rest.rows != static_cast<std::size_t>(n))
    fail_input(code::modes,
               "{}: holds modes of {} vertices, but the scene has {}; make modes of this scene with `sinew modes`",
               path, rest.rows, n);
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      if (!(std::abs(rest.values[3 * static_cast<std::size_t>(i) + k] - system.user_rest(k, i)) <=
            same_rest * system.diagonal))
        fail_input(code::modes,
                   "{}: vertex {} rests at {} = {}, in the scene at {}. The modes belong to another mesh; make modes "
                   "of this scene with `sinew modes`",
                   path, i, "xyz"[k], rest.values[3 * static_cast<std::size_t>(i) + k], system.user_rest(k, i));
  if (values.rows != modes.columns || values.columns != 1)
    fail_input(code::modes, "{}: found {} values of {} modes, expected one each; make the file again", path,
               values.values.size(), modes.columns);
  ModeSet set;
  set.kind = file.text("kind");
  set.values = Eigen::Map<const VecX>(values.values.data(), static_cast<Index>(values.rows));
  set.vectors.resize(3 * system.dynamic_count, static_cast<Index>(modes.columns));
  Points user(3, n);
  for (Index s = 0; s < set.vectors.cols(); ++s) {
    for (std::size_t row = 0; row < modes.rows; ++row) user.data()[row] = modes.values[row * modes.columns + s];
    const Points own = system.from_user(user).leftCols(system.dynamic_count);
    set.vectors.col(s) = Eigen::Map<const VecX>(own.data(), own.size());
  }
  for (Index s = 0; s < set.vectors.cols(); ++s) {
    if (!set.vectors.col(s).allFinite() || !std::isfinite(set.values[s]))
      fail_input(code::modes, "{}: found numbers that are not finite in mode {}; make the modes again", path, s + 1);
    if (set.vectors.col(s).isZero(0))
      fail_input(code::modes, "{}: mode {} of {} is zero everywhere; leave it out of the file", path, s + 1,
                 set.vectors.cols());
  }
  return set;
}

}  // namespace sinew
