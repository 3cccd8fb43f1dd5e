#include "sdf_struts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::mesher {
namespace {

constexpr double reach = 1.4;  // s of inside(): how far a strut is felt, in radii
constexpr double inv_reach2 = 1 / (reach * reach);

constexpr double cube(double x) {
  return x * x * x;
}
constexpr double threshold = cube(1 - inv_reach2);

}  // namespace

void StrutField::add(const std::vector<Vec3>& points, const std::vector<double>& radii) {
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Vec3 d = points[i + 1] - points[i];
    segments_.push_back({points[i], d, 1 / d.squaredNorm(), radii[i], radii[i + 1] - radii[i], struts_});
    length_ += d.norm();
  }
  ++struts_;
}

void StrutField::add(const Vec3& a, const Vec3& b, double radius) {
  add({a, b}, {radius, radius});
}

void StrutField::build() {
  thinnest_ = std::numeric_limits<double>::max();
  double thickest = 0;
  const auto box_of = [](const Segment& s) {
    const Vec3 margin = Vec3::Constant(1.01 * reach * std::max(s.ra, s.ra + s.dr)), b = s.a + s.d;
    return Eigen::AlignedBox3d(s.a.cwiseMin(b) - margin, s.a.cwiseMax(b) + margin);
  };
  for (const Segment& s : segments_) {
    bounds_.extend(box_of(s));
    thinnest_ = std::min({thinnest_, s.ra, s.ra + s.dr});
    thickest = std::max({thickest, s.ra, s.ra + s.dr});
  }
  constexpr double most_cells = 4e6;
  const double volume = bounds_.sizes().prod();
  const double cell = std::max(2 * thickest, std::cbrt(volume / most_cells));
  origin_ = bounds_.min();
  inv_cell_ = 1 / cell;
  count_ = (bounds_.sizes() * inv_cell_).array().floor().cast<int>() + 1;
  const auto cells = static_cast<std::size_t>(count_.cast<std::int64_t>().prod());
  // Counted first, then filled. A cell takes a segment when the line through it passes near.
  const double near = 0.5 * std::sqrt(3.0) * cell;
  const auto visit = [&](auto&& take) {
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      const Segment& s = segments_[i];
      const Eigen::AlignedBox3d box = box_of(s);
      const Eigen::Vector3i lo = ((box.min() - origin_) * inv_cell_).array().floor().cast<int>().max(0);
      const Eigen::Vector3i hi =
          ((box.max() - origin_) * inv_cell_).array().floor().cast<int>().min(count_.array() - 1);
      const double far = near + 1.01 * reach * std::max(s.ra, s.ra + s.dr);
      for (int x = lo.x(); x <= hi.x(); ++x) {
        for (int y = lo.y(); y <= hi.y(); ++y) {
          for (int z = lo.z(); z <= hi.z(); ++z) {
            const Vec3 centre = origin_ + cell * Vec3(x + 0.5, y + 0.5, z + 0.5);
            const double t = std::clamp((centre - s.a).dot(s.d) * s.inv_dd, 0.0, 1.0);
            if ((centre - s.a - t * s.d).squaredNorm() > far * far) continue;
            take((static_cast<std::size_t>(x) * count_.y() + y) * count_.z() + z, static_cast<Index>(i));
          }
        }
      }
    }
  };
  offsets_.assign(cells + 1, 0);
  visit([&](std::size_t c, Index) { ++offsets_[c + 1]; });
  for (std::size_t c = 0; c < cells; ++c) offsets_[c + 1] += offsets_[c];
  items_.resize(static_cast<std::size_t>(offsets_.back()));
  std::vector<Index> next(offsets_.begin(), offsets_.end() - 1);
  visit([&](std::size_t c, Index i) { items_[static_cast<std::size_t>(next[c]++)] = i; });
}

bool StrutField::inside(const Vec3& p) const {
  const Vec3 q = (p - origin_) * inv_cell_;
  if (!(q.minCoeff() >= 0)) return false;
  const Eigen::Vector3i at = q.cast<int>();
  if ((at.array() >= count_.array()).any()) return false;
  const std::size_t c = (static_cast<std::size_t>(at.x()) * count_.y() + at.y()) * count_.z() + at.z();
  double sum = 0, of_strut = 0;
  Index strut = -1;
  for (Index k = offsets_[c]; k < offsets_[c + 1]; ++k) {
    const Segment& s = segments_[static_cast<std::size_t>(items_[static_cast<std::size_t>(k)])];
    const Vec3 y = p - s.a;
    const double t = std::clamp(y.dot(s.d) * s.inv_dd, 0.0, 1.0);
    const double r = s.ra + t * s.dr;
    const double w = 1 - (y - t * s.d).squaredNorm() * inv_reach2 / (r * r);
    if (w <= 0) continue;
    if (s.strut != strut) {
      sum += of_strut;
      of_strut = 0;
      strut = s.strut;
    }
    of_strut = std::max(of_strut, cube(w));
    if (sum + of_strut >= threshold) return true;
  }
  return sum + of_strut >= threshold;
}

}  // namespace sinew::mesher
