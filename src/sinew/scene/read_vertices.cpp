#include "sinew/scene/read_vertices.h"

#include "sinew/formats/vertex_cache.h"

namespace sinew {

// Sample k of a cache with frames is at start + frame_k / rate, of one with times at start + time_k.
std::shared_ptr<const Course> read_vertices(const Node& node, const std::filesystem::path& base_dir, Index vertices,
                                            double frame) {
  const Node file = node.json().is_string() ? node : node["file"];
  const std::string path = (base_dir / file.text()).string();
  VertexCache cache;
  try {
    cache = read_vertex_cache(path);
  } catch (const InputError& error) {
    file.fail(error.code(), "{}", error.what());
  }
  if (cache.times.size() < 2)
    file.fail(code::scene_value, "{}: found {} samples, expected 2 or more; an obstacle at rest needs no cache", path,
              cache.times.size());
  if (cache.places[0].cols() != vertices)
    file.fail(code::scene_value,
              "{}: found {} vertices, the obstacle's mesh has {}; export both from the same mesh, and the mesh without "
              "modifiers that change its vertices",
              path, cache.places[0].cols(), vertices);
  double start = 0;
  if (node.has("start")) start = node["start"].number();
  if (node.has("rate")) {
    if (!cache.in_frames)
      node["rate"].fail(code::scene_value, "found a rate, but the file has times of its own; remove the key");
    frame = 1 / node["rate"].number();
  }
  auto course = std::make_shared<Course>();
  for (const double time : cache.times) course->times.push_back(start + (cache.in_frames ? time * frame : time));
  course->places = std::move(cache.places);
  course->turns = true;
  return course;
}

}  // namespace sinew
