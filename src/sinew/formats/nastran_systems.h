// Coordinate systems of Nastran files.
#pragma once

#include <map>
#include <set>

#include "sinew/formats/nastran_cards.h"
#include "sinew/mesh/tet_mesh.h"

namespace sinew {

class NastranSystems {
 public:
  // Keeps the system of the card; false if it is no card CORD2R, CORD2C or CORD2S.
  bool read(const NastranCards& cards);

  // Returns a point of system `id` in the basic system, 0. Throws InputError, located at `place`, if there is no such
  // system or if systems refer to each other in a circle.
  Vec3 to_basic(const IncludedLines& lines, Index id, const Vec3& x, LinePlace place);

 private:
  enum class Kind { rectangular, cylindrical, spherical };
  struct System {
    Kind kind = Kind::rectangular;
    Index reference = 0;
    Vec3 origin, on_z, in_xz;  // in the reference system, as the card gives them
    LinePlace place;
    bool resolved = false, open = false;
    Mat3 axes;    // columns: the axes in the basic system
    Vec3 center;  // the origin in the basic system
  };

  System& resolved(const IncludedLines& lines, Index id, LinePlace place);

  std::map<Index, System> systems_;
  int depth_ = 0;
};

}  // namespace sinew
