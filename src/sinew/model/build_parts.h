// The steps of build_system(). They fill in a System from a Setup that check_setup() has accepted.
#pragma once

#include <vector>

#include "sinew/model/system.h"

namespace sinew {

// The simulation's ids of the vertices of bodies and obstacles.
struct VertexMaps {
  std::vector<std::vector<Index>> body;       // by body and vertex of the user's mesh; -1: the node is in no element
  std::vector<std::vector<Index>> mesh;       // by body and vertex of the simulated mesh
  std::vector<std::vector<Index>> collision;  // by body and vertex of its collision surface
  std::vector<std::vector<Index>> obstacle;   // by obstacle and vertex (empty for planes)
};

// Throws InputError naming the body or obstacle if the setup is inconsistent or not physical.
void check_setup(const Setup& setup);

// Numbers the vertices. Sets rest positions, the user's numbering of vertices and tets, and the bodies.
VertexMaps number_vertices(const Setup& setup, System& system);

// build_elements() sets the tets by elastic group, triangles of cloth, materials and masses. build_edge_springs() sets
// springs on edges, build_velocities() initial velocities.
void build_elements(const Setup& setup, const VertexMaps& maps, System& system);
void build_edge_springs(const Setup& setup, const VertexMaps& maps, System& system);
void build_velocities(const Setup& setup, System& system);

// Sets prescribed vertices, loads, springs, motions of obstacles, and planes.
void build_constraints(const Setup& setup, const VertexMaps& maps, System& system);

// Sets ties, with the weights by which vertices follow others. Rest positions, prescribed vertices and initial
// velocities must be set before.
void build_ties(const Setup& setup, const VertexMaps& maps, System& system);

// Sets the sensors: their places in the simulation's numbering. Throws InputError naming the sensor.
void build_sensors(const Setup& setup, const VertexMaps& maps, System& system);

// Sets the collision mesh: surfaces, areas, owners, permissions, friction.
void build_collision(const Setup& setup, const VertexMaps& maps, System& system);

// Sets the diagonal and the contact distance, and the contact stiffness if the setup gives one.
void build_contact_scales(const Setup& setup, System& system);

// Sets the cuts through bolts. Vertices, tets and the diagonal must be set before. Throws InputError naming the bolt.
void build_bolts(const Setup& setup, System& system);

// Computes the stiffness of each body and, if the setup gives no contact stiffness, sets it from these. System::setup
// must be set before.
void find_contact_stiffness(System& system);

}  // namespace sinew
