// Points (followers) that follow vertices: x_e = sum_v w_ev x_v with sum_v w_ev = 1, so that affine motions of the
// vertices also move the points. The weights are scalars, the same for each axis.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

class Embedding {
 public:
  struct Entry {
    Index vertex = 0;
    double weight = 0;
  };
  using Row = std::vector<Entry>;

  Embedding() = default;
  // Follower e is vertex first + e and follows the vertices in rows[e], which must be below `first`.
  Embedding(Index first, const std::vector<Row>& rows);
  // Follower e is followers[e], in ascending order; no follower may be in a row.
  Embedding(std::vector<Index> followers, const std::vector<Row>& rows);

  bool empty() const { return count() == 0; }
  Index count() const { return static_cast<Index>(begin_.size()) - 1; }
  std::span<const Index> followers() const { return followers_; }
  bool follows(Index vertex) const {
    return vertex >= first_ && vertex < first_ + static_cast<Index>(place_.size()) && place_[vertex - first_] >= 0;
  }
  std::span<const Entry> row(Index follower) const {
    const auto e = static_cast<std::size_t>(place_[follower - first_]);
    return {entries_.data() + begin_[e], static_cast<std::size_t>(begin_[e + 1] - begin_[e])};
  }
  // Calls visit(v, w) for each vertex v that `vertex` follows, or visit(vertex, 1) if it follows none.
  template <class Visit>
  void for_each(Index vertex, Visit&& visit) const {
    if (!follows(vertex)) return visit(vertex, 1.0);
    for (const Entry& entry : row(vertex)) visit(entry.vertex, entry.weight);
  }

  // Sets the columns of followers in x: x_e = sum_v w_ev x_v. x: positions, displacements or velocities of all
  // vertices.
  void place(Points& x) const;
  // g_v += sum_e w_ev f_e: moves forces f at the followers to the vertices that they follow. f and g may be the same.
  void pull_back(const Points& f, Points& g) const;

 private:
  std::vector<Index> followers_;
  Index first_ = 0;
  std::vector<Index> place_;  // by vertex from first_ on: index in followers_; -1: not a follower
  std::vector<std::int64_t> begin_{0};
  std::vector<Entry> entries_;
  // The transpose. Followed vertex followed_[k] has the followers [back_[k], back_[k + 1]) of by_follower_.
  std::vector<Index> followed_;
  std::vector<std::int64_t> back_{0};
  std::vector<Entry> by_follower_;  // `vertex` is the follower, ascending
};

}  // namespace sinew
