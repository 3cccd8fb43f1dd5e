#include "sinew/formats/mid_nodes.h"

#include <vector>

namespace sinew {
namespace {

template <class Elements>
void keep_corners(const Elements& elements, std::vector<char>& dropped) {
  for (const Index v : elements.reshaped())
    if (v >= 0 && v < static_cast<Index>(dropped.size())) dropped[v] = 0;
}

template <class Elements>
void renumber(const std::vector<Index>& number, Elements& elements) {
  for (Index& v : elements.reshaped())
    if (v >= 0 && v < static_cast<Index>(number.size())) v = number[v];
}

}  // namespace

Index drop_mid_nodes(MeshFile& file) {
  TetMesh& mesh = file.volume;
  const Index count = mesh.vertex_count();
  std::vector<char> dropped(count, 0);
  for (const Index v : file.mid_nodes)
    if (v >= 0 && v < count) dropped[v] = 1;
  keep_corners(mesh.tets, dropped);
  keep_corners(file.triangles, dropped);
  for (const ElementGroup& group : mesh.groups) keep_corners(group.triangles, dropped);
  std::vector<Index> number(count);
  Index kept = 0;
  for (Index v = 0; v < count; ++v) {
    number[v] = kept;
    if (!dropped[v]) mesh.vertices.col(kept++) = mesh.vertices.col(v).eval();
  }
  file.mid_nodes.clear();
  if (kept == count) return 0;
  mesh.vertices.conservativeResize(3, kept);
  renumber(number, mesh.tets);
  renumber(number, file.triangles);
  for (ElementGroup& group : mesh.groups) renumber(number, group.triangles);
  return count - kept;
}

}  // namespace sinew
