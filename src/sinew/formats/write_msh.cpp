#include "sinew/formats/write_msh.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sinew/core/atomic_file.h"
#include "sinew/formats/mid_nodes.h"

namespace sinew {
namespace {

constexpr int triangle_type = 2, tet_type = 4, ten_node_tet_type = 11, point_type = 15;

// An element in one physical group: it is written once for each of its groups.
struct MshElement {
  int physical = 0, entity = 0;
  const Index* corners = nullptr;
};

// In a dimension without physical groups a reader takes the entities for groups. Ids that are not above 0 can be
// entities, but no physical groups.
bool has_physical_groups(const TetMesh& mesh, int dim) {
  return std::ranges::any_of(mesh.groups, [&](const ElementGroup& g) { return g.dim == dim && g.id > 0; });
}

class MshWriter {
 public:
  MshWriter(const MeshFile& mesh, bool binary)
      : mesh_(mesh.volume), all_triangles_(mesh.triangles), quadratic_(ten_node_tets(mesh.volume)), binary_(binary) {
    if (quadratic_.cols() > 0) quadratic_.row(8).swap(quadratic_.row(9));  // Gmsh: 34 before 24
  }

  WrittenMesh write() {
    line("$MeshFormat\n2.2 {} 8", binary_ ? 1 : 0);
    if (binary_) raw(std::int32_t{1}), line("");
    line("$EndMeshFormat");
    write_names();
    write_nodes();
    write_elements();
    for (const auto& [name, values] : mesh_.cell_fields) out_.dropped.push_back("the cell array " + name);
    return std::move(out_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_.bytes), format, std::forward<Args>(args)...);
    out_.bytes += '\n';
  }

  template <class T>
  void raw(T value) {
    out_.bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }

  void write_names() {
    const auto named = std::ranges::count_if(mesh_.groups, [](const auto& g) { return !g.name.empty() && g.id > 0; });
    if (named == 0) return;
    line("$PhysicalNames\n{}", named);
    for (const ElementGroup& group : mesh_.groups) {
      if (!group.name.empty() && group.id > 0) line("{} {} \"{}\"", group.dim, group.id, group.name);
    }
    line("$EndPhysicalNames");
  }

  void write_nodes() {
    const Index vertices = mesh_.vertex_count();
    const auto between = static_cast<Index>(quadratic_.cols() > 0 ? mesh_.mid_nodes.size() : 0);
    line("$Nodes\n{}", vertices + between);
    for (Index v = 0; v < vertices + between; ++v) {
      const Vec3 x = v < vertices ? Vec3(mesh_.vertices.col(v)) : mesh_.mid_nodes[v - vertices].position;
      if (binary_) {
        raw(static_cast<std::int32_t>(v + 1));
        for (int k = 0; k < 3; ++k) raw(x[k]);
      } else {
        line("{} {} {} {}", v + 1, x[0], x[1], x[2]);
      }
    }
    line("{}$EndNodes", binary_ ? "\n" : "");
  }

  void write_elements() {
    const std::vector<MshElement> points = point_elements(), triangles = triangle_elements(), tets = tet_elements();
    line("$Elements\n{}", points.size() + triangles.size() + tets.size());
    write_block(point_type, 1, points);
    write_block(triangle_type, 3, triangles);
    if (quadratic_.cols() > 0)
      write_block(ten_node_tet_type, 10, tets);
    else
      write_block(tet_type, 4, tets);
    line("{}$EndElements", binary_ ? "\n" : "");
  }

  void write_block(int type, int corners, const std::vector<MshElement>& elements) {
    if (binary_ && !elements.empty()) {
      for (const std::size_t value : {static_cast<std::size_t>(type), elements.size(), std::size_t{2}})
        raw(static_cast<std::int32_t>(value));
    }
    for (const MshElement& element : elements) {
      ++number_;
      if (binary_) {
        for (const int value : {number_, element.physical, element.entity}) raw(static_cast<std::int32_t>(value));
        for (int k = 0; k < corners; ++k) raw(static_cast<std::int32_t>(element.corners[k] + 1));
        continue;
      }
      fmt::format_to(std::back_inserter(out_.bytes), "{} {} 2 {} {}", number_, type, element.physical, element.entity);
      for (int k = 0; k < corners; ++k) fmt::format_to(std::back_inserter(out_.bytes), " {}", element.corners[k] + 1);
      out_.bytes += '\n';
    }
  }

  // The vertices of groups; Gmsh has no groups of vertices with an id of 0 or below.
  std::vector<MshElement> point_elements() {
    std::vector<MshElement> elements;
    for (const ElementGroup& group : mesh_.groups) {
      if (group.dim != 0) continue;
      if (group.id <= 0) out_.drop(group);
      for (std::size_t k = 0; group.id > 0 && k < group.vertices.size(); ++k)
        elements.push_back({group.id, 1, &group.vertices[k]});
    }
    return elements;
  }

  // The triangles of the groups; all of a surface.
  std::vector<MshElement> triangle_elements() {
    const bool physical = has_physical_groups(mesh_, 2);
    std::vector<MshElement> elements;
    for (const ElementGroup& group : mesh_.groups) {
      if (group.dim != 2) continue;
      if (physical && group.id <= 0) {
        out_.drop(group);
        continue;
      }
      for (Eigen::Index f = 0; f < group.triangles.cols(); ++f) {
        elements.push_back({physical ? group.id : 0, physical ? 1 : group.id, group.triangles.col(f).data()});
      }
    }
    if (mesh_.tets.cols() == 0) add_ungrouped(elements);
    return elements;
  }

  void add_ungrouped(std::vector<MshElement>& elements) {
    const auto corners_of = [](const Index* corner) {
      std::array<Index, 3> key{corner[0], corner[1], corner[2]};
      std::ranges::sort(key);
      return key;
    };
    std::vector<std::array<Index, 3>> grouped;
    for (const MshElement& element : elements) grouped.push_back(corners_of(element.corners));
    std::ranges::sort(grouped);
    for (Eigen::Index f = 0; f < all_triangles_.cols(); ++f) {
      const Index* corners = all_triangles_.col(f).data();
      if (!std::ranges::binary_search(grouped, corners_of(corners))) elements.push_back({0, 0, corners});
    }
  }

  // The first group of a tet is its region to a reader, so that comes first: as no group (0) for region 0.
  std::vector<MshElement> tet_elements() {
    const bool physical = has_physical_groups(mesh_, 3);
    std::vector<std::vector<int>> ids(static_cast<std::size_t>(mesh_.tets.cols()));
    for (const ElementGroup& group : mesh_.groups) {
      if (group.dim != 3 || !physical) continue;
      if (group.id <= 0) {
        if (!is_region(group)) out_.drop(group);
        continue;
      }
      for (const Index t : group.tets) ids[static_cast<std::size_t>(t)].push_back(group.id);
    }
    std::vector<MshElement> elements;
    for (std::size_t t = 0; t < ids.size(); ++t) {
      const Index region = mesh_.regions.empty() ? 0 : mesh_.regions[t];
      const int first = physical ? std::max(region, 0) : 0;
      const auto column = static_cast<Eigen::Index>(t);
      const Index* corners = quadratic_.cols() > 0 ? quadratic_.col(column).data() : mesh_.tets.col(column).data();
      elements.push_back({first, region, corners});
      for (const int id : ids[t]) {
        if (id != first) elements.push_back({id, region, corners});
      }
    }
    return elements;
  }

  // Whether the regions say the same as an unnamed group.
  bool is_region(const ElementGroup& group) const {
    return group.name.empty() && std::ranges::all_of(group.tets, [&](Index t) {
             return mesh_.regions[static_cast<std::size_t>(t)] == group.id;
           });
  }

  const TetMesh& mesh_;
  const Triangles& all_triangles_;
  QuadraticTets quadratic_;  // none: the tets are linear
  bool binary_;
  int number_ = 0;
  WrittenMesh out_;
};

}  // namespace

WrittenMesh msh_bytes(const MeshFile& mesh, MeshEncoding encoding) {
  return MshWriter(mesh, encoding == MeshEncoding::binary).write();
}

void write_msh(const std::string& path, const TetMesh& mesh) {
  MeshFile file{mesh, Triangles(3, 0), {}, {}, {}, {}};
  file.volume.mid_nodes.clear();
  write_file_atomically(path, msh_bytes(file, MeshEncoding::ascii).bytes);
}

}  // namespace sinew
