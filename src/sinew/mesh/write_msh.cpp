#include "sinew/mesh/write_msh.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/core/atomic_file.h"

namespace sinew {
namespace {

using Out = std::back_insert_iterator<fmt::memory_buffer>;

void write_names(Out& out, const TetMesh& mesh) {
  const auto named =
      std::count_if(mesh.groups.begin(), mesh.groups.end(), [](const auto& g) { return !g.name.empty(); });
  if (named == 0) return;
  fmt::format_to(out, "$PhysicalNames\n{}\n", named);
  for (const ElementGroup& group : mesh.groups) {
    if (!group.name.empty()) fmt::format_to(out, "{} {} \"{}\"\n", group.dim, group.id, group.name);
  }
  fmt::format_to(out, "$EndPhysicalNames\n");
}

// The dim-3 groups of each tet, its region first: a reader takes the first as the region.
std::vector<std::vector<int>> tet_groups(const TetMesh& mesh) {
  std::vector<std::vector<int>> ids(mesh.tets.cols());
  for (const ElementGroup& group : mesh.groups) {
    for (const Index t : group.tets) ids[t].push_back(group.id);
  }
  for (std::size_t t = 0; t < ids.size(); ++t) {
    const auto at = std::find(ids[t].begin(), ids[t].end(), mesh.regions[t]);
    if (at != ids[t].end()) std::rotate(ids[t].begin(), at, at + 1);
  }
  return ids;
}

void write_elements(Out& out, const TetMesh& mesh) {
  const std::vector<std::vector<int>> ids = tet_groups(mesh);
  std::size_t total = 0;
  for (const ElementGroup& group : mesh.groups) total += static_cast<std::size_t>(group.triangles.cols());
  for (const auto& list : ids) total += std::max<std::size_t>(list.size(), 1);
  fmt::format_to(out, "$Elements\n{}\n", total);
  std::size_t number = 0;
  for (const ElementGroup& group : mesh.groups) {
    for (Eigen::Index f = 0; f < group.triangles.cols(); ++f) {
      const auto corner = group.triangles.col(f);
      fmt::format_to(out, "{} 2 2 {} {} {} {} {}\n", ++number, group.id, group.id, corner[0] + 1, corner[1] + 1,
                     corner[2] + 1);
    }
  }
  const auto write_tet = [&](Eigen::Index t, int physical) {
    const auto corner = mesh.tets.col(t);
    fmt::format_to(out, "{} 4 2 {} {} {} {} {} {}\n", ++number, physical, mesh.regions[t], corner[0] + 1, corner[1] + 1,
                   corner[2] + 1, corner[3] + 1);
  };
  for (Eigen::Index t = 0; t < mesh.tets.cols(); ++t) {
    if (ids[t].empty()) write_tet(t, 0);
    for (const int id : ids[t]) write_tet(t, id);
  }
  fmt::format_to(out, "$EndElements\n");
}

}  // namespace

void write_msh(const std::string& path, const TetMesh& mesh) {
  fmt::memory_buffer buffer;
  Out out = std::back_inserter(buffer);
  fmt::format_to(out, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n");
  write_names(out, mesh);
  fmt::format_to(out, "$Nodes\n{}\n", mesh.vertices.cols());
  for (Eigen::Index v = 0; v < mesh.vertices.cols(); ++v) {
    fmt::format_to(out, "{} {} {} {}\n", v + 1, mesh.vertices(0, v), mesh.vertices(1, v), mesh.vertices(2, v));
  }
  fmt::format_to(out, "$EndNodes\n");
  write_elements(out, mesh);
  write_file_atomically(path, std::string_view(buffer.data(), buffer.size()));
}

}  // namespace sinew
