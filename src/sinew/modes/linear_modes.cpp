#include "sinew/modes/linear_modes.h"

#include <algorithm>

#include "sinew/core/activity.h"
#include "sinew/core/error.h"
#include "sinew/linalg/lanczos.h"
#include "sinew/modes/merged_modes.h"
#include "sinew/modes/rest_body.h"

namespace sinew {
namespace {

// Of E / (rho r^2): the shift is of the size of the lowest eigenvalues of a body ten times as long as it is thick.
constexpr double shift_share = 0.01;

}  // namespace

// Shift-invert Lanczos. Prescribed coordinates are out of reach of (K + shift M)^-1.
BodyModes linear_modes_of(RestBody& body, Index count) {
  activity::begin("linear modes");
  const double shift = shift_share * body.stiffness();
  LanczosOptions options;
  options.after_block = activity::advance;
  Eigenpairs pairs = lowest_eigenpairs([&](const MatX& b) { return body.solve_shifted(b, shift); }, body.mass(),
                                       std::min(count, body.free_count()), shift, options);
  body.set_fixed_to_zero(pairs.vectors);                                            // but for rounding they are
  pairs.values.head(std::min(pairs.values.size(), body.rigid().cols())).setZero();  // as are these
  return {body.vertices(), std::move(pairs.values), std::move(pairs.vectors)};
}

std::vector<BodyModes> linear_modes_by_body(const System& system, const std::vector<char>& fixed, Index count) {
  std::vector<RestBody> bodies = rest_bodies(system, fixed);
  std::vector<BodyModes> parts;
  for (RestBody& body : bodies) parts.push_back(linear_modes_of(body, count));
  activity::finish();
  return parts;
}

ModeSet linear_modes(const System& system, const std::vector<char>& fixed, Index count) {
  std::vector<RestBody> bodies = rest_bodies(system, fixed);
  Index coordinates = 0;
  for (const RestBody& body : bodies) coordinates += body.free_count();
  if (count > coordinates)
    fail_input("{} linear modes are more than the {} coordinates that move; ask for fewer", count, coordinates);
  std::vector<BodyModes> parts;
  for (RestBody& body : bodies) parts.push_back(linear_modes_of(body, count));
  ModeSet result;
  result.kind = "linear";
  merge_modes(parts, system.dynamic_count, count, result.values, result.vectors);
  activity::finish();
  return result;
}

}  // namespace sinew
