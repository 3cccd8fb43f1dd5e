// Suggests known names for misspelt ones ("did you mean").
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// Returns the candidate nearest to `word` by edit distance (a transposition counts once), or empty if none is near.
std::string closest_name(std::string_view word, const std::vector<std::string>& candidates);

// Returns "; did you mean \"x\"?", or empty if no candidate is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

// Returns "; did you mean \"x\"? ", or "; " if no candidate is near, for messages that continue.
std::string did_you_mean_then(std::string_view word, const std::vector<std::string>& candidates);

// Returns the names in quotes, joined by commas: "a", "b".
std::string quoted_list(const std::vector<std::string>& names);

}  // namespace sinew
