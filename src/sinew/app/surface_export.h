// `sinew export DIR -o FILE`: the recorded surfaces of a run as files of other programs.
#pragma once

#include <string>
#include <vector>

namespace sinew::app {

struct SurfaceExport {
  std::string input;  // output folder of a run
  std::string out;    // its extension names the format
  std::vector<std::string> fields;
  bool overwrite = false;
};

int export_surfaces(const SurfaceExport& options);

}  // namespace sinew::app
