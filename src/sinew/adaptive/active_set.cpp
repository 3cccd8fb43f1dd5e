#include "sinew/adaptive/active_set.h"

#include <algorithm>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/subspace/handle_scalars.h"

namespace sinew {
namespace {

// Flags of what acceptance took in: in the present step, which goes on in full space and does not move it, or before.
constexpr char asked_now = 2, asked_before = 1;

// By vertex: whether all three axes are prescribed.
std::vector<char> wholly_fixed(const std::vector<char>& fixed) {
  std::vector<char> vertices(fixed.size() / 3);
  for (std::size_t i = 0; i < vertices.size(); ++i) vertices[i] = fixed[3 * i] && fixed[3 * i + 1] && fixed[3 * i + 2];
  return vertices;
}

}  // namespace

// The functions of the library vanish at vertices whose three axes are prescribed, so that other such vertices need
// another library; the active set then starts anew. The active set otherwise outlives steps (TS, section 3.6: each step
// begins with U_a and X_a of the one before).
ActiveSet::Renewed ActiveSet::prepare(const std::vector<char>& fixed) {
  std::vector<char> fixed_vertices = wholly_fixed(fixed);
  const bool same = library_ && fixed_vertices == fixed_vertices_, same_axes = fixed == fixed_;
  fixed_ = fixed;
  if (same && same_axes) return Renewed::nothing;
  if (!same) take_library(make_mode_library(system_, fixed_), std::move(fixed_vertices));
  collect();
  return same ? Renewed::basis : Renewed::library;
}

ActiveSet::Renewed ActiveSet::take_over(std::shared_ptr<const ModeLibrary> library, std::vector<char> fixed) {
  fixed_ = std::move(fixed);
  take_library(std::move(library), wholly_fixed(fixed_));
  collect();
  return Renewed::library;
}

void ActiveSet::take_library(std::shared_ptr<const ModeLibrary> library, std::vector<char> fixed_vertices) {
  const Index n = system_.dynamic_count;
  library_ = std::move(library);
  fixed_vertices_ = std::move(fixed_vertices);
  // A vertex belongs to the first region of its tets.
  vertex_region_.assign(n, library_->regions);
  for (Index t = 0; t < system_.tet_count(); ++t)
    for (int k = 0; k < 4; ++k) {
      Index& region = vertex_region_[system_.tets(k, t)];
      region = std::min(region, library_->tet_region[t]);
    }
  region_vertices_.assign(library_->regions, {});
  for (Index i = 0; i < n; ++i)
    if (vertex_region_[i] < library_->regions) region_vertices_[vertex_region_[i]].push_back(i);
  active_.assign(library_->candidate_count(), 0);
  std::fill_n(active_.begin(), library_->initial, 1);
  enriched_.assign(n, 0);
  asked_modes_.assign(library_->candidate_count(), 0);
  asked_vertices_.assign(n, 0);
  total_q_.assign(12 * library_->handles.center.size() + library_->mode_count(), 0.0);
}

// Vertices next to prescribed vertices that move are enriched. No mode is 1 at a prescribed vertex and 0 beyond, so
// that the tets in between would carry the whole motion as strain. The paper has no prescribed motion.
void ActiveSet::begin_step(const StepContext& context) {
  const Index n = system_.dynamic_count;
  moved_.assign(n, 0);
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      if (fixed_[3 * i + k] && context.target(k, i) != context.start(k, i)) moved_[i] = 1;
  const bool moves = std::find(moved_.begin(), moved_.end(), 1) != moved_.end();
  for (Index t = 0; moves && t < system_.tet_count(); ++t) {
    const auto tet = system_.tets.col(t);
    if (!(moved_[tet[0]] || moved_[tet[1]] || moved_[tet[2]] || moved_[tet[3]])) continue;
    for (int k = 0; k < 4; ++k)
      if (!moved_[tet[k]]) enriched_[tet[k]] = 1;
  }
  rigid_.resize(n);
  for (Index i = 0; i < n; ++i) rigid_[i] = enriched_[i] || moved_[i];
  std::fill(total_q_.begin(), total_q_.end(), 0.0);
}

Index ActiveSet::enriched_count() const {
  return static_cast<Index>(std::count(enriched_.begin(), enriched_.end(), 1));
}

bool ActiveSet::enrich_region(Index region) {
  bool more = false;
  for (const Index i : region_vertices_[region]) {
    if (enriched_[i] || moved_[i]) continue;
    enriched_[i] = rigid_[i] = 1;
    more = true;
  }
  return more;
}

void ActiveSet::activate_asked(std::size_t candidate) {
  active_[candidate] = 1;
  asked_modes_[candidate] = asked_now;
}

void ActiveSet::enrich_asked(std::span<const Index> vertices) {
  for (const Index i : vertices) {
    enriched_[i] = rigid_[i] = 1;
    asked_vertices_[i] = asked_now;
  }
}

// U_a, the columns of the active candidates. Handles and dense modes have different layouts:
//
//   U_a = [ W (x) I_3 , D ],   W n x 4 per handle, D 3 n x 1 per dense mode, filled up to blocks of 12 columns.
void ActiveSet::collect() {
  const HandleBasis& all = library_->handles;
  HandleBasis& handles = basis_.handles;
  members_.clear();
  std::vector<Index> number(all.center.size(), -1);
  handles = {};
  for (std::size_t h = 0; h < number.size(); ++h) {
    if (!active_[h]) continue;
    number[h] = static_cast<Index>(members_.size());
    members_.push_back(static_cast<Index>(h));
    handles.center.push_back(all.center[h]);
    handles.radius.push_back(all.radius[h]);
  }
  handles.begin.assign(1, 0);
  for (Index v = 0; v < all.vertex_count(); ++v) {
    for (auto e = all.begin[v]; e < all.begin[v + 1]; ++e) {
      if (number[all.handle[e]] < 0) continue;
      handles.handle.push_back(number[all.handle[e]]);
      handles.weight.push_back(all.weight[e]);
    }
    handles.begin.push_back(static_cast<std::int64_t>(handles.handle.size()));
  }
  collect_dense(all.handle_count());
}

// The active ones of the dense modes, which are the candidates from `first` on, in blocks of 12, without fixed
// coordinates.
void ActiveSet::collect_dense(Index first) {
  std::vector<Index> rows;
  for (Index s = 0; s < library_->mode_count(); ++s)
    if (active_[first + s]) rows.push_back(s);
  const auto count = static_cast<Index>(rows.size());
  const Index padded = (count + 11) / 12 * 12;
  basis_.dense.resize(padded, padded > 0 ? library_->modes.cols() : 0);
  parallel_for(basis_.dense.cols(), [&](std::size_t c) {
    auto column = basis_.dense.col(static_cast<Index>(c));
    for (Index s = 0; s < count; ++s) column[s] = library_->modes(rows[s], static_cast<Index>(c));
    column.tail(padded - count).setZero();
    if (fixed_[c]) column.setZero();
  });
  for (const Index s : rows) members_.push_back(first + s);
}

// TS, algorithm 1: q <- q + alpha d_q, 12 of each handle and 1 of each dense mode.
void ActiveSet::add(const VecX& q) {
  const Index handles = basis_.handles.handle_count(), all = library_->handles.handle_count();
  for (Index h = 0; h < handles; ++h)
    for (int k = 0; k < 12; ++k) total_q_[12 * static_cast<std::size_t>(members_[h]) + k] += q[12 * h + k];
  for (std::size_t s = handles; s < members_.size(); ++s)
    total_q_[11 * static_cast<std::size_t>(all) + members_[s]] += q[11 * handles + static_cast<Index>(s)];
}

// With q summed over the step, of each active candidate s max_i |u_s,i q_s|, and of each vertex (U_a q)_i.
void ActiveSet::measure(std::vector<double>& farthest, Points& by_modes) const {
  const HandleBasis& all = library_->handles;
  farthest.assign(active_.size(), 0.0);
  by_modes.setZero(3, system_.dynamic_count);
  for (Index v = 0; v < system_.dynamic_count; ++v) {
    for (auto e = all.begin[v]; e < all.begin[v + 1]; ++e) {
      const Index h = all.handle[e];
      if (!active_[h]) continue;
      const auto w = handle_scalars(all, e, system_.rest.col(v));
      const Eigen::Map<const Eigen::Matrix<double, 3, 4>> A(total_q_.data() + 12 * static_cast<std::size_t>(h));
      const Vec3 u = A * Eigen::Map<const Eigen::Vector4d>(w.data());
      farthest[h] = std::max(farthest[h], u.norm());
      by_modes.col(v) += u;
    }
    for (std::size_t s = all.center.size(); s < active_.size(); ++s) {
      if (!active_[s]) continue;
      const auto row = static_cast<Index>(s - all.center.size());
      const Vec3 u = total_q_[11 * all.center.size() + s] * library_->modes.block<1, 3>(row, 3 * v).transpose();
      farthest[s] = std::max(farthest[s], u.norm());
      by_modes.col(v) += u;
    }
  }
}

// TS, section 3.11, with q summed over the step:
//
//   drop mode s    if max_i |u_s,i q_s| < threshold,
//   drop vertex i  if |x_i - x_i(start) - (U_a q)_i| < threshold.
//
// The `kept` handles of bodies and free motions stay. What acceptance took in during this step has not moved yet, since
// the step went on in full space: it stays once.
ActiveSet::Dropped ActiveSet::drop_unused(const StepContext& context, const Points& x_end, double usual, double asked) {
  Dropped dropped;
  std::vector<double> farthest;
  Points by_modes;
  measure(farthest, by_modes);
  for (std::size_t h = static_cast<std::size_t>(library_->kept); h < active_.size(); ++h) {
    const bool now = std::exchange(asked_modes_[h], asked_modes_[h] ? asked_before : 0) == asked_now;
    if (!active_[h] || now || farthest[h] >= (asked_modes_[h] ? asked : usual)) continue;
    active_[h] = asked_modes_[h] = 0;
    ++dropped.handles;
  }
  for (Index v = 0; v < system_.dynamic_count; ++v) {
    if (!enriched_[v]) continue;
    if (std::exchange(asked_vertices_[v], asked_vertices_[v] ? asked_before : 0) == asked_now) continue;
    const Vec3 moved = x_end.col(v) - context.start.col(v);
    if ((moved - by_modes.col(v)).norm() >= (asked_vertices_[v] ? asked : usual)) continue;
    enriched_[v] = asked_vertices_[v] = 0;
    ++dropped.vertices;
  }
  if (dropped.handles > 0) collect();
  return dropped;
}

void ActiveSet::save(ArchiveWriter& archive) const {
  const auto write = [&](const char* name, const std::vector<char>& flags) {
    const std::vector<std::int32_t> values(flags.begin(), flags.end());
    archive.write(name, std::span<const std::int32_t>(values));
  };
  write("adaptive/fixed", fixed_);  // what the library is made for
  write("adaptive/handles", active_);
  write("adaptive/vertices", enriched_);
  write("adaptive/asked_handles", asked_modes_);
  write("adaptive/asked_vertices", asked_vertices_);
}

ActiveSet::Renewed ActiveSet::load(const ArchiveReader& archive) {
  const auto read = [&](const char* name, std::size_t size) {
    const auto values = archive.integers32(name);
    if (values.size() != size)
      fail_input(code::checkpoint_scene,
                 "the checkpoint's {} has {} entries, expected {}; it is damaged or belongs to another scene: start "
                 "the run again",
                 name, values.size(), size);
    std::vector<char> flags(size);
    for (std::size_t i = 0; i < size; ++i) flags[i] = values[i] != 0;
    return flags;
  };
  if (!archive.has("adaptive/handles")) return Renewed::nothing;
  const Renewed renewed = prepare(read("adaptive/fixed", fixed_.size()));
  const std::vector<char> handles = read("adaptive/handles", active_.size());
  enriched_ = read("adaptive/vertices", enriched_.size());
  active_ = handles;
  if (archive.has("adaptive/asked_handles")) {  // versions without acceptance did not write them
    asked_modes_ = read("adaptive/asked_handles", active_.size());
    asked_vertices_ = read("adaptive/asked_vertices", enriched_.size());
  }
  std::fill_n(active_.begin(), library_->kept, 1);
  collect();
  return renewed == Renewed::library ? renewed : Renewed::basis;
}

}  // namespace sinew
