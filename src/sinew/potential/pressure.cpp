#include "sinew/potential/pressure.h"

#include <algorithm>

#include <Eigen/Dense>

#include "sinew/core/cross_matrix.h"
#include "sinew/core/sort_unique.h"
#include "sinew/mesh/quadratic_face.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

// Symbols: p pressure [Pa], c centre of the loaded vertices at the step's start [m], y_k = x_k - c the corners of a
// face, V = sum over faces of y_0 . (y_1 x y_2) / 6 the volume that the faces enclose with c [m^3]. The potential is p
// V.

}  // namespace

// The patches under pressure. On an open patch, one with a border, the force of a pressure derives from no potential.
PressureEnergy::PressureEnergy(const System& system) : body_vertex_count_(system.body_vertex_count()) {
  for (const FaceLoad& source : system.loads) {
    if (source.kind != LoadKind::pressure) continue;
    Load load;
    load.source = &source;
    load.vertices.assign(source.faces.data(), source.faces.data() + source.faces.size());
    sort_unique(load.vertices);
    add_triples(source, load);
    // The pressure on a closed patch is the gradient of p V for any centre c.
    load.open = !encloses_volume(source.faces);
    load.lagged = Points::Zero(3, load.vertices.size());
    has_open_patch_ |= load.open;
    loads_.push_back(std::move(load));
  }
}

// A triangle is one triple with a sixth of its determinant; a face of second order has twenty, with their shares.
void PressureEnergy::add_triples(const FaceLoad& source, Load& load) {
  for (Index q = 0; q < source.quadratic_faces; ++q) {
    const std::array<Index, 6> nodes = quadratic_face_nodes(source.faces, q);
    for (const FaceTriple& t : face_triples())
      load.triples.push_back({{nodes[t.a], nodes[t.b], nodes[t.c]}, 1 / t.volume});
  }
  for (Index f = parts_of_quadratic_face * source.quadratic_faces; f < source.faces.cols(); ++f)
    load.triples.push_back({{source.faces(0, f), source.faces(1, f), source.faces(2, f)}, 6});
}

// p at a time, and the centre c of each patch, from which its volume is measured: the gradient of a closed patch does
// not depend on c, and a close one keeps digits.
void PressureEnergy::set_loads(const Points& x, double time, double ramp) {
  for (Load& load : loads_) {
    const double factor = load.source->factor.empty() ? ramp : load.source->factor.at(time)[0];
    load.pressure = factor * load.source->pressure;
    load.center.setZero();
    for (Index v : load.vertices) load.center += x.col(v);
    load.center /= static_cast<double>(load.vertices.size());
  }
  lag(x);
}

// Of an open patch: the true follower force of a face, -p times the integrals of its shape functions times its area
// vector (a sixth of (y_1 - y_0) x (y_2 - y_0) at each corner of a triangle), minus that of the potential, -p/6 y_(k+1)
// x y_(k+2). The two sums are equal at inner vertices, so that the difference is on the border.
void PressureEnergy::lag(const Points& x) {
  for (Load& load : loads_) {
    if (!load.open) continue;
    load.lagged.setZero();
    const auto local = [&](Index v) {
      return std::lower_bound(load.vertices.begin(), load.vertices.end(), v) - load.vertices.begin();
    };
    const Triangles& faces = load.source->faces;
    const Index first = parts_of_quadratic_face * load.source->quadratic_faces;
    for (Index f = first; f < faces.cols(); ++f) {
      const Vec3 y[3] = {x.col(faces(0, f)) - load.center, x.col(faces(1, f)) - load.center,
                         x.col(faces(2, f)) - load.center};
      const Vec3 follower = -load.pressure / 6 * (y[1] - y[0]).cross(y[2] - y[0]);
      for (int k = 0; k < 3; ++k)
        load.lagged.col(local(faces(k, f))) += follower + load.pressure / 6 * y[(k + 1) % 3].cross(y[(k + 2) % 3]);
    }
    for (Index q = 0; q < load.source->quadratic_faces; ++q) {
      const std::array<Index, 6> nodes = quadratic_face_nodes(faces, q);
      FaceNodes at;
      for (int a = 0; a < 6; ++a) at[a] = x.col(nodes[a]);
      const std::array<Vec3, 6> areas = node_area_vectors(at);
      for (int a = 0; a < 6; ++a) load.lagged.col(local(nodes[a])) -= load.pressure * areas[a];
      for (const FaceTriple& t : face_triples()) {
        const Triple triple{{nodes[t.a], nodes[t.b], nodes[t.c]}, 1 / t.volume};
        const std::array<Vec3, 3> y = triple.corners(x, load.center);
        for (int k = 0; k < 3; ++k)
          load.lagged.col(local(triple.v[k])) += load.pressure / triple.divisor * y[(k + 1) % 3].cross(y[(k + 2) % 3]);
      }
    }
  }
}

// How much the forces would change if the lagged part were taken at x.
LaggingChange PressureEnergy::lagging_change(const Points& x) const {
  if (!has_open_patch_) return {};
  PressureEnergy anew = *this;
  anew.lag(x);
  Points before = Points::Zero(3, body_vertex_count_), after = before;
  add_gradient(x, 1, before);
  anew.add_gradient(x, 1, after);
  return {(after - before).norm(), after.norm()};
}

// p V - sum of lagged border forces times displacements.
double PressureEnergy::value(const Points& x) const {
  double sum = 0;
  for (const Load& load : loads_) {
    double volume = 0;
    for (const Triple& triple : load.triples) {
      const std::array<Vec3, 3> y = triple.corners(x, load.center);
      volume += y[0].dot(y[1].cross(y[2])) / triple.divisor;
    }
    sum += load.pressure * volume;
    if (!load.open) continue;
    for (std::size_t i = 0; i < load.vertices.size(); ++i)
      sum -= load.lagged.col(i).dot(x.col(load.vertices[i]) - load.center);
  }
  return sum;
}

// A face has p times the volume that it encloses with the centre; the lagged border forces are loads of their vertices.
void PressureEnergy::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  for (const Load& load : loads_) {
    for (const Triple& triple : load.triples) {
      const std::array<Vec3, 3> y = triple.corners(x, load.center);
      const double volume = y[0].dot(y[1].cross(y[2])) / triple.divisor;
      for (const Index v : triple.v) values[v] += scale * load.pressure * volume;
    }
    for (std::size_t i = 0; load.open && i < load.vertices.size(); ++i)
      values[load.vertices[i]] -= scale * load.lagged.col(i).dot(x.col(load.vertices[i]) - load.center);
  }
}

// d(p V)/dy_k = p/6 y_(k+1) x y_(k+2) for each face; the lagged border forces of open patches are constant.
void PressureEnergy::add_load_gradient(const Load& load, const Points& x, double scale, Points& g) {
  for (const Triple& triple : load.triples) {
    const std::array<Vec3, 3> y = triple.corners(x, load.center);
    const double factor = scale * load.pressure / triple.divisor;
    for (int k = 0; k < 3; ++k) g.col(triple.v[k]) += factor * y[(k + 1) % 3].cross(y[(k + 2) % 3]);
  }
  if (!load.open) return;
  for (std::size_t i = 0; i < load.vertices.size(); ++i) g.col(load.vertices[i]) -= scale * load.lagged.col(i);
}

void PressureEnergy::add_gradient(const Points& x, double scale, Points& g) const {
  for (const Load& load : loads_) add_load_gradient(load, x, scale, g);
}

// The Hessian of p V is a sum of blocks -p/6 [y]x, indefinite face by face; on a closed patch the potential is exact.
// Projection by faces needs an eigenproblem of 9 x 9 or 18 x 18 each, for loaded faces alone.
template <int nodes>
void PressureEnergy::add_hessian(const Load& load, std::span<const Triple> triples, const std::array<Index, nodes>& of,
                                 const Points& x, double scale, Projection projection, SymBlockMatrix& H) {
  using Block = Eigen::Matrix<double, 3 * nodes, 3 * nodes>;
  Block local = Block::Zero();
  for (const Triple& triple : triples) {
    const std::array<Vec3, 3> y = triple.corners(x, load.center);
    const double factor = scale * load.pressure / triple.divisor;
    const auto place = [&](int k) { return 3 * (std::ranges::find(of, triple.v[k]) - of.begin()); };
    // d2(p V)/(dy_a dy_b) = -p/6 [y_c]x, and zero for a = b.
    for (int k = 0; k < 3; ++k) {
      const int a = k, b = (k + 1) % 3, c = (k + 2) % 3;
      const Mat3 block = -factor * cross_matrix(y[c]);
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

void PressureEnergy::add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                                     SymBlockMatrix& H) const {
  add_gradient(x, scale, g);
  for (const Load& load : loads_) {
    const Index quadratic = load.source->quadratic_faces;
    const std::span<const Triple> triples(load.triples);
    const std::size_t of_face = face_triples().size();
    for (Index q = 0; q < quadratic; ++q)
      add_hessian<6>(load, triples.subspan(q * of_face, of_face), quadratic_face_nodes(load.source->faces, q), x, scale,
                     projection, H);
    for (std::size_t t = quadratic * of_face; t < triples.size(); ++t)
      add_hessian<3>(load, triples.subspan(t, 1), triples[t].v, x, scale, projection, H);
  }
}

void PressureEnergy::collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const {
  for (const Load& load : loads_) {
    for (Index q = 0; q < load.source->quadratic_faces; ++q) {
      const std::array<Index, 6> nodes = quadratic_face_nodes(load.source->faces, q);
      for (int a = 0; a < 6; ++a)
        for (int b = 0; b < a; ++b) pairs.push_back(std::minmax(nodes[a], nodes[b]));
    }
    for (std::size_t t = load.source->quadratic_faces * face_triples().size(); t < load.triples.size(); ++t) {
      const Triple& triple = load.triples[t];
      for (int k = 0; k < 3; ++k) pairs.push_back(std::minmax(triple.v[k], triple.v[(k + 1) % 3]));
    }
  }
}

}  // namespace sinew
