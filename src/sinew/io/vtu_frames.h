// Format "vtu", in the folder frames/ of the run. For each frame it writes a .vtu file of the bodies with fields, one
// of render surfaces and one of obstacles. Files .pvd list these with their times.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "sinew/io/frame_sink.h"
#include "sinew/io/obstacle_surface.h"
#include "sinew/io/user_cells.h"
#include "sinew/io/vtu_series.h"
#include "sinew/io/vtu_writer.h"

namespace sinew {

// Frames of the bodies are in the user's numbering. Point data: displacement [m], velocity [m/s], contact_force,
// friction_force, reaction_force [N]. Cell data: material_id, body_id, von_mises [Pa], cauchy_stress [Pa] (XX YY ZZ XY
// YZ XZ), plastic_strain where a material flows, and what the scene asks for. Render surfaces, if bodies have some,
// have body_id, displacement and velocity. Obstacles have obstacle_id. They have only one frame until one of them
// moves.
class VtuFrames : public FrameSink {
 public:
  static constexpr const char* folder_name = "frames";  // inside the run's folder

  // Encodes connectivity and ids, once for all frames.
  VtuFrames(const SinkSettings& settings, const System& system);

  void keep_until(int step, const std::map<int, double>& times) override;
  void write(Frame& frame) override;
  void write_bodies(Frame& frame, const std::string& path) const;

  // Removes all series in frames/ of the folder, whatever the name of their scene.
  static void remove_all(const std::string& run_folder);

  // Returns the frames of the bodies in the folder of a run, ascending; empty if there are none.
  static std::vector<std::string> body_files(const std::string& run_folder);

 private:
  void add_requested(Frame& frame, VtuFile& file, std::deque<std::vector<double>>& kept) const;
  void write_render(Frame& frame);
  void write_obstacles(Frame& frame);
  // Returns vectors at the vertices of all render surfaces, from vectors at the user's vertices.
  Points on_render(const System& system, const Points& user) const;

  std::string folder_;
  VtuSeries bodies_, render_, obstacles_;
  ObstacleSurface obstacle_surface_;
  bool obstacles_moved_ = false;  // whether one has had a motion so far
  UserCells cells_;
  // Its constant arrays are encoded; cell_data starts with body_id and material_id.
  VtuFile body_file_;
  VtuFile render_file_, obstacle_file_;
  std::vector<std::string> fields_, nodal_fields_;  // as in SinkSettings
};

}  // namespace sinew
