#include "sinew/model/embedding.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

std::vector<Index> numbers_from(Index first, std::size_t count) {
  std::vector<Index> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

}  // namespace

Embedding::Embedding(Index first, const std::vector<Row>& rows) : Embedding(numbers_from(first, rows.size()), rows) {}

Embedding::Embedding(std::vector<Index> followers, const std::vector<Row>& rows) : followers_(std::move(followers)) {
  if (followers_.empty()) return;
  first_ = followers_.front();
  place_.assign(static_cast<std::size_t>(followers_.back() - first_) + 1, -1);
  for (std::size_t e = 0; e < followers_.size(); ++e) place_[followers_[e] - first_] = static_cast<Index>(e);
  struct Back {
    Index vertex, follower;
    double weight;
  };
  std::vector<Back> backwards;
  for (std::size_t e = 0; e < rows.size(); ++e) {
    for (const Entry& entry : rows[e]) {
      entries_.push_back(entry);
      backwards.push_back({entry.vertex, followers_[e], entry.weight});
    }
    begin_.push_back(static_cast<std::int64_t>(entries_.size()));
  }
  std::ranges::stable_sort(backwards, {}, &Back::vertex);
  for (const Back& one : backwards) {
    if (followed_.empty() || followed_.back() != one.vertex) {
      followed_.push_back(one.vertex);
      back_.push_back(back_.back());
    }
    by_follower_.push_back({one.follower, one.weight});
    ++back_.back();
  }
}

// Followers of the same four come in long runs (affine bodies), whose four positions are read once.
void Embedding::place(Points& x) const {
  parallel_chunks(count(), 2048, [&](std::size_t begin, std::size_t end) {
    std::array<Index, 4> four{-1, -1, -1, -1};
    Vec3 at[4];
    for (std::size_t e = begin; e < end; ++e) {
      const std::span<const Entry> row(entries_.data() + begin_[e],
                                       static_cast<std::size_t>(begin_[e + 1] - begin_[e]));
      if (row.size() != 4) {
        Vec3 sum = Vec3::Zero();
        for (const Entry& entry : row) sum += entry.weight * x.col(entry.vertex);
        x.col(followers_[e]) = sum;
        continue;
      }
      bool same = true;
      for (std::size_t a = 0; a < 4; ++a) same &= row[a].vertex == four[a];
      for (std::size_t a = 0; a < 4 && !same; ++a) {
        four[a] = row[a].vertex;
        at[a] = x.col(four[a]);
      }
      x.col(followers_[e]) =
          ((row[0].weight * at[0] + row[1].weight * at[1]) + row[2].weight * at[2]) + row[3].weight * at[3];
    }
  });
}

void Embedding::pull_back(const Points& f, Points& g) const {
  parallel_for(
      followed_.size(),
      [&](std::size_t k) {
        const Entry* entries = by_follower_.data() + back_[k];
        Vec3 total = Vec3::Zero();
        for (std::int64_t e = 0; e < back_[k + 1] - back_[k]; ++e)
          total += entries[e].weight * f.col(entries[e].vertex);
        g.col(followed_[k]) += total;
      },
      16);
}

}  // namespace sinew
