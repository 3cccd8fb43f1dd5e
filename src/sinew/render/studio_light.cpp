#include "sinew/render/studio_light.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr double pi = std::numbers::pi;

// A rectangle in a room of unit half width that faces the middle.
struct Lamp {
  Vec3 place, across, over, normal;
  double half_width, half_height, radiance;
};

Lamp lamp_at(const Vec3& place, double width, double height, double radiance) {
  const Vec3 normal = -place.normalized(), across = Vec3(0, 1, 0).cross(normal).normalized();
  return {place, across, normal.cross(across), normal, 0.5 * width, 0.5 * height, radiance};
}

// The soft box above gives most light; a strip to the left and a broad dim one to the right draw outlines.
const std::array<Lamp, 4>& lamps() {
  static const std::array<Lamp, 4> all = {
      lamp_at({0, 0.98, 0.1}, 1.3, 1.3, 5.2), lamp_at({-0.98, 0.25, 0.35}, 0.8, 1.2, 5),
      lamp_at({0.98, 0.1, 0.1}, 1.3, 0.9, 2.1), lamp_at({0.1, 0.35, 0.98}, 1, 0.5, 1.6)};
  return all;
}

// Linear colours of the walls.
const Vec3 ceiling(0.584, 0.631, 0.686), side(0.301, 0.332, 0.381), ground(0.266, 0.254, 0.238);

// Point k of n of a low-discrepancy set in the unit square (Hammersley).
Eigen::Vector2d hammersley(unsigned k, unsigned n) {
  double reversed = 0, digit = 0.5;
  for (unsigned bits = k; bits != 0; bits >>= 1, digit *= 0.5)
    if (bits & 1u) reversed += digit;
  return {(k + 0.5) / n, reversed};
}

// The direction in a picture of directions.
Vec3 direction_at(double u, double v) {
  double x = 2 * u - 1, z = 2 * v - 1;
  const double y = 1 - std::abs(x) - std::abs(z);
  if (y < 0) {
    const double folded = (1 - std::abs(z)) * (x < 0 ? -1 : 1);
    z = (1 - std::abs(x)) * (z < 0 ? -1 : 1);
    x = folded;
  }
  return Vec3(x, y, z).normalized();
}

// The mean of what a surface seen head-on mirrors.
Vec3 mirrored(const Vec3& direction, double roughness) {
  constexpr unsigned count = 128;
  const double alpha = roughness * roughness;
  const Vec3 a = direction.unitOrthogonal(), b = direction.cross(a);
  Vec3 sum = Vec3::Zero();
  double weights = 0;
  for (unsigned k = 0; k < count; ++k) {
    const Eigen::Vector2d at = hammersley(k, count);
    const double angle = 2 * pi * at[0], cosine = std::sqrt((1 - at[1]) / (1 + (alpha * alpha - 1) * at[1]));
    const double sine = std::sqrt(std::max(0.0, 1 - cosine * cosine));
    const Vec3 halfway = sine * std::cos(angle) * a + sine * std::sin(angle) * b + cosine * direction;
    const Vec3 light = 2 * direction.dot(halfway) * halfway - direction;
    const double weight = light.dot(direction);
    if (weight <= 0) continue;
    sum += weight * studio_radiance(light);
    weights += weight;
  }
  return sum / std::max(weights, 1e-9);
}

double strength(const Vec3& direction) {
  return studio_radiance(direction).mean();
}

}  // namespace

Vec3 studio_radiance(const Vec3& direction) {
  double nearest = std::numeric_limits<double>::infinity(), radiance = 0;
  for (const Lamp& lamp : lamps()) {
    const double slope = lamp.normal.dot(direction);
    if (slope >= 0) continue;
    const double distance = lamp.normal.dot(lamp.place) / slope;
    const Vec3 off = distance * direction - lamp.place;
    if (std::abs(off.dot(lamp.across)) > lamp.half_width || std::abs(off.dot(lamp.over)) > lamp.half_height) continue;
    if (distance >= nearest) continue;
    nearest = distance;
    radiance = lamp.radiance;
  }
  if (radiance > 0) return Vec3::Constant(radiance);
  Eigen::Index axis = 0;
  direction.cwiseAbs().maxCoeff(&axis);
  return axis != 1 ? side : direction[1] > 0 ? ceiling : ground;
}

Points even_directions(int count) {
  Points directions(3, count);
  const double golden = pi * (3 - std::sqrt(5.0));
  for (int k = 0; k < count; ++k) {
    const double y = 1 - (2 * k + 1.0) / count, radius = std::sqrt(1 - y * y);
    directions.col(k) = Vec3(radius * std::cos(golden * k), y, radius * std::sin(golden * k));
  }
  return directions;
}

// Cells of a Voronoi partition of the sphere whose centres are means weighted by the light's square (S. Lloyd, Least
// squares quantization in PCM, 1982).
std::vector<StudioLamp> studio_lamps(int count) {
  constexpr int fine_count = 8192, rounds = 12;
  constexpr double least = 0.25;  // so that dark directions have some, too
  const Points fine = even_directions(fine_count);
  VecX light(fine_count), density(fine_count);
  for (int k = 0; k < fine_count; ++k) {
    light[k] = strength(fine.col(k));
    density[k] = std::pow(light[k] + least, 2);
  }
  Points centers(3, count);
  const double whole = light.sum();
  double sum = 0;
  int next = 0;
  for (int k = 0; k < fine_count && next < count; ++k) {
    sum += light[k];
    if (sum >= (next + 0.5) / count * whole) centers.col(next++) = fine.col(k);
  }
  while (next < count) centers.col(next++) = fine.col(fine_count - 1);
  std::vector<Eigen::Index> cell(fine_count);
  for (int round = 0; round <= rounds; ++round) {
    parallel_for(std::size_t{fine_count}, [&](std::size_t k) {
      (centers.transpose() * fine.col(static_cast<Eigen::Index>(k))).maxCoeff(&cell[k]);
    });
    if (round == rounds) break;
    Points mean = Points::Zero(3, count);
    for (int k = 0; k < fine_count; ++k) mean.col(cell[k]) += density[k] * fine.col(k);
    for (int c = 0; c < count; ++c)
      if (mean.col(c).norm() > 0) centers.col(c) = mean.col(c).normalized();
  }
  std::vector<StudioLamp> result(static_cast<std::size_t>(count));
  for (int c = 0; c < count; ++c) result[c].direction = centers.col(c);
  for (int k = 0; k < fine_count; ++k) result[cell[k]].weight += light[k] / whole;
  return result;
}

std::vector<Vec3> studio_harmonics() {
  constexpr int count = 16384;
  const Points directions = even_directions(count);
  std::vector<Vec3> sums(9, Vec3::Zero());
  // Factors of the harmonics, squared, times those of the cosine lobe over pi.
  const double first = 0.282095, second = 0.488603, third = 1.092548, fourth = 0.315392, fifth = 0.546274;
  const double factors[] = {first, second, second, second, third, third, fourth, third, fifth};
  const double lobe[] = {1, 2.0 / 3, 2.0 / 3, 2.0 / 3, 0.25, 0.25, 0.25, 0.25, 0.25};
  for (int k = 0; k < count; ++k) {
    const Vec3 d = directions.col(k), light = studio_radiance(d) * (4 * pi / count);
    const double harmonics[] = {
        1, d[1], d[2], d[0], d[0] * d[1], d[1] * d[2], 3 * d[2] * d[2] - 1, d[0] * d[2], d[0] * d[0] - d[1] * d[1]};
    for (int i = 0; i < 9; ++i) sums[i] += factors[i] * factors[i] * lobe[i] * harmonics[i] * light;
  }
  return sums;
}

StudioMirror studio_mirror(int size, int levels) {
  StudioMirror mirror{size, levels, std::vector<float>(3 * static_cast<std::size_t>(size) * size * levels)};
  parallel_for(static_cast<std::size_t>(size) * levels, [&](std::size_t line) {
    const int level = static_cast<int>(line) / size, row = static_cast<int>(line) % size;
    const double roughness = std::max(0.06, static_cast<double>(level) / (levels - 1));
    for (int column = 0; column < size; ++column) {
      // The border's middle is that of the outermost pixels, so that no look-up mixes two roughnesses.
      const Vec3 color = mirrored(direction_at(column / (size - 1.0), row / (size - 1.0)), roughness);
      float* pixel = mirror.pixels.data() + 3 * (line * static_cast<std::size_t>(size) + column);
      for (int k = 0; k < 3; ++k) pixel[k] = static_cast<float>(color[k]);
    }
  });
  return mirror;
}

}  // namespace sinew
