// The parallel product of a SymBlockMatrix with a vector.
//
// Rows are cut into chunks that depend on the pattern alone. A chunk owns its rows of y and adds the transposed
// contributions to them directly. Contributions to rows beyond its end go to its halo, a buffer with one entry for each
// such column. A second loop adds the halos to y in the order of the chunks, which gives the same bits for any number
// of threads.
#pragma once

#include <mutex>
#include <vector>

#include "sinew/linalg/block_matrix.h"
#include "sinew/linalg/vec4.h"

namespace sinew {

class BlockProduct {
 public:
  // y = A x; when `dot` is given, also *dot = x^T y. values: 9 a block and one more that may be read.
  void multiply(const BlockPattern& pattern, const double* values, const double* x, double* y, double* dot);

  std::size_t memory_bytes() const;

 private:
  struct Chunk {
    Index begin, end;        // its rows
    std::size_t halo_begin;  // into halo_rows_ and halo_
    std::size_t far_begin;   // into far_slots_: its blocks in columns >= end, in row order
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
  std::vector<Index> near_count_;  // per row: its blocks after the diagonal with columns inside the chunk
  std::vector<Index> halo_rows_;   // chunk by chunk, ascending: the rows beyond the chunk that it contributes to
  std::vector<Index> far_slots_;   // for each block beyond its chunk: its place in the chunk's halo
  std::vector<Vec4d> halo_;        // as halo_rows_: sums for those rows, the fourth entry unused
  std::vector<std::size_t> gather_begin_;  // chunks + 1, into gather_
  std::vector<HaloPart> gather_;           // additions to a chunk's rows, in the order of the source chunks
  std::vector<double> partial_;            // chunks, partial dot products
};

}  // namespace sinew
