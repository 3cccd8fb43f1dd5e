// Format "vtu", in frames/ of the run's folder: for each frame a .vtu file of the bodies with fields, one of render
// surfaces and one of obstacles. Files .pvd list them with their times.
#pragma once

#include <string>
#include <vector>

#include "sinew/io/frame_sink.h"
#include "sinew/io/obstacle_surface.h"
#include "sinew/io/vtu_series.h"
#include "sinew/io/vtu_writer.h"

namespace sinew {

// Frames of the bodies, in the user's numbering. Point data: displacement [m], velocity [m/s], contact_force,
// friction_force, reaction_force [N]; cell data: material_id, body_id, von_mises [Pa], cauchy_stress [Pa] (XX YY ZZ XY
// YZ XZ). Render surfaces (with body_id, displacement and velocity) where bodies have some. Obstacles (with
// obstacle_id): one frame when nothing moves them, else as many as the bodies.
class VtuFrames : public FrameSink {
 public:
  static constexpr const char* folder_name = "frames";  // in that of the run

  // Connectivity and ids are encoded once.
  VtuFrames(const SinkSettings& settings, const System& system);

  void keep_until(int step, const std::map<int, double>& times) override;
  void write(Frame& frame) override;

  // Removes all series in the folder's frames/, whatever their scene was called.
  static void remove_all(const std::string& run_folder);

  // The frames of the bodies in the folder of a run, ascending; empty where there are none.
  static std::vector<std::string> body_files(const std::string& run_folder);

 private:
  void write_bodies(Frame& frame);
  void write_render(Frame& frame);
  void write_obstacles(Frame& frame);
  // Vectors at the vertices of all render surfaces, from vectors at the user's vertices.
  Points on_render(const System& system, const Points& user) const;

  std::string folder_;
  VtuSeries bodies_, render_, obstacles_;
  ObstacleSurface obstacle_surface_;
  VtuFile body_file_;  // its constant arrays are encoded; cell_data starts with body_id and material_id
  VtuFile render_file_, obstacle_file_;
};

}  // namespace sinew
