// Users' actions on a running simulation (events), and scripts of events. `sinew run SCENE --script FILE` repeats them
// at the same steps, bit for bit. Changes by a Python script are events, too.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sinew/core/types.h"

namespace sinew {

using Json = nlohmann::ordered_json;

// edit: changes by a script (edit_event.h). state: a script has set the state, which a replay cannot do.
enum class LiveAction { pull, release, set, method, curves, edit, state };

struct LiveEvent {
  int step = 0;  // steps between the script's start and the event
  LiveAction action = LiveAction::set;
  int client = 0, id = 0;      // viewer; number of the viewer's pull
  Index vertex = 0;            // vertex in user numbering, over all bodies
  Vec3 target = Vec3::Zero();  // target of a pull [m]
  double stiffness = 0;        // of a pull [N/m]
  std::string key;             // key of a setting, name of a method or of a material, or what of the state was set
  Json value;                  // value of the setting, the material's curves by name and "rest", or entries of edits
};

// Reads curves from a message or an event of a script: {"material": NAME, "curves": {"a": ...}, "rest": "mend"}.
class MessageFields;
void read_curves(const MessageFields& fields, LiveEvent& event);

// Returns the event as written in scripts and as passed to Python's on_event.
Json event_json(const LiveEvent& event);

// A script: a file of events.
struct LiveScript {
  std::string scene;              // name of the scene, to detect a script of another scene
  std::string start;              // file of the initial checkpoint; empty: starts from the scene
  int before_start = 0;           // number of events, of settings and method, that the start already contains
  int steps = 0;                  // number of steps of the recording
  std::vector<LiveEvent> events;  // in ascending order of steps
};

// Reads a script. Throws InputError naming the file, the event and the fault.
LiveScript read_live_script(const std::string& path);

void write_live_script(const std::string& path, const LiveScript& script);

}  // namespace sinew
