#include "sinew/io/initial_state.h"

#include <cstring>
#include <filesystem>
#include <string_view>

#include "sinew/core/archive.h"
#include "sinew/mesh/byte_reader.h"
#include "sinew/mesh/vtk_encoding.h"
#include "sinew/mesh/xml.h"

namespace sinew {
namespace {

struct Motion3 {
  Points x, v;
};

// A Float64 array of 3 components, appended as base64, which is how sinew writes frames.
Points frame_array(const std::string& path, const XmlElement& piece, std::string_view section, std::string_view name,
                   std::string_view appended) {
  const XmlElement* parent = piece.child(section);
  if (!parent) fail_input("{}: has no <{}>; expected a frame that sinew wrote", path, section);
  for (const XmlElement& array : parent->children) {
    if (array.attribute("Name") != name) continue;
    std::int64_t offset = 0;
    if (array.attribute("type") != "Float64" || array.attribute("format") != "appended" ||
        !parse_integer(array.attribute("offset"), offset) || offset < 0 ||
        static_cast<std::size_t>(offset) > appended.size()) {
      fail_input("{}: '{}' is not stored the way sinew does it; expected a frame that sinew wrote", path, name);
    }
    const std::string bytes = vtk_decode(appended.substr(static_cast<std::size_t>(offset)), VtkBlobOptions{});
    Points values(3, static_cast<Eigen::Index>(bytes.size() / (3 * sizeof(double))));
    std::memcpy(values.data(), bytes.data(), static_cast<std::size_t>(values.size()) * sizeof(double));
    return values;
  }
  fail_input("{}: has no '{}' in <{}>; expected a frame of the bodies that sinew wrote", path, name, section);
}

Motion3 read_frame(const std::string& path, const System& system) {
  ByteReader reader(path);
  const XmlElement root = parse_xml(reader, "AppendedData");
  const XmlElement* grid = root.child("UnstructuredGrid");
  const XmlElement* piece = grid ? grid->child("Piece") : nullptr;
  const XmlElement* data = root.child("AppendedData");
  if (!piece || !data) fail_input("{}: expected a frame that sinew wrote", path);
  const std::size_t start = data->text.find('_');
  const std::string_view appended = start == std::string_view::npos ? "" : data->text.substr(start + 1);
  const Points x = frame_array(path, *piece, "Points", "Points", appended);
  const Points v = frame_array(path, *piece, "PointData", "velocity", appended);
  if (x.cols() != system.user_vertex_count || v.cols() != x.cols()) {
    fail_input("{}: holds {} vertices, the scene has {}; expected a frame of the same bodies", path, x.cols(),
               system.user_vertex_count);
  }
  return {system.from_user(x), system.from_user(v)};
}

Motion3 read_checkpoint_motion(const std::string& path, const System& system) {
  const ArchiveReader archive(path, "checkpoint");
  const Points x = archive.points("state/x"), v = archive.points("state/v");
  if (x.cols() < system.dynamic_count || v.cols() != x.cols()) {
    fail_input("{}: holds {} vertices, the scene has {}; expected a checkpoint of the same bodies", path, x.cols(),
               system.dynamic_count);
  }
  return {x.leftCols(system.dynamic_count), v.leftCols(system.dynamic_count)};
}

}  // namespace

void start_from_file(Simulation& simulation, const std::string& path) {
  const System& system = simulation.system();
  const bool frame = std::filesystem::path(path).extension() == ".vtu";
  const Motion3 motion = frame ? read_frame(path, system) : read_checkpoint_motion(path, system);
  try {
    simulation.set_positions(motion.x);
    simulation.set_velocities(motion.v);
  } catch (const InputError& error) {
    fail_input("{}: {}", path, error.what());
  }
}

}  // namespace sinew
