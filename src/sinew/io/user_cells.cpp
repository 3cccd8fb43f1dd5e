#include "sinew/io/user_cells.h"

#include <algorithm>

namespace sinew {

UserCells::UserCells(const System& s) : triangles_(static_cast<Index>(s.user_triangles.cols())) {
  const auto add = [&](const auto& nodes, std::uint8_t type) {
    connectivity_.insert(connectivity_.end(), nodes.begin(), nodes.end());
    offsets_.push_back(static_cast<Index>(connectivity_.size()));
    types_.push_back(type);
  };
  for (const SystemBody& body : s.bodies) {
    const bool quadratic = body.quadratic_count > 0;
    const Index cells = quadratic ? body.quadratic_count : body.tet_count, parts = quadratic ? parts_of_quadratic : 1;
    for (Index c = 0; c < cells; ++c) {
      tets_.push_back({body.tet_user_begin + parts * c, parts});
      if (quadratic) {
        add(s.user_quadratic_tets.col(body.quadratic_begin + c), vtk_quadratic_tet);
      } else {
        add(s.user_tets.col(body.tet_user_begin + c), vtk_tet);
      }
    }
  }
  for (const auto& triangle : s.user_triangles.colwise()) add(triangle, vtk_triangle);
}

void UserCells::set(VtuFile& file) const {
  file.cell_count = static_cast<Index>(types_.size());
  file.connectivity = vtk_array("connectivity", 1, std::span<const Index>(connectivity_));
  file.offsets = vtk_array("offsets", 1, std::span<const Index>(offsets_));
  file.types = vtk_array("types", 1, std::span<const std::uint8_t>(types_));
  VtkArray* const arrays[] = {&file.connectivity, &file.offsets, &file.types};
  encode_arrays(arrays);
}

std::vector<double> UserCells::means(const std::vector<double>& by_tet, int width) const {
  std::vector<double> result;
  result.reserve((tets_.size() + triangles_) * width);
  for (const Tets& cell : tets_)
    for (int k = 0; k < width; ++k) {
      double sum = 0;
      for (Index p = 0; p < cell.parts; ++p) sum += by_tet[static_cast<std::size_t>(cell.first + p) * width + k];
      result.push_back(sum / cell.parts);
    }
  result.resize((tets_.size() + triangles_) * width, 0.0);
  return result;
}

std::vector<Index> UserCells::firsts(const std::vector<Index>& by_tet, std::span<const Index> of_triangles) const {
  std::vector<Index> result;
  for (const Tets& cell : tets_) result.push_back(by_tet[cell.first]);
  result.insert(result.end(), of_triangles.begin(), of_triangles.end());
  return result;
}

}  // namespace sinew
