#include "sinew/core/suggest.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace sinew {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// Optimal string alignment distance (Damerau 1964): insertions, deletions, substitutions and swaps of neighbours.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string closest_name(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 64;  // beyond it a word is no typing error
  if (word.empty() || word.size() > longest) return {};
  const std::string wanted = lower(word);
  std::string best;
  const std::size_t limit = std::min(std::max<std::size_t>(1, word.size() / 3), word.size() - 1);
  std::size_t best_distance = limit + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest) continue;
    const std::string name = lower(candidate);
    std::size_t distance = edit_distance(wanted, name);
    // "young_modulus" for "young": one that begins with the other is near enough.
    const bool long_enough = std::min(name.size(), wanted.size()) >= 4;
    if (long_enough && (wanted.starts_with(name) || name.starts_with(wanted))) distance = std::min(distance, limit);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string best = closest_name(word, candidates);
  return best.empty() ? std::string() : fmt::format("; did you mean \"{}\"?", best);
}

std::string did_you_mean_then(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string text = did_you_mean(word, candidates);
  return text.empty() ? "; " : text + " ";
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "\"" : ", \"") + name + "\"";
  return text;
}

}  // namespace sinew
