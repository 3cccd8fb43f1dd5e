// The reduced stiffness of a set of tets, in coordinates in which it is the identity.
//
// The matrix B_e is 12 k x 6 for the k handles that move tet e. The number |B_e^T q|^2 is twice the elastic energy of
// the tet at rest under the handles' displacement q. With T = sum_e B_e B_e^T and Y_e = T^{-1/2} B_e, sum_e Y_e Y_e^T =
// I. The eigenvalues of sum_e w_e Y_e Y_e^T are therefore ratios of weighted to full energies.
#pragma once

#include <span>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/partition/domain.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

class ClusterStiffness {
 public:
  // tets: ascending. Tets, domain and basis must outlive this. O(rank^2) flops for each tet; no allocation grows with
  // handles x tets. Parallel; the same bits for any number of threads.
  ClusterStiffness(const Domain& domain, const HandleBasis& basis, std::span<const Index> tets);

  Index rank() const { return static_cast<Index>(whitening_.rows()); }  // rank of T, which excludes rigid motions
  const VecX& leverage() const { return leverage_; }                    // |Y_e|^2 of each tet; their sum is rank()

  // Returns Y_e of the chosen tets (positions in `tets`) side by side: rank x 6 count.
  MatX whitened(std::span<const Index> chosen) const { return whitening_ * energies(chosen); }

 private:
  MatX energies(std::span<const Index> chosen) const;
  MatX energies(Index begin, Index end) const;
  void whiten();

  const Domain& domain_;
  const HandleBasis& basis_;
  std::span<const Index> tets_;
  std::vector<Index> handles_;  // handles with nonzero weights on the tets
  MatX whitening_;              // rank x 12 k: T^{-1/2}, without rigid motions
  VecX leverage_;
};

}  // namespace sinew
