// The cells of the bodies in frames: tets in the user's numbering, ten-node tets as one cell each, triangles of cloth.
#pragma once

#include <span>
#include <vector>

#include "sinew/io/vtu_writer.h"
#include "sinew/model/system.h"

namespace sinew {

// The number of tets as a user counts them: a ten-node tet counts once.
inline Index user_tets_of(const System& system) {
  return system.user_tet_count - (parts_of_quadratic - 1) * static_cast<Index>(system.user_quadratic_tets.cols());
}

class UserCells {
 public:
  explicit UserCells(const System& system);

  // Encodes connectivity, offsets and types.
  void set(VtuFile& file) const;

  // Values of the user's tets, `width` each, as those of cells: means over the parts of ten-node tets. Triangles have
  // 0.
  std::vector<double> means(const std::vector<double>& by_tet, int width) const;
  // The value of the first part; `of_triangles` of the triangles.
  std::vector<Index> firsts(const std::vector<Index>& by_tet, std::span<const Index> of_triangles) const;

 private:
  struct Tets {
    Index first = 0, parts = 1;  // the user's tets of a cell
  };

  std::vector<Tets> tets_;  // by cell
  Index triangles_ = 0;
  std::vector<Index> connectivity_, offsets_;
  std::vector<std::uint8_t> types_;
};

}  // namespace sinew
