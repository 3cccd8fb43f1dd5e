// The parallel product of a SymBlockMatrix with a vector.
//
// Rows are divided into chunks that depend only on the pattern. A chunk owns its rows of y and adds its contributions
// to them directly. Contributions to rows beyond its end go to its halo, a buffer with one entry for each such row. A
// second loop adds the halos to y in the order of the chunks, so results are the same, bit for bit, for any number of
// threads.
#pragma once

#include <mutex>
#include <vector>

#include "sinew/linalg/block_matrix.h"
#include "sinew/linalg/vec4.h"

namespace sinew {

class BlockProduct {
 public:
  // y = A x; if `dot` is given, also *dot = x^T y. values: 9 for each block, and one more that may be read.
  void multiply(const BlockPattern& pattern, const double* values, const double* x, double* y, double* dot);

  std::size_t memory_bytes() const;

 private:
  struct Chunk {
    Index begin, end;        // rows of the chunk
    std::size_t halo_begin;  // first entry in halo_rows_ and halo_
    // First entry in far_slots_ of the chunk's blocks in columns >= end, in row order.
    std::size_t far_begin;
  };
  struct HaloPart {  // the entries of one chunk's halo that fall into the rows of another chunk
    std::size_t begin, end;
  };

  void plan(const BlockPattern& pattern);
  void cut_rows(const BlockPattern& pattern);
  void plan_halos(const BlockPattern& pattern);
  void plan_gather();
  void multiply_chunk(const BlockPattern& pattern, const double* values, const double* x, double* y,
                      const Chunk& chunk);
  void gather_chunk(std::size_t chunk, double* y) const;

  std::once_flag planned_;
  std::vector<Chunk> chunks_;
  // By row: its blocks after the diagonal with columns inside the chunk.
  std::vector<Index> near_count_;
  // Chunk by chunk: the rows beyond the chunk that it contributes to, ascending.
  std::vector<Index> halo_rows_;
  // For each block in a column beyond its chunk: its entry in the chunk's halo.
  std::vector<Index> far_slots_;
  std::vector<Vec4d> halo_;                // sums for halo_rows_, the fourth entry unused
  std::vector<std::size_t> gather_begin_;  // chunks + 1 entries, into gather_
  std::vector<HaloPart> gather_;           // additions to a chunk's rows, in the order of the source chunks
  std::vector<double> partial_;            // by chunk: partial dot products
};

}  // namespace sinew
