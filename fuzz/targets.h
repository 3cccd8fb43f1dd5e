// The readers that are fuzzed. A new one: a function here, a row of table.cpp and a folder of seeds; a new
// format of meshes needs its folder of seeds alone.
#pragma once

#include <vector>

#include "target.h"

namespace sinew::fuzz {

struct TargetRow {
  std::string name;
  Target run;
};

// One for each format of mesh_formats(), named by its extension.
std::vector<TargetRow> mesh_targets();

// Other files that a user gives.
void json(std::string_view input);
void scene(std::string_view input);      // a scene file, whose model is built
void selection(std::string_view input);  // JSON of a selection
void set_value(std::string_view input);  // what stands behind --set
void npy(std::string_view input);
void modes(std::string_view input);  // a .npz that `sinew modes` wrote

void request_target(std::string_view input);  // what a browser asks of a server
void live_message(std::string_view input);    // what viewers of a live simulation say, a message a line
void live_script(std::string_view input);

// What sinew wrote itself.
void xml(std::string_view input);
void frame(std::string_view input);  // a .vtu to start from
void step_log(std::string_view input);
void sound_log(std::string_view input);  // steps.bin of a sound, also with the head that its reader expects
void archive(std::string_view input);
void checkpoint(std::string_view input);  // one whose hash is right, but with one entry replaced

}  // namespace sinew::fuzz
