// Reads JSON text, with errors that name file, line and column, and sets single values by path.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace sinew {

// Reads the JSON document in a file. Throws InputError if the file cannot be read or is not JSON.
nlohmann::json read_json_file(const std::string& path);

// Parses JSON text. source: name of the text in errors. A key that occurs twice in one object is an error.
nlohmann::json parse_json(const std::string& text, const std::string& source);

// Sets one value: "materials.rubber.young=1e7", "bodies[0].name=ball", "bodies.0.name=ball" or, by the name of an item,
// "bodies.ball.velocity=[0,0,1]". The value is read as JSON, or as a string if it is not JSON. Missing objects on the
// path are created; an array may grow by one element at a time. Throws InputError naming the override if it is
// malformed or passes through a value that is no object or array.
void apply_override(nlohmann::json& scene, const std::string& assignment);

}  // namespace sinew
