#include "sinew/render/texture_places.h"

#include <algorithm>

namespace sinew {

std::shared_ptr<const TexturePlaces> texture_places(const RenderMesh& mesh, const Points& rest,
                                                    const BoxProjection& projection,
                                                    const std::vector<std::array<float, 2>>& coordinates) {
  auto result = std::make_shared<TexturePlaces>();
  const Points normals = mesh.normals(rest);
  result->vertices.resize(mesh.vertices().size());
  for (std::size_t v = 0; v < mesh.vertices().size(); ++v) {
    TexturePlaces::Vertex& vertex = result->vertices[v];
    const Vec3 place = projection.place(rest.col(mesh.vertices()[v]));
    const Vec3 normal = projection.direction(normals.col(static_cast<Index>(v)));
    for (int k = 0; k < 3; ++k) {
      vertex.place[k] = static_cast<float>(place[k]);
      vertex.normal[k] = static_cast<float>(normal[k]);
    }
    if (coordinates.empty())
      std::ranges::fill(vertex.coordinates, 0.0f);
    else
      std::ranges::copy(coordinates[mesh.kinds()[v]], vertex.coordinates);
  }
  return result;
}

}  // namespace sinew
