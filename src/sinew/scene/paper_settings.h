// `"paper": true` in the settings of a method: every key that the scene leaves out gets the value of the method's
// paper.
#pragma once

#include <nlohmann/json.hpp>

namespace sinew {

// Returns the scene with these values, which the schema keeps as "x-paper" beside each default. Values of a wrong type
// stay, for complete() to refuse.
nlohmann::json with_paper_settings(nlohmann::json scene, const nlohmann::ordered_json& schema);

}  // namespace sinew
