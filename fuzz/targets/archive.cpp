#include "sinew/core/archive.h"

#include "targets.h"

namespace sinew::fuzz {

void archive(std::string_view input) {
  allow_input_error([&] {
    const ArchiveReader reader = ArchiveReader::from_bytes(std::string(input), "checkpoint", "checkpoint.h5");
    if (reader.has("state/x")) reader.points("state/x");
    if (reader.has("scene")) reader.text("scene");
  });
}

}  // namespace sinew::fuzz
