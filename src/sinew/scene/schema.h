// The JSON Schema (draft 7) of the scene format: the one table of keys, types, ranges, units and defaults. The parser
// checks scenes against it, docs/scene.schema.json is its text, and the reference page is made from it.
#pragma once

#include <nlohmann/json.hpp>

namespace sinew {

// Beside the standard keywords: "x-unit" (unit of a number), "x-default-unless" (keys of the same object whose presence
// takes the default away), "x-live" (of numbers that may change between steps, model/live_scalars.h: Python's set_NAME,
// its argument, and what a change does).
const nlohmann::ordered_json& scene_schema();

}  // namespace sinew
