#include "sinew/reduced/site_springs.h"

#include <algorithm>
#include <map>

#include <Eigen/Eigenvalues>

#include "sinew/reduced/affine_motion.h"
#include "sinew/reduced/substructure_owners.h"

namespace sinew {
namespace {

constexpr double least_merged = 1e-14;  // of the stiffest of merged springs

}  // namespace

// A spring with sites of its own.
struct SiteSprings::Draft {
  std::vector<Site> ends;  // of different substructures, with the sign in their weights; with warping one a vertex
  Eigen::Vector4d anchor = Eigen::Vector4d::Zero();
  Index motion = -1;
  double stiffness = 0, length = 0, until = forever;
};

namespace {

// All numbers of the ends of a spring and of its anchor in a row.
VecX numbers_of(const std::vector<Site>& ends, const Eigen::Vector4d& anchor) {
  Eigen::Index size = 4;
  for (const Site& end : ends) size += 4 + end.modes.size() + end.driven.size();
  VecX all(size);
  all.head<4>() = anchor;
  Eigen::Index at = 4;
  for (const Site& end : ends) {
    all[at] = end.weight;
    all.segment<3>(at + 1) = end.rest;
    all.segment(at + 4, end.modes.size()) = Eigen::Map<const VecX>(end.modes.data(), end.modes.size());
    at += 4 + end.modes.size();
    all.segment(at, end.driven.size()) = Eigen::Map<const VecX>(end.driven.data(), end.driven.size());
    at += end.driven.size();
  }
  return all;
}

void set_numbers(const VecX& all, std::vector<Site>& ends, Eigen::Vector4d& anchor) {
  anchor = all.head<4>();
  Eigen::Index at = 4;
  for (Site& end : ends) {
    end.weight = all[at];
    end.rest = all.segment<3>(at + 1);
    Eigen::Map<VecX>(end.modes.data(), end.modes.size()) = all.segment(at + 4, end.modes.size());
    at += 4 + end.modes.size();
    Eigen::Map<VecX>(end.driven.data(), end.driven.size()) = all.segment(at, end.driven.size());
    at += end.driven.size();
  }
}

}  // namespace

std::vector<SiteSprings::Draft> SiteSprings::drafts(bool scene, const std::vector<Seam>& seams) const {
  const std::vector<Index> owner = substructure_of_vertices(system_, parts_);
  const std::size_t begin = scene ? 0 : system_.scene_spring_count(),
                    end = scene ? system_.scene_spring_count() : system_.springs.size();
  std::vector<Draft> result;
  for (std::size_t s = begin; s < end; ++s) {
    const Spring& spring = system_.springs[s];
    // Vertices with their weights, by substructure.
    std::map<Index, std::vector<std::pair<Index, double>>> of_part;
    of_part[owner[spring.vertex]].emplace_back(spring.vertex, 1.0);
    for (std::size_t k = 0; k < spring.others.size(); ++k)
      of_part[owner[spring.others[k]]].emplace_back(spring.others[k], -spring.weight(k));
    Draft draft;
    for (const auto& [part, vertices] : of_part) {
      if (parts_[part].is_warped())  // each of them turns by itself
        for (const auto& vertex : vertices) draft.ends.push_back(make_site(system_, parts_, part, {&vertex, 1}));
      else
        draft.ends.push_back(make_site(system_, parts_, part, vertices));
    }
    if (spring.others.empty()) {
      draft.anchor << spring.point, 1;
      draft.motion = spring.motion;
    }
    draft.stiffness = spring.stiffness;
    draft.length = spring.length;
    draft.until = spring.until;
    result.push_back(std::move(draft));
  }
  if (!scene) return result;
  for (const Seam& seam : seams) {
    Draft draft;
    draft.stiffness = seam.stiffness;
    for (const auto& [part, sign] : {std::pair(seam.first, 1.0), std::pair(seam.second, -1.0)}) {
      const std::pair<Index, double> vertex(seam.vertex, sign);
      draft.ends.push_back(make_site(system_, parts_, part, {&vertex, 1}));
    }
    result.push_back(std::move(draft));
  }
  return result;
}

// Springs without length between the same substructures whose anchors move alike are one quadratic form of the numbers
// w of their ends, sum k w w^T = sum lambda v v^T: where they are more than there are numbers, one spring of stiffness
// lambda with the numbers v takes the place of each eigenvector.
void SiteSprings::merge(std::vector<Draft>& drafts) {
  const auto key = [](const Draft& d) {
    std::vector<Index> parts;
    for (const Site& end : d.ends) parts.push_back(end.part);
    return std::tuple(parts, d.motion, d.until);
  };
  std::map<decltype(key(drafts[0])), std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < drafts.size(); ++i)
    if (drafts[i].length == 0) groups[key(drafts[i])].push_back(i);
  std::vector<char> dropped(drafts.size(), 0);
  std::vector<Draft> merged;
  for (const auto& [unused, group] : groups) {
    const auto size = numbers_of(drafts[group[0]].ends, drafts[group[0]].anchor).size();
    if (static_cast<Eigen::Index>(group.size()) <= size) continue;
    MatX form = MatX::Zero(size, size);
    for (const std::size_t i : group) {
      const VecX w = numbers_of(drafts[i].ends, drafts[i].anchor);
      form.selfadjointView<Eigen::Lower>().rankUpdate(w, drafts[i].stiffness);
      dropped[i] = 1;
    }
    const Eigen::SelfAdjointEigenSolver<MatX> pairs(form);
    const double largest = pairs.eigenvalues()[size - 1];
    for (Eigen::Index k = 0; k < size; ++k) {
      if (!(pairs.eigenvalues()[k] > least_merged * largest)) continue;
      Draft draft = drafts[group[0]];
      draft.stiffness = pairs.eigenvalues()[k];
      set_numbers(pairs.eigenvectors().col(k), draft.ends, draft.anchor);
      merged.push_back(std::move(draft));
    }
  }
  std::vector<Draft> kept;
  for (std::size_t i = 0; i < drafts.size(); ++i)
    if (!dropped[i]) kept.push_back(std::move(drafts[i]));
  for (Draft& draft : merged) kept.push_back(std::move(draft));
  drafts = std::move(kept);
}

SiteSprings::SiteSprings(const System& system, const std::vector<Substructure>& parts, const std::vector<Seam>& seams,
                         const FrameCoordinates& coordinates, bool scene)
    : system_(system), parts_(parts) {
  std::vector<Draft> all = drafts(scene, seams);
  if (all.empty()) return;
  if (std::ranges::none_of(parts, &Substructure::is_warped)) merge(all);
  std::vector<Site> sites;
  std::size_t most = 0;
  for (Draft& draft : all) {
    OneSpring spring;
    spring.anchor = draft.anchor;
    spring.motion = draft.motion;
    spring.stiffness = draft.stiffness;
    spring.length = draft.length;
    spring.until = draft.until;
    for (Site& end : draft.ends) {
      spring.ends.push_back(static_cast<Index>(sites.size()));
      sites.push_back(std::move(end));
    }
    most = std::max(most, spring.ends.size());
    springs_.push_back(std::move(spring));
  }
  Index widest = 0;
  for (const Substructure& part : parts) widest = std::max(widest, part.freedom());
  rows_.assign(most, Eigen::Matrix3Xd::Zero(3, widest));
  x_.resize(3, static_cast<Index>(sites.size()));
  sites_.emplace(parts, coordinates, std::move(sites));
}

void SiteSprings::begin_step(double time) {
  for (OneSpring& spring : springs_) {
    spring.holds = time <= spring.until;
    spring.target = affine_at(system_, spring.motion, time) * spring.anchor;
  }
}

void SiteSprings::place(const Placement& at) {
  if (sites_) sites_->positions(at, x_);
}

Vec3 SiteSprings::extension(const OneSpring& spring) const {
  Vec3 u = -spring.target;
  for (const Index site : spring.ends) u += x_.col(site);
  return u;
}

// sum k/2 (|u| - l)^2
double SiteSprings::value(const Placement& at) {
  place(at);
  double value = 0;
  for (const OneSpring& spring : springs_) {
    if (!spring.holds) continue;
    const double stretch = extension(spring).norm() - spring.length;
    value += 0.5 * spring.stiffness * stretch * stretch;
  }
  return value;
}

// k (1 - l / |u|) u on each end
void SiteSprings::add_gradient(const Placement& at, double scale, MatX& G) {
  place(at);
  if (sites_) sites_->settle(at);
  for (const OneSpring& spring : springs_) {
    if (!spring.holds) continue;
    const Vec3 u = extension(spring);
    const double norm = u.norm();
    if (norm == 0) continue;  // no force, or no direction of it
    const Vec3 f = scale * spring.stiffness * (1 - spring.length / norm) * u;
    for (const Index site : spring.ends) sites_->add_gradient(site, f, G);
  }
}

// J^T k (n n^T + max(1 - l/|u|, 0) (I - n n^T)) J, n = u / |u|
void SiteSprings::add_hessian(const Placement& at, double scale, BlockCholesky& H) {
  place(at);
  if (sites_) sites_->settle(at);
  for (const OneSpring& spring : springs_) {
    if (!spring.holds) continue;
    Mat3 B = scale * spring.stiffness * Mat3::Identity();
    if (spring.length > 0) {
      const Vec3 u = extension(spring);
      const double norm = u.norm();
      if (norm == 0) continue;
      const Vec3 n = u / norm;
      const double across = std::max(1 - spring.length / norm, 0.0);
      B = scale * spring.stiffness * (across * Mat3::Identity() + (1 - across) * n * n.transpose());
    }
    for (std::size_t e = 0; e < spring.ends.size(); ++e) sites_->row(at, spring.ends[e], rows_[e]);
    for (std::size_t e = 0; e < spring.ends.size(); ++e)
      for (std::size_t f = 0; f < spring.ends.size(); ++f) {
        const Index i = sites_->part(spring.ends[e]), j = sites_->part(spring.ends[f]);
        if (i < j) continue;
        MatX& block = H.block(i, j);
        const auto left = rows_[e].leftCols(block.rows()), right = rows_[f].leftCols(block.cols());
        for (Eigen::Index c = 0; c < block.cols(); ++c)
          block.col(c).noalias() += left.transpose() * Vec3(B * right.col(c));
      }
  }
}

}  // namespace sinew
