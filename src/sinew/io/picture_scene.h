// The surfaces of a simulation as pictures show them: bodies, or the render surfaces in their place, and obstacles.
#pragma once

#include <memory>
#include <vector>

#include "sinew/io/frame.h"
#include "sinew/model/render_surface.h"
#include "sinew/render/render_scene.h"

namespace sinew {

// Values at the user's vertices, shown by colours from those of `low` to those of `high`.
struct PictureField {
  VecX values;
  double low = 0, high = 1;
};

class PictureScene {
 public:
  // Finds surfaces and creases, once for all pictures.
  explicit PictureScene(const System& system);

  // The scene at a state. Ids count bodies, then obstacles. Triangles are those of the boundary of the body's mesh, the
  // cloth, the render surface or the obstacle, in their order. field: null: bodies have their own colours.
  RenderScene at(Frame& frame, const PictureField* field = nullptr) const;
  // The scene with the user's vertices at given positions, obstacles and planes at those of `state`.
  RenderScene at(const System& system, const Points& user, const State& state,
                 const PictureField* field = nullptr) const;
  // Points that the usual camera frames: at rest and at the state of `frame`.
  Points framed(Frame& frame) const;

 private:
  struct Part {
    std::shared_ptr<const RenderMesh> mesh;
    std::vector<Index> vertices;  // user numbering; of obstacles, simulation numbering
    std::shared_ptr<const RenderSurface> render;
    Index first = 0;  // user number of the first vertex of a body with a render surface
    Index id = 0;
    bool body = true;
  };
  void add(Part part, const Points& rest, Triangles triangles);

  std::vector<Part> parts_;
};

}  // namespace sinew
