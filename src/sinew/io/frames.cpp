#include "sinew/io/frames.h"

#include <array>
#include <filesystem>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw SimulationError(fmt::format("{}: cannot create the folder: {}", folder, error.message()));
}

// Values by simulation tet, in the user's order; `width` values each.
std::vector<double> by_user_tet(const System& system, const double* values, int width) {
  std::vector<double> result(static_cast<std::size_t>(system.user_tet_count) * width, 0.0);
  parallel_for(system.tet_to_user.size(), [&](std::size_t t) {
    std::copy_n(values + t * width, width, result.data() + static_cast<std::size_t>(system.tet_to_user[t]) * width);
  });
  return result;
}

std::vector<Index> by_user_tet(const System& system, const std::vector<Index>& values) {
  std::vector<Index> result(static_cast<std::size_t>(system.user_tet_count), 0);
  for (std::size_t t = 0; t < values.size(); ++t) result[system.tet_to_user[t]] = values[t];
  return result;
}

VtuFile body_frame(const System& system) {
  VtuFile frame;
  frame.point_count = system.user_vertex_count;
  set_cells(frame, std::span<const Index>(system.user_tets.data(), static_cast<std::size_t>(system.user_tets.size())),
            system.user_tet_count, vtk_tet);
  const std::vector<Index> bodies = by_user_tet(system, system.tet_body),
                           materials = by_user_tet(system, system.tet_material);
  frame.cell_data = {vtk_array("body_id", 1, std::span(bodies)), vtk_array("material_id", 1, std::span(materials))};
  VtkArray* const arrays[] = {&frame.cell_data[0], &frame.cell_data[1]};
  encode_arrays(arrays);
  return frame;
}

// Triangles of the obstacles, counted from the first obstacle's vertex, and two for each plane behind them.
VtuFile obstacle_frame(const System& system) {
  const Index first = system.dynamic_count, mesh_vertices = system.vertex_count() - first;
  const Index body_count = static_cast<Index>(system.bodies.size());
  std::vector<Index> corners, ids;
  for (Eigen::Index t = 0; t < system.collision.triangles.cols(); ++t) {
    const auto triangle = system.collision.triangles.col(t);
    if (triangle.minCoeff() < first) continue;
    for (const Index v : triangle) corners.push_back(v - first);
    ids.push_back(system.collision.vertex_owner[triangle[0]] - body_count);
  }
  for (std::size_t p = 0; p < system.planes.size(); ++p) {
    const Index c = mesh_vertices + 4 * static_cast<Index>(p);
    corners.insert(corners.end(), {c, c + 1, c + 2, c, c + 2, c + 3});
    ids.insert(ids.end(), 2, system.collision.planes[p].owner - body_count);
  }
  VtuFile frame;
  frame.point_count = mesh_vertices + 4 * static_cast<Index>(system.planes.size());
  set_cells(frame, corners, static_cast<Index>(ids.size()), vtk_triangle);
  frame.cell_data = {vtk_array("obstacle_id", 1, std::span<const Index>(ids))};
  VtkArray* const arrays[] = {&frame.cell_data[0]};
  encode_arrays(arrays);
  return frame;
}

bool any_obstacle_moves(const System& system) {
  const auto moves = [&](Index motion) { return motion >= 0 && !system.motions[motion].empty(); };
  return std::ranges::any_of(system.obstacle_vertex_motion, moves) || std::ranges::any_of(system.plane_motion, moves);
}

// The corners of a square of half width `size` on a plane, around the point of it nearest to `center`.
std::array<Vec3, 4> plane_square(const PlaneState& plane, const Vec3& center, double size) {
  const Vec3& n = plane.normal;
  const Vec3 middle = center - n.dot(center - plane.point) * n;
  Eigen::Index axis = 0;
  n.cwiseAbs().minCoeff(&axis);
  const Vec3 a = n.cross(Vec3::Unit(axis)).normalized() * size, b = n.cross(a);
  return {middle - a - b, middle + a - b, middle + a + b, middle - a + b};
}

}  // namespace

FrameWriter::FrameWriter(std::string folder, const std::string& scene_name, const System& system)
    : folder_(std::move(folder)),
      bodies_(folder_, file_stem(scene_name)),
      obstacles_(folder_, file_stem(scene_name) + "_obstacles"),
      body_frame_(body_frame(system)),
      obstacle_frame_(obstacle_frame(system)),
      center_(0.5 * (system.user_rest.rowwise().minCoeff() + system.user_rest.rowwise().maxCoeff())),
      obstacles_move_(any_obstacle_moves(system)) {}

void FrameWriter::write(const Simulation& simulation) {
  make_folder(folder_);
  const State& state = simulation.state();
  write_bodies(simulation);
  bodies_.add(state.step, state.time);
  if (obstacle_frame_.cell_count > 0 && (obstacles_move_ || state.step == 0)) {
    write_obstacles(simulation.system(), state);
    obstacles_.add(state.step, state.time);
  }
}

void FrameWriter::write_bodies(const Simulation& simulation) {
  const System& system = simulation.system();
  const State& state = simulation.state();
  const Points x = system.to_user(state.x, &system.user_rest);
  const Points displacement = x - system.user_rest, velocity = system.to_user(state.v);
  NodalForces forces = simulation.forces();
  const Points contact = system.to_user(forces.contact), friction = system.to_user(forces.friction),
               reaction = system.to_user(forces.reaction);
  Eigen::MatrixXd cauchy;
  std::vector<double> von_mises;
  simulation.stress(cauchy, von_mises);
  const std::vector<double> stress = by_user_tet(system, cauchy.data(), 6),
                            mises = by_user_tet(system, von_mises.data(), 1);

  VtuFile frame = body_frame_;
  frame.time = state.time;
  frame.points = vtk_array("Points", x);
  frame.point_data = {vtk_array("displacement", displacement), vtk_array("velocity", velocity),
                      vtk_array("contact_force", contact), vtk_array("friction_force", friction),
                      vtk_array("reaction_force", reaction)};
  frame.cell_data.push_back(vtk_array("von_mises", 1, std::span(mises)));
  frame.cell_data.push_back(vtk_array("cauchy_stress", 6, std::span(stress)));
  write_vtu(bodies_.path(state.step), frame);
}

void FrameWriter::write_obstacles(const System& system, const State& state) {
  Points x(3, obstacle_frame_.point_count);
  const Index first = system.dynamic_count, mesh_vertices = system.vertex_count() - first;
  x.leftCols(mesh_vertices) = state.x.rightCols(mesh_vertices);
  for (std::size_t p = 0; p < state.planes.size(); ++p) {
    const auto square = plane_square(state.planes[p], center_, system.diagonal);
    for (int k = 0; k < 4; ++k) x.col(mesh_vertices + 4 * static_cast<Index>(p) + k) = square[k];
  }
  VtuFile frame = obstacle_frame_;
  frame.time = state.time;
  frame.points = vtk_array("Points", x);
  write_vtu(obstacles_.path(state.step), frame);
}

void FrameWriter::remove_all(const std::string& folder) {
  namespace fs = std::filesystem;
  if (!fs::is_directory(folder)) return;
  std::vector<std::string> stems;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".pvd") stems.push_back(entry.path().stem().string());
  }
  for (const std::string& stem : stems) FrameSeries(folder, stem).keep_until(-1, {});
}

void FrameWriter::keep_until(int step, const std::map<int, double>& times) {
  bodies_.keep_until(step, times);
  obstacles_.keep_until(step, times);
}

}  // namespace sinew
