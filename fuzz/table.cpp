#include "targets.h"

namespace sinew::fuzz {
namespace {

const std::vector<TargetRow>& table() {
  static const std::vector<TargetRow> rows = [] {
    std::vector<TargetRow> all = mesh_targets();
    const TargetRow others[] = {{"json", json},
                                {"scene", scene},
                                {"selection", selection},
                                {"set_value", set_value},
                                {"npy", npy},
                                {"modes", modes},
                                {"request_target", request_target},
                                {"live_message", live_message},
                                {"live_script", live_script},
                                {"xml", xml},
                                {"frame", frame},
                                {"step_log", step_log},
                                {"sound_log", sound_log},
                                {"archive", archive},
                                {"checkpoint", checkpoint}};
    all.insert(all.end(), std::begin(others), std::end(others));
    return all;
  }();
  return rows;
}

}  // namespace

Target find_target(std::string_view name) {
  for (const TargetRow& row : table()) {
    if (name == row.name) return row.run;
  }
  return nullptr;
}

std::string target_names() {
  std::string names;
  for (const TargetRow& row : table()) names += (names.empty() ? "" : " ") + row.name;
  return names;
}

}  // namespace sinew::fuzz
