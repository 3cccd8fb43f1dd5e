// What users do to a running simulation, and scripts of it: sinew run SCENE --script FILE does the same at the same
// steps, to the same bits.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sinew/core/types.h"

namespace sinew {

using Json = nlohmann::ordered_json;

enum class LiveAction { pull, release, set, method, curves };

struct LiveEvent {
  int step = 0;  // steps done before it, since the script's start
  LiveAction action = LiveAction::set;
  int client = 0, id = 0;      // whose pull, and which one of that viewer
  Index vertex = 0;            // user numbering, over all bodies
  Vec3 target = Vec3::Zero();  // [m]
  double stiffness = 0;        // [N/m]
  std::string key;             // of a setting; or the name of a method, or of a material
  Json value;                  // of a setting; or curves of the material by name, and "rest"
};

// The same of a message and of an event in a script: {"material": NAME, "curves": {"a": ...}, "rest": "mend"}.
class MessageFields;
void read_curves(const MessageFields& fields, LiveEvent& event);

// As in a script, and as Python's on_event has it.
Json event_json(const LiveEvent& event);

// Events with the numbers that pulls, settings and methods have; all in a file.
struct LiveScript {
  std::string scene;              // its name, to tell mistakes
  std::string start;              // a checkpoint's file that it starts from; empty: the scene's own start
  int before_start = 0;           // of the events, as many are in the start already: settings and method
  int steps = 0;                  // that were made
  std::vector<LiveEvent> events;  // ascending steps
};

// Throws InputError naming the file, the event and what is wrong with it.
LiveScript read_live_script(const std::string& path);

void write_live_script(const std::string& path, const LiveScript& script);

}  // namespace sinew
