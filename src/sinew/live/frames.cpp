#include "sinew/live/frames.h"

#include <cmath>
#include <cstring>

#include "sinew/contact/kinematics.h"
#include "sinew/io/report_blob.h"
#include "sinew/io/report_frames.h"
#include "sinew/io/requested_fields.h"
#include "sinew/reduced/reduced_basis.h"

namespace sinew {
namespace {

constexpr std::uint32_t frame_magic = 0x31464e53, weights_magic = 0x31574e53;
constexpr std::size_t number_offset = 8;
constexpr std::uint32_t reduced_kind = 1, moved_kind = 2;  // bits

class Bytes {
 public:
  template <class T>
  void add(T value) {
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void add(const Vec3& v) {
    for (int k = 0; k < 3; ++k) add(v[k]);
  }
  void align() { text_.append((8 - text_.size() % 8) % 8, '\0'); }
  void append(const std::string& bytes) { text_ += bytes; }
  void reserve(std::size_t bytes) { text_.reserve(bytes); }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::uint16_t level(double value, double low, double scale) {
  const double at = std::round((value - low) * scale);
  return static_cast<std::uint16_t>(at >= 65535 ? 65535 : at > 0 ? at : 0);
}

void add_positions(const Points& x, Bytes& out) {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
  if (x.cols() > 0) {
    low = x.rowwise().minCoeff();
    high = x.rowwise().maxCoeff();
  }
  out.align();
  out.add(low);
  out.add(high);
  for (int a = 0; a < 3; ++a) {
    const double scale = high[a] > low[a] ? 65535 / (high[a] - low[a]) : 0;
    for (Index v = 0; v < x.cols(); ++v) out.add(level(x(a, v), low[a], scale));
  }
}

}  // namespace

LiveFrames::LiveFrames(const System& system, const SinkSettings& settings) : system_(system), surface_(system) {
  surface_.show(shown_fields(settings.fields, settings.nodal_fields));
  if (system.obstacle_vertex_count() > 0) obstacles_ = system.rest;
  mesh_ = std::make_shared<const std::string>(
      blob_text(report_mesh_header(settings, system, surface_), surface_.mesh_data()));
  place_.assign(system.user_vertex_count, {-1, -1});
  for (std::size_t object = 0; object < surface_.object_count(); ++object) {
    if (!surface_.is_body(object)) continue;
    bodies_.push_back(surface_.vertices(object));
    for (std::size_t k = 0; k < bodies_.back().size(); ++k)
      place_[bodies_.back()[k]] = {static_cast<Index>(object), static_cast<Index>(k)};
  }
}

bool LiveFrames::has_weights(const Simulation& simulation) {
  const ReducedBasis* basis = simulation.subspace();
  return basis != nullptr && !basis->is_dense();
}

std::string LiveFrames::weights(const Simulation& simulation, std::uint32_t number) const {
  const ReducedBasis* basis = simulation.subspace();
  if (basis == nullptr || basis->is_dense()) return {};
  std::vector<Index> own(system_.user_vertex_count, -1);  // simulation's number of each user vertex
  for (Index i = 0; i < system_.body_vertex_count(); ++i)
    if (system_.vertex_to_user[i] >= 0) own[system_.vertex_to_user[i]] = i;
  // What each vertex of the surfaces follows of those with equations: itself, or some with weights.
  std::vector<Embedding::Row> vertices;
  for (std::size_t object = 0; object < surface_.object_count(); ++object) {
    if (!surface_.is_body(object)) continue;
    for (std::size_t k = 0; k < surface_.vertices(object).size(); ++k) {
      Embedding::Row& row = vertices.emplace_back();
      surface_.for_each_followed(object, k, [&](Index user, double w) {
        system_.embedding.for_each(own[user], [&](Index v, double part) { row.push_back({v, w * part}); });
      });
    }
  }
  Points rest = Points::Zero(3, static_cast<Index>(vertices.size()));
  for (std::size_t k = 0; k < vertices.size(); ++k)
    for (const auto& [v, w] : vertices[k]) rest.col(static_cast<Index>(k)) += w * system_.rest.col(v);
  const Index prescribed = static_cast<Index>(basis->motions.size()), handles = basis->handle_count() + prescribed;
  Bytes out;
  out.reserve(64 + vertices.size() * (12 + 4 * basis->sets.size() * handles));
  out.add(weights_magic);
  out.add(number);
  for (const int set : basis->set) out.add(static_cast<std::uint32_t>(set));
  out.add(static_cast<std::uint32_t>(basis->sets.size()));
  out.add(static_cast<std::uint32_t>(handles));
  out.add(static_cast<std::uint32_t>(vertices.size()));
  for (const AxisHandles& set : basis->sets) {
    for (const HandleBasis* part : {&set.free, &set.prescribed}) {
      for (Index h = 0; h < part->handle_count(); ++h) {
        out.add(part->center[h]);
        out.add(part->radius[h]);
      }
    }
  }
  const Vec3 origin = 0.5 * (rest.rowwise().minCoeff() + rest.rowwise().maxCoeff());
  out.add(origin);
  for (Index k = 0; k < rest.cols(); ++k)
    for (int a = 0; a < 3; ++a) out.add(static_cast<float>(rest(a, k) - origin[a]));
  for (const AxisHandles& set : basis->sets) {
    std::vector<float> row(handles);
    for (const Embedding::Row& point : vertices) {
      std::ranges::fill(row, 0.0f);
      for (const auto& [v, w] : point) {
        for (auto e = set.free.begin[v]; e < set.free.begin[v + 1]; ++e)
          row[set.free.handle[e]] += static_cast<float>(w * set.free.weight[e]);
        for (auto e = set.prescribed.begin[v]; e < set.prescribed.begin[v + 1]; ++e)
          row[basis->handle_count() + set.prescribed.handle[e]] += static_cast<float>(w * set.prescribed.weight[e]);
      }
      for (const float w : row) out.add(w);
    }
  }
  return out.take();
}

std::string LiveFrames::frame(const Simulation& simulation, const std::vector<LivePull>& pulls, std::size_t field,
                              const std::string& field_part) const {
  const bool reduced = has_weights(simulation);
  const Clock clock = simulation.clock();
  const MatX* y = reduced ? simulation.reduced_positions() : nullptr;
  const std::vector<PlaneState> planes = reduced ? planes_at(system_, clock.time) : simulation.state().planes;
  if (reduced && obstacles_.cols() > 0) place_obstacles(system_, clock.time, obstacles_);
  const std::vector<std::size_t> moved = surface_.moved(reduced ? obstacles_ : simulation.state().x);
  Bytes out;
  out.add(frame_magic);
  out.add((reduced ? reduced_kind : 0) | (moved.empty() ? 0 : moved_kind));
  out.add(std::uint32_t{0});
  out.add(static_cast<std::uint32_t>(clock.step));
  out.add(clock.time);
  out.add(static_cast<std::uint32_t>(planes.size()));
  out.add(static_cast<std::uint32_t>(pulls.size()));
  out.add(static_cast<std::uint32_t>(field_part.empty() ? 0 : field + 1));
  out.add(static_cast<std::uint32_t>(y ? y->rows() : 0));
  for (const PlaneState& plane : planes) {
    out.add(plane.point);
    out.add(plane.normal);
  }
  for (const LivePull& pull : pulls) {
    const auto [object, vertex] = place_[pull.vertex];
    for (const Index part : {Index{pull.client}, Index{pull.id}, object, vertex})
      out.add(static_cast<std::uint32_t>(part));
    for (int a = 0; a < 3; ++a) out.add(static_cast<float>(pull.target[a]));
  }
  if (y) {
    out.align();
    for (Index row = 0; row < y->rows(); ++row)
      for (int a = 0; a < 3; ++a) out.add(static_cast<float>((*y)(row, a)));
  }
  if (!moved.empty()) {
    out.align();
    out.add(static_cast<std::uint32_t>(moved.size()));
    for (const std::size_t object : moved) out.add(static_cast<std::uint32_t>(object));
  }
  const auto is_sent = [&](std::size_t object) {
    return surface_.moves(object) ? !(reduced && surface_.is_body(object))
                                  : std::ranges::find(moved, object) != moved.end();
  };
  Frame frame(simulation);
  for (std::size_t object = 0; object < surface_.object_count(); ++object) {
    if (!is_sent(object)) continue;
    add_positions(reduced ? surface_.positions(object, obstacles_, obstacles_)
                          : surface_.positions(object, frame.positions(), frame.state().x),
                  out);
  }
  out.align();
  out.append(field_part);
  return out.take();
}

void LiveFrames::number(std::string& frame, std::uint32_t number) {
  std::memcpy(frame.data() + number_offset, &number, sizeof number);
}

std::string LiveFrames::field_part(const Simulation& simulation, std::size_t field) const {
  Frame frame(simulation);
  const VecX all = surface_.vertex_field(frame, field);
  Bytes out;
  for (std::size_t object = 0; object < surface_.object_count(); ++object) {
    if (!surface_.is_body(object)) continue;
    const VecX values = surface_.field(object, all);
    const ValueRange range = range_of({values.data(), static_cast<std::size_t>(values.size())});
    out.align();
    out.add(range.low);
    out.add(range.high);
    const double scale = range.high > range.low ? 65535 / (range.high - range.low) : 0;
    for (const double value : values) out.add(level(value, range.low, scale));
  }
  return out.take();
}

}  // namespace sinew
