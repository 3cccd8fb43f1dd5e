// Users' actions on a running simulation, and scripts of them: sinew run SCENE --script FILE repeats them at the same
// steps, bit for bit.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sinew/core/types.h"

namespace sinew {

using Json = nlohmann::ordered_json;

enum class LiveAction { pull, release, set, method, curves };

struct LiveEvent {
  int step = 0;  // steps before it, since the script's start
  LiveAction action = LiveAction::set;
  int client = 0, id = 0;      // viewer, and number of the viewer's pull
  Index vertex = 0;            // user numbering, over all bodies
  Vec3 target = Vec3::Zero();  // [m]
  double stiffness = 0;        // [N/m]
  std::string key;             // of a setting; or the name of a method, or of a material
  Json value;                  // of a setting; or curves of the material by name, and "rest"
};

// Reads curves from a message or an event of a script: {"material": NAME, "curves": {"a": ...}, "rest": "mend"}.
class MessageFields;
void read_curves(const MessageFields& fields, LiveEvent& event);

// Returns the event as in a script and in Python's on_event.
Json event_json(const LiveEvent& event);

// A file of events.
struct LiveScript {
  std::string scene;              // name of the scene, to detect mistakes
  std::string start;              // file of the initial checkpoint; empty: the scene's own start
  int before_start = 0;           // number of events already contained in the start: settings and method
  int steps = 0;                  // steps of the recording
  std::vector<LiveEvent> events;  // ascending steps
};

// Throws InputError naming the file, the event and the fault.
LiveScript read_live_script(const std::string& path);

void write_live_script(const std::string& path, const LiveScript& script);

}  // namespace sinew
