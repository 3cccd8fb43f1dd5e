// U of a handle basis as the solver applies it: W's four scalars of each weight, and what restriction needs to run in
// parallel. Nothing is allocated by its products.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/subspace/handle_basis.h"

namespace sinew {

class HandleTransfer {
 public:
  // `basis` and `rest` are not kept.
  HandleTransfer(const HandleBasis& basis, const Points& rest);

  Index handle_count() const { return handles_; }
  Index vertex_count() const { return static_cast<Index>(begin_.size()) - 1; }

  // Weights of vertex v: entries [begin(v), begin(v + 1)), the handle of each, and phi (1, (X - c) / r).
  std::int64_t begin(std::size_t v) const { return begin_[v]; }
  Index handle(std::int64_t entry) const { return handle_[entry]; }
  const double* scalars(std::int64_t entry) const { return values_.data() + 4 * entry; }

  // u (3 n) = or += U q (12 a handle), leaving out the coordinates with fixed[3 v + axis] != 0 (null: none).
  void lift(const double* q, const char* fixed, double* u) const;
  void add_lifted(const double* q, const char* fixed, double* u) const;

  // r = U^T g. The same bits for any number of threads. One at a time.
  void restrict_to(const double* g, double* r);

  std::size_t memory_bytes() const;

 private:
  struct Chunk {
    std::size_t first;  // into chunk_handles_
    std::size_t count;  // handles of its vertices
  };

  template <bool add>
  void lift_rows(const double* q, const char* fixed, double* u) const;

  Index handles_ = 0;
  std::vector<std::int64_t> begin_;   // n + 1
  std::vector<Index> handle_;
  std::vector<double> values_;        // 4 an entry
  std::vector<Index> local_;           // of each entry: its handle within the chunk
  std::vector<Chunk> chunks_;
  std::vector<Index> chunk_handles_;
  std::vector<double> sums_;                 // 12 each of chunk_handles_
  std::vector<std::int64_t> gather_begin_;   // by handle
  std::vector<std::size_t> gather_;          // places in chunk_handles_, ascending
};

}  // namespace sinew
