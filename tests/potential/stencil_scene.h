// Random stencils of all kinds on a cloud of points, some of them kinematic, and a dense view of block matrices.
#pragma once

#include <random>

#include "contact/stencil_cases.h"

#include "sinew/contact/stencil_build.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/model/collision_mesh.h"
#include "sinew/potential/energy.h"

namespace sinew::test {

struct StencilScene {
  Index dynamic_count;
  Points x;  // in a unit cube
  std::vector<ContactStencil> contacts;
  std::vector<PlaneState> planes;
};

// The last fifth of the vertices is kinematic. Every pair is within a distance of 2.
inline StencilScene stencil_scene(Index vertices, int contacts, unsigned seed) {
  std::mt19937 random(seed);
  StencilScene scene;
  scene.dynamic_count = vertices - vertices / 5;
  scene.x.resize(3, vertices);
  for (Index i = 0; i < vertices; ++i) scene.x.col(i) = 0.5 * random_vector(random);
  scene.planes = {{Vec3(0, -0.6, 0), Vec3(0, 1, 0)}, {Vec3(0.8, 0, 0), Vec3(-1, 0, 0)}};
  for (int k = 0; k < contacts; ++k) {
    ContactStencil s;
    s.kind = static_cast<StencilKind>(random() % 6);
    for (int i = 0; i < s.vertex_count(); ++i) {
      do s.v[i] = static_cast<Index>(random() % vertices);
      while (std::count(s.v.begin(), s.v.begin() + i, s.v[i]));
    }
    s.weight = uniform(random, 0.5, 1);
    if (s.kind == StencilKind::edge_edge_mollified) s.mollifier_eps = 0.5;
    if (s.kind == StencilKind::point_plane) s.plane = static_cast<Index>(random() % 2);
    canonicalize(s);
    scene.contacts.push_back(s);
  }
  return scene;
}

inline SymBlockMatrix matrix_for(const Energy& energy, Index rows) {
  std::vector<std::pair<Index, Index>> pairs;
  energy.collect_pairs(pairs);
  return SymBlockMatrix(make_pattern(rows, pairs));
}

inline MatX dense(const SymBlockMatrix& H) {
  MatX D = MatX::Zero(3 * H.rows(), 3 * H.rows());
  const BlockPattern& pattern = H.pattern();
  for (Index row = 0; row < H.rows(); ++row) {
    for (std::int64_t slot = pattern.row_begin[row]; slot < pattern.row_begin[row + 1]; ++slot) {
      const Mat3 block = Eigen::Map<const Mat3>(H.block(slot));
      D.block<3, 3>(3 * row, 3 * pattern.columns[slot]) = block;
      D.block<3, 3>(3 * pattern.columns[slot], 3 * row) = block.transpose();
    }
  }
  return D;
}

}  // namespace sinew::test
