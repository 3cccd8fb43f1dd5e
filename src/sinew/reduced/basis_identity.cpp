#include "sinew/reduced/basis_identity.h"

#include <span>

#include "sinew/core/archive.h"

namespace sinew {
namespace {

void add_handles(const HandleBasis& handles, ContentHash& hash) {
  for (const Vec3& center : handles.center) hash.add(center.data(), sizeof(Vec3));
  hash.add_values(std::span<const double>(handles.radius));
  hash.add_values(std::span<const std::int64_t>(handles.begin));
  hash.add_values(std::span<const Index>(handles.handle));
  hash.add_values(std::span<const double>(handles.weight));
}

void add_columns(const MatX& matrix, ContentHash& hash) {
  hash.add(matrix.data(), sizeof(double) * static_cast<std::size_t>(matrix.size()));
}

}  // namespace

std::string identity_of(const ReducedBasis& basis) {
  ContentHash hash;
  hash.add(basis.set.data(), sizeof(basis.set));
  hash.add_values(std::span<const Index>(basis.motions));
  for (const AxisHandles& set : basis.sets) {
    add_handles(set.free, hash);
    add_handles(set.prescribed, hash);
  }
  for (const Substructure& part : basis.parts) {
    add_columns(part.modes, hash);
    add_columns(part.prescribed, hash);
    add_columns(part.turns, hash);
    hash.add(part.center.data(), sizeof(Vec3));
  }
  return hash.hex();
}

}  // namespace sinew
