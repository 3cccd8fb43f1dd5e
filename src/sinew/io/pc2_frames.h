// Format "pc2" for Blender's Mesh Cache modifier, in the folder pc2/ of the run. It writes an .obj of the rest surface
// and a point cache for every body and obstacle. A script imports everything (docs/blender.md). Sample k is step k *
// output.every.
#pragma once

#include <string>
#include <vector>

#include "sinew/io/frame_sink.h"
#include "sinew/io/obstacle_surface.h"
#include "sinew/io/pc2_file.h"
#include "sinew/model/render_surface.h"

namespace sinew {

class Pc2Frames : public FrameSink {
 public:
  static constexpr const char* folder_name = "pc2";  // inside the run's folder

  Pc2Frames(const SinkSettings& settings, const System& system);

  void check_resume(int step) const override;
  void keep_until(int step, const std::map<int, double>& times) override;
  void write(Frame& frame) override;

  static void remove_all(const std::string& run_folder);

 private:
  struct Part {
    std::string obj_path;
    Pc2File cache;
    std::vector<Index> vertices;                  // in the user's numbering, or in that of the obstacle surface
    Triangles triangles;                          // indices into `vertices`
    std::shared_ptr<const RenderSurface> render;  // of a body, if drawn in place of its own surface
    Index first = 0;                              // number of the body's first vertex in the user's numbering
  };
  // Returns the path of a part's files, with a name that no other part has.
  std::string path_of(const std::string& name);
  Part part(const std::string& name, const Triangles& triangles);
  Part render_part(const SystemBody& body);
  static Points positions(const Part& part, const Points& all);

  std::string folder_;
  int every_;
  ObstacleSurface obstacle_surface_;
  std::vector<std::string> stems_;  // file names used so far
  std::vector<Part> bodies_, obstacles_;
};

}  // namespace sinew
