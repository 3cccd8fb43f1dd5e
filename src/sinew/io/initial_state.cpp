#include "sinew/io/initial_state.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "sinew/core/archive.h"
#include "sinew/core/input_file.h"
#include "sinew/core/log.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/formats/byte_reader.h"
#include "sinew/formats/vtk_encoding.h"
#include "sinew/formats/xml.h"
#include "sinew/io/checkpoint.h"
#include "sinew/io/user_cells.h"

namespace sinew {
namespace {

// A Float64 array of 3 components, appended as base64, which is how sinew writes frames.
Points frame_array(const std::string& path, const XmlElement& piece, std::string_view section, std::string_view name,
                   std::string_view appended) {
  const XmlElement* parent = piece.child(section);
  if (!parent) fail_input(code::initial, "{}: has no <{}>; expected a frame that sinew wrote", path, section);
  for (const XmlElement& array : parent->children) {
    if (array.attribute("Name") != name) continue;
    std::int64_t offset = 0;
    if (array.attribute("type") != "Float64" || array.attribute("format") != "appended" ||
        !parse_integer(array.attribute("offset"), offset) || offset < 0 ||
        static_cast<std::size_t>(offset) > appended.size()) {
      fail_input(code::initial, "{}: '{}' is not stored the way sinew does it; expected a frame that sinew wrote", path,
                 name);
    }
    const std::string bytes = vtk_decode(appended.substr(static_cast<std::size_t>(offset)), VtkBlobOptions{});
    Points values(3, static_cast<Eigen::Index>(bytes.size() / (3 * sizeof(double))));
    std::copy_n(bytes.data(), static_cast<std::size_t>(values.size()) * sizeof(double),
                reinterpret_cast<char*>(values.data()));
    return values;
  }
  fail_input(code::initial, "{}: has no '{}' in <{}>; expected a frame of the bodies that sinew wrote", path, name,
             section);
}

// What a frame's field data hold as text; empty: nothing of that name.
std::string_view field_text(const XmlElement& grid, std::string_view name) {
  const XmlElement* fields = grid.child("FieldData");
  if (!fields) return "";
  for (const XmlElement& array : fields->children)
    if (array.attribute("Name") == name && array.attribute("format") == "ascii") return array.text;
  return "";
}

// The time of a state, and of which mode it is.
struct Clock {
  double time = 0;  // [s]; in statics the share of the load
  bool statics = false;
};

// Along a path of equilibria loads may be negative.
bool is_time(const Clock& clock) {
  return std::isfinite(clock.time) && (clock.statics || clock.time >= 0);
}

Clock frame_clock(const std::string& path, const XmlElement& grid) {
  std::string_view text = field_text(grid, "TimeValue");
  const auto begin = text.find_first_not_of(" \t\r\n");
  text = begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
  const char* remedy = "to start at time 0 give {\"file\": ..., \"time\": \"reset\"}";
  if (text.empty()) {
    fail_input(code::initial,
               "{}: has no time (TimeValue in <FieldData>) from which the run could continue; {}, or use a frame that "
               "sinew wrote",
               path, remedy);
  }
  Clock clock;
  clock.statics = !field_text(grid, "statics").empty();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), clock.time);
  if (error != std::errc() || end != text.data() + text.size() || !is_time(clock))
    fail_input(code::initial, "{}: found time \"{}\" (TimeValue in <FieldData>), expected a number of at least 0; {}",
               path, printable(text), remedy);
  return clock;
}

Clock checkpoint_clock(const std::string& path, const ArchiveReader& archive) {
  const Json scene = checkpoint_scene(path).completed;
  const Clock clock{archive.scalar("state/time"),
                    scene.value(Json::json_pointer("/time/mode"), Json("dynamic")) != "dynamic"};
  if (!is_time(clock))
    fail_input(code::initial, "{}: found time {}, expected one of at least 0; the file is damaged", path, clock.time);
  return clock;
}

// From which the run goes on.
void set_time(const Clock& clock, const System& system, InitialMotion& motion) {
  motion.other_clock = clock.statics != (system.setup.time.integrator == Integrator::statics);
  motion.time = motion.other_clock ? 0 : clock.time;
}

InitialMotion read_frame(const std::string& path, const System& system, bool reset_time) {
  require_file(path);
  const std::string bytes = read_whole_file(path);
  ByteReader reader(path, bytes);
  const XmlElement root = parse_xml(reader, "AppendedData");
  const XmlElement* grid = root.child("UnstructuredGrid");
  const XmlElement* piece = grid ? grid->child("Piece") : nullptr;
  const XmlElement* data = root.child("AppendedData");
  if (!piece || !data) fail_input(code::initial, "{}: expected a frame that sinew wrote", path);
  const std::size_t start = data->text.find('_');
  const std::string_view appended = start == std::string_view::npos ? "" : data->text.substr(start + 1);
  const Points x = frame_array(path, *piece, "Points", "Points", appended);
  const Points v = frame_array(path, *piece, "PointData", "velocity", appended);
  if (x.cols() != system.user_vertex_count || v.cols() != x.cols()) {
    fail_input(code::initial, "{}: holds {} vertices, the scene has {}; expected a frame of the same bodies", path,
               x.cols(), system.user_vertex_count);
  }
  std::int64_t tets = 0;
  if (!parse_integer(piece->attribute("NumberOfCells"), tets) ||
      tets != user_tets_of(system) + system.triangle_count()) {
    fail_input(code::initial, "{}: holds {} {}, the scene has {}; expected a frame of the same bodies", path, tets,
               system.triangle_count() > 0 ? "tets and triangles" : "tets",
               user_tets_of(system) + system.triangle_count());
  }
  InitialMotion motion{system.from_user(x), system.from_user(v)};
  if (system.flows())
    log::warning(
        "{}: a frame has no history of plastic materials, which start as if they had not flowed; checkpoints "
        "have it",
        path);
  if (std::ranges::any_of(system.bolts, [](const Bolt& bolt) { return bolt.setup.by_force; }))
    log::warning("{}: a frame has no shortening of bolts with a force, which start loose; checkpoints have it", path);
  if (!reset_time) set_time(frame_clock(path, *grid), system, motion);
  return motion;
}

InitialMotion read_checkpoint_motion(const std::string& path, const System& system, bool reset_time) {
  const ArchiveReader archive(path, "checkpoint");
  if (archive.text("mesh/hash") != mesh_hash(system))
    fail_input(code::initial,
               "{}: belongs to other meshes than those of the scene; expected a checkpoint of the same bodies", path);
  const Points x = archive.points("state/x"), v = archive.points("state/v");
  const std::vector<Index> to_user = archive.integers32("mesh/vertex_to_user");
  if (x.cols() < static_cast<Index>(to_user.size()) || v.cols() != x.cols())
    fail_input(code::initial, "{}: holds {} positions of {} vertices; the file is damaged", path, x.cols(),
               to_user.size());
  // The other run may number vertices otherwise.
  Points user_x = system.user_rest, user_v = Points::Zero(3, system.user_vertex_count);
  for (std::size_t i = 0; i < to_user.size(); ++i) {
    if (to_user[i] == -1) continue;  // a control point
    if (to_user[i] < 0 || to_user[i] >= system.user_vertex_count)
      fail_input(code::initial, "{}: has vertex {} of {}; the file is damaged", path, to_user[i],
                 system.user_vertex_count);
    user_x.col(to_user[i]) = x.col(static_cast<Index>(i));
    user_v.col(to_user[i]) = v.col(static_cast<Index>(i));
  }
  InitialMotion motion{system.from_user(user_x), system.from_user(user_v)};
  if (!reset_time) set_time(checkpoint_clock(path, archive), system, motion);
  if (archive.has("state/shortening")) motion.shortening = archive.doubles("state/shortening");
  if (motion.shortening.size() != system.bolts.size())
    fail_input(code::initial,
               "{}: holds the shortening of {} bolts, the scene has {}; give the bodies those of that run", path,
               motion.shortening.size(), system.bolts.size());
  const std::string layout = history_layout(system);
  if (layout.empty() || !archive.has("state/material_history")) return motion;
  if (archive.text("mesh/history_layout") != layout)
    fail_input(
        code::initial,
        "{}: holds the history of other viscous or plastic materials than those of the scene; give the bodies the "
        "kinds of materials of that run, or start from a frame",
        path);
  motion.material_history = archive.doubles("state/material_history");
  return motion;
}

}  // namespace

InitialMotion read_initial(const InitialSetup& initial, const System& system) {
  const std::string& path = initial.path;
  const std::string reason = why_unfit(path);
  if (!reason.empty()) fail_input(code::file_read, "initial: cannot read \"{}\": {}", path, reason);
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    fail_input(code::file_read, "initial: found no file \"{}\", expected a frame or checkpoint of a run", path);
  const bool frame = std::filesystem::path(path).extension() == ".vtu";
  return frame ? read_frame(path, system, initial.reset_time)
               : read_checkpoint_motion(path, system, initial.reset_time);
}

std::optional<InitialMotion> read_start(const InitialSetup& initial, const System& system, const std::string& source) {
  if (initial.path.empty()) return {};
  try {
    return read_initial(initial, system);
  } catch (const InputError& error) {
    fail_input(error.code(), "{}: {}", source, error.what());
  }
}

State start_state(const System& system, const std::optional<InitialMotion>& motion) {
  State state = initial_state(system, motion ? motion->time : 0);
  if (!motion) return state;
  state.x.leftCols(motion->x.cols()) = motion->x;
  state.v.leftCols(motion->v.cols()) = motion->v;
  state.material_history = motion->material_history;
  state.shortening = motion->shortening;
  return state;
}

std::unique_ptr<Simulation> start_simulation(std::shared_ptr<const System> system, const InitialSetup& initial,
                                             const std::string& source) {
  const std::optional<InitialMotion> motion = read_start(initial, *system, source);
  return start_simulation(std::move(system), motion, source);
}

std::unique_ptr<Simulation> start_simulation(std::shared_ptr<const System> system,
                                             const std::optional<InitialMotion>& motion, const std::string& source) {
  try {
    return std::make_unique<Simulation>(std::move(system), motion);
  } catch (const InputError& error) {
    fail_input(error.code(), "{}: {}", source, error.what());
  }
}

}  // namespace sinew
