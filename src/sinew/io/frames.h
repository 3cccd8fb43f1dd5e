// The frames of a run: a .vtu file every so many steps with the fields on the bodies, one of the obstacles, and the
// .pvd files that list them with their times. Bits depend on the state alone.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/io/vtu_writer.h"

namespace sinew {

// A name that is safe in file names: letters, digits, '-', '_' and '.' are kept, the rest becomes '_'.
std::string file_stem(const std::string& name);

// The files of one series and its list.
class FrameSeries {
 public:
  FrameSeries(std::string folder, std::string stem) : folder_(std::move(folder)), stem_(std::move(stem)) {}

  std::string path(int step) const { return folder_ + "/" + file_name(step); }
  std::string list_path() const { return folder_ + "/" + stem_ + ".pvd"; }

  // Adds the frame, whose file is there already, to the list.
  void add(int step, double time);

  // Deletes frames after `step` and the list; frames up to it that are on disk and whose time is known stay listed.
  void keep_until(int step, const std::map<int, double>& times);

 private:
  std::string file_name(int step) const;
  void write_list() const;

  std::string folder_, stem_;
  std::map<int, double> frames_;  // step -> time [s]
};

// Frames of the bodies, in the user's numbering. Point data: displacement [m], velocity [m/s], contact_force,
// friction_force, reaction_force [N]; cell data: material_id, body_id, von_mises [Pa], cauchy_stress [Pa] (XX YY ZZ XY
// YZ XZ). Obstacles (with obstacle_id): one frame when nothing moves them, else as many as the bodies; planes are drawn
// as squares twice as wide as the scene.
class FrameWriter {
 public:
  // Writes nothing yet. Connectivity and ids are encoded once.
  FrameWriter(std::string folder, const std::string& scene_name, const System& system);

  // Writes the frame of the present state. Throws SimulationError naming the path.
  void write(const Simulation& simulation);

  // After a resume: see FrameSeries.
  void keep_until(int step, const std::map<int, double>& times);

  // Deletes all series of a folder, whatever their scene was called.
  static void remove_all(const std::string& folder);

 private:
  void write_bodies(const Simulation& simulation);
  void write_obstacles(const System& system, const State& state);

  std::string folder_;
  FrameSeries bodies_, obstacles_;
  VtuFile body_frame_;  // its constant arrays are encoded; cell_data starts with body_id and material_id
  VtuFile obstacle_frame_;
  Vec3 center_;  // of the bodies at rest [m]
  bool obstacles_move_ = false;
};

}  // namespace sinew
