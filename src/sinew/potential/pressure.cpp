#include "sinew/potential/pressure.h"

#include <algorithm>

#include <Eigen/Geometry>

#include "sinew/mesh/quadratic_face.h"
#include "sinew/mesh/surface.h"

namespace sinew {

// Symbols: p pressure [Pa], c centre of the loaded vertices at the step's start [m], y_k = x_k - c the corners of a
// face, V the volume that the faces enclose with c [m^3] (enclosed_volume.h). The potential is p V.

// The patches under pressure. On an open patch, one with a border, the force of a pressure derives from no potential.
PressureEnergy::PressureEnergy(const System& system) : body_vertex_count_(system.body_vertex_count()) {
  for (const FaceLoad& source : system.loads) {
    if (source.kind != LoadKind::pressure) continue;
    Load& load = loads_.emplace_back(Load{EnclosedVolume(source), 0, {}, false});
    // The pressure on a closed patch is the gradient of p V for any centre c.
    load.open = !encloses_volume(source.faces);
    load.lagged = Points::Zero(3, static_cast<Index>(load.volume.vertices().size()));
    has_open_patch_ |= load.open;
  }
}

// p at a time, and the centre c of each patch, from which its volume is measured: the gradient of a closed patch does
// not depend on c, and a close one keeps digits.
void PressureEnergy::set_loads(const Points& x, double time, double ramp) {
  for (Load& load : loads_) {
    const FaceLoad& source = load.volume.load();
    const double factor = source.factor.empty() ? ramp : source.factor.at(time)[0];
    load.pressure = factor * source.pressure;
    load.volume.set_center(x);
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
    const std::vector<Index>& vertices = load.volume.vertices();
    const FaceLoad& source = load.volume.load();
    const Vec3& center = load.volume.center();
    const auto local = [&](Index v) { return std::ranges::lower_bound(vertices, v) - vertices.begin(); };
    const Triangles& faces = source.faces;
    const Index first = parts_of_quadratic_face * source.quadratic_faces;
    for (Index f = first; f < faces.cols(); ++f) {
      const Vec3 y[3] = {x.col(faces(0, f)) - center, x.col(faces(1, f)) - center, x.col(faces(2, f)) - center};
      const Vec3 follower = -load.pressure / 6 * (y[1] - y[0]).cross(y[2] - y[0]);
      for (int k = 0; k < 3; ++k)
        load.lagged.col(local(faces(k, f))) += follower + load.pressure / 6 * y[(k + 1) % 3].cross(y[(k + 2) % 3]);
    }
    for (Index q = 0; q < source.quadratic_faces; ++q) {
      const std::array<Index, 6> nodes = quadratic_face_nodes(faces, q);
      FaceNodes at;
      for (int a = 0; a < 6; ++a) at[a] = x.col(nodes[a]);
      const std::array<Vec3, 6> areas = node_area_vectors(at);
      for (int a = 0; a < 6; ++a) load.lagged.col(local(nodes[a])) -= load.pressure * areas[a];
      for (const FaceTriple& t : face_triples()) {
        const EnclosedVolume::Triple triple{{nodes[t.a], nodes[t.b], nodes[t.c]}, 1 / t.volume};
        const std::array<Vec3, 3> y = triple.corners(x, center);
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
    sum += load.pressure * load.volume.value(x);
    if (!load.open) continue;
    const std::vector<Index>& vertices = load.volume.vertices();
    for (std::size_t i = 0; i < vertices.size(); ++i)
      sum -= load.lagged.col(i).dot(x.col(vertices[i]) - load.volume.center());
  }
  return sum;
}

// A face has p times the volume that it encloses with the centre; the lagged border forces are loads of their vertices.
void PressureEnergy::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  for (const Load& load : loads_) {
    load.volume.add_vertex_values(x, scale * load.pressure, values);
    const std::vector<Index>& vertices = load.volume.vertices();
    for (std::size_t i = 0; load.open && i < vertices.size(); ++i)
      values[vertices[i]] -= scale * load.lagged.col(i).dot(x.col(vertices[i]) - load.volume.center());
  }
}

// The lagged border forces of open patches are constant.
void PressureEnergy::add_load_gradient(const Load& load, const Points& x, double scale, Points& g) {
  load.volume.add_gradient(x, scale * load.pressure, g);
  if (!load.open) return;
  const std::vector<Index>& vertices = load.volume.vertices();
  for (std::size_t i = 0; i < vertices.size(); ++i) g.col(vertices[i]) -= scale * load.lagged.col(i);
}

void PressureEnergy::add_gradient(const Points& x, double scale, Points& g) const {
  for (const Load& load : loads_) add_load_gradient(load, x, scale, g);
}

// On a closed patch the potential is exact, and its Hessian indefinite face by face.
void PressureEnergy::add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                                     SymBlockMatrix& H) const {
  add_gradient(x, scale, g);
  for (const Load& load : loads_) load.volume.add_hessian(x, scale * load.pressure, projection, H);
}

void PressureEnergy::collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const {
  for (const Load& load : loads_) load.volume.collect_pairs(pairs);
}

}  // namespace sinew
