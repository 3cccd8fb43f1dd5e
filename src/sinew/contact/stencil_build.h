// Makes contact stencils from pairs of surface primitives: the closest features decide which vertices take part.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/contact/stencil.h"
#include "sinew/model/collision_mesh.h"

namespace sinew {

// A stencil in canonical order with its weight, and the squared distance [m^2] of its features.
struct StencilAtDistance {
  ContactStencil stencil;
  double distance2 = 0;
};

// Surface vertex mesh.vertices[vertex] against a triangle; weight w = A_v / 4 with the vertex's area A_v. x: 3 x n_all
// [m].
StencilAtDistance point_triangle_stencil(const CollisionMesh& mesh, Index vertex, Index triangle, const Points& x);

// Two edges of the mesh; weight w = (A_e + A_e') / 4 with the edges' areas. Nearly parallel edges, |e_a x e_b|^2 < eps,
// keep all four vertices and are mollified. Others are reduced to their closest features.
StencilAtDistance edge_edge_stencil(const CollisionMesh& mesh, Index edge_a, Index edge_b, const Points& x);

// Surface vertex mesh.vertices[vertex] against an analytic plane; weight w = A_v. distance2 is the squared distance to
// the plane, also for a vertex behind it, whose `signed_distance` is negative.
StencilAtDistance point_plane_stencil(const CollisionMesh& mesh, Index vertex, Index plane, const PlaneState& state,
                                      const Points& x, double* signed_distance = nullptr);

// Sorts vertices with equal roles (ends of an edge, corners of a triangle, the two edges or points) by ascending id.
void canonicalize(ContactStencil& stencil);
// A stencil in that order.
ContactStencil canonical_stencil(StencilKind kind, std::array<Index, 4> v, double weight);

// Whether two canonical stencils are between the same features.
bool same_stencil(const ContactStencil& a, const ContactStencil& b);

// Sorts canonical stencils and merges equal ones by adding their weights; those whose weights cancel are dropped. The
// result does not depend on the given order.
void merge_equal(std::vector<ContactStencil>& stencils);
// Writes sorted stencils, equal ones merged, to `merged`, which may be where `sorted` begins. Returns their number.
std::size_t merge_sorted(std::span<const ContactStencil> sorted, ContactStencil* merged);

}  // namespace sinew
