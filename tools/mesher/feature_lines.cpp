#include "feature_lines.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>

#include "surface_edges.h"

namespace sinew::mesher {
namespace {

struct Line {
  Index a, b;
  bool needed;  // separates regions
};

double cosine(double degrees) {
  return std::cos(degrees * std::numbers::pi / 180);
}

std::vector<Line> sharp_edges(const Points& vertices, const Triangles& triangles,
                              const std::vector<std::array<int, 2>>& sides, double angle) {
  const SurfaceEdges edges(triangles);
  std::vector<Line> lines;
  for (const SurfaceEdges::Edge& edge : edges.edges()) {
    const auto uses = edges.uses(edge);
    bool needed = edge.count != 2, sharp = false;
    if (!needed) {
      const bool turned = uses[0].forward == uses[1].forward;
      std::array<int, 2> other = sides[static_cast<std::size_t>(uses[1].triangle)];
      if (turned) std::swap(other[0], other[1]);
      needed = other != sides[static_cast<std::size_t>(uses[0].triangle)];
      const Vec3 m = triangle_normal(vertices, triangles, uses[0].triangle).normalized();
      const Vec3 n = triangle_normal(vertices, triangles, uses[1].triangle).normalized();
      sharp = angle < 180 && (turned ? -1 : 1) * m.dot(n) < cosine(angle);
    }
    if (needed || sharp) lines.push_back({edge.a, edge.b, needed});
  }
  return lines;
}

// The lines at each vertex: items[offsets[v] .. offsets[v + 1]).
struct LinesAt {
  std::vector<std::size_t> offsets, items;

  LinesAt(const std::vector<Line>& lines, Eigen::Index vertices) : offsets(static_cast<std::size_t>(vertices) + 1, 0) {
    for (const Line& line : lines) {
      ++offsets[static_cast<std::size_t>(line.a) + 1];
      ++offsets[static_cast<std::size_t>(line.b) + 1];
    }
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    items.resize(2 * lines.size());
    std::vector<std::size_t> next = offsets;
    for (std::size_t l = 0; l < lines.size(); ++l) {
      items[next[static_cast<std::size_t>(lines[l].a)]++] = l;
      items[next[static_cast<std::size_t>(lines[l].b)]++] = l;
    }
  }
  std::span<const std::size_t> operator[](Index v) const {
    const auto at = static_cast<std::size_t>(v);
    return std::span(items).subspan(offsets[at], offsets[at + 1] - offsets[at]);
  }
};

double length(const Points& vertices, const Line& line) {
  return (vertices.col(line.a) - vertices.col(line.b)).norm();
}

Index other_end(const Line& line, Index v) {
  return line.a == v ? line.b : line.a;
}

std::vector<Line> without_short_parts(const std::vector<Line>& lines, const Points& vertices, double shortest) {
  const LinesAt at(lines, vertices.cols());
  std::vector<char> seen(lines.size(), 0);
  std::vector<Line> kept;
  for (std::size_t start = 0; start < lines.size(); ++start) {
    if (seen[start]) continue;
    std::vector<std::size_t> part = {start};
    seen[start] = 1;
    double total = 0;
    bool needed = false;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const Line& line = lines[part[i]];
      total += length(vertices, line);
      needed = needed || line.needed;
      for (const Index v : {line.a, line.b}) {
        for (const std::size_t l : at[v]) {
          if (!seen[l]) part.push_back(l);
          seen[l] = 1;
        }
      }
    }
    if (!needed && total < shortest) continue;
    for (const std::size_t l : part) kept.push_back(lines[l]);
  }
  return kept;
}

// Where lines end, branch or turn by more than 60 degrees.
bool is_corner(Index v, const std::vector<Line>& lines, const LinesAt& at, const Points& vertices) {
  const auto own = at[v];
  if (own.size() != 2) return true;
  const Vec3 to = (vertices.col(other_end(lines[own[0]], v)) - vertices.col(v)).normalized();
  const Vec3 from = (vertices.col(other_end(lines[own[1]], v)) - vertices.col(v)).normalized();
  return to.dot(from) > -0.5;
}

}  // namespace

std::vector<Polyline> feature_lines(const Points& vertices, const Triangles& triangles,
                                    const std::vector<std::array<int, 2>>& sides, double angle, double shortest) {
  const std::vector<Line> lines =
      without_short_parts(sharp_edges(vertices, triangles, sides, angle), vertices, shortest);
  const LinesAt at(lines, vertices.cols());
  std::vector<char> corner(static_cast<std::size_t>(vertices.cols()), 0);
  for (Index v = 0; v < vertices.cols(); ++v) corner[static_cast<std::size_t>(v)] = is_corner(v, lines, at, vertices);
  std::vector<char> seen(lines.size(), 0);
  std::vector<Polyline> polylines;
  const auto trace = [&](Index from, std::size_t first) {
    Polyline polyline = {vertices.col(from)};
    Index v = from;
    for (std::size_t l = first;;) {
      seen[l] = 1;
      v = other_end(lines[l], v);
      polyline.push_back(vertices.col(v));
      if (corner[static_cast<std::size_t>(v)] || v == from) break;
      l = at[v][0] == l ? at[v][1] : at[v][0];
    }
    polylines.push_back(std::move(polyline));
  };
  for (Index v = 0; v < vertices.cols(); ++v) {
    if (!corner[static_cast<std::size_t>(v)]) continue;
    for (const std::size_t l : at[v]) {
      if (!seen[l]) trace(v, l);
    }
  }
  for (std::size_t l = 0; l < lines.size(); ++l) {  // loops without a corner
    if (!seen[l]) trace(lines[l].a, l);
  }
  return polylines;
}

}  // namespace sinew::mesher
