#include "sinew/perturbation/contact_words.h"

#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/core/suggest.h"

namespace sinew {

std::vector<std::string> contact_words() {
  return {"scene", "tied", "sliding", "open"};
}

ContactTangent contact_of_word(const std::string& word, const std::string& key) {
  const std::vector<std::string> known = contact_words();
  const auto found = std::ranges::find(known, word);
  if (found == known.end())
    fail_input(code::usage, "{}: found \"{}\", expected one of {}{}", key, word, quoted_list(known),
               did_you_mean(word, known));
  return static_cast<ContactTangent>(found - known.begin());
}

}  // namespace sinew
