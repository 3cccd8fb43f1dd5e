// The inside of bodies in the page's data: what a page decodes is near the values of the run.
#include "sinew/io/report_inside.h"

#include <algorithm>
#include <cmath>

#include "inflated.h"
#include <gtest/gtest.h>

#include "sinew/io/report_format.h"

namespace sinew {
namespace {

// A unit cube of cubes of six tets each, all of material 3.
struct CubeOfTets {
  explicit CubeOfTets(int cells) : n(cells) {
    const int side = n + 1;
    rest.resize(3, side * side * side);
    for (Index v = 0; v < rest.cols(); ++v) {
      const int x = v / (side * side), y = v / side % side, z = v % side;
      rest.col(v) = Vec3(x, y, z) / n;
      if (x * y * z == 0 || x == n || y == n || z == n) surface.push_back(v);
    }
    constexpr int corners[6][4] = {{0, 1, 3, 7}, {0, 5, 1, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 6, 4, 7}};
    tets.resize(4, 6 * n * n * n);
    for (Index t = 0; t < tets.cols(); ++t) {
      const int cell = t / 6, x = cell / (n * n), y = cell / n % n, z = cell % n;
      for (int k = 0; k < 4; ++k) {
        const int corner = corners[t % 6][k];
        tets(k, t) = ((x + (corner >> 2 & 1)) * side + y + (corner >> 1 & 1)) * side + z + (corner & 1);
      }
    }
    materials.assign(tets.cols(), 3);
  }

  BodyInside inside() const { return {tets, materials, surface, rest}; }

  int n;
  Points rest;
  Tets tets;
  std::vector<Index> surface, materials;
};

Points twisted(const Points& rest) {
  Points x = rest;
  for (Index v = 0; v < x.cols(); ++v) {
    const double angle = 1.5 * rest(1, v);
    x.col(v) = Eigen::AngleAxisd(angle, Vec3::UnitY()) * rest.col(v);
  }
  return x;
}

// Reads the layout of report_format.h, as web/src/inside.js does.
class InsideReader {
 public:
  InsideReader(const BodyInside& inside, std::vector<Index> surface)
      : inside_(inside), user_(std::move(surface)), surface_(user_.size()) {
    const Json facts = inside.facts();
    stored_ = facts["stored"];
    const std::size_t vertices = inside.vertices().size();
    std::size_t count = 0;
    for (const Json& group : facts["tets"]) count += group[1].get<std::size_t>();
    user_.insert(user_.end(), inside.vertices().begin(), inside.vertices().end());
    ReportEncoder encoder;
    inside.add_mesh(encoder);
    bytes_ = test::inflated(encoder.finish());
    ranks = integers(vertices, false);
    for (int k = 0; k < 4; ++k) tets.push_back(integers(count, k > 0));
    for (int k = 0; k < 6; ++k) {
      parents_.push_back(integers(vertices, false));
      weights_.push_back(integers(vertices, true));
    }
    EXPECT_EQ(at_, bytes_.size());
  }

  // The levels of all vertices, those of the surface given.
  std::vector<int> levels(const std::string& bytes, std::size_t start, std::size_t first, int unit,
                          std::vector<int> known, int most) const {
    const std::size_t total = (bytes.size() - start) / 2;
    for (std::size_t v = 0; v < inside_.vertices().size(); ++v) {
      int sum = 128;
      for (int k = 0; k < 6; ++k) sum += weights_[k][v] * known[parents_[k][v]];
      int level = sum >> 8;
      if (v < stored_) {
        const auto low = static_cast<unsigned char>(bytes[start + first + v]);
        const auto high = static_cast<unsigned char>(bytes[start + total + first + v]);
        const int coded = low | high << 8;
        level += unit * ((coded >> 1) ^ -(coded & 1));
      }
      known.push_back(most > 0 ? std::clamp(level, 0, most) : level);
    }
    return known;
  }

  // Encodes a field, decodes it, and returns the largest error of the first `checked` vertices inside.
  double field_error(const VecX& all, std::size_t checked) {
    const ValueRange range = range_of({all.data(), static_cast<std::size_t>(all.size())});
    ReportEncoder encoder;
    inside_.add_field(encoder, all, range);
    const std::string text = encoder.finish(), bytes = test::inflated(text);
    size = text.size();
    unit = static_cast<int>(test::double_at(bytes, 0));
    const double step = (range.high - range.low) / field_levels;
    std::vector<int> known;
    for (std::size_t k = 0; k < surface_; ++k)
      known.push_back(static_cast<int>(std::lround((all[user_[k]] - range.low) / step)));
    const std::vector<int> all_levels = levels(bytes, 8, 0, unit, known, field_levels);
    double error = 0;
    for (std::size_t k = surface_; k < surface_ + checked; ++k)
      error = std::max(error, std::abs(range.low + step * all_levels[k] - all[user_[k]]));
    return error;
  }

  // Of positions, in levels.
  double position_error(const Points& all) {
    const auto box = ReportEncoder::box(all);
    ReportEncoder encoder;
    inside_.add_positions(encoder, all, box);
    const std::string text = encoder.finish(), bytes = test::inflated(text);
    size = text.size();
    double error = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double step = (box[axis].high - box[axis].low) / position_levels;
      const auto exact = [&](std::size_t k) { return (all(axis, user_[k]) - box[axis].low) / step; };
      std::vector<int> known;
      for (std::size_t k = 0; k < surface_; ++k) known.push_back(static_cast<int>(std::lround(exact(k))));
      const std::vector<int> decoded = levels(bytes, 0, axis * stored_, 8, known, 0);
      for (std::size_t k = surface_; k < decoded.size(); ++k) error = std::max(error, std::abs(decoded[k] - exact(k)));
    }
    return error;
  }

  std::vector<int> ranks;
  std::vector<std::vector<int>> tets;  // lowest ranks, then differences
  std::size_t size = 0;                // of the data that was read last, in base64
  int unit = 0;

 private:
  std::vector<int> integers(std::size_t count, bool plain) {
    std::vector<int> values(count);
    int last = 0;
    for (std::size_t k = 0; k < count; ++k) {
      std::uint32_t word = 0;
      for (int plane = 0; plane < 4; ++plane)
        word |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes_[at_ + plane * count + k])) << (8 * plane);
      const int difference = static_cast<int>(word >> 1) ^ -static_cast<int>(word & 1);
      values[k] = last = plain ? difference : last + difference;
    }
    at_ += 4 * count;
    return values;
  }

  const BodyInside& inside_;
  std::vector<Index> user_;
  std::size_t surface_, stored_ = 0, at_ = 0;
  std::string bytes_;
  std::vector<std::vector<int>> parents_, weights_;
};

TEST(BodyInside, HasEachVertexAndTetOnce) {
  const CubeOfTets cube(7);
  const BodyInside inside = cube.inside();
  std::vector<Index> all = inside.vertices();
  all.insert(all.end(), cube.surface.begin(), cube.surface.end());
  std::ranges::sort(all);
  for (std::size_t v = 0; v < all.size(); ++v) EXPECT_EQ(all[v], static_cast<Index>(v));
  EXPECT_EQ(inside.facts().dump(), R"({"vertices":216,"stored":216,"tets":[[3,2058]]})");
  EXPECT_EQ(inside.vertex_materials(), std::vector<Index>(216, 3));
  const InsideReader reader(inside, cube.surface);
  EXPECT_EQ(reader.ranks, std::vector<int>(inside.vertices().begin(), inside.vertices().end()));
  std::vector<std::array<int, 4>> read, wanted;
  for (std::size_t t = 0; t < reader.tets[0].size(); ++t) {
    std::array<int, 4> tet{};
    for (int k = 0; k < 4; ++k) tet[k] = reader.tets[k][t] + (k > 0 ? tet[k - 1] : 0);
    read.push_back(tet);
  }
  for (const auto column : cube.tets.colwise()) {
    wanted.push_back({column[0], column[1], column[2], column[3]});
    std::ranges::sort(wanted.back());
  }
  std::ranges::sort(wanted);
  EXPECT_EQ(read, wanted);
}

TEST(BodyInside, PositionsAreNearInLittleSpace) {
  const CubeOfTets cube(8);
  const BodyInside inside = cube.inside();
  InsideReader reader(inside, cube.surface);
  EXPECT_LE(reader.position_error(twisted(cube.rest)), 4.5);  // of 65535: half a unit, and half a level
  EXPECT_LT(reader.size, 4.0 * static_cast<double>(inside.vertices().size()));
}

TEST(BodyInside, FieldsAreNearOnTheScaleOfTheirColours) {
  const CubeOfTets cube(8);
  const BodyInside inside = cube.inside();
  InsideReader reader(inside, cube.surface);
  VecX field(cube.rest.cols());
  for (Index v = 0; v < field.size(); ++v) field[v] = 1e5 * (1 + std::sin(5 * cube.rest(0, v)) * cube.rest(1, v));
  EXPECT_LE(reader.field_error(field, inside.vertices().size()), 0.5 / 256 * 2e5);
  EXPECT_GT(reader.unit, 8);
  // A peak does not take the levels from the rest.
  field[cube.surface[0]] = 1e8;
  EXPECT_LE(reader.field_error(field, inside.vertices().size()), 1.1 * 1e8 / field_levels);
  EXPECT_EQ(reader.unit, 1);
  EXPECT_EQ(reader.field_error(VecX::Zero(field.size()), inside.vertices().size()), 0);
}

TEST(BodyInside, OfManyVerticesTheLastFollowTheOthers) {
  const CubeOfTets cube(16);
  const BodyInside inside = cube.inside();
  const std::size_t stored = inside.facts()["stored"];
  ASSERT_LT(stored, inside.vertices().size());
  InsideReader reader(inside, cube.surface);
  const VecX linear = 3e4 * cube.rest.row(0).transpose() + 2e4 * cube.rest.row(2).transpose();
  EXPECT_LE(reader.field_error(linear, stored), 0.5 / 256 * 5e4 + 1);
  EXPECT_LE(reader.field_error(linear, inside.vertices().size()), 0.01 * 5e4);
  EXPECT_LE(reader.position_error(twisted(cube.rest)), 0.01 * 65535);
}

TEST(BodyInside, MaterialsAreGroupsAndBodiesMayHaveNothingInside) {
  CubeOfTets cube(1);
  cube.materials = {4, 1, 1, 4, 1, 1};
  const BodyInside inside = cube.inside();
  EXPECT_EQ(inside.facts().dump(), R"({"vertices":0,"stored":0,"tets":[[1,4],[4,2]]})");
  InsideReader reader(inside, cube.surface);
  EXPECT_EQ(reader.position_error(cube.rest), 0);
}

}  // namespace
}  // namespace sinew
