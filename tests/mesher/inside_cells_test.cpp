#include "inside_cells.h"

#include <cmath>
#include <random>

#include "winding_number.h"
#include <gtest/gtest.h>

namespace sinew::mesher {
namespace {

// A sphere of triangles between circles of latitude, rough by up to `rough` of its radius 1.
struct Ball {
  Points vertices;
  Triangles triangles;
};

Ball ball(double rough) {
  constexpr int around = 16, down = 9;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> noise(-rough, rough);
  Ball made;
  made.vertices.resize(3, around * down + 2);
  for (int i = 0; i < down; ++i) {
    for (int j = 0; j < around; ++j) {
      const double polar = M_PI * (i + 1) / (down + 1), turn = 2 * M_PI * j / around;
      made.vertices.col(i * around + j) =
          Vec3(std::sin(polar) * std::cos(turn), std::sin(polar) * std::sin(turn), std::cos(polar));
    }
  }
  made.vertices.col(around * down) = Vec3(0, 0, 1);
  made.vertices.col(around * down + 1) = Vec3(0, 0, -1);
  for (Eigen::Index k = 0; k < made.vertices.size(); ++k) made.vertices.data()[k] += noise(random);
  std::vector<Index> corners;
  const auto at = [](int i, int j) {
    return i < 0 ? around * down : i == down ? around * down + 1 : i * around + j % around;
  };
  for (int i = -1; i < down; ++i) {
    for (int j = 0; j < around; ++j) {
      if (i >= 0) corners.insert(corners.end(), {at(i, j), at(i + 1, j), at(i, j + 1)});
      if (i + 1 < down) corners.insert(corners.end(), {at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)});
    }
  }
  made.triangles = Eigen::Map<const Triangles>(corners.data(), 3, static_cast<Eigen::Index>(corners.size() / 3));
  return made;
}

// The share of random points where cells and winding number differ although the latter is not within 2 % of one half.
// Its own error is about 1 %.
double differing(const Points& vertices, const Triangles& triangles, std::size_t* evaluations = nullptr) {
  InsideCells inside(vertices, triangles, 0.02);
  const WindingNumber winding(vertices, triangles);
  std::mt19937 random(4);
  std::uniform_real_distribution<double> place(-1.3, 1.3);
  constexpr int count = 40000;
  int different = 0;
  for (int k = 0; k < count; ++k) {
    const Vec3 p(place(random), place(random), place(random));
    const double w = winding(p);
    different += std::abs(w - 0.5) > 0.02 && inside(p) != (w > 0.5);
  }
  if (evaluations) *evaluations = inside.evaluations();
  return static_cast<double>(different) / count;
}

TEST(InsideCells, agree_with_the_winding_number_of_closed_surfaces) {
  for (const double rough : {0.0, 0.05, 0.3}) {  // the last one intersects itself
    SCOPED_TRACE(rough);
    const Ball made = ball(rough);
    EXPECT_EQ(differing(made.vertices, made.triangles), 0);
  }
}

TEST(InsideCells, agree_at_holes) {
  const Ball made = ball(0.05);
  for (const Eigen::Index removed : {1, 20, 100}) {
    SCOPED_TRACE(removed);
    const Triangles open = made.triangles.rightCols(made.triangles.cols() - removed);
    EXPECT_EQ(differing(made.vertices, open), 0);
  }
}

TEST(InsideCells, agree_for_a_loose_soup) {
  const Ball made = ball(0.02);
  Points vertices(3, made.triangles.size());
  Triangles triangles(3, made.triangles.cols());
  for (Eigen::Index k = 0; k < made.triangles.size(); ++k) {
    vertices.col(k) = made.vertices.col(made.triangles.data()[k]) * (1 + 1e-3 * std::sin(static_cast<double>(k)));
    triangles.data()[k] = static_cast<Index>(k);
  }
  EXPECT_EQ(differing(vertices, triangles), 0);
}

TEST(InsideCells, agree_on_planes_of_symmetry) {
  // A cube of side 2 whose faces and diagonals the cells, too, are cut by.
  Points vertices(3, 8);
  for (int v = 0; v < 8; ++v) vertices.col(v) = Vec3(v & 1 ? 1 : -1, v & 2 ? 1 : -1, v & 4 ? 1 : -1);
  Triangles triangles(3, 12);
  triangles << 0, 0, 4, 4, 0, 0, 2, 2, 0, 0, 1, 1,  //
      2, 3, 5, 7, 1, 5, 6, 7, 4, 6, 3, 7,           //
      3, 1, 7, 6, 5, 4, 7, 3, 6, 2, 7, 5;
  InsideCells inside(vertices, triangles, 0.02);
  for (double x = -0.9375; x < 1; x += 0.0625) {
    for (double y = -0.9375; y < 1; y += 0.0625) {
      for (const double z : {-0.5, 0.0, 0.25, 0.9375}) ASSERT_TRUE(inside({x, y, z})) << x << " " << y << " " << z;
    }
  }
}

TEST(InsideCells, evaluate_the_winding_number_for_a_fraction_of_the_points) {
  const Ball made = ball(0.05);
  std::size_t evaluations = 0;
  differing(made.vertices, made.triangles, &evaluations);
  EXPECT_LT(evaluations, 5000u);  // of 40000 points, of which half lie in the box of the surface
}

}  // namespace
}  // namespace sinew::mesher
