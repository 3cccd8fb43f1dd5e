#include "sinew/scene/renamed_keys.h"

#include <algorithm>

namespace sinew {
namespace {

struct RenamedKey {
  const char *old, *now;
};

// A line a key; `now` is unique in the format, so that it tells the object.
constexpr RenamedKey renamed_keys[] = {
    {"contrast", "stiffness_exponent"},  // of solver.multilevel
    {"jump", "interface_stiffness"},     // of solver.multilevel
    {"downdate", "drop_rate"},           // of solver.adaptive
    {"samples", "surface_samples"},      // of contact
};

}  // namespace

std::string renamed_key(std::string_view old, const std::vector<std::string>& known) {
  for (const RenamedKey& key : renamed_keys)
    if (old == key.old && std::ranges::find(known, key.now) != known.end()) return key.now;
  return {};
}

}  // namespace sinew
