// Packs the unknowns of a step in a subspace into columns of three numbers, the layout that the minimiser and states
// use.
#pragma once

#include <algorithm>
#include <span>

#include "sinew/kinematics/kinematics.h"

namespace sinew {

// A position q contains the coordinates y, the stretches s of a mixed method (layout of ElasticPoints), and the
// vertices of obstacles. A direction d contains the unknowns of y, the stretches, the prescribed part of the motion as
// a difference of y, and the obstacles. A gradient g contains the unknowns. Each of these begins with a new column and
// is padded with zeros.
class PackedCoordinates {
 public:
  PackedCoordinates() = default;
  // stretches: how many numbers the stretches are; 0: none.
  PackedCoordinates(const Kinematics& space, std::size_t stretches, Index obstacle_columns)
      : y_rows_(space.rows()),
        y_cols_(space.columns()),
        unknown_rows_(space.unknown_rows()),
        unknown_cols_(space.unknown_columns()),
        stretches_(stretches),
        y_columns_(columns_for(y_rows_ * y_cols_)),
        unknown_columns_(columns_for(unknown_rows_ * unknown_cols_)),
        stretch_columns_(columns_for(static_cast<Index>(stretches))),
        obstacle_columns_(obstacle_columns) {}

  // Numbers of columns of q, d and g, and the first column of each part.
  Index unknown_columns() const { return unknown_columns_; }
  Index stretch_columns() const { return stretch_columns_; }
  Index obstacle_columns() const { return obstacle_columns_; }
  Index stretch_begin() const { return y_columns_; }                          // first column of the stretches in q
  Index target_begin() const { return unknown_columns_ + stretch_columns_; }  // start of the prescribed part in d
  Index bare_columns() const { return y_columns_ + obstacle_columns_; }       // columns of q without stretches
  Index position_columns() const { return bare_columns() + stretch_columns_; }
  Index direction_columns() const { return target_begin() + y_columns_ + obstacle_columns_; }

  using Column = Eigen::Map<const MatX>;
  // The parts of q. A velocity has the same parts, but its stretches have no meaning.
  Column y_of(const Points& q) const { return {q.data(), y_rows_, y_cols_}; }
  std::span<const double> stretches_of(const Points& q) const { return {q.data() + 3 * stretch_begin(), stretches_}; }
  double* stretches_in(Points& q) const { return q.data() + 3 * stretch_begin(); }
  auto obstacles(const Points& q) const { return q.rightCols(obstacle_columns_); }
  auto obstacles(Points& q) const { return q.rightCols(obstacle_columns_); }
  // Replaces y in q and keeps the rest of q.
  void put(const MatX& y, Points& q) const { std::copy_n(y.data(), y.size(), q.data()); }
  // Replaces the stretches in q. Returns false if s has another size.
  bool put_stretches(std::span<const double> s, Points& q) const {
    if (s.size() != stretches_) return false;
    std::ranges::copy(s, stretches_in(q));
    return true;
  }
  void remove_stretches(const Points& q, Points& bare) const {
    bare.resize(3, bare_columns());
    bare.leftCols(y_columns_) = q.leftCols(y_columns_);
    bare.rightCols(obstacle_columns_) = obstacles(q);
  }

  // Copies unknowns to g or d, and back.
  void write_unknowns(const MatX& values, Points& to) const { std::copy_n(values.data(), values.size(), to.data()); }
  void read_unknowns(const Points& from, MatX& values) const {
    values = Column(from.data(), unknown_rows_, unknown_cols_);
  }

  // Whether d has the prescribed part; directions of the stop test do not.
  bool has_target_part(const Points& d) const { return d.cols() == direction_columns(); }
  Column target_part(const Points& d) const { return {d.data() + 3 * target_begin(), y_rows_, y_cols_}; }
  // The stretches in a direction d.
  double* stretches_of_direction(Points& d) const { return d.data() + 3 * unknown_columns_; }

 private:
  static Index columns_for(Index numbers) { return (numbers + 2) / 3; }

  Index y_rows_ = 0, y_cols_ = 0, unknown_rows_ = 0, unknown_cols_ = 0;
  std::size_t stretches_ = 0;
  Index y_columns_ = 0, unknown_columns_ = 0, stretch_columns_ = 0, obstacle_columns_ = 0;
};

}  // namespace sinew
