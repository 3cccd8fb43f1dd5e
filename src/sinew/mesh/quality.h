// Computes statistics of meshes, for `sinew info` and tests.
#pragma once

#include <string>
#include <vector>

#include "sinew/mesh/tet_mesh.h"

namespace sinew {

// Signed volume of tet t [m^3]: det[b-a, c-a, d-a] / 6.
double tet_volume(const Points& vertices, const Tets& tets, Eigen::Index t);

// Area of triangle f [m^2].
double triangle_area(const Points& vertices, const Triangles& triangles, Eigen::Index f);

// 6 sqrt(2) |V| / l_rms^3, where l_rms is the root mean square of the six edge lengths: 1 for a regular tet, 0 for a
// flat one.
double tet_quality(const Points& vertices, const Tets& tets, Eigen::Index t);

// The six dihedral angles of tet t [rad], at the edges of tet_edges.
Eigen::Matrix<double, 6, 1> tet_dihedral_angles(const Points& vertices, const Tets& tets, Eigen::Index t);

struct SurfaceStatistics {
  Index vertices = 0, triangles = 0, edges = 0;
  Index unused_vertices = 0;
  Index components = 0;         // connected through vertices
  Index boundary_edges = 0;     // edges of one triangle
  Index nonmanifold_edges = 0;  // edges of more than two triangles
  double area = 0;              // [m^2]
  // Enclosed volume, positive if oriented outwards [m^3]; meaningless with boundary edges.
  double volume = 0;
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();   // bounding box of all vertices [m]
  double edge_min = 0, edge_mean = 0, edge_max = 0;  // [m]

  // Used vertices - edges + triangles: 2 (components - genus) for a closed manifold surface.
  Index euler_characteristic() const { return vertices - unused_vertices - edges + triangles; }
};

// The longest of the six edges of tet t over the shortest.
double tet_edge_ratio(const Points& vertices, const Tets& tets, Eigen::Index t);

struct RegionStatistics {
  Index id = 0, tets = 0;
  double volume = 0;  // [m^3]
};

struct MeshStatistics {
  Index vertices = 0, tets = 0, edges = 0;
  Index unused_vertices = 0;
  Index components = 0;     // connected through vertices
  Index negative_tets = 0;  // tets with negative volume
  Index flat_tets = 0;      // tets with a quality below 1e-4 (nearly_flat_quality)
  double volume = 0;        // sum of the signed volumes [m^3]
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();
  double quality_min = 0, quality_median = 0;
  double dihedral_min = 0, dihedral_max = 0;  // [degrees]
  double dihedral_low = 0;                    // 1 % of the tets have a smaller angle than this [degrees]
  double edge_min = 0, edge_mean = 0, edge_max = 0;
  double edge_ratio_mean = 0, edge_ratio_max = 0;  // ratio of the longest to the shortest edge in a tet
  std::vector<RegionStatistics> regions;           // by ascending id
  SurfaceStatistics surface;                       // statistics of the boundary, with the mesh's vertices
};

SurfaceStatistics statistics(const TriMesh& mesh);
MeshStatistics statistics(const TetMesh& mesh);  // vertex ids must be in range

// Returns lines for people: edge lengths, quality and angles; and up to a hundred regions with their names.
std::string quality_text(const MeshStatistics& s);
std::string region_text(const TetMesh& mesh, const MeshStatistics& s);

}  // namespace sinew
