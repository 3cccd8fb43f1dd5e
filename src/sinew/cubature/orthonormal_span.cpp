#include "sinew/cubature/orthonormal_span.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace sinew {
namespace {

constexpr Index block_size = 32;
constexpr double rounding = 1e-13;   // remainders below this share of the largest column are noise
constexpr double block_ratio = 0.1;  // pivots of a block stay above this share of the largest column

}  // namespace

OrthonormalSpan::OrthonormalSpan(Index rows, Index most) : Q_(rows, 0), most_(std::min(rows, most)) {}

// Orthonormalises the chosen columns among themselves, largest first, and against the span, down to `least`.
Index OrthonormalSpan::add_block(const MatX& C, const std::vector<Index>& chosen, double least) {
  const auto n = static_cast<Index>(C.rows()), k = static_cast<Index>(chosen.size());
  MatX B(n, k);
  for (Index j = 0; j < k; ++j) B.col(j) = C.col(chosen[j]);
  if (Q_.cols() < count_ + k) Q_.conservativeResize(n, std::max<Eigen::Index>(count_ + k, 2 * Q_.cols()));
  const Index before = count_;
  for (Index j = 0; j < k && count_ < most_; ++j) {
    Eigen::Index best = 0;
    const double size = std::sqrt(B.rightCols(k - j).colwise().squaredNorm().maxCoeff(&best));
    if (!(size > least)) break;
    B.col(j).swap(B.col(j + best));
    VecX q = B.col(j) / size;
    q -= Q_.leftCols(count_) * (Q_.leftCols(count_).transpose() * q);
    q.normalize();
    Q_.col(count_) = q;
    ++count_;
    auto rest = B.rightCols(k - j - 1);
    rest -= q * (q.transpose() * rest);
  }
  return count_ - before;
}

// Rank-revealing block Gram-Schmidt with column pivoting: removes the span from all columns, drops those within the
// tolerance, orthonormalises a block of the largest ones, and repeats until none is left. O(n r k) for k columns.
bool OrthonormalSpan::add(MatX& C, double tolerance) {
  if (C.cols() == 0) return true;
  tolerance = std::max(tolerance, rounding * std::sqrt(C.colwise().squaredNorm().maxCoeff()));
  if (count_ > 0) {
    const MatX part = columns().transpose() * C;
    C.noalias() -= columns() * part;
  }
  // The columns before `left` still count; those within the tolerance are replaced by the last ones.
  auto left = static_cast<Index>(C.cols());
  std::vector<std::pair<double, Index>> sizes;
  for (;;) {
    sizes.clear();
    for (Index j = 0; j < left;) {
      const double size = C.col(j).norm();
      if (size > tolerance) {
        sizes.emplace_back(size, j++);
      } else if (j != --left) {
        C.col(j) = C.col(left);
      }
    }
    if (left == 0) return true;
    if (count_ == most_) return false;
    // The block of the largest columns, in order of size.
    const Index block = std::min(block_size, left);
    std::partial_sort(sizes.begin(), sizes.begin() + block, sizes.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    std::vector<Index> chosen(block);
    for (Index k = 0; k < block; ++k) chosen[k] = sizes[k].second;
    const Index added = add_block(C, chosen, std::max(tolerance, block_ratio * sizes.front().first));
    // What is new in the span is removed from all other columns.
    const auto fresh = Q_.middleCols(count_ - added, added);
    auto rest = C.leftCols(left);
    const MatX part = fresh.transpose() * rest;
    rest.noalias() -= fresh * part;
  }
}

}  // namespace sinew
