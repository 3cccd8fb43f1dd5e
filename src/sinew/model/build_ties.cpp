#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "sinew/core/error.h"
#include "sinew/model/build_parts.h"
#include "sinew/model/mortar.h"

namespace sinew {
namespace {

constexpr double same_velocity = 1e-9;  // of the largest one
constexpr double no_gap = 1e-9;         // over the size of a face

class TieBuilder {
 public:
  TieBuilder(const Setup& setup, const VertexMaps& maps, System& system) : setup_(setup), maps_(maps), s_(system) {}

  void build() {
    for (std::size_t t = 0; t < setup_.ties.size(); ++t) add(t);
    check_velocities();
  }

 private:
  const BodySetup& body(Index b) const { return setup_.bodies[b]; }

  void check_bodies(std::size_t t) const {
    const TieSetup& tie = setup_.ties[t];
    const auto bodies = static_cast<Index>(setup_.bodies.size());
    if (tie.body < 0 || tie.body >= bodies || tie.to < 0 || tie.to >= bodies)
      fail_input(code::tie, "ties[{}]: names bodies {} and {}, the scene has {}", t, tie.body, tie.to, bodies);
    if (tie.body == tie.to)
      fail_input(code::tie, "ties[{}]: body '{}' is tied to itself; name two bodies", t, body(tie.body).name);
    if (body(tie.body).affine)
      fail_input(code::tie, "ties[{}]: the affine body '{}' cannot follow another one; swap \"body\" and \"to\"", t,
                 body(tie.body).name);
    if (body(tie.to).mesh.is_cloth())
      fail_input(
          code::tie,
          "ties[{}]: body '{}' is cloth, which nothing can follow; swap \"body\" and \"to\", or use springs that "
          "end at \"nearest\" points",
          t, body(tie.to).name);
    if (tie.faces.cols() == 0 || tie.to_faces.cols() == 0)
      fail_input(code::tie, "ties[{}]: one side has no faces; select some on both bodies", t);
  }

  // In the simulation's numbering.
  Triangles numbered(std::size_t t, Index b, const Triangles& faces) const {
    Triangles result(3, faces.cols());
    for (Eigen::Index i = 0; i < faces.size(); ++i) {
      const Index v = faces.data()[i];
      if (v < 0 || v >= static_cast<Index>(maps_.body[b].size()) || maps_.body[b][v] < 0)
        fail_input(code::tie, "ties[{}]: names vertex {} of body '{}', which no tet uses; select faces of the boundary",
                   t, v, body(b).name);
      result.data()[i] = maps_.body[b][v];
    }
    return result;
  }

  std::string place_of(Index v) const {
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", s_.rest(0, v), s_.rest(1, v), s_.rest(2, v));
  }

  // Those have places of their own, or follow something already.
  void check_free(std::size_t t, const std::vector<Index>& vertices) const {
    const auto has = [&](Index v) { return std::ranges::binary_search(vertices, v); };
    for (const PrescribedVertex& p : s_.prescribed)
      if (has(p.vertex))
        fail_input(code::tie,
                   "ties[{}]: the vertex of body '{}' at {} is fixed and follows body '{}'; fix that body there, swap "
                   "\"body\" and \"to\", or leave the vertex out of one of the two",
                   t, body(setup_.ties[t].body).name, place_of(p.vertex), body(setup_.ties[t].to).name);
    for (std::size_t other = 0; other < s_.ties.size(); ++other)
      for (const Index v : s_.ties[other].vertices)
        if (has(v))
          fail_input(
              code::tie,
              "ties[{}]: the vertex of body '{}' at {} is tied by ties[{}] already; let the two faces share no vertex",
              t, body(setup_.ties[t].body).name, place_of(v), other);
  }

  // Cloth has no outside: its faces are turned towards the other surface if more of them then lie opposite to it.
  MortarWeights weights_of(std::size_t t, Triangles& faces, const Triangles& to) const {
    MortarWeights weights = mortar_weights(s_.rest, faces, to);
    if (!body(setup_.ties[t].body).mesh.is_cloth()) return weights;
    Triangles turned = faces;
    turned.row(1).swap(turned.row(2));
    MortarWeights others = mortar_weights(s_.rest, turned, to);
    const auto covered = [](const MortarWeights& of) { return std::accumulate(of.area.begin(), of.area.end(), 0.0); };
    if (!(covered(others) > covered(weights))) return weights;
    faces = std::move(turned);
    return others;
  }

  void check_covered(std::size_t t, const MortarWeights& weights, const Triangles& to) const {
    Index missing = 0, first = -1;
    double nearest = 0;
    for (std::size_t i = 0; i < weights.vertices.size(); ++i) {
      if (!weights.rows[i].empty()) continue;
      if (missing++ > 0) continue;
      first = weights.vertices[i];
      nearest = distance_to_faces(s_.rest, to, s_.rest.col(first));
    }
    if (missing > 0)
      fail_input(
          code::tie,
          "ties[{}]: found {} of the {} vertices of the tied face of body '{}' with no face of body '{}' opposite: "
          "the first is at {}, {:.3g} m from the nearest face. Faces must face each other within half an edge length. "
          "Select a smaller face, swap \"body\" and \"to\", or move the bodies together",
          t, missing, weights.vertices.size(), body(setup_.ties[t].body).name, body(setup_.ties[t].to).name,
          place_of(first), nearest);
  }

  // Faces that come free are to touch each other then, which takes some room.
  void check_room(std::size_t t, const MortarWeights& weights) const {
    const TieSetup& tie = setup_.ties[t];
    const ContactSetup& contact = setup_.contact;
    const std::string &a = body(tie.body).name, &b = body(tie.to).name;
    const double size = std::sqrt(std::accumulate(weights.area.begin(), weights.area.end(), 0.0));
    const bool ends = tie.until < forever || tie.breaks_at > 0;
    const bool ignored = std::ranges::any_of(contact.ignore, [&](const std::array<std::string, 2>& pair) {
      return (pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a);
    });
    if (!ends || !contact.enabled || contact.model == ContactKind::penalty || ignored ||
        weights.least_gap > no_gap * size)
      return;
    fail_input(code::tie,
               "ties[{}]: the faces of '{}' and '{}' are {:.3g} m apart at rest and would touch when the tie ends "
               "(until, breaks_at). Leave a gap such as contact.distance, or add [\"{}\", \"{}\"] to contact.ignore",
               t, a, b, weights.least_gap + 0.0, a, b);
  }

  // The row over vertices with equations, each once.
  Embedding::Row resolved(const Embedding::Row& row) const {
    std::map<Index, double> weights;
    for (const Embedding::Entry& entry : row)
      s_.embedding.for_each(entry.vertex, [&](Index v, double w) { weights[v] += w * entry.weight; });
    Embedding::Row result;
    for (const auto& [vertex, weight] : weights) result.push_back({vertex, weight});
    return result;
  }

  // The tets behind a face, by vertex of it.
  std::map<Index, std::vector<Index>> tets_behind(const std::vector<Index>& face) const {
    std::map<Index, std::vector<Index>> tets;
    for (Index t = 0; t < s_.tet_count(); ++t) {
      int on_face = 0;
      for (int k = 0; k < 4; ++k) on_face += std::ranges::binary_search(face, s_.tets(k, t));
      if (on_face < 3) continue;
      for (int k = 0; k < 4; ++k) tets[s_.tets(k, t)].push_back(t);
    }
    return tets;
  }

  // Affine motions move the vertex along. In a plane the weights of its vertices need rounding corrected alone; off it,
  // as across a gap or on curved faces, the vertices of the tets behind come in.
  void make_exact(std::size_t t, Index vertex, const std::map<Index, std::vector<Index>>& behind,
                  Embedding::Row& row) const {
    const Vec3 place = s_.rest.col(vertex);
    if (make_affine_exact(s_.rest, place, row)) return;
    std::set<Index> further;
    for (const Embedding::Entry& entry : row)
      if (const auto tets = behind.find(entry.vertex); tets != behind.end())
        for (const Index tet : tets->second) further.insert(s_.tets.col(tet).begin(), s_.tets.col(tet).end());
    for (const Embedding::Entry& entry : row) further.erase(entry.vertex);
    for (const Index v : further) row.push_back({v, 0.0});
    if (!make_affine_exact(s_.rest, place, row))
      fail_input(code::tie,
                 "ties[{}]: the vertex of body '{}' at {} cannot follow body '{}' there; move the bodies together", t,
                 body(setup_.ties[t].body).name, place_of(vertex), body(setup_.ties[t].to).name);
    std::ranges::sort(row, {}, &Embedding::Entry::vertex);
  }

  void add(std::size_t t) {
    check_bodies(t);
    const TieSetup& setup = setup_.ties[t];
    Triangles faces = numbered(t, setup.body, setup.faces);
    const Triangles to = numbered(t, setup.to, setup.to_faces);
    MortarWeights weights = weights_of(t, faces, to);
    check_free(t, weights.vertices);
    check_covered(t, weights, to);
    check_room(t, weights);
    Tie tie;
    tie.body = setup.body;
    tie.to = setup.to;
    std::set<Index> followed;
    for (const Embedding::Row& row : weights.rows)
      for (const Embedding::Entry& entry : tie.rows.emplace_back(resolved(row))) followed.insert(entry.vertex);
    const auto behind = tets_behind({followed.begin(), followed.end()});
    for (std::size_t i = 0; i < tie.rows.size(); ++i) make_exact(t, weights.vertices[i], behind, tie.rows[i]);
    tie.vertices = std::move(weights.vertices);
    tie.area = std::move(weights.area);
    tie.opposite = std::move(weights.opposite);
    tie.gap = weights.gap;
    tie.faces = faces;
    tie.until = setup.until;
    tie.breaks_at = setup.breaks_at;
    tie.name = setup.name;
    s_.ties.push_back(std::move(tie));
  }

  // Of bodies that start apart from each other a tie would have to be an impact.
  void check_velocities() const {
    const double fastest = s_.initial_velocity.cols() > 0 ? s_.initial_velocity.cwiseAbs().maxCoeff() : 0;
    for (std::size_t t = 0; t < s_.ties.size(); ++t)
      for (std::size_t i = 0; i < s_.ties[t].vertices.size(); ++i) {
        Vec3 difference = s_.initial_velocity.col(s_.ties[t].vertices[i]);
        for (const Embedding::Entry& entry : s_.ties[t].rows[i])
          difference -= entry.weight * s_.initial_velocity.col(entry.vertex);
        if (!(difference.cwiseAbs().maxCoeff() <= same_velocity * fastest))
          fail_input(code::tie,
                     "ties[{}]: bodies '{}' and '{}' start with velocities that differ by {:.3g} m/s where they are "
                     "tied; give both bodies the same motion",
                     t, body(setup_.ties[t].body).name, body(setup_.ties[t].to).name, difference.norm());
      }
  }

  const Setup& setup_;
  const VertexMaps& maps_;
  System& s_;
};

// Rows in which tied vertices are replaced by what they follow.
class TieResolver {
 public:
  TieResolver(std::span<const Tie> ties, std::span<const char> held) {
    for (std::size_t t = 0; t < ties.size(); ++t)
      for (std::size_t i = 0; i < ties[t].vertices.size() && (held.empty() || held[t]); ++i)
        rows_[ties[t].vertices[i]] = {&ties[t].rows[i], static_cast<Index>(t)};
  }

  Embedding result() const {
    std::vector<Index> followers;
    std::vector<Embedding::Row> rows;
    for (const auto& [vertex, row] : rows_) {
      std::map<Index, double> sums;
      std::vector<Index> way;
      add(vertex, 1, way, sums);
      followers.push_back(vertex);
      Embedding::Row& resolved = rows.emplace_back();
      for (const auto& [v, weight] : sums) resolved.push_back({v, weight});
    }
    return {std::move(followers), rows};
  }

 private:
  struct TiedRow {
    const Embedding::Row* row = nullptr;
    Index tie = 0;
  };

  // way: the tied vertices that have led here.
  void add(Index vertex, double weight, std::vector<Index>& way, std::map<Index, double>& sums) const {
    const auto tied = rows_.find(vertex);
    if (tied == rows_.end()) {
      sums[vertex] += weight;
      return;
    }
    if (std::ranges::find(way, vertex) != way.end())
      fail_input(code::tie, "ties[{}]: its faces depend on each other in a cycle; swap \"body\" and \"to\" of one tie",
                 tied->second.tie);
    way.push_back(vertex);
    for (const Embedding::Entry& entry : *tied->second.row) add(entry.vertex, weight * entry.weight, way, sums);
    way.pop_back();
  }

  std::map<Index, TiedRow> rows_;
};

}  // namespace

Embedding tied_vertices(std::span<const Tie> ties, std::span<const char> held) {
  return TieResolver(ties, held).result();
}

std::shared_ptr<const Embedding> held_vertices(const System& system, std::span<const char> held) {
  if (std::ranges::find(held, 1) == held.end()) return nullptr;
  if (std::ranges::find(held, 0) == held.end()) return system.tied;
  return std::make_shared<const Embedding>(tied_vertices(system.ties, held));
}

std::vector<char> held_at(const System& system, double time) {
  std::vector<char> held;
  for (const Tie& tie : system.ties) held.push_back(tie.holds_at(time));
  return held;
}

void build_ties(const Setup& setup, const VertexMaps& maps, System& system) {
  if (setup.ties.empty()) return;
  TieBuilder(setup, maps, system).build();
  system.tied = std::make_shared<const Embedding>(tied_vertices(system.ties));
}

}  // namespace sinew
