// The frames of a run, read from its output folder: positions of the bodies' vertices, obstacles and planes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/io/recorded_arrays.h"
#include "sinew/model/state.h"
#include "sinew/model/system.h"

namespace sinew {

struct RecordedFrame {
  int step = 0;
  double time = 0;  // [s]; in statics the share of the load
  // Positions in the user's numbering, 3 x user_vertex_count [m]. RenderSurface::positions() takes them.
  Points user;
  Points obstacles;                // 3 x obstacle_vertex_count [m]
  std::vector<PlaneState> planes;  // each with any of its points, without tangents

  // Obstacles and planes as classes such as ObstacleSurface and PictureScene want them; bodies are at rest in it.
  State state(const System& system) const;
};

// A field that frames hold, or that follows from them, as one number at each of the user's vertices.
struct RecordedField {
  std::string name, unit;
};

// Positions are those of the simulation, bit for bit. They come from the frames of format "vtu", the only one that
// holds all vertices.
class RecordedRun {
 public:
  // Reads the scene from the run's checkpoint, builds its System and lists the frames. Throws InputError for a folder
  // without checkpoint or frames, or with frames of other meshes. The message says what to do.
  explicit RecordedRun(const std::string& folder);

  const std::string& folder() const { return folder_; }
  const System& system() const { return *system_; }
  std::shared_ptr<const System> shared_system() const { return system_; }

  std::size_t size() const { return frames_.size(); }  // at least 1
  int step(std::size_t k) const { return frames_[k].step; }
  RecordedFrame frame(std::size_t k) const;

  // Names as on the page of the run: von_mises, displacement, speed, contact_force, strain, those of output.fields.
  const std::vector<RecordedField>& fields() const { return fields_; }
  // Throws InputError naming the fields that there are.
  VecX field(std::size_t k, const std::string& name) const;

 private:
  struct Entry {
    int step = 0;
    std::string path, obstacles;  // empty: at rest
  };
  void list_frames();
  void list_fields();
  VecX vertex_means(const std::vector<double>& by_cell, int width) const;

  std::string folder_;
  std::shared_ptr<const System> system_;
  std::vector<Entry> frames_;
  std::vector<RecordedField> fields_;
  // Vertices of each cell of the frames: cell c has corners_[begin_[c]] to corners_[begin_[c + 1] - 1].
  std::vector<Index> cell_begin_, cell_corners_;
};

}  // namespace sinew
