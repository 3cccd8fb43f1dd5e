// The surfaces of a scene in OpenGL's buffers. Triangles stay there from picture to picture, vertices are sent anew.
#pragma once

#include <memory>
#include <vector>

#include "sinew/render/gl_functions.h"
#include "sinew/render/render_scene.h"
#include "sinew/render/texture_places.h"

namespace sinew {

class GlSurfaces {
 public:
  explicit GlSurfaces(const GlFunctions& gl) : gl_(gl) {}
  ~GlSurfaces();
  GlSurfaces(const GlSurfaces&) = delete;
  GlSurfaces& operator=(const GlSurfaces&) = delete;

  // shaded: with normals and colours.
  void send(const RenderScene& scene, const Vec3& origin, bool shaded);
  // Sets where the vertices of an object that was sent lie in the images of textures. null: nowhere.
  void set_places(std::size_t object, const std::shared_ptr<const TexturePlaces>& places);
  std::size_t count() const { return count_; }
  void draw(std::size_t object) const;
  // Some of its triangles, one after the other; or any, by their corners among the drawn vertices.
  void draw(std::size_t object, Index first, Index count) const;
  void draw_triangles(std::size_t object, const std::vector<Index>& corners);
  // Two triangles with the normal of a plane, 2 `half` wide around `center`, relative to the origin.
  void draw_square(const Vec3& center, const Vec3& normal, double half);

 private:
  struct Vertex {
    float position[3], normal[3];
    GLushort color[4];  // the last: how much of it in place of the object's
  };
  struct Buffers {
    GLuint array = 0, vertices = 0, corners = 0, places = 0;
    std::shared_ptr<const RenderMesh> mesh;        // whose triangles are in `corners`
    std::shared_ptr<const TexturePlaces> texture;  // that are in `places`
  };
  Buffers make();
  void send(Buffers& buffers, const RenderObject& object, const Vec3& origin, bool shaded);
  void upload(const Buffers& buffers, const std::vector<Vertex>& vertices) const;

  const GlFunctions& gl_;
  std::vector<Buffers> buffers_;
  Buffers square_;
  GLuint order_ = 0;  // corners of draw_triangles()
  std::vector<Vertex> vertices_;
  std::size_t count_ = 0;
};

}  // namespace sinew
