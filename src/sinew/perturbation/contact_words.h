// The names of the motions that closed contacts allow in linear analyses.
#pragma once

#include <string>
#include <vector>

#include "sinew/perturbation/static_potential.h"

namespace sinew {

// In the order of ContactTangent.
std::vector<std::string> contact_words();

// Throws InputError, which begins with `key`, for unknown words.
ContactTangent contact_of_word(const std::string& word, const std::string& key);

}  // namespace sinew
