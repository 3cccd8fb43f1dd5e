// The steps of build_system, which fill in a System from a Setup that has passed check_setup.
#pragma once

#include <vector>

#include "sinew/model/system.h"

namespace sinew {

// The simulation's ids of the vertices of bodies and obstacles.
struct VertexMaps {
  std::vector<std::vector<Index>> body;       // by body and vertex of the user's mesh: simulation id, -1: unused node
  std::vector<std::vector<Index>> mesh;       // by body and vertex of the mesh that is simulated
  std::vector<std::vector<Index>> collision;  // by body and vertex of its collision surface
  std::vector<std::vector<Index>> obstacle;   // the same for obstacles (empty for planes)
};

// Throws InputError naming the body or obstacle when the setup is inconsistent or not physical.
void check_setup(const Setup& setup);

// Numbering of vertices, rest positions, user numbering of vertices and tets, bodies.
VertexMaps number_vertices(const Setup& setup, System& system);

// Build elements in this order: tets by elastic group, triangles of cloth, materials and masses. Springs on edges and
// initial velocities follow.
void build_elements(const Setup& setup, const VertexMaps& maps, System& system);
void build_edge_springs(const Setup& setup, const VertexMaps& maps, System& system);
void build_velocities(const Setup& setup, System& system);

// Prescribed vertices, loads, springs, motions of obstacles, planes.
void build_constraints(const Setup& setup, const VertexMaps& maps, System& system);

// Ties, with the weights by which vertices follow others. Positions at rest, what is prescribed and initial velocities
// must be in place.
void build_ties(const Setup& setup, const VertexMaps& maps, System& system);

// The collision mesh: surfaces, areas, owners, permissions, friction.
void build_collision(const Setup& setup, const VertexMaps& maps, System& system);

// Diagonal, contact distance, and the contact stiffness if the setup gives one.
void build_contact_scales(const Setup& setup, System& system);

// The stiffness of each body, and from it that of contacts where it is left to the scene. The setup must be in place.
void find_contact_stiffness(System& system);

}  // namespace sinew
