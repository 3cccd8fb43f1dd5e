// Skeletons: bones carry a body along by linear blend skinning (Magnenat-Thalmann, Laperriere and Thalmann 1988). The
// body deforms in its rest pose, and bones pose the result (Kim and James 2011, one-way coupling):
//
//   x_v = T_v(t) (X_v + u_v),   T_v = sum_b w_vb T_b(t),
//
// with the maps T_b of the bones, affine (3 x 4) on homogeneous positions, and weights w of sum 1.
#pragma once

#include <vector>

#include "sinew/core/types.h"
#include "sinew/model/motion.h"

namespace sinew {

class Skin {
 public:
  using Map = Eigen::Matrix<double, 3, 4>;

  // vertices: numbers in the system, ascending. weights: vertices x bones. Weights below 1e-4 are left out.
  Skin(Index body, std::vector<Motion> bones, std::vector<Index> vertices, const MatX& weights);

  Index body() const { return body_; }
  const std::vector<Index>& vertices() const { return vertices_; }
  Index bone_count() const { return static_cast<Index>(bones_.size()); }
  std::vector<Map> maps(double time) const;

  // The sum of weight(bone, w) over the bones of vertex i of vertices().
  template <class Function>
  void for_each(Index i, Function&& weight) const {
    for (Index e = begin_[i]; e < begin_[i + 1]; ++e) weight(bone_[e], weight_[e]);
  }

  // place(): positions in the rest pose (columns of x, by number in the system) become positions at `time`. undo() is
  // its inverse; throws SimulationError where bones flatten the body.
  void place(double time, Points& x) const;
  void undo(double time, Points& x) const;
  // Velocities v at positions x in the rest pose become T_v v + (T_v(t) - T_v(t - step)) / step x, and back.
  void place_velocity(double time, double step, const Points& x, Points& v) const;
  void undo_velocity(double time, double step, const Points& x, Points& v) const;

 private:
  Map at(const std::vector<Map>& maps, Index i) const;

  Index body_;
  std::vector<Motion> bones_;
  std::vector<Index> vertices_, begin_, bone_;
  std::vector<double> weight_;
};

// The acceleration that a set of masses in the rest pose feels as its bones move:
//
//   sum_v m_v (T_v)^T (g - T_v'' X_v) / sum_v m_v,
//
// where T_v is that of the mean weights. Second derivatives are differences over `step`.
class SkinLoad {
 public:
  // masses: numbers in the system, and masses [kg]. rest: positions of all vertices [m].
  SkinLoad(const Skin& skin, const Points& rest, const std::vector<std::pair<Index, double>>& masses);

  // before, now, after: maps of the bones at t - step, t and t + step.
  Vec3 acceleration(const std::vector<Skin::Map>& before, const std::vector<Skin::Map>& now,
                    const std::vector<Skin::Map>& after, double step, const Vec3& gravity) const;

 private:
  struct Part {
    Index bone = 0;
    double weight = 0;      // mean of w_vb by mass
    Eigen::Vector4d place;  // mean of w_vb (X_v, 1) by mass
  };
  std::vector<Part> parts_;
};

}  // namespace sinew
