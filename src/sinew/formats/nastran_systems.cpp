#include "sinew/formats/nastran_systems.h"

#include <cmath>

#include "sinew/formats/labelled_mesh.h"

namespace sinew {

bool NastranSystems::read(const NastranCards& cards) {
  const std::string& name = cards.card().name;
  if (name != "CORD2R" && name != "CORD2C" && name != "CORD2S") return false;
  System system;
  system.kind = name == "CORD2R" ? Kind::rectangular : name == "CORD2C" ? Kind::cylindrical : Kind::spherical;
  const auto id = static_cast<Index>(cards.integer(0, "a coordinate system's number", 1, largest_label));
  system.reference = static_cast<Index>(cards.field(1).empty() ? 0 : cards.integer(1, "a system", 0, largest_label));
  system.place = cards.card().place;
  Vec3* points[] = {&system.origin, &system.on_z, &system.in_xz};
  for (std::size_t k = 0; k < 9; ++k)
    (*points[k / 3])[static_cast<Eigen::Index>(k % 3)] = cards.real(2 + k, "a coordinate of a system", 0);
  if (!systems_.emplace(id, system).second) cards.fail("found coordinate system {} twice, expected it once", id);
  return true;
}

NastranSystems::System& NastranSystems::resolved(const IncludedLines& lines, Index id, LinePlace place) {
  const auto known = systems_.find(id);
  if (known == systems_.end())
    lines.fail_at(place, "found coordinate system {}, expected one of a CORD2R, CORD2C or CORD2S card", id);
  System& system = known->second;
  if (system.resolved) return system;
  if (system.open || depth_ > 100)
    lines.fail_at(system.place, "coordinate system {} refers to itself, or systems are nested more than 100 deep", id);
  system.open = true;
  ++depth_;
  const Vec3 a = to_basic(lines, system.reference, system.origin, system.place);
  const Vec3 b = to_basic(lines, system.reference, system.on_z, system.place);
  const Vec3 c = to_basic(lines, system.reference, system.in_xz, system.place);
  --depth_;
  const Vec3 z = (b - a).stableNormalized(), y = z.cross((c - a).stableNormalized());
  if (!(z.norm() > 0.5) || !(y.norm() > 1e-9))
    lines.fail_at(system.place, "the points of coordinate system {} are on one line, expected three that are not", id);
  system.axes << y.normalized().cross(z), y.normalized(), z;
  system.center = a;
  system.resolved = true;
  return system;
}

Vec3 NastranSystems::to_basic(const IncludedLines& lines, Index id, const Vec3& x, LinePlace place) {
  if (id == 0) return x;
  const System& system = resolved(lines, id, place);
  constexpr double degree = EIGEN_PI / 180;
  Vec3 local = x;
  if (system.kind == Kind::cylindrical)  // r, theta, z
    local = {x[0] * std::cos(degree * x[1]), x[0] * std::sin(degree * x[1]), x[2]};
  if (system.kind == Kind::spherical)  // r, theta from z, phi about z
    local = {x[0] * std::sin(degree * x[1]) * std::cos(degree * x[2]),
             x[0] * std::sin(degree * x[1]) * std::sin(degree * x[2]), x[0] * std::cos(degree * x[1])};
  return system.center + system.axes * local;
}

}  // namespace sinew
