// Places of the drawn vertices of a surface in the image of its texture.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "sinew/render/box_projection.h"
#include "sinew/render/render_mesh.h"

namespace sinew {

struct TexturePlaces {
  struct Vertex {
    float place[3], normal[3];  // BoxProjection: at rest, with y upwards
    float coordinates[2];       // in the image, if the surface has texture coordinates
  };
  std::vector<Vertex> vertices;  // by drawn vertex
};

// coordinates: by kind of drawn vertex (RenderMesh::kinds()); empty: the surface has none.
std::shared_ptr<const TexturePlaces> texture_places(const RenderMesh& mesh, const Points& rest,
                                                    const BoxProjection& projection,
                                                    const std::vector<std::array<float, 2>>& coordinates);

}  // namespace sinew
