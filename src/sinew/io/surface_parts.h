// The surfaces of a run as files for other programs hold them: a part for each body and each obstacle, with polygons,
// texture coordinates, groups and materials. Render surfaces take the place of their bodies' own. Polygons whose
// material has a texture, on surfaces without texture coordinates, get those of BoxProjection.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/formats/image_file.h"
#include "sinew/formats/obj_polygons.h"
#include "sinew/io/frame.h"
#include "sinew/io/obstacle_surface.h"
#include "sinew/model/render_surface.h"
#include "sinew/render/render_scene.h"

namespace sinew {

struct PartMaterial {
  std::string name;  // unique
  Look look;
  Rgb color;         // sRGB: that of the look, else of the palette
  Index image = -1;  // of its texture, into SurfaceParts::images()
};

// The image of a texture, which files either hold or name.
struct PartImage {
  std::string path;  // where it was read
  std::string name;  // for files; unique
  ImageFile file;
};

struct SurfacePart {
  std::string name;    // the user's
  std::string stem;    // for files; unique
  Index id = 0;        // number of the body; of an obstacle, number of bodies + number of the obstacle
  Index vertices = 0;  // number of them
  bool closed = false;
  ObjPolygons polygons;   // all have a material, into SurfaceParts::materials(); polygons.materials is empty
  Triangles triangles{};  // polygons cut into fans
  std::vector<Index> triangle_polygon{};
};

class SurfaceParts {
 public:
  explicit SurfaceParts(const System& system);

  // Bodies, then obstacles.
  const std::vector<SurfacePart>& parts() const { return parts_; }
  const std::vector<PartMaterial>& materials() const { return materials_; }
  const std::vector<PartImage>& images() const { return images_; }
  const std::vector<std::string>& libraries() const { return libraries_; }  // .mtl files that render surfaces name
  const System& system() const { return system_; }
  Index obstacle_vertex_count() const { return obstacle_surface_.vertex_count(); }

  // All obstacles as ObstacleSurface has them.
  Points obstacles(const State& state) const { return obstacle_surface_.positions(state); }
  // Positions of a part, 3 x its vertices [m], from those of the user's vertices and of obstacles().
  Points positions(std::size_t part, const Points& user, const Points& obstacles) const;
  // Values at a part's vertices, from those at the user's; of obstacles zero.
  VecX values(std::size_t part, const VecX& user) const;

 private:
  struct Source {
    std::vector<Index> vertices;  // in the user's numbering, or in that of the obstacle surface
    std::shared_ptr<const RenderSurface> render;
    Index first = 0;
    bool obstacle = false;
  };
  Points positions(const Source& source, const Points& user, const Points& obstacles) const;
  void add_body(std::size_t body, const std::vector<Index>& tet_material);
  void add_render(std::size_t body, const std::vector<Index>& tet_material);
  void add(SurfacePart part, Source source, const Triangles& triangles, std::vector<Index> materials);
  void finish(SurfacePart part, Source source);
  SurfacePart named(const std::string& name, Index id);
  // The number of a material of the system as it looks on a body.
  Index material(Index of_system, std::size_t body);
  Index material(const std::string& name, const Look& look, const Rgb& color);
  Index image(const std::string& path);
  void project_textures(SurfacePart& part, const Source& source) const;

  const System& system_;
  ObstacleSurface obstacle_surface_;
  std::vector<SurfacePart> parts_;
  std::vector<Source> sources_;
  std::vector<PartMaterial> materials_;
  std::vector<PartImage> images_;
  std::vector<std::string> libraries_, stems_;
};

// The name of an image's copy beside a file that names it.
std::string image_copy(const std::string& beside, const PartImage& image);
// Writes these copies. Throws SimulationError if one cannot be written.
void write_images(const std::string& beside, const SurfaceParts& parts);
// Whether a file in a folder of results is such a copy: the file beside which it lies has one of these extensions.
bool is_image_copy(const std::string& path, std::initializer_list<const char*> extensions);

// Surfaces with their positions at frames, for writers of whole animations.
struct SurfaceAnimation {
  const SurfaceParts& parts;
  std::string name;
  std::vector<double> times;                                                       // by frame [s]
  std::function<Eigen::Matrix3Xf(std::size_t part, std::size_t frame)> positions;  // 3 x vertices [m]

  // Times for players, from 0 on and ascending. Frames whose times do not ascend last 1/24 s each.
  std::vector<double> play_times() const;
};

// The axis that is nearest to upwards, against gravity; +y without gravity.
struct UpAxis {
  int axis = 1;
  bool positive = true;
};
UpAxis up_axis(const Vec3& gravity);
// Turns the up axis to +y.
Eigen::Quaterniond turn_to_y(const UpAxis& up);

}  // namespace sinew
