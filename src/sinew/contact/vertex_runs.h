// Divides surface vertices into short runs, so that distant ones are skipped run by run. Vertices that follow the same
// four vertices (model/embedding.h: affine bodies) move by one affine map. If all vertices of a run follow the same
// four vertices, the map alone bounds the run.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/contact/body_frame.h"
#include "sinew/core/types.h"
#include "sinew/model/collision_mesh.h"
#include "sinew/model/embedding.h"

namespace sinew {

// The affine function value + slope . y. The coordinates y = C^T w (3) stand for four weights w that add up to 1, w =
// 1/4 + C y / 4. The rows of C, (1,1,1), (1,-1,-1), (-1,1,-1), (-1,-1,1), are the corners of a regular tet.
struct AffineFunction {
  double value = 0;
  Vec3 slope = Vec3::Zero();
};

// Positions or displacements, origin + slope y, of vertices that follow the same four vertices.
struct AffineMap {
  Vec3 origin = Vec3::Zero();
  Mat3 slope = Mat3::Zero();

  AffineMap(const Vec3& origin, const Mat3& slope) : origin(origin), slope(slope) {}
  AffineMap(const Points& x, const std::array<Index, 4>& followed) {
    const auto a = x.col(followed[0]), b = x.col(followed[1]), c = x.col(followed[2]), d = x.col(followed[3]);
    origin = 0.25 * ((a + b) + (c + d));
    slope.col(0) = 0.25 * ((a + b) - (c + d));
    slope.col(1) = 0.25 * ((a - b) + (c - d));
    slope.col(2) = 0.25 * ((a - b) - (c - d));
  }
  AffineMap operator+(const AffineMap& other) const { return {origin + other.origin, slope + other.slope}; }
  AffineMap operator-(const AffineMap& other) const { return {origin - other.origin, slope - other.slope}; }
  // along(): normal . x as a function of y. size(): a bound of the size of the summands of x.
  AffineFunction along(const Vec3& normal) const { return {normal.dot(origin), slope.transpose() * normal}; }
  double size() const { return origin.cwiseAbs().sum() + slope.cwiseAbs().sum(); }
};

struct VertexRun {
  static constexpr std::size_t most = 64;   // vertices of a run, or up to `least` - 1 more if they follow others
  static constexpr std::size_t least = 16;  // fewest vertices of a run whose vertices follow others

  std::size_t begin = 0, end = 0;                    // into CollisionMesh::vertices
  std::array<Index, 4> followed{-1, -1, -1, -1};     // the vertices that all of the run follow; -1: none in common
  Vec3 middle = Vec3::Zero(), reach = Vec3::Zero();  // box around the vertices' y: centre, half extents

  bool follows() const { return followed[0] >= 0; }

  // A lower bound of f at the vertices of the run. size: magnitude of the positions that f is made of, for the
  // rounding.
  double lowest(const AffineFunction& f, double size) const {
    return f.value + f.slope.dot(middle) - f.slope.cwiseAbs().dot(reach) - rounding(size);
  }
  // Sets low and high to a box around all vertices of the run.
  void bounds(const AffineMap& map, Vec3& low, Vec3& high) const {
    const Vec3 center = map.origin + map.slope * middle;
    const Vec3 half = (map.slope.cwiseAbs() * reach).array() + rounding(map.size());
    low = center - half;
    high = center + half;
  }
  // The motion at the centre of the box, and the largest difference from it, which is at a corner.
  MeanMotion motion(const AffineMap& d) const {
    MeanMotion motion;
    motion.mean = d.origin + d.slope * middle;
    for (const double a : {-1, 1})
      for (const double b : {-1, 1})
        motion.spread = std::max(motion.spread, (d.slope * Vec3(reach[0], a * reach[1], b * reach[2])).norm());
    motion.spread += rounding(d.size());
    return motion;
  }

 private:
  // Bounds the rounding of the sums above; far below any distance that matters.
  double rounding(double size) const { return 0x1p-44 * size * (1 + middle.cwiseAbs().sum() + reach.sum()); }
};

// Divides all surface vertices, in order, into runs. If the vertices of a run follow others, one owner has all of them.
std::vector<VertexRun> vertex_runs(const CollisionMesh& mesh, const Embedding& embedding);

// Joins consecutive runs into one. `followed` is kept if all runs have the same, otherwise it is none.
VertexRun joined(std::span<const VertexRun> runs);

}  // namespace sinew
