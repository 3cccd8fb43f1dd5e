#include "sinew/formats/npy.h"

#include "targets.h"

namespace sinew::fuzz {

void npy(std::string_view input) {
  const std::string path = file_with("input.npy", input);
  allow_input_error([&] { read_npy(path); });
}

}  // namespace sinew::fuzz
