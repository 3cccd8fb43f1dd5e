// Affine handles with scalar weights: the displacement of vertex v is
//   u(v) = sum_i phi_i(v) A_i [1, (X_v - c_i) / r_i],
// where A_i is the 3 x 4 matrix of handle i (SMS, section 3.4; theory, section 5). The matrix U = W (x) I_3, with W of
// n x 4k scalars, is never formed: only the weights phi are stored.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/model/embedding.h"

namespace sinew {

struct HandleBasis {
  std::vector<Vec3> center;    // at rest [m]
  std::vector<double> radius;  // k, > 0 [m]

  // Nonzero weights by vertex, with ascending handles for each vertex.
  std::vector<std::int64_t> begin;  // n + 1
  std::vector<Index> handle;
  std::vector<double> weight;

  Index handle_count() const { return static_cast<Index>(center.size()); }
  Index vertex_count() const { return begin.empty() ? 0 : static_cast<Index>(begin.size()) - 1; }
};

// Returns (handle, weight) of a vertex of the system, in ascending order of handles. For a follower it is the sum over
// the vertices v that it follows, times w_v.
std::vector<std::pair<Index, double>> handle_row(const HandleBasis& basis, const Embedding& embedding, Index vertex);

// Sets the weights of a basis that already has its handles, from (handle, weight) of each vertex in ascending order.
void set_rows(const std::vector<std::vector<std::pair<Index, double>>>& rows, HandleBasis& basis);

// Returns the handles of several bases of the same vertices, one basis after another.
HandleBasis joined_handles(const std::vector<const HandleBasis*>& bases);

// u = U q. q: 12 k values, 3 x 4k column-major (handle i has columns 4 i to 4 i + 3). rest and u: 3 x n. Parallel.
void lift(const HandleBasis& basis, const Points& rest, const double* q, Points& u);

// r = U^T g. g: 3 x n. r: 12 k values. Deterministic for any number of threads.
void restrict_to(const HandleBasis& basis, const Points& rest, const Points& g, double* r);

}  // namespace sinew
