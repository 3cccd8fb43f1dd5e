#include "sinew/contact/stencil_energy.h"

#include <cmath>
#include <limits>

#include "sinew/contact/gap.h"
#include "sinew/contact/stencil_projection.h"

namespace sinew {
namespace {

// Signed height of a vertex above an analytic plane [m].
double plane_height(const ContactStencil& stencil, const Points& x, std::span<const PlaneState> planes) {
  const PlaneState& plane = planes[stencil.plane];
  return plane.normal.dot(x.col(stencil.v[0]) - plane.point);
}

// Energy kappa w b(g^2) / dhat^3 of a vertex with the gap g = n . (x - p) - xi over a plane, whose normal n does not
// depend on x:
//   gradient 2 g b' n,  Hessian (4 g^2 b'' + 2 b') n n^T,  each times kappa w / dhat^3.
double plane_derivatives(const ContactStencil& stencil, const Points& x, std::span<const PlaneState> planes,
                         const BarrierParameters& all, Vec12& g, Mat12* H) {
  const BarrierParameters barrier = all.at(stencil.reach);
  g.setZero();
  if (H) H->setZero();
  const double gap = plane_height(stencil, x, planes) - stencil.offset;
  if (gap <= 0) return std::numeric_limits<double>::infinity();
  const double scale = barrier.factor() * stencil.weight;
  const BarrierDerivatives b = barrier_derivatives(gap * gap, barrier.distance2());
  const Vec3& n = planes[stencil.plane].normal;
  g.head<3>() = 2 * scale * b.first * gap * n;
  // b is convex in the gap, so this is positive semidefinite up to rounding.
  if (H) H->topLeftCorner<3, 3>() = scale * std::max(0.0, 4 * gap * gap * b.second + 2 * b.first) * n * n.transpose();
  return scale * b.value;
}

// The energy e(c) b(d2) of nearly parallel edges (Li et al. 2020, eq. 24), by the product rule:
//   gradient  e' b grad c + e b' grad d2
//   Hessian   b (e'' grad c grad c^T + e' hess c) + e' b' (grad c grad d2^T + grad d2 grad c^T)
//             + e (b'' grad d2 grad d2^T + b' hess d2)
// Its only known null space are the translations, so the projection costs an eigenproblem of size 9.
void mollified_derivatives(const StencilPoints& x, const ClosestPair& pair, const BarrierDerivatives& b, double eps,
                           double scale, bool psd, Vec12& g, Mat12* H) {
  const MollifierDerivatives m = mollifier(edges_cross2(x), eps);
  const Vec12 dc = edges_cross2_gradient(x), dd = distance2_gradient(pair);
  g = scale * (m.first * b.value * dc + m.value * b.first * dd);
  if (!H) return;
  *H = scale * b.value * (m.second * dc * dc.transpose() + m.first * edges_cross2_hessian(x));
  *H += scale * m.first * b.first * (dc * dd.transpose() + dd * dc.transpose());
  *H += scale * m.value * (b.second * dd * dd.transpose() + b.first * distance2_hessian(pair, pair_frame(pair)));
  if (psd) project_translation_free(*H);
}

// Energy and derivatives of a pair of primitives: gradient b' grad d2, Hessian b'' grad d2 grad d2^T + b' hess d2, each
// times kappa w / dhat^3; with `psd` the projection in the small space of stencil_projection.h. Derivatives of b are by
// d2, over an offset too (gap.h).
double pair_derivatives(const ContactStencil& stencil, const Points& x, const BarrierParameters& all, bool psd,
                        Vec12& g, Mat12* H) {
  const BarrierParameters barrier = all.at(stencil.reach);
  const StencilPoints points = gather(stencil, x);
  const ClosestPair pair = closest_pair(stencil.kind, points);
  const double scale = barrier.factor() * stencil.weight;
  const double gap2 = squared_gap(pair.distance2, stencil.offset);
  if (gap2 >= barrier.distance2() || gap2 == 0) {
    g.setZero();
    if (H) H->setZero();
    return gap2 == 0 ? std::numeric_limits<double>::infinity() : 0;
  }
  const BarrierDerivatives b = gap_barrier_derivatives(pair.distance2, gap2, stencil.offset, barrier.distance2());
  if (stencil.kind == StencilKind::edge_edge_mollified) {
    mollified_derivatives(points, pair, b, stencil.mollifier_eps, scale, psd, g, H);
    return scale * mollifier(edges_cross2(points), stencil.mollifier_eps).value * b.value;
  }
  g = distance2_gradient(pair);
  if (H) {
    const PairFrame frame = pair_frame(pair);
    if (psd) {
      projected_barrier_hessian(pair, frame, scale * b.first, scale * b.second, *H);
    } else {
      *H = scale * b.second * g * g.transpose() + scale * b.first * distance2_hessian(pair, frame);
    }
  }
  g *= scale * b.first;
  return scale * b.value;
}

}  // namespace

StencilPoints gather(const ContactStencil& stencil, const Points& x) {
  StencilPoints points = StencilPoints::Zero();
  for (int i = 0; i < stencil.vertex_count(); ++i) points.col(i) = x.col(stencil.v[i]);
  return points;
}

double stencil_distance2(const ContactStencil& stencil, const Points& x, std::span<const PlaneState> planes) {
  if (stencil.kind != StencilKind::point_plane) return pair_distance2(stencil.kind, gather(stencil, x));
  const double height = plane_height(stencil, x, planes);
  return height * height;
}

double stencil_gap(const ContactStencil& stencil, const Points& x, std::span<const PlaneState> planes) {
  return std::sqrt(stencil_distance2(stencil, x, planes)) - stencil.offset;
}

double stencil_energy(const ContactStencil& stencil, const Points& x, std::span<const PlaneState> planes,
                      const BarrierParameters& all) {
  const BarrierParameters parameters = all.at(stencil.reach);
  const double scale = parameters.factor() * stencil.weight;
  if (stencil.kind == StencilKind::point_plane) {
    const double gap = plane_height(stencil, x, planes) - stencil.offset;
    if (gap <= 0) return std::numeric_limits<double>::infinity();
    return scale * barrier(gap * gap, parameters.distance2());
  }
  const StencilPoints points = gather(stencil, x);
  const double gap2 = squared_gap(pair_distance2(stencil.kind, points), stencil.offset);
  if (gap2 == 0) return std::numeric_limits<double>::infinity();
  const double b = scale * barrier(gap2, parameters.distance2());
  if (stencil.kind != StencilKind::edge_edge_mollified) return b;
  return mollifier(edges_cross2(points), stencil.mollifier_eps).value * b;
}

double stencil_gradient(const ContactStencil& stencil, const Points& x, std::span<const PlaneState> planes,
                        const BarrierParameters& all, Vec12& g) {
  if (stencil.kind == StencilKind::point_plane) return plane_derivatives(stencil, x, planes, all, g, nullptr);
  return pair_derivatives(stencil, x, all, false, g, nullptr);
}

double stencil_derivatives(const ContactStencil& stencil, const Points& x, std::span<const PlaneState> planes,
                           const BarrierParameters& all, bool psd, Vec12& g, Mat12& H) {
  if (stencil.kind == StencilKind::point_plane) return plane_derivatives(stencil, x, planes, all, g, &H);
  return pair_derivatives(stencil, x, all, psd, g, &H);
}

// lambda = -dB/dg = -2 g b'(g^2) kappa w / dhat^3 [N], times the mollifier.
double stencil_normal_force(const ContactStencil& stencil, const Points& x, std::span<const PlaneState> planes,
                            const BarrierParameters& all) {
  const BarrierParameters barrier = all.at(stencil.reach);
  const double gap2 = squared_gap(stencil_distance2(stencil, x, planes), stencil.offset);
  if (gap2 == 0) return std::numeric_limits<double>::infinity();
  const double factor = barrier.factor() * stencil.weight;
  const double force = -2 * std::sqrt(gap2) * factor * barrier_first(gap2, barrier.distance2());
  if (stencil.kind != StencilKind::edge_edge_mollified) return force;
  return force * mollifier(edges_cross2(gather(stencil, x)), stencil.mollifier_eps).value;
}

// d2B/dg2 = (4 g^2 b'' + 2 b') kappa w / dhat^3.
double stencil_normal_stiffness(const ContactStencil& stencil, double gap, const BarrierParameters& all) {
  const BarrierParameters barrier = all.at(stencil.reach);
  if (gap >= barrier.distance) return 0;
  const double gap2 = gap * gap;
  const BarrierDerivatives b = barrier_derivatives(gap2, barrier.distance2());
  return barrier.factor() * stencil.weight * (4 * gap2 * b.second + 2 * b.first);
}

}  // namespace sinew
