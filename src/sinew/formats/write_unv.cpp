#include "sinew/formats/write_unv.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "sinew/formats/deck_writer.h"

namespace sinew {
namespace {

constexpr int tet_kind = 111, parabolic_tet_kind = 118, triangle_kind = 91;
constexpr int node_entity = 7, element_entity = 8;

class UnvWriter : DeckWriter {
 public:
  explicit UnvWriter(const MeshFile& mesh) : DeckWriter(mesh) {}

  WrittenMesh write() {
    write_units();
    write_nodes();
    write_elements();
    write_groups();
    return finished();
  }

 private:
  void begin(int dataset) { line("    -1\n{:>6}", dataset); }
  void end() { line("    -1"); }

  void write_units() {
    begin(164);
    line("{:>10}{:<20}{:>10}", 1, "SI: Meter (newton)", 2);
    line("{0:>25.16E}{0:>25.16E}{0:>25.16E}", 1.0);
    line("{:>25.16E}", 273.15);
    end();
  }

  void write_nodes() {
    begin(2411);
    for (Index v = 0; v < content_.node_count(); ++v) {
      const Vec3 x = content_.node(v);
      line("{:>10}{:>10}{:>10}{:>10}", v + 1, 1, 1, 11);
      line("{:>25.16E}{:>25.16E}{:>25.16E}", x[0], x[1], x[2]);
    }
    end();
  }

  void write_elements() {
    // 1, 12, 2, 23, 3, 31, 14, 24, 34, 4
    constexpr std::size_t around[] = {0, 4, 1, 5, 2, 6, 7, 8, 9, 3};
    begin(2412);
    for (Index t = 0; t < mesh_.tet_count(); ++t) {
      const std::vector<Index> nodes = content_.tet_nodes(t);
      const bool linear = nodes.size() == 4;
      line("{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}", t + 1, linear ? tet_kind : parabolic_tet_kind, 1,
           std::max(content_.region(t), 0), 7, nodes.size());
      for (std::size_t k = 0; k < nodes.size(); ++k)
        fmt::format_to(std::back_inserter(out_.bytes), "{:>10}{}", nodes[linear ? k : around[k]] + 1,
                       k + 1 == nodes.size() || k == 7 ? "\n" : "");
    }
    for (std::size_t f = 0; f < content_.triangles().size(); ++f) {
      const auto& [a, b, c] = content_.triangles()[f];
      line("{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}", triangle_number(static_cast<Index>(f)) + 1, triangle_kind, 2, 1, 7,
           3);
      line("{:>10}{:>10}{:>10}", a + 1, b + 1, c + 1);
    }
    end();
  }

  Index triangle_number(Index f) const { return mesh_.tet_count() + f; }

  // Groups of regions come first, so that their numbers stay.
  void write_groups() {
    begin(2467);
    std::map<Index, std::vector<Index>> regions;
    for (Index t = 0; t < mesh_.tet_count(); ++t)
      if (content_.region(t) > 0) regions[content_.region(t)].push_back(t);
    for (const auto& [region, tets] : regions) {
      const int g = content_.group_of_region(region);
      write_group(region, g < 0 ? "" : mesh_.groups[static_cast<std::size_t>(g)].name, element_entity, tets);
    }
    for (std::size_t g = 0; g < mesh_.groups.size(); ++g) {
      const ElementGroup& group = mesh_.groups[g];
      if (group.id > 0 && content_.group_of_region(group.id) == static_cast<int>(g)) continue;
      std::vector<Index> numbers = group.dim == 0 ? content_.nodes_of(g) : group.tets;
      if (group.dim == 2)
        for (const Index f : content_.triangles_of(g)) numbers.push_back(triangle_number(f));
      write_group(group.id, group.name, group.dim == 0 ? node_entity : element_entity, numbers);
    }
    end();
  }

  void write_group(int id, const std::string& name, int entity, const std::vector<Index>& numbers) {
    id = free_number(id, used_);
    line("{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}", id, 0, 0, 0, 0, 0, 0, numbers.size());
    line("{}", plain_name(name));
    for (std::size_t k = 0; k < numbers.size(); ++k)
      fmt::format_to(std::back_inserter(out_.bytes), "{:>10}{:>10}{:>10}{:>10}{}", entity, numbers[k] + 1, 0, 0,
                     k % 2 == 1 || k + 1 == numbers.size() ? "\n" : "");
  }

  std::set<int> used_;  // numbers of groups
};

}  // namespace

WrittenMesh unv_bytes(const MeshFile& mesh, MeshEncoding) {
  return UnvWriter(mesh).write();
}

}  // namespace sinew
