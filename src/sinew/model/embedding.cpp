#include "sinew/model/embedding.h"

#include <algorithm>
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

void Embedding::place(Points& x) const {
  parallel_for(
      count(),
      [&](std::size_t e) {
        const Index follower = followers_[e];
        Vec3 sum = Vec3::Zero();
        for (const Entry& entry : row(follower)) sum += entry.weight * x.col(entry.vertex);
        x.col(follower) = sum;
      },
      2048);
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
