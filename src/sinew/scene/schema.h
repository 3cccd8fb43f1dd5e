// The JSON Schema (draft 7) of the scene format: the one table of keys, types, ranges, units and defaults. The parser
// checks scenes against it. docs/scene.schema.json has its text, and the reference page is made from it.
#pragma once

#include <nlohmann/json.hpp>

namespace sinew {

// Keywords of sinew: "x-unit" (unit of a number), "x-expected" (phrase for errors) and "x-default-unless" (keys whose
// presence removes the default). "x-live" marks numbers that may change between steps (model/live_scalars.h); it gives
// Python's set_NAME, its argument, and the effect of a change.
const nlohmann::ordered_json& scene_schema();

}  // namespace sinew
