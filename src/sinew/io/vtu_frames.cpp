#include "sinew/io/vtu_frames.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <string_view>

#include "sinew/core/error.h"
#include "sinew/io/file_stem.h"
#include "sinew/io/requested_fields.h"
#include "sinew/model/render_surface.h"

namespace sinew {
namespace {

template <class Ids>
std::span<const Index> corners(const Ids& cells) {
  return {cells.data(), static_cast<std::size_t>(cells.size())};
}

VtuFile body_file(const System& system, const UserCells& cells) {
  VtuFile file;
  file.point_count = system.user_vertex_count;
  cells.set(file);
  std::vector<Index> of_triangles;
  for (const Index v : system.triangles.row(0)) of_triangles.push_back(system.vertex_body[v]);
  const std::vector<Index> bodies = cells.firsts(by_user_tet(system, system.tet_body), of_triangles),
                           materials = cells.firsts(by_user_tet(system, system.tet_material), system.triangle_material);
  file.cell_data = {vtk_array("body_id", 1, std::span(bodies)), vtk_array("material_id", 1, std::span(materials))};
  VtkArray* const arrays[] = {&file.cell_data[0], &file.cell_data[1]};
  encode_arrays(arrays);
  return file;
}

VtuFile obstacle_file(const ObstacleSurface& surface) {
  VtuFile file;
  file.point_count = surface.vertex_count();
  set_cells(file, corners(surface.triangles()), static_cast<Index>(surface.ids().size()), vtk_triangle);
  file.cell_data = {vtk_array("obstacle_id", 1, std::span<const Index>(surface.ids()))};
  VtkArray* const arrays[] = {&file.cell_data[0]};
  encode_arrays(arrays);
  return file;
}

// The render surfaces of all bodies, one after the other.
VtuFile render_file(const System& system) {
  VtuFile file;
  std::vector<Index> list, bodies;
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    if (!system.bodies[b].render) continue;
    const TriMesh& mesh = system.bodies[b].render->mesh;
    for (const Index v : mesh.triangles.reshaped()) list.push_back(file.point_count + v);
    bodies.insert(bodies.end(), static_cast<std::size_t>(mesh.triangles.cols()), static_cast<Index>(b));
    file.point_count += static_cast<Index>(mesh.vertices.cols());
  }
  set_cells(file, list, static_cast<Index>(bodies.size()), vtk_triangle);
  file.cell_data = {vtk_array("body_id", 1, std::span(bodies))};
  VtkArray* const arrays[] = {&file.cell_data[0]};
  encode_arrays(arrays);
  return file;
}

constexpr const char* obstacle_suffix = "_obstacles";
constexpr const char* render_suffix = "_render";

// The series of a folder, by the files that list them.
std::set<std::string> stems_in(const std::string& folder) {
  std::set<std::string> stems;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.path().extension() == ".pvd") stems.insert(entry.path().stem().string());
  return stems;
}

}  // namespace

VtuFrames::VtuFrames(const SinkSettings& settings, const System& system)
    : folder_(settings.folder + "/" + folder_name),
      bodies_(folder_, file_stem(settings.facts.scene)),
      render_(folder_, file_stem(settings.facts.scene) + render_suffix),
      obstacles_(folder_, file_stem(settings.facts.scene) + obstacle_suffix),
      obstacle_surface_(system),
      cells_(system),
      body_file_(body_file(system, cells_)),
      render_file_(render_file(system)),
      obstacle_file_(obstacle_file(obstacle_surface_)),
      fields_(settings.fields),
      nodal_fields_(settings.nodal_fields) {}

namespace {

// Times in lists must ascend. Along a path of equilibria, whose load may fall, they are the numbers of steps.
double list_time(Frame& frame) {
  return frame.system().setup.time.continuation ? frame.step() : frame.time();
}

}  // namespace

void VtuFrames::write(Frame& frame) {
  make_folder(folder_);
  write_bodies(frame, bodies_.path(frame.step()));
  bodies_.add(frame.step(), list_time(frame));
  if (render_file_.point_count > 0) {
    write_render(frame);
    render_.add(frame.step(), list_time(frame));
  }
  obstacles_moved_ = obstacles_moved_ || obstacle_surface_.moves();
  if (!obstacle_surface_.empty() && (obstacles_moved_ || frame.step() == 0)) {
    write_obstacles(frame);
    obstacles_.add(frame.step(), list_time(frame));
  }
}

void VtuFrames::write_bodies(Frame& frame, const std::string& path) const {
  VtuFile file = body_file_;
  file.time = frame.time();
  file.statics = frame.system().setup.time.integrator == Integrator::statics;
  file.points = vtk_array("Points", frame.positions());
  file.point_data = {vtk_array("displacement", frame.displacement()), vtk_array("velocity", frame.velocity()),
                     vtk_array("contact_force", frame.contact_force()),
                     vtk_array("friction_force", frame.friction_force()),
                     vtk_array("reaction_force", frame.reaction_force())};
  const std::vector<double> enriched = frame.enriched();  // arrays refer to what they are made of until it is written
  std::vector<Index> regions;
  if (!enriched.empty()) {
    file.point_data.push_back(vtk_array("enriched", 1, std::span<const double>(enriched)));
    const std::vector<Index> none(static_cast<std::size_t>(frame.system().triangle_count()), -1);
    regions = cells_.firsts(frame.regions(), none);
    file.cell_data.push_back(vtk_array("region", 1, std::span<const Index>(regions)));
  }
  // Stresses are of tets: triangles of cloth have none.
  const std::vector<double> von_mises = cells_.means(frame.von_mises(), 1),
                            cauchy = cells_.means(frame.cauchy_stress(), 6);
  file.cell_data.push_back(vtk_array("von_mises", 1, std::span<const double>(von_mises)));
  file.cell_data.push_back(vtk_array("cauchy_stress", 6, std::span<const double>(cauchy)));
  const std::vector<double> flow = frame.plastic_strain(), plastic_strain = flow.empty() ? flow : cells_.means(flow, 1);
  if (!flow.empty()) file.cell_data.push_back(vtk_array("plastic_strain", 1, std::span<const double>(plastic_strain)));
  std::deque<std::vector<double>> kept;  // arrays refer to them until the file is written
  add_requested(frame, file, kept);
  write_vtu(path, file);
}

// What the scene asks for beside the usual fields.
void VtuFrames::add_requested(Frame& frame, VtuFile& file, std::deque<std::vector<double>>& kept) const {
  const auto array = [&](const std::string& name, int width, std::vector<double> values) {
    kept.push_back(std::move(values));
    return vtk_array(name, width, std::span<const double>(kept.back()));
  };
  for (const std::string& name : fields_) {
    const FieldInfo& field = find_field(name);
    if (field.of_contact)
      file.point_data.push_back(array(name, field.width, vertex_field(field, frame)));
    else
      file.cell_data.push_back(array(name, field.width, cells_.means(tet_field(field, frame), field.width)));
  }
  for (const std::string& name : nodal_fields_)
    file.point_data.push_back(array("nodal_" + name, nodal_width(name), nodal_field(name, frame)));
}

// Vectors follow as positions do: x_r = W x holds at all times.
Points VtuFrames::on_render(const System& system, const Points& user) const {
  Points all(3, render_file_.point_count);
  Index next = 0;
  for (const SystemBody& body : system.bodies) {
    if (!body.render) continue;
    const Points own = body.render->positions(user, body.user_begin);
    all.middleCols(next, own.cols()) = own;
    next += static_cast<Index>(own.cols());
  }
  return all;
}

void VtuFrames::write_render(Frame& frame) {
  const Points x = on_render(frame.system(), frame.positions()), v = on_render(frame.system(), frame.velocity());
  const Points u = on_render(frame.system(), frame.displacement());
  VtuFile file = render_file_;
  file.time = frame.time();
  file.statics = frame.system().setup.time.integrator == Integrator::statics;
  file.points = vtk_array("Points", x);
  file.point_data = {vtk_array("displacement", u), vtk_array("velocity", v)};
  write_vtu(render_.path(frame.step()), file);
}

void VtuFrames::write_obstacles(Frame& frame) {
  const Points x = obstacle_surface_.positions(frame.state());
  VtuFile file = obstacle_file_;
  file.time = frame.time();
  file.points = vtk_array("Points", x);
  write_vtu(obstacles_.path(frame.step()), file);
}

void VtuFrames::keep_until(int step, const std::map<int, double>& times) {
  remove_leftovers(folder_);
  bodies_.keep_until(step, times);
  render_.keep_until(step, times);
  obstacles_.keep_until(step, times);
}

void VtuFrames::remove_all(const std::string& run_folder) {
  const std::string folder = run_folder + "/" + folder_name;
  if (!std::filesystem::is_directory(folder)) return;
  remove_leftovers(folder);
  for (const std::string& stem : stems_in(folder)) VtuSeries(folder, stem).keep_until(-1, {});
}

std::vector<std::string> VtuFrames::body_files(const std::string& run_folder) {
  const std::string folder = run_folder + "/" + folder_name;
  const std::set<std::string> stems = stems_in(folder);
  std::vector<std::string> files;
  for (const std::string& stem : stems) {
    const auto is_beside = [&](std::string_view suffix) {
      return stem.ends_with(suffix) && stems.contains(stem.substr(0, stem.size() - suffix.size()));
    };
    if (is_beside(obstacle_suffix) || is_beside(render_suffix)) continue;
    std::ranges::move(VtuSeries(folder, stem).files(), std::back_inserter(files));
  }
  return files;
}

}  // namespace sinew
