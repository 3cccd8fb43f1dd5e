#include "sinew/potential/enclosed_volume.h"

#include <algorithm>

#include <Eigen/Dense>

#include "sinew/core/cross_matrix.h"
#include "sinew/core/sort_unique.h"
#include "sinew/mesh/quadratic_face.h"

namespace sinew {

// A triangle is one triple with a sixth of its determinant; a face of second order has twenty, with their shares.
EnclosedVolume::EnclosedVolume(const FaceLoad& load) : load_(&load) {
  vertices_.assign(load.faces.data(), load.faces.data() + load.faces.size());
  sort_unique(vertices_);
  for (Index q = 0; q < load.quadratic_faces; ++q) {
    const std::array<Index, 6> nodes = quadratic_face_nodes(load.faces, q);
    for (const FaceTriple& t : face_triples()) triples_.push_back({{nodes[t.a], nodes[t.b], nodes[t.c]}, 1 / t.volume});
  }
  for (Index f = parts_of_quadratic_face * load.quadratic_faces; f < load.faces.cols(); ++f)
    triples_.push_back({{load.faces(0, f), load.faces(1, f), load.faces(2, f)}, 6});
  for (const Triple& triple : triples_) {
    std::array<Index, 3>& place = places_.emplace_back();
    for (int k = 0; k < 3; ++k)
      place[k] = static_cast<Index>(std::ranges::lower_bound(vertices_, triple.v[k]) - vertices_.begin());
  }
}

void EnclosedVolume::set_center(const Points& x) {
  center_.setZero();
  for (const Index v : vertices_) center_ += x.col(v);
  center_ /= static_cast<double>(vertices_.size());
}

double EnclosedVolume::value(const Points& x) const {
  double volume = 0;
  for (const Triple& triple : triples_) {
    const std::array<Vec3, 3> y = triple.corners(x, center_);
    volume += y[0].dot(y[1].cross(y[2])) / triple.divisor;
  }
  return volume;
}

void EnclosedVolume::add_vertex_values(const Points& x, double factor, std::span<double> values) const {
  for (const Triple& triple : triples_) {
    const std::array<Vec3, 3> y = triple.corners(x, center_);
    const double volume = y[0].dot(y[1].cross(y[2])) / triple.divisor;
    for (const Index v : triple.v) values[v] += factor * volume;
  }
}

// dV/dy_k = y_(k+1) x y_(k+2) / 6 for each face.
void EnclosedVolume::add_gradient(const Points& x, double factor, Points& g) const {
  for (const Triple& triple : triples_) {
    const std::array<Vec3, 3> y = triple.corners(x, center_);
    const double share = factor / triple.divisor;
    for (int k = 0; k < 3; ++k) g.col(triple.v[k]) += share * y[(k + 1) % 3].cross(y[(k + 2) % 3]);
  }
}

void EnclosedVolume::gradient(const Points& x, Points& local) const {
  local.setZero(3, static_cast<Index>(vertices_.size()));
  for (std::size_t t = 0; t < triples_.size(); ++t) {
    const std::array<Vec3, 3> y = triples_[t].corners(x, center_);
    const double share = 1 / triples_[t].divisor;
    for (int k = 0; k < 3; ++k) local.col(places_[t][k]) += share * y[(k + 1) % 3].cross(y[(k + 2) % 3]);
  }
}

// A sum of blocks -[y]x / 6, indefinite face by face. Projection by faces needs an eigenproblem of 9 x 9 or 18 x 18
// each, for loaded faces alone.
template <int nodes>
void EnclosedVolume::add_face(std::span<const Triple> triples, const std::array<Index, nodes>& of, const Points& x,
                              double factor, Projection projection, SymBlockMatrix& H) const {
  using Block = Eigen::Matrix<double, 3 * nodes, 3 * nodes>;
  Block local = Block::Zero();
  for (const Triple& triple : triples) {
    const std::array<Vec3, 3> y = triple.corners(x, center_);
    const double share = factor / triple.divisor;
    const auto place = [&](int k) { return 3 * (std::ranges::find(of, triple.v[k]) - of.begin()); };
    // d2V/(dy_a dy_b) = -[y_c]x / 6, and zero for a = b.
    for (int k = 0; k < 3; ++k) {
      const int a = k, b = (k + 1) % 3, c = (k + 2) % 3;
      const Mat3 block = -share * cross_matrix(y[c]);
      local.template block<3, 3>(place(a), place(b)) += block;
      local.template block<3, 3>(place(b), place(a)) += block.transpose();
    }
  }
  if (projection == Projection::psd) {
    const Eigen::SelfAdjointEigenSolver<Block> eigen(local);
    local = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() * eigen.eigenvectors().transpose();
  }
  for (int a = 0; a < nodes; ++a)
    for (int b = 0; b < nodes; ++b)
      if (of[a] <= of[b])
        Eigen::Map<Mat3>(H.block(H.pattern().find(of[a], of[b]))) += local.template block<3, 3>(3 * a, 3 * b);
}

void EnclosedVolume::add_hessian(const Points& x, double factor, Projection projection, SymBlockMatrix& H) const {
  const Index quadratic = load_->quadratic_faces;
  const std::span<const Triple> triples(triples_);
  const std::size_t of_face = face_triples().size();
  for (Index q = 0; q < quadratic; ++q)
    add_face<6>(triples.subspan(q * of_face, of_face), quadratic_face_nodes(load_->faces, q), x, factor, projection, H);
  for (std::size_t t = quadratic * of_face; t < triples.size(); ++t)
    add_face<3>(triples.subspan(t, 1), triples[t].v, x, factor, projection, H);
}

void EnclosedVolume::collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const {
  for (Index q = 0; q < load_->quadratic_faces; ++q) {
    const std::array<Index, 6> nodes = quadratic_face_nodes(load_->faces, q);
    for (int a = 0; a < 6; ++a)
      for (int b = 0; b < a; ++b) pairs.push_back(std::minmax(nodes[a], nodes[b]));
  }
  for (std::size_t t = load_->quadratic_faces * face_triples().size(); t < triples_.size(); ++t)
    for (int k = 0; k < 3; ++k) pairs.push_back(std::minmax(triples_[t].v[k], triples_[t].v[(k + 1) % 3]));
}

}  // namespace sinew
