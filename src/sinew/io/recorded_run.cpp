#include "sinew/io/recorded_run.h"

#include <algorithm>
#include <filesystem>

#include "sinew/core/error.h"
#include "sinew/core/symmetric_tensor.h"
#include "sinew/io/checkpoint.h"
#include "sinew/io/file_stem.h"
#include "sinew/io/recorder.h"
#include "sinew/io/report_surface.h"
#include "sinew/io/requested_fields.h"
#include "sinew/io/vtu_frames.h"
#include "sinew/mesh/strain.h"
#include "sinew/scene/scene.h"

namespace sinew {
namespace fs = std::filesystem;

namespace {

constexpr const char* obstacle_series = "_obstacles";

std::shared_ptr<const System> recorded_system(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    fail_input(code::run_folder, "{}: expected the output folder of a run, found {}; for example out/demo", folder,
               fs::exists(folder, error) ? "a file" : "nothing");
  }
  const std::string checkpoint = checkpoint_path(folder);
  if (!fs::exists(checkpoint, error)) {
    fail_input(
        code::run_folder,
        "{}: found no checkpoint, which holds the scene of the run; run the scene with output.checkpoint above 0",
        folder);
  }
  const SceneText text = checkpoint_scene(checkpoint);
  ReadingHooks hooks;
  hooks.log_warnings = false;  // they were logged by the run, about keys that the user gave
  Scene scene = parse_scene(nlohmann::json(text.completed), text.base_folder, checkpoint, hooks);
  return build_system(scene);
}

// The number before ".vtu", as VtuSeries writes it.
int frame_step(const std::string& path) {
  const std::string stem = fs::path(path).stem().string();
  return std::atoi(stem.c_str() + stem.rfind('_') + 1);
}

// From the squares of ObstacleSurface::positions().
PlaneState plane_of(const Points& corners) {
  const Vec3 a = corners.col(1) - corners.col(0), b = corners.col(3) - corners.col(0);
  return {corners.rowwise().mean(), a.cross(b).normalized(), Vec3::Zero()};
}

// One number of a vector or tensor, as fields are coloured on pages.
double colour_number(const double* own, int width, bool vector) {
  switch (width) {
    case 1:
      return own[0];
    case 3:
      return vector ? Eigen::Map<const Vec3>(own).norm() : own[0];
    case 6:
      return von_mises(symmetric_matrix(own));
    default:
      return Eigen::Map<const Mat3>(own).norm();
  }
}

std::string unit_of(const std::string& name) {
  for (const ReportField& field : report_fields)
    if (name == field.name) return field.unit;
  for (const FieldInfo& field : field_table())
    if (name == field.name || name == std::string("nodal_") + field.name) return field.unit;
  return name.starts_with("nodal_") && !name.ends_with("strain") ? "Pa" : name.ends_with("force") ? "N" : "";
}

// The array of a frame in which a field of the page is found.
std::string array_of(const std::string& field) {
  return field == "speed" ? "velocity" : field;
}

}  // namespace

State RecordedFrame::state(const System& system) const {
  State state;
  state.x = system.rest;
  state.x.rightCols(obstacles.cols()) = obstacles;
  state.v = Points::Zero(3, system.vertex_count());
  state.planes = planes;
  state.time = time;
  state.step = step;
  return state;
}

RecordedRun::RecordedRun(const std::string& folder) : folder_(folder), system_(recorded_system(folder)) {
  list_frames();
  list_fields();
}

void RecordedRun::list_frames() {
  const std::string frames = folder_ + "/" + VtuFrames::folder_name, stem = file_stem(system_->setup.name);
  for (const std::string& path : VtuSeries(frames, stem).files()) frames_.push_back({frame_step(path), path, ""});
  if (frames_.empty()) {
    fail_input(code::run_folder, "{}: found no frames in {}; run the scene with \"vtu\" in output.formats", folder_,
               frames);
  }
  // Obstacles have further frames from when one of them moves.
  const std::vector<std::string> obstacles = VtuSeries(frames, stem + obstacle_series).files();
  for (Entry& entry : frames_)
    for (const std::string& path : obstacles)
      if (frame_step(path) <= entry.step) entry.obstacles = path;
}

void RecordedRun::list_fields() {
  const RecordedArrays first(frames_.front().path);
  if (first.points().cols() != system_->user_vertex_count) {
    fail_input(code::run_folder, "{}: holds {} vertices, the scene in the checkpoint has {}; run the scene again",
               frames_.front().path, first.points().cols(), system_->user_vertex_count);
  }
  for (const ReportField& field : report_fields)
    if (std::string(field.name) == "strain" || first.has(array_of(field.name)))
      fields_.push_back({field.name, field.unit});
  for (const std::string& name : first.names()) {
    const bool known = name == "velocity" || name == "cauchy_stress" ||
                       std::ranges::any_of(fields_, [&](const auto& f) { return f.name == name; });
    if (!known) fields_.push_back({name, unit_of(name)});
  }
  cell_begin_.push_back(0);
  const auto add = [&](const auto& corners) {
    cell_corners_.insert(cell_corners_.end(), corners.begin(), corners.end());
    cell_begin_.push_back(static_cast<Index>(cell_corners_.size()));
  };
  for (const SystemBody& body : system_->bodies) {
    for (Index q = 0; q < body.quadratic_count; ++q) add(system_->user_quadratic_tets.col(body.quadratic_begin + q));
    if (body.quadratic_count == 0)
      for (Index t = 0; t < body.tet_count; ++t) add(system_->user_tets.col(body.tet_user_begin + t));
  }
  for (const auto& triangle : system_->user_triangles.colwise()) add(triangle);
}

RecordedFrame RecordedRun::frame(std::size_t k) const {
  const Entry& entry = frames_[k];
  const RecordedArrays arrays(entry.path);
  RecordedFrame frame{entry.step, arrays.time(), arrays.points(), {}, {}};
  const Index meshes = system_->obstacle_vertex_count(), planes = static_cast<Index>(system_->planes.size());
  if (frame.user.cols() != system_->user_vertex_count)
    fail_input(code::file_damaged, "{}: holds {} vertices, expected {}; run the scene again", entry.path,
               frame.user.cols(), system_->user_vertex_count);
  frame.obstacles = system_->rest.rightCols(meshes);
  if (entry.obstacles.empty()) {
    for (const PlaneSetup& plane : system_->planes) frame.planes.push_back({plane.point, plane.normal, Vec3::Zero()});
    return frame;
  }
  const Points all = RecordedArrays(entry.obstacles).points();
  if (all.cols() != meshes + 4 * planes)
    fail_input(code::file_damaged, "{}: holds {} vertices, expected {}; run the scene again", entry.obstacles,
               all.cols(), meshes + 4 * planes);
  frame.obstacles = all.leftCols(meshes);
  for (Index p = 0; p < planes; ++p) frame.planes.push_back(plane_of(all.middleCols(meshes + 4 * p, 4)));
  return frame;
}

// Means over the cells around each vertex, one number each.
VecX RecordedRun::vertex_means(const std::vector<double>& by_cell, int width) const {
  VecX sum = VecX::Zero(system_->user_vertex_count), count = sum;
  for (std::size_t c = 0; c + 1 < cell_begin_.size(); ++c) {
    const double value = colour_number(by_cell.data() + c * static_cast<std::size_t>(width), width, false);
    for (Index i = cell_begin_[c]; i < cell_begin_[c + 1]; ++i) {
      sum[cell_corners_[i]] += value;
      count[cell_corners_[i]] += 1;
    }
  }
  return sum.cwiseQuotient(count.cwiseMax(1));
}

VecX RecordedRun::field(std::size_t k, const std::string& name) const {
  if (std::ranges::none_of(fields_, [&](const RecordedField& field) { return field.name == name; })) {
    std::string known;
    for (const RecordedField& field : fields_) known += (known.empty() ? "" : ", ") + field.name;
    fail_input(code::field, "found field \"{}\", expected one that the frames hold: {}; more come from output.fields",
               name, known);
  }
  const RecordedArrays arrays(frames_[k].path);
  if (name == "strain") {
    const std::vector<double> strain = equivalent_strain(system_->user_rest, arrays.points(), system_->user_tets);
    VecX sum = VecX::Zero(system_->user_vertex_count), count = sum;
    for (Index t = 0; t < system_->user_tet_count; ++t)
      for (const Index v : system_->user_tets.col(t)) {
        sum[v] += strain[t];
        count[v] += 1;
      }
    return sum.cwiseQuotient(count.cwiseMax(1));
  }
  const std::string array = array_of(name);
  const RecordedArrays::Values values = arrays.values(array);
  const std::size_t width = static_cast<std::size_t>(values.width), found = values.numbers.size() / width;
  const bool of_points = arrays.of_points(array);
  const std::size_t wanted = of_points ? static_cast<std::size_t>(system_->user_vertex_count) : cell_begin_.size() - 1;
  if (found != wanted)
    fail_input(code::file_damaged, "{}: holds {} values of {}, expected {}; run the scene again", frames_[k].path,
               found, array, wanted);
  if (!of_points) return vertex_means(values.numbers, values.width);
  VecX result(system_->user_vertex_count);
  for (Index v = 0; v < result.size(); ++v)
    result[v] = colour_number(values.numbers.data() + static_cast<std::size_t>(v) * width, values.width,
                              !array.starts_with("nodal_"));
  return result;
}

}  // namespace sinew
