// Keyframed motions of fixed vertices and obstacles, and keyframed factors of loads.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// A value of up to three numbers, stored without allocation.
using KeyValue = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;

// A function of time: piecewise linear, constant before the first and after the last key.
struct Keyframes {
  std::vector<double> times;  // ascending [s]; in statics fractions of the load, 0 to 1
  MatX values;                // d x times

  bool empty() const { return times.empty(); }
  KeyValue at(double time) const;
};

// Keyed rigid motions, for example of animated bones: x -> R(t) (x - center) + center + d(t), R by unit quaternions.
// All numbers are cubics in time through the keys, with slopes of central differences (Catmull and Rom 1974). They are
// constant before the first and after the last key. Quaternions are normalised afterwards.
struct Poses {
  std::vector<double> times;   // ascending [s]
  MatX rotations;              // 4 x k, (w, x, y, z), each in the half-space of the one before
  MatX translations;           // 3 x k [m]
  Vec3 center = Vec3::Zero();  // [m]

  // Sets R and d.
  void at(double time, Mat3& rotation, Vec3& translation) const;
};

// The motion of a fix or obstacle whose targets were set between steps (model/control.h). It is linear in time between
// its keys, constant before the first key and after the last one.
struct Course {
  using Map = Eigen::Matrix<double, 3, 4>;  // (A | b): x -> A x + b

  std::vector<double> times;   // ascending [s]; at least two
  std::vector<Map> maps;       // by key; or ...
  std::vector<Points> places;  // ... by key the positions of the vertices [m], 3 x vertices
  bool turns = false;          // whether a map is or was other than a shift
  bool goes_on = false;        // goes on after the last key with the velocity before it

  bool by_vertex() const { return !places.empty(); }
  // vertex: number in the fix or obstacle.
  Vec3 apply(const Vec3& rest, double time, Index vertex) const;
  Map map(double time) const;  // not by vertex
};

// Maps rest positions to targets: scales about `scale_center`, then rotates about an axis, then translates; or `poses`.
struct Motion {
  struct Rotation {
    Vec3 axis = Vec3(0, 1, 0);   // unit
    Vec3 center = Vec3::Zero();  // [m]
    Keyframes degrees;           // 1 x k
  };
  struct Scaling {
    Vec3 center = Vec3::Zero();  // [m]
    Keyframes factors;           // 1 x k or 3 x k
  };
  std::optional<Keyframes> translation;  // 3 x k [m]
  std::optional<Rotation> rotation;
  std::optional<Scaling> scaling;
  std::optional<Poses> poses;            // replaces the three above
  std::shared_ptr<const Course> course;  // replaces all of them

  bool empty() const { return !translation && !rotation && !scaling && !poses && !course; }
  // Whether it moves bodies otherwise than by shifting them.
  bool turns() const { return course ? course->turns : rotation || scaling || poses; }
  // vertex: number in the fix or obstacle; only a course by vertex needs it.
  Vec3 apply(const Vec3& rest, double time, Index vertex = -1) const;
  // The affine map (A | b) of apply().
  Eigen::Matrix<double, 3, 4> map(double time) const;
  // Applies only the rotation, for plane normals.
  Vec3 rotate_vector(const Vec3& direction, double time) const;
};

}  // namespace sinew
