#include "sinew/cubature/cubature_archive.h"

#include <cmath>
#include <span>

#include "sinew/core/error.h"

namespace sinew {

void write_cubature(ArchiveWriter& archive, const std::string& name, const Cubature& cubature) {
  archive.write(name + "/tets", std::span<const Index>(cubature.tets));
  archive.write(name + "/weights", std::span<const double>(cubature.weights));
}

Cubature read_cubature(const ArchiveReader& archive, const std::string& name, Index tet_count) {
  Cubature cubature{archive.integers32(name + "/tets"), archive.doubles(name + "/weights")};
  if (cubature.tets.size() != cubature.weights.size()) {
    fail_input(code::file_damaged, "{}: {} tets but {} weights, expected as many of both; delete this file", name,
               cubature.tets.size(), cubature.weights.size());
  }
  Index last = -1;
  for (std::size_t k = 0; k < cubature.tets.size(); ++k) {
    const Index e = cubature.tets[k];
    if (e <= last || e >= tet_count) {
      fail_input(code::file_damaged,
                 "{}: tet {} at position {} is not ascending within the {} of the mesh; this file belongs to another "
                 "mesh: delete it",
                 name, e, k, tet_count);
    }
    if (!(cubature.weights[k] >= 0) || !std::isfinite(cubature.weights[k])) {
      fail_input(code::file_damaged,
                 "{}: weight {} of tet {} is negative or not finite; this file is damaged: delete it", name,
                 cubature.weights[k], e);
    }
    last = e;
  }
  return cubature;
}

}  // namespace sinew
