// The volume that the faces of a load enclose with a fixed centre, with its derivatives.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/potential/energy.h"

namespace sinew {

// V = sum over faces of det(y_0, y_1, y_2) / 6, y_k = x_k - c. The volume of closed faces does not depend on the centre
// c; a close one keeps digits.
class EnclosedVolume {
 public:
  // Nodes of a face with the share det(y_0, y_1, y_2) / divisor of the volume.
  struct Triple {
    std::array<Index, 3> v;
    double divisor = 6;

    std::array<Vec3, 3> corners(const Points& x, const Vec3& center) const {
      return {x.col(v[0]) - center, x.col(v[1]) - center, x.col(v[2]) - center};
    }
  };

  // The load must outlive this.
  explicit EnclosedVolume(const FaceLoad& load);

  const FaceLoad& load() const { return *load_; }
  const std::vector<Index>& vertices() const { return vertices_; }  // of the faces, ascending
  const std::vector<Triple>& triples() const { return triples_; }
  const Vec3& center() const { return center_; }
  // Puts the centre at the mean of the vertices.
  void set_center(const Points& x);

  double value(const Points& x) const;  // [m^3]
  // values[v] += factor * volume of each face at vertex v.
  void add_vertex_values(const Points& x, double factor, std::span<double> values) const;
  // g += factor * gradient, and the gradient by vertices(), 3 x vertices.
  void add_gradient(const Points& x, double factor, Points& g) const;
  void gradient(const Points& x, Points& local) const;
  // H += factor * Hessian. Projection is by faces.
  void add_hessian(const Points& x, double factor, Projection projection, SymBlockMatrix& H) const;
  void collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const;

 private:
  template <int nodes>
  void add_face(std::span<const Triple> triples, const std::array<Index, nodes>& of, const Points& x, double factor,
                Projection projection, SymBlockMatrix& H) const;

  const FaceLoad* load_;
  std::vector<Index> vertices_;
  std::vector<Triple> triples_;
  std::vector<std::array<Index, 3>> places_;  // by triple: its nodes in vertices_
  Vec3 center_ = Vec3::Zero();                // [m]
};

}  // namespace sinew
