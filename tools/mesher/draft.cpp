#include "draft.h"

namespace sinew::mesher {

void add_groups(TetMesh& mesh, const std::vector<std::string>& names) {
  for (std::size_t r = 0; r < names.size(); ++r) {
    ElementGroup group;
    group.dim = 3;
    group.id = static_cast<int>(r) + 1;
    group.name = names[r];
    for (std::size_t t = 0; t < mesh.regions.size(); ++t) {
      if (mesh.regions[t] == group.id) group.tets.push_back(static_cast<Index>(t));
    }
    mesh.groups.push_back(std::move(group));
  }
}

}  // namespace sinew::mesher
