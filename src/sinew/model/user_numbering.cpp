// Values by vertex between the simulation's numbering and the user's. Control points of affine bodies are not among the
// user's vertices; the vertices that follow them are: x = W q with the 4 weights of each follower.
#include <algorithm>
#include <map>

#include <Eigen/Dense>

#include "sinew/model/system.h"

namespace sinew {
namespace {

using Vec4 = Eigen::Vector4d;

// W^T W and W^T x of one affine body.
struct AffineFit {
  Eigen::Matrix4d gram = Eigen::Matrix4d::Zero();
  Eigen::Matrix<double, 4, 3> sum = Eigen::Matrix<double, 4, 3>::Zero();
};

// Calls visit(follower, first control point, weights) for what follows control points.
template <class Visit>
void for_each_affine(const System& system, Visit&& visit) {
  for (Index v = system.dynamic_count; v < system.body_vertex_count(); ++v) {
    const std::span<const Embedding::Entry> row = system.embedding.row(v);
    if (system.vertex_to_user[row[0].vertex] >= 0 || system.vertex_to_user[v] < 0) continue;
    const Index first = std::ranges::min(row, {}, &Embedding::Entry::vertex).vertex;
    Vec4 w;
    for (const Embedding::Entry& entry : row) w[entry.vertex - first] = entry.weight;
    visit(v, first, w);
  }
}

std::map<Index, AffineFit> control_points(const System& system, const Points* x) {
  std::map<Index, AffineFit> bodies;
  for_each_affine(system, [&](Index v, Index first, const Vec4& w) {
    AffineFit& body = bodies[first];
    body.gram += w * w.transpose();
    if (x) body.sum += w * x->col(v).transpose();
  });
  return bodies;
}

}  // namespace

Points System::to_user(const Points& values, const Points* fill) const {
  if (!embedding.empty() && values.cols() == dynamic_count) {
    Points all(3, body_vertex_count());
    all.leftCols(dynamic_count) = values;
    embedding.place(all);
    return to_user(all, fill);
  }
  Points out = fill ? *fill : Points(Points::Zero(3, user_vertex_count));
  for (Index i = 0; i < body_vertex_count(); ++i)
    if (vertex_to_user[i] >= 0) out.col(vertex_to_user[i]) = values.col(i);
  return out;
}

// q = (W^T W)^-1 W^T x.
Points System::from_user(const Points& values) const {
  Points out = Points::Zero(3, body_vertex_count());
  for (Index i = 0; i < body_vertex_count(); ++i)
    if (vertex_to_user[i] >= 0) out.col(i) = values.col(vertex_to_user[i]);
  for (const auto& [first, body] : control_points(*this, &out))
    out.middleCols(first, 4) = body.gram.ldlt().solve(body.sum).transpose();
  embedding.place(out);
  return out;
}

// First W^T f of collision surfaces and samples. Then of affine bodies the least forces f with W^T f = r: f = W (W^T
// W)^-1 r.
Points System::forces_on_shown(const Points& forces) const {
  if (embedding.empty()) return forces;
  Points out = Points::Zero(3, body_vertex_count());
  out.leftCols(forces.cols()) = forces;
  for (Index v = dynamic_count; v < body_vertex_count(); ++v) {
    if (vertex_to_user[v] >= 0) continue;
    for (const Embedding::Entry& entry : embedding.row(v)) out.col(entry.vertex) += entry.weight * out.col(v);
    out.col(v).setZero();
  }
  std::map<Index, AffineFit> bodies = control_points(*this, nullptr);
  for (auto& [first, body] : bodies) {
    body.sum = body.gram.ldlt().solve(out.middleCols(first, 4).transpose());
    out.middleCols(first, 4).setZero();
  }
  for_each_affine(*this, [&](Index v, Index first, const Vec4& w) { out.col(v) += bodies[first].sum.transpose() * w; });
  return out;
}

}  // namespace sinew
