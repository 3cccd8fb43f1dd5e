// "did you mean" for misspelt names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// The candidate nearest to `word` by edit distance (transpositions count once), or empty when none is near.
std::string closest_name(std::string_view word, const std::vector<std::string>& candidates);

// " did you mean \"x\"?" with a leading semicolon, or empty when no candidate is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

// Text to continue with: "; did you mean \"x\"? ", or "; " when no candidate is near.
std::string did_you_mean_then(std::string_view word, const std::vector<std::string>& candidates);

// Quoted names joined by commas: "a", "b".
std::string quoted_list(const std::vector<std::string>& names);

}  // namespace sinew
