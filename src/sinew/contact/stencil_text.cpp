#include "sinew/contact/stencil_text.h"

#include <fmt/format.h>

#include "sinew/model/naming.h"

namespace sinew {
namespace {

// How many of the stencil's vertices belong to its first side.
int first_side(const ContactStencil& stencil) {
  return stencil.kind == StencilKind::edge_edge || stencil.kind == StencilKind::edge_edge_mollified ? 2 : 1;
}

}  // namespace

std::pair<Index, Index> stencil_owners(const CollisionMesh& mesh, const ContactStencil& stencil) {
  const Index first = mesh.vertex_owner[stencil.v[0]];
  if (stencil.kind == StencilKind::point_plane) return {first, mesh.planes[stencil.plane].owner};
  return {first, mesh.vertex_owner[stencil.v[first_side(stencil)]]};
}

std::string stencil_text(const System& system, const ContactStencil& stencil) {
  const auto [a, b] = stencil_owners(system.collision, stencil);
  const std::span<const Index> vertices(stencil.v.data(), static_cast<std::size_t>(stencil.vertex_count()));
  const std::size_t split = first_side(stencil);
  const std::string first = primitive_text(system, vertices.first(split));
  if (stencil.kind == StencilKind::point_plane)
    return fmt::format("{} of {} and {}", first, owner_text(system, a), owner_text(system, b));
  const std::string second = primitive_text(system, vertices.subspan(split));
  if (a == b) return fmt::format("{} and {} of {}", first, second, owner_text(system, a));
  return fmt::format("{} of {} and {} of {}", first, owner_text(system, a), second, owner_text(system, b));
}

}  // namespace sinew
