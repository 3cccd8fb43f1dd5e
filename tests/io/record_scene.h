// A scene run into a folder, as `sinew run` does it.
#pragma once

#include <memory>
#include <string>

#include "sinew/io/recorder.h"
#include "sinew/scene/scene.h"

namespace sinew::test {

// To step `until`, in the formats of the scene; without `finish` it ends as a process does that is killed. Returns the
// simulation as it ended.
inline std::unique_ptr<Simulation> record(const nlohmann::json& json, const std::string& folder, FolderMode mode,
                                          int until, bool finish = true) {
  Scene scene = parse_scene(json, ".");
  RecorderSettings settings;
  settings.folder = folder;
  settings.mode = mode;
  settings.formats = scene.output.formats;
  settings.every = scene.output.every;
  settings.checkpoint = scene.output.checkpoint;
  settings.sound = scene.output.sound;
  settings.fields = scene.output.fields;
  settings.nodal_fields = scene.output.nodal_fields;
  settings.facts = {scene.setup.name, "newton", 1};
  settings.scene = {scene.completed, ".", ""};
  auto simulation = std::make_unique<Simulation>(build_system(std::move(scene.setup)));
  Recorder recorder(settings, *simulation);
  while (simulation->state().step < until) recorder.record(simulation->step());
  if (finish) recorder.finish();
  return simulation;
}

}  // namespace sinew::test
