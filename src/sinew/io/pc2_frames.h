// Format "pc2" for Blender's Mesh Cache modifier: for every body and obstacle an .obj of its rest surface and a point
// cache, in pc2/ of the run's folder. A script imports everything (docs/blender.md). Sample k is step k * output.every.
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
  static constexpr const char* folder_name = "pc2";  // in that of the run

  Pc2Frames(const SinkSettings& settings, const System& system);

  void check_resume(int step) const override;
  void keep_until(int step, const std::map<int, double>& times) override;
  void write(Frame& frame) override;

  static void remove_all(const std::string& run_folder);

 private:
  struct Part {
    std::string obj_path;
    Pc2File cache;
    std::vector<Index> vertices;                  // of the user's numbering, or of the obstacle surface
    Triangles triangles;                          // into `vertices`
    std::shared_ptr<const RenderSurface> render;  // of a body, in place of its own surface
    Index first = 0;                              // of the body's vertices in the user's numbering
  };
  // The path of a part's files, with a unique name.
  std::string path_of(const std::string& name);
  Part part(const std::string& name, const Triangles& triangles);
  Part render_part(const SystemBody& body);
  static Points positions(const Part& part, const Points& all);

  std::string folder_;
  int every_;
  ObstacleSurface obstacle_surface_;
  std::vector<std::string> stems_;  // taken so far
  std::vector<Part> bodies_, obstacles_;
};

}  // namespace sinew
