// A frame to start from, and the XML beneath it.
#include "small_scene.h"
#include "targets.h"

#include "sinew/formats/xml.h"
#include "sinew/io/initial_state.h"

namespace sinew::fuzz {

void xml(std::string_view input) {
  ByteReader reader("input.vtu", input);
  allow_input_error([&] { parse_xml(reader, "AppendedData"); });
}

void frame(std::string_view input) {
  const std::string path = file_with("input.vtu", input);
  allow_input_error([&] { start_simulation(small_system(), {path}, "scene.json"); });
}

}  // namespace sinew::fuzz
