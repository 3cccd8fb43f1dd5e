#include "sinew/io/checkpoint.h"

#include <algorithm>
#include <array>

#include "sinew/core/error.h"
#include "sinew/scene/scene.h"

namespace sinew {
namespace {

constexpr const char* kind = "checkpoint";

template <class Matrix>
void add_matrix(ContentHash& hash, const Matrix& m) {
  hash.add(m.data(), static_cast<std::size_t>(m.size()) * sizeof(*m.data()));
}

void add_keys(const Keyframes& keys, ContentHash& hash) {
  hash.add_values(std::span<const double>(keys.times));
  add_matrix(hash, keys.values);
}

void add_muscle(const Muscle& muscle, ContentHash& hash) {
  hash.add_values(std::span<const double>(&muscle.most, 1));
  if (muscle.length != 1) hash.add_values(std::span<const double>(&muscle.length, 1));
  add_keys(muscle.length_keys, hash);
}

// An entry that holds JSON.
Json json_entry(const std::string& path, const ArchiveReader& archive, const char* name) {
  constexpr int deepest = 100;  // levels of nesting: values are written and compared by recursion
  bool deep = false;
  Json value = Json::parse(
      archive.text(name), [&](int depth, Json::parse_event_t, Json&) { return !(deep = deep || depth > deepest); },
      /*allow_exceptions=*/false);
  if (deep || value.is_discarded())
    fail_input(code::file_damaged, "{}: entry '{}' is damaged; start the run again", path, name);
  return value;
}

Json scene_entry(const std::string& path, const ArchiveReader& archive) {
  Json scene = json_entry(path, archive, "scene");
  if (!scene.is_object()) fail_input(code::file_damaged, "{}: entry 'scene' is damaged; start the run again", path);
  return scene;
}

// With the defaults of keys that came after the version that wrote it. A scene this version would not read stays as it
// is: the comparison then names what has changed.
Json with_new_keys(const Json& stored, const std::string& path) {
  try {
    return completed_scene(nlohmann::json(stored), path);
  } catch (const InputError&) {
    return stored;
  }
}

// A list of objects whose texts are there, or null.
Json findings_entry(const std::string& path, const ArchiveReader& archive) {
  constexpr const char* name = "progress/findings";
  if (!archive.has(name)) return {};
  Json findings = json_entry(path, archive, name);
  const auto whole = [](const Json& finding) {
    const auto text = [&](const char* key) { return finding.contains(key) && finding[key].is_string(); };
    return finding.is_object() && text("kind") && text("severity") && text("message") && text("remedy");
  };
  const bool good = findings.is_null() || (findings.is_array() && std::ranges::all_of(findings, whole));
  if (!good) fail_input(code::file_damaged, "{}: entry '{}' is damaged; start the run again", path, name);
  return findings;
}

std::string shortened(const Json& value) {
  constexpr std::size_t longest = 80;
  std::string text = value.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return text;
}

// "solver.tolerance is 0.1 in the scene, 0.01 in the checkpoint", or empty. Follows JSON Patch's first entry.
std::string first_difference(const Json& scene, const Json& stored) {
  const Json patch = Json::diff(stored, scene);
  if (patch.empty()) return "";
  const std::string pointer_text = patch.front().at("path");
  const Json::json_pointer pointer(pointer_text);
  std::string name = pointer_text.substr(1);
  for (char& c : name) c = c == '/' ? '.' : c;
  const auto value = [&](const Json& whole) {
    return whole.contains(pointer) ? shortened(whole.at(pointer)) : std::string("absent");
  };
  return fmt::format("{} is {} in the scene, {} in the checkpoint", name, value(scene), value(stored));
}

std::string hash_of(const SceneText& scene, const System& system) {
  return scene.system_hash.empty() ? system_hash(system) : scene.system_hash;
}

void check_scene(const std::string& path, const ArchiveReader& archive, const SceneText& scene, const System& system) {
  const Json stored = with_new_keys(scene_entry(path, archive), path);
  const std::string difference = first_difference(deciding_part(scene.completed), deciding_part(stored));
  if (!difference.empty()) {
    fail_input(
        code::checkpoint_scene,
        "{}: belongs to another scene: {}. Undo the change, or start again in another folder or with --overwrite.",
        path, difference);
  }
  if (archive.text("system_hash") != hash_of(scene, system)) {
    fail_input(code::checkpoint_scene,
               "{}: the scene is unchanged, but its mesh or field files have changed. Restore them, or start again in "
               "another folder or with --overwrite.",
               path);
  }
}

}  // namespace

Json deciding_part(Json scene) {
  scene.erase("output");
  scene.erase("compare");
  scene.erase("initial");  // the state is in the checkpoint
  // In statics the number of steps is that of the load steps.
  const auto is_object = [&](const char* key) { return scene.contains(key) && scene[key].is_object(); };
  if (is_object("time") && scene["time"].value("mode", Json()) != "static") scene["time"].erase("steps");
  if (is_object("solver")) scene["solver"].erase("max_iterations");
  return scene;
}

std::string system_hash(const System& system) {
  ContentHash hash;
  add_matrix(hash, system.user_rest);
  add_matrix(hash, system.user_tets);
  add_matrix(hash, system.rest);
  add_matrix(hash, system.tets);
  add_matrix(hash, system.collision.triangles);
  hash.add_values(std::span<const double>(system.mass));
  if (!system.collision.owner_offset.empty()) hash.add_values(std::span<const double>(system.collision.owner_offset));
  for (const ElasticGroup& group : system.groups) {
    if (group.elements != Elements::linear) hash.add(std::string(element_name(group.elements)));
    for (const auto& parameter : group.parameters) hash.add_values(std::span<const double>(parameter));
    hash.add_values(std::span<const double>(group.fiber_stiffness));
    add_matrix(hash, group.fiber_direction);
    for (const auto& [name, muscle] : system.muscles) add_muscle(muscle, hash);
    for (const Points& family : group.families) add_matrix(hash, family);
    add_matrix(hash, group.initial_stretch);
    hash.add_values(std::span<const double>(group.expansion));
  }
  for (const EdgeSpring& spring : system.edge_springs) {
    const Index ids[] = {spring.a, spring.b, spring.bending};
    const double values[] = {spring.length, spring.stiffness};
    hash.add_values(std::span<const Index>(ids));
    hash.add_values(std::span<const double>(values));
    if (spring.longest > 0) hash.add_values(std::span<const double>(&spring.longest, 1));
  }
  for (const ObstacleSetup& obstacle : system.setup.obstacles) {
    if (!obstacle.motion.course) continue;
    hash.add_values(std::span<const double>(obstacle.motion.course->times));
    for (const Points& places : obstacle.motion.course->places) add_matrix(hash, places);
  }
  return hash.hex();
}

std::string mesh_hash(const System& system) {
  ContentHash hash;
  add_matrix(hash, system.user_tets);
  if (system.triangle_count() > 0) add_matrix(hash, system.user_triangles);
  for (const SystemBody& body : system.bodies) hash.add_values(std::span<const Index>(&body.vertex_count, 1));
  return hash.hex();
}

std::string history_layout(const System& system) {
  const auto remembers = [](const ElasticGroup& group) { return group.flows || !group.viscosity.empty(); };
  if (std::ranges::none_of(system.groups, remembers)) return "";
  ContentHash hash;
  add_matrix(hash, system.tets);
  for (const ElasticGroup& group : system.groups) {
    const Index numbers[] = {group.tet_begin,
                             group.tet_end,
                             static_cast<Index>(group.elements),
                             group.flows,
                             static_cast<Index>(group.viscosity.size()),
                             group.bulk_relaxes};
    hash.add_values(std::span<const Index>(numbers));
  }
  return hash.hex();
}

namespace {

void write(ArchiveWriter& archive, const SceneText& scene, const Simulation& simulation, const RunProgress& progress) {
  archive.write("scene", (scene.built.is_null() ? scene.completed : scene.built).dump());
  archive.write("base_folder", scene.base_folder);
  archive.write("system_hash", hash_of(scene, simulation.system()));
  archive.write("progress/row", progress.row.dump());
  archive.write("progress/seconds", std::array{progress.setup_seconds, progress.total_seconds});
  archive.write("progress/findings", progress.findings.dump());
  archive.write("mesh/hash", scene.mesh_hash.empty() ? mesh_hash(simulation.system()) : scene.mesh_hash);
  archive.write("mesh/vertex_to_user", std::span<const Index>(simulation.system().vertex_to_user));
  if (const std::string layout = history_layout(simulation.system()); !layout.empty())
    archive.write("mesh/history_layout", layout);
  simulation.save(archive);
}

}  // namespace

void write_checkpoint(const std::string& path, const SceneText& scene, const Simulation& simulation,
                      const RunProgress& progress) {
  ArchiveWriter archive(path, kind);
  write(archive, scene, simulation, progress);
  archive.commit();
}

std::string checkpoint_bytes(const SceneText& scene, const Simulation& simulation) {
  ArchiveWriter archive("checkpoint", kind);
  write(archive, scene, simulation, {});
  return archive.bytes();
}

ArchiveReader checkpoint_from_bytes(std::string bytes, const std::string& source) {
  return ArchiveReader::from_bytes(std::move(bytes), kind, source);
}

SceneText checkpoint_scene(const std::string& path) {
  return checkpoint_scene(ArchiveReader(path, kind));
}

SceneText checkpoint_scene(const ArchiveReader& archive) {
  return {scene_entry(archive.source(), archive), archive.text("base_folder"), archive.text("system_hash"), ""};
}

bool holds_changes(const std::string& path) {
  return ArchiveReader(path, kind).has("changes");
}

void load_state(const std::string& path, Simulation& simulation) {
  const ArchiveReader archive(path, kind);
  if (archive.text("mesh/hash") != mesh_hash(simulation.system()))
    fail_input(code::checkpoint_scene, "{}: belongs to other meshes than those of the scene; use the scene of the run",
               path);
  simulation.load(archive);
}

RunProgress load_checkpoint(const std::string& path, const SceneText& scene, Simulation& simulation) {
  return load_checkpoint(ArchiveReader(path, kind), scene, simulation);
}

RunProgress load_checkpoint(const ArchiveReader& archive, const SceneText& scene, Simulation& simulation) {
  const std::string& path = archive.source();
  check_scene(path, archive, scene, simulation.system());
  simulation.load(archive);
  RunProgress progress;
  progress.row = json_entry(path, archive, "progress/row");
  progress.findings = findings_entry(path, archive);
  const auto seconds = archive.doubles("progress/seconds");
  if (seconds.size() != 2)
    fail_input(code::file_damaged, "{}: entry 'progress/seconds' is damaged; start the run again", path);
  progress.setup_seconds = seconds[0];
  progress.total_seconds = seconds[1];
  return progress;
}

}  // namespace sinew
