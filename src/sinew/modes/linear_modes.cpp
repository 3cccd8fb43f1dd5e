#include "sinew/modes/linear_modes.h"

#include <algorithm>

#include "sinew/core/activity.h"
#include "sinew/linalg/lanczos.h"
#include "sinew/modes/merged_modes.h"
#include "sinew/modes/rest_body.h"

namespace sinew {
namespace {

// Of E / (rho r^2): the shift is of the size of the lowest eigenvalues of a body ten times as long as it is thick.
constexpr double shift_share = 0.01;

}  // namespace

// Shift-invert Lanczos. Prescribed coordinates are out of reach of (K + shift M)^-1. Motions without strain are found
// with the others; where they are more than the block of the search, which may miss some of an eigenvalue of such
// multiplicity, the others are sought in their complement.
BodyModes linear_modes_of(RestBody& body, Index count) {
  count = std::min(count, body.free_count());
  activity::begin("linear modes of " + body.name(), count);
  const double shift = shift_share * body.stiffness();
  LanczosOptions options;
  options.after_block = activity::reached;
  options.columns = lanczos_columns(count);
  const MatX& R = body.rigid();
  const bool apart = R.cols() > options.block;
  const Index rigid = std::min(count, static_cast<Index>(R.cols())), known = apart ? rigid : 0;
  const MatX MR = apart ? MatX(body.mass().asDiagonal() * R) : MatX();
  const auto solve = [&](const MatX& b) -> MatX {
    if (!apart) return body.solve_shifted(b, shift);
    MatX x = body.solve_shifted(b - MR * (R.transpose() * b), shift);
    x -= R * (MR.transpose() * x);
    return x;
  };
  Eigenpairs pairs = lowest_eigenpairs(solve, body.mass(), count - known, shift, options);
  body.set_fixed_to_zero(pairs.vectors);  // but for rounding they are
  BodyModes modes{body.vertices(), VecX(count), MatX(body.size(), count)};
  modes.values << VecX::Zero(known), pairs.values;
  modes.values.head(rigid).setZero();  // but for rounding they are
  modes.vectors << R.leftCols(known), pairs.vectors;
  return modes;
}

std::vector<BodyModes> linear_modes_by_body(const System& system, const std::vector<char>& fixed, Index count) {
  std::vector<RestBody> bodies = rest_bodies(system, fixed);
  std::vector<BodyModes> parts;
  for (RestBody& body : bodies) parts.push_back(linear_modes_of(body, count));
  activity::finish();
  return parts;
}

ModeSet linear_modes(const System& system, const std::vector<char>& fixed, const ModeCount& count, bool rigid) {
  std::vector<RestBody> bodies = rest_bodies(system, fixed);
  const Index number = modes_to_make(bodies, count, "linear", rigid);
  std::vector<BodyModes> parts;
  for (RestBody& body : bodies) {
    const auto own = static_cast<Index>(body.rigid().cols());
    parts.push_back(linear_modes_of(body, rigid ? number : number + own));
    if (rigid) continue;
    BodyModes& part = parts.back();
    part = {part.vertices, part.values.tail(part.values.size() - own).eval(),
            part.vectors.rightCols(part.vectors.cols() - own).eval()};
  }
  ModeSet result;
  result.kind = "linear";
  merge_modes(parts, system.dynamic_count, number, result.values, result.vectors);
  activity::finish();
  return result;
}

}  // namespace sinew
