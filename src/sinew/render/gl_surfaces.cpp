#include "sinew/render/gl_surfaces.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr GLushort most = 65535;

const void* offset(std::size_t bytes) {
  return reinterpret_cast<const void*>(bytes);
}

void set(float (&to)[3], const Vec3& from) {
  for (int k = 0; k < 3; ++k) to[k] = static_cast<float>(from[k]);
}

}  // namespace

GlSurfaces::~GlSurfaces() {
  buffers_.push_back(square_);
  if (order_ != 0) gl_.delete_buffers(1, &order_);
  for (Buffers& buffers : buffers_) {
    gl_.delete_vertex_arrays(1, &buffers.array);
    gl_.delete_buffers(1, &buffers.vertices);
    gl_.delete_buffers(1, &buffers.corners);
    if (buffers.places != 0) gl_.delete_buffers(1, &buffers.places);
  }
}

GlSurfaces::Buffers GlSurfaces::make() {
  Buffers buffers;
  gl_.make_vertex_arrays(1, &buffers.array);
  gl_.make_buffers(1, &buffers.vertices);
  gl_.make_buffers(1, &buffers.corners);
  gl_.bind_vertex_array(buffers.array);
  gl_.bind_buffer(GL_ARRAY_BUFFER, buffers.vertices);
  gl_.bind_buffer(GL_ELEMENT_ARRAY_BUFFER, buffers.corners);
  for (GLuint k = 0; k < 3; ++k) gl_.enable_vertex_array(k);
  gl_.vertex_pointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(Vertex), offset(offsetof(Vertex, position)));
  gl_.vertex_pointer(1, 3, GL_FLOAT, GL_FALSE, sizeof(Vertex), offset(offsetof(Vertex, normal)));
  gl_.vertex_pointer(2, 4, GL_UNSIGNED_SHORT, GL_TRUE, sizeof(Vertex), offset(offsetof(Vertex, color)));
  return buffers;
}

void GlSurfaces::upload(const Buffers& buffers, const std::vector<Vertex>& vertices) const {
  gl_.bind_vertex_array(buffers.array);
  gl_.bind_buffer(GL_ARRAY_BUFFER, buffers.vertices);
  gl_.buffer_data(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(Vertex)), vertices.data(),
                  GL_STREAM_DRAW);
}

void GlSurfaces::send(Buffers& buffers, const RenderObject& object, const Vec3& origin, bool shaded) {
  const RenderMesh& mesh = *object.mesh;
  const std::vector<Index>& sources = mesh.vertices();
  const Points normals = shaded ? mesh.normals(object.positions) : Points();
  vertices_.resize(sources.size());
  parallel_for(sources.size(), [&](std::size_t v) {
    Vertex& vertex = vertices_[v];
    set(vertex.position, object.positions.col(sources[v]) - origin);
    if (!shaded) return;
    set(vertex.normal, normals.col(static_cast<Index>(v)));
    std::ranges::fill(vertex.color, GLushort{0});
    const double value = object.values.size() > 0 ? object.values[sources[v]] : NAN;
    if (std::isnan(value)) return;
    const Rgb color = linear_color(map_color(object.map, value));
    for (int k = 0; k < 3; ++k) vertex.color[k] = static_cast<GLushort>(std::lround(most * color[k]));
    vertex.color[3] = most;
  });
  upload(buffers, vertices_);
  if (buffers.mesh == object.mesh) return;
  buffers.mesh = object.mesh;
  gl_.bind_buffer(GL_ELEMENT_ARRAY_BUFFER, buffers.corners);
  gl_.buffer_data(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(mesh.corners().size() * sizeof(Index)),
                  mesh.corners().data(), GL_STATIC_DRAW);
}

void GlSurfaces::send(const RenderScene& scene, const Vec3& origin, bool shaded) {
  count_ = scene.objects.size();
  while (buffers_.size() < count_) buffers_.push_back(make());
  for (std::size_t k = 0; k < count_; ++k) send(buffers_[k], scene.objects[k], origin, shaded);
}

void GlSurfaces::set_places(std::size_t object, const std::shared_ptr<const TexturePlaces>& places) {
  using Place = TexturePlaces::Vertex;
  Buffers& buffers = buffers_[object];
  if (buffers.texture == places) return;
  buffers.texture = places;
  gl_.bind_vertex_array(buffers.array);
  for (GLuint k = 3; k < 6; ++k) places ? gl_.enable_vertex_array(k) : gl_.disable_vertex_array(k);
  if (!places) return;
  if (buffers.places == 0) gl_.make_buffers(1, &buffers.places);
  gl_.bind_buffer(GL_ARRAY_BUFFER, buffers.places);
  gl_.buffer_data(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(places->vertices.size() * sizeof(Place)),
                  places->vertices.data(), GL_STATIC_DRAW);
  gl_.vertex_pointer(3, 3, GL_FLOAT, GL_FALSE, sizeof(Place), offset(offsetof(Place, place)));
  gl_.vertex_pointer(4, 3, GL_FLOAT, GL_FALSE, sizeof(Place), offset(offsetof(Place, normal)));
  gl_.vertex_pointer(5, 2, GL_FLOAT, GL_FALSE, sizeof(Place), offset(offsetof(Place, coordinates)));
}

void GlSurfaces::draw(std::size_t object) const {
  const Buffers& buffers = buffers_[object];
  gl_.bind_vertex_array(buffers.array);
  gl_.draw_elements(GL_TRIANGLES, 3 * buffers.mesh->triangle_count(), GL_UNSIGNED_INT, nullptr);
}

void GlSurfaces::draw(std::size_t object, Index first, Index count) const {
  gl_.bind_vertex_array(buffers_[object].array);
  gl_.draw_elements(GL_TRIANGLES, 3 * count, GL_UNSIGNED_INT,
                    offset(3 * sizeof(Index) * static_cast<std::size_t>(first)));
}

void GlSurfaces::draw_triangles(std::size_t object, const std::vector<Index>& corners) {
  if (order_ == 0) gl_.make_buffers(1, &order_);
  gl_.bind_vertex_array(buffers_[object].array);
  gl_.bind_buffer(GL_ELEMENT_ARRAY_BUFFER, order_);
  gl_.buffer_data(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(corners.size() * sizeof(Index)), corners.data(),
                  GL_STREAM_DRAW);
  gl_.draw_elements(GL_TRIANGLES, static_cast<GLsizei>(corners.size()), GL_UNSIGNED_INT, nullptr);
  gl_.bind_buffer(GL_ELEMENT_ARRAY_BUFFER, buffers_[object].corners);
}

void GlSurfaces::draw_square(const Vec3& center, const Vec3& normal, double half) {
  if (square_.array == 0) square_ = make();
  const Vec3 a = half * normal.unitOrthogonal(), b = normal.cross(a);
  std::vector<Vertex> corners(4);
  const Vec3 places[] = {center - a - b, center + a - b, center - a + b, center + a + b};
  for (int k = 0; k < 4; ++k) {
    set(corners[k].position, places[k]);
    set(corners[k].normal, normal);
  }
  upload(square_, corners);
  gl_.draw_arrays(GL_TRIANGLE_STRIP, 0, 4);
}

}  // namespace sinew
