// Repeated lift() and restrict_to() of one basis, without allocation in each call.
#pragma once

#include "sinew/linalg/vec4.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

class HandleTransfer {
 public:
  // rest: 3 x n. Copies its data: about 12 bytes for each weight and 24 for each vertex.
  HandleTransfer(const HandleBasis& basis, const Points& rest);

  Index handle_count() const { return handles_; }
  Index vertex_count() const { return static_cast<Index>(offset_.cols()); }

  // u = U q. q: 12 k values as in lift(). u: 3 x n.
  void lift(const double* q, Points& u);

  // u (3 n values) += U q, except at coordinates with fixed[3 v + axis] != 0.
  void add_lifted(const double* q, const char* fixed, double* u);

  // r = U^T g. g: 3 n values. r: 12 k values. All functions are parallel and deterministic for any number of threads.
  // No concurrent calls on one object.
  void restrict_to(const double* g, double* r);

  std::size_t memory_bytes() const;

 private:
  // An affine map: its values at the origin and its derivatives by x, y and z; the fourth entry of each is zero.
  struct AffineMap {
    Vec4d column[4];
  };

  template <class Store>
  void lift_rows(const double* q, Store&& store);

  // Chunk c has the vertices [c, c + 1) * chunk_size, whose handles are pairs [pair_begin_[c], pair_begin_[c + 1]).
  // Within a chunk, affine maps are relative to its first vertex, so that each weight costs one multiple of 12 numbers.
  Index handles_ = 0;
  std::vector<Vec3> center_;
  std::vector<double> inverse_radius_;
  std::vector<Vec3> origin_;         // by chunk
  Points offset_;                    // X - origin of its chunk
  std::vector<std::int64_t> begin_;  // n + 1 entries
  std::vector<Index> local_;         // by weight: its pair, counted in the chunk
  std::vector<double> weight_;
  std::vector<std::int64_t> pair_begin_;  // chunks + 1 entries
  std::vector<Index> pair_handle_;
  std::vector<std::int64_t> handle_begin_;  // k + 1 entries, into handle_pairs_
  std::vector<std::int64_t> handle_pairs_;  // in ascending order of chunks
  std::vector<AffineMap> maps_;             // by pair
};

}  // namespace sinew
