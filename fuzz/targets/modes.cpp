// A file of modes of the small scene.
#include "small_scene.h"
#include "targets.h"

#include "sinew/formats/npz.h"
#include "sinew/modes/mode_file.h"

namespace sinew::fuzz {

void modes(std::string_view input) {
  const std::string path = file_with("input.npz", input);
  allow_input_error([&] { read_modes(path, *small_system()); });
  allow_input_error([&] {
    const NpzReader file(path);
    file.array("rest");
    file.array("modes");
  });
}

}  // namespace sinew::fuzz
