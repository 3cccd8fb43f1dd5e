#include "sinew/formats/gmsh.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include "sinew/core/sort_unique.h"
#include "sinew/formats/gmsh_parser.h"

namespace sinew {
namespace {

// Version 2 repeats an element in each of its physical groups: for each one the first of its copies (itself if single).
template <int corner_count>
std::vector<Index> copies_of_earlier(const GmshContents& file, const GmshSimplices& simplices) {
  const std::size_t count = simplices.labels.size();
  std::vector<Index> original(count);
  std::iota(original.begin(), original.end(), Index{0});
  std::set<int> ids;
  for (const GmshLabel& label : file.labels) ids.insert(label.physicals.begin(), label.physicals.end());
  if (ids.empty()) return original;

  std::vector<std::pair<std::array<Index, corner_count>, Index>> keys(count);
  for (std::size_t e = 0; e < count; ++e) {
    std::array<Index, corner_count> key;
    std::copy_n(simplices.corners.begin() + static_cast<std::ptrdiff_t>(corner_count * e), corner_count, key.begin());
    std::sort(key.begin(), key.end());
    keys[e] = {key, static_cast<Index>(e)};
  }
  std::sort(keys.begin(), keys.end());
  for (std::size_t i = 1; i < count; ++i) {
    const Index before = keys[i - 1].second, now = keys[i].second;
    const GmshLabel& a = file.labels[simplices.labels[before]];
    const GmshLabel& b = file.labels[simplices.labels[now]];
    // Real duplicates (same groups) stay for validate() to report.
    if (keys[i].first == keys[i - 1].first && a.entity == b.entity && a.physicals != b.physicals) {
      original[now] = original[before];
    }
  }
  return original;
}

bool has_physicals(const GmshContents& file, const GmshSimplices& simplices) {
  std::vector<char> used(file.labels.size(), 0);
  for (const Index label : simplices.labels) used[label] = 1;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i] && !file.labels[i].physicals.empty()) return true;
  }
  return false;
}

// The groups of a label in a dimension: its physical ones, or its entity where the dimension has no physical groups.
std::vector<int> group_ids(const GmshLabel& label, bool physical) {
  return physical ? label.physicals : std::vector<int>{label.entity};
}

class GroupTable {
 public:
  explicit GroupTable(const GmshContents& file) : file_(file) {
    for (const auto& [key, name] : file.names) groups_[key].name = name;
  }

  void add_points() {
    for (std::size_t p = 0; p < file_.points.labels.size(); ++p) {
      for (const int id : file_.labels[file_.points.labels[p]].physicals)
        groups_[{0, id}].vertices.push_back(file_.points.corners[p]);
    }
    for (auto& [key, group] : groups_) sort_unique(group.vertices);
  }

  void add_triangles() {
    const bool physical = has_physicals(file_, file_.triangles);
    std::map<int, std::vector<Index>> corners;
    for (std::size_t f = 0; f < file_.triangles.labels.size(); ++f) {
      for (const int id : group_ids(file_.labels[file_.triangles.labels[f]], physical)) {
        auto& mine = corners[id];
        for (int k = 0; k < 3; ++k) mine.push_back(file_.triangles.corners[3 * f + k]);
      }
    }
    for (const auto& [id, list] : corners) {
      groups_[{2, id}].triangles =
          Eigen::Map<const Triangles>(list.data(), 3, static_cast<Eigen::Index>(list.size() / 3));
    }
  }

  void add_tet(Index tet, const GmshLabel& label, bool physical) {
    for (const int id : group_ids(label, physical)) groups_[{3, id}].tets.push_back(tet);
  }

  std::vector<ElementGroup> take() {
    std::vector<ElementGroup> list;
    for (auto& [key, group] : groups_) {
      group.dim = key.first;
      group.id = key.second;
      list.push_back(std::move(group));
    }
    return list;
  }

 private:
  const GmshContents& file_;
  std::map<std::pair<int, int>, ElementGroup> groups_;
};

TetMesh volume_of(const GmshContents& file) {
  TetMesh mesh;
  mesh.vertices = points_of(file.coordinates);
  const std::vector<Index> original = copies_of_earlier<4>(file, file.tets);
  const bool physical = has_physicals(file, file.tets);
  GroupTable groups(file);
  groups.add_points();
  groups.add_triangles();
  std::vector<Index> kept(original.size());
  Index count = 0;
  for (std::size_t t = 0; t < original.size(); ++t) {
    kept[t] = original[t] == static_cast<Index>(t) ? count++ : kept[original[t]];
  }
  mesh.tets.resize(4, count);
  mesh.regions.resize(count);
  for (std::size_t t = 0; t < original.size(); ++t) {
    const GmshLabel& label = file.labels[file.tets.labels[t]];
    groups.add_tet(kept[t], label, physical);
    if (original[t] != static_cast<Index>(t)) continue;
    mesh.tets.col(kept[t]) = Eigen::Map<const Eigen::Matrix<Index, 4, 1>>(file.tets.corners.data() + 4 * t);
    mesh.regions[kept[t]] = !physical ? label.entity : label.physicals.empty() ? 0 : label.physicals.front();
  }
  mesh.groups = groups.take();
  return mesh;
}

Triangles single_triangles(const GmshContents& file) {
  const std::vector<Index> original = copies_of_earlier<3>(file, file.triangles);
  std::vector<Index> corners;
  for (std::size_t f = 0; f < original.size(); ++f) {
    if (original[f] != static_cast<Index>(f)) continue;
    for (std::size_t k = 0; k < 3; ++k) corners.push_back(file.triangles.corners[3 * f + k]);
  }
  return triangles_of(corners);
}

}  // namespace

MeshFile parse_gmsh(const MeshSource& source) {
  ByteReader reader(source.name, source.bytes);
  const GmshContents file = GmshParser(reader).parse();
  return {volume_of(file), single_triangles(file), {}, file.higher_order, file.mid_nodes, file.second_order};
}

}  // namespace sinew
