#include "sinew/potential/moment.h"

#include <algorithm>

#include <Eigen/Dense>

#include "sinew/core/sort_unique.h"

namespace sinew {
namespace {

// The rotation nearest to a sum of products of arms, by polar decomposition. Arms of plane faces have rank two, which
// determines it.
Mat3 nearest_rotation(const Mat3& F) {
  const Eigen::JacobiSVD<Mat3> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Vec3 sign = Vec3::Ones();
  if ((svd.matrixU() * svd.matrixV().transpose()).determinant() < 0) sign[2] = -1;
  return svd.matrixU() * sign.asDiagonal() * svd.matrixV().transpose();
}

}  // namespace

MomentEnergy::MomentEnergy(const System& system) {
  for (const FaceLoad& source : system.loads) {
    if (!is_moment_load(source.kind)) continue;
    Load load;
    load.source = &source;
    load.vertices.assign(source.faces.data(), source.faces.data() + source.faces.size());
    sort_unique(load.vertices);
    load.share.assign(load.vertices.size(), 0.0);
    for (Index f = 0; f < source.faces.cols(); ++f)
      for (int k = 0; k < 3; ++k) {
        const auto at = std::ranges::lower_bound(load.vertices, source.faces(k, f)) - load.vertices.begin();
        load.share[at] += source.corner_area(k, f) / source.total_area;
      }
    load.rest_center = centroid(load, system.rest);
    load.rest_arms.resize(3, static_cast<Index>(load.vertices.size()));
    for (std::size_t i = 0; i < load.vertices.size(); ++i)
      load.rest_arms.col(i) = system.rest.col(load.vertices[i]) - load.rest_center;
    load.force = Points::Zero(3, load.rest_arms.cols());
    loads_.push_back(std::move(load));
  }
}

Vec3 MomentEnergy::centroid(const Load& load, const Points& x) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < load.vertices.size(); ++i) sum += load.share[i] * x.col(load.vertices[i]);
  return sum;
}

// 1. The centroid, the inertia J of the arms and the mean rotation R of the faces.
// 2. Force and moment about the centroid. A remote force acts at the point that turns with the faces.
// 3. f_i = a_i (F + (J^-1 M) x r_i): their sum is F, since sum a_i r_i = 0, and sum r_i x f_i = J J^-1 M.
void MomentEnergy::distribute(const Load& load, const Points& x, Points& force) {
  // Step 1.
  const Vec3 center = centroid(load, x);
  Mat3 J = Mat3::Zero(), products = Mat3::Zero();
  for (std::size_t i = 0; i < load.vertices.size(); ++i) {
    const Vec3 r = x.col(load.vertices[i]) - center;
    J += load.share[i] * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    products += load.share[i] * r * load.rest_arms.col(i).transpose();
  }
  const Mat3 R = nearest_rotation(products);
  // Step 2.
  const FaceLoad& source = *load.source;
  const Vec3 vector = source.follows ? Vec3(R * load.vector) : load.vector;
  Vec3 total = Vec3::Zero(), moment = vector;
  if (source.kind == LoadKind::remote_force) {
    total = vector;
    moment = source.point ? Vec3((R * (*source.point - load.rest_center)).cross(vector)) : Vec3(Vec3::Zero());
  }
  // Step 3.
  const Vec3 turn = J.ldlt().solve(moment);
  for (std::size_t i = 0; i < load.vertices.size(); ++i)
    force.col(i) = load.share[i] * (total + turn.cross(x.col(load.vertices[i]) - center));
}

void MomentEnergy::begin_step(const StepContext& context) {
  for (Load& load : loads_) {
    load.vector = load.source->traction(context.time_end, context.load_factor);
    load.center = centroid(load, context.start);
  }
  lag(context.start);
}

void MomentEnergy::lag(const Points& x) {
  for (Load& load : loads_) distribute(load, x, load.force);
}

LaggingChange MomentEnergy::lagging_change(const Points& x) const {
  double change = 0, size = 0;
  Points force;
  for (const Load& load : loads_) {
    force.resize(3, load.force.cols());
    distribute(load, x, force);
    change += (force - load.force).squaredNorm();
    size += force.squaredNorm();
  }
  return {std::sqrt(change), std::sqrt(size)};
}

// The work of the lagged forces.
double MomentEnergy::value(const Points& x) const {
  double sum = 0;
  for (const Load& load : loads_)
    for (std::size_t i = 0; i < load.vertices.size(); ++i)
      sum -= load.force.col(i).dot(x.col(load.vertices[i]) - load.center);
  return sum;
}

void MomentEnergy::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  for (const Load& load : loads_)
    for (std::size_t i = 0; i < load.vertices.size(); ++i)
      values[load.vertices[i]] -= scale * load.force.col(i).dot(x.col(load.vertices[i]) - load.center);
}

void MomentEnergy::add_load_gradient(std::size_t number, const Points&, double scale, Points& g) const {
  const Load& load = loads_[number];
  for (std::size_t i = 0; i < load.vertices.size(); ++i) g.col(load.vertices[i]) -= scale * load.force.col(i);
}

void MomentEnergy::add_gradient(const Points& x, double scale, Points& g) const {
  for (std::size_t load = 0; load < loads_.size(); ++load) add_load_gradient(load, x, scale, g);
}

}  // namespace sinew
