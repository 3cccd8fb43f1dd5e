#include "sinew/io/frame.h"

#include <algorithm>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

// The user's tets that have what tet t has: itself, or for the control tet of an affine body all of the body.
std::pair<Index, Index> shown_tets(const System& system, Index t) {
  const Index user = system.tet_to_user[t];
  if (user >= 0) return {user, user + 1};
  const SystemBody& body = system.bodies[system.tet_body[t]];
  return {body.tet_user_begin, body.tet_user_begin + body.tet_count};
}

// `width` values each.
std::vector<double> by_user_tet(const System& system, const double* values, int width) {
  std::vector<double> result(static_cast<std::size_t>(system.user_tet_count) * width, 0.0);
  parallel_for(system.tet_to_user.size(), [&](std::size_t t) {
    const auto [begin, end] = shown_tets(system, static_cast<Index>(t));
    for (Index user = begin; user < end; ++user)
      std::copy_n(values + t * width, width, result.data() + static_cast<std::size_t>(user) * width);
  });
  return result;
}

}  // namespace

std::vector<Index> by_user_tet(const System& system, const std::vector<Index>& values) {
  std::vector<Index> result(static_cast<std::size_t>(system.user_tet_count), 0);
  for (std::size_t t = 0; t < values.size(); ++t) {
    const auto [begin, end] = shown_tets(system, static_cast<Index>(t));
    std::fill(result.begin() + begin, result.begin() + end, values[t]);
  }
  return result;
}

const Points& Frame::positions() {
  if (!positions_) positions_ = system().to_user(state().x, &system().user_rest);
  return *positions_;
}

const Points& Frame::displacement() {
  if (!displacement_) displacement_ = positions() - system().user_rest;
  return *displacement_;
}

const Points& Frame::velocity() {
  if (!velocity_) velocity_ = system().to_user(state().v);
  return *velocity_;
}

void Frame::compute_forces() {
  const NodalForces forces = simulation_.forces();
  contact_ = system().to_user(forces.contact);
  friction_ = system().to_user(forces.friction);
  reaction_ = system().to_user(forces.reaction);
  mean_contact_ = system().to_user(forces.mean_contact);
}

const Points& Frame::contact_force() {
  if (!contact_) compute_forces();
  return *contact_;
}

const Points& Frame::friction_force() {
  if (!friction_) compute_forces();
  return *friction_;
}

const Points& Frame::reaction_force() {
  if (!reaction_) compute_forces();
  return *reaction_;
}

const Points& Frame::mean_contact_force() {
  if (!mean_contact_) compute_forces();
  return *mean_contact_;
}

std::vector<double> Frame::enriched() const {
  const auto active = simulation_.active_subspace();
  if (!active) return {};
  std::vector<double> values(static_cast<std::size_t>(system().user_vertex_count), 0.0);
  for (std::size_t v = 0; v < active->enriched.size(); ++v)
    if (system().vertex_to_user[v] >= 0) values[system().vertex_to_user[v]] = active->enriched[v] ? 1 : 0;
  return values;
}

std::vector<Index> Frame::regions() const {
  const auto active = simulation_.active_subspace();
  if (!active) return {};
  return by_user_tet(system(), std::vector<Index>(active->tet_region.begin(), active->tet_region.end()));
}

void Frame::compute_stress() {
  Eigen::MatrixXd cauchy;
  std::vector<double> von_mises;
  simulation_.stress(cauchy, von_mises);
  cauchy_ = by_user_tet(system(), cauchy.data(), 6);
  von_mises_ = by_user_tet(system(), von_mises.data(), 1);
}

std::vector<double> Frame::plastic_strain() const {
  const std::vector<double> values = simulation_.plastic_strain();
  return values.empty() ? values : by_user_tet(system(), values.data(), 1);
}

std::vector<double> Frame::energy_density() const {
  return by_user_tet(system(), simulation_.energy_density().data(), 1);
}

const std::vector<double>& Frame::deformation_gradients() {
  if (gradients_.empty()) gradients_ = by_user_tet(system(), simulation_.deformation_gradients().data(), 9);
  return gradients_;
}

const std::vector<double>& Frame::cauchy_stress() {
  if (cauchy_.empty()) compute_stress();
  return cauchy_;
}

const std::vector<double>& Frame::von_mises() {
  if (von_mises_.empty()) compute_stress();
  return von_mises_;
}

}  // namespace sinew
