// Finds the vertices and modes that an adaptive subspace lacks, from their errors and progress (TS, sections 3.3 to
// 3.5; theory, section 8).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/adaptive/mode_library.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/model/system.h"

namespace sinew {

// Forces and energies of E are divided by
//
//   gamma_i = a h^2 A_i W_i,   eta_i = a h^2 v_i W_i
//
// so that thresholds do not depend on units, step, mesh or material. Over the tets of vertex i, A_i is the area of the
// opposite faces [m^2], and v_i is a quarter of the volume [m^3]. W_i is the mean norm of grad^2 W at rest, 2 mu + 3
// lambda [Pa].
class AdaptiveOracle {
 public:
  // fixed: 3 dynamic_count flags of prescribed coordinates, kept by reference.
  AdaptiveOracle(const System& system, std::shared_ptr<const ModeLibrary> library, std::span<const char> fixed);

  void adapt(const System& system);  // call if materials have changed

  // Computes errors at g = grad E (3 x dynamic_count) with a h^2 = scale:
  //
  //   G_i = |g_i| / gamma_i for vertices,
  //   G_s = max_j |g^s_j| / gamma_j for candidates, g^s = sum over its modes of u (u^T g) / (u^T u).
  //
  // Enriched vertices and active candidates get zero. A candidate is a handle, of 12 modes, or a dense mode.
  void find_errors(const Points& g, double scale, std::span<const char> enriched, std::span<const char> active);
  std::span<const double> vertex_errors() const { return vertex_error_; }
  std::span<const double> mode_errors() const { return mode_error_; }

  // Computes the progress from the energies around each vertex, before and after the step d_a of the active modes
  // alone:
  //
  //   xi_i = dE_i / eta_i,   xi_s = sum_j c^s_j / eta_j,   c^s = sum over its modes of ubar (ubar^T dE) / (ubar^T
  //   ubar).
  //
  // ubar is the mean of a mode over the three coordinates.
  void find_progress(std::span<const double> before, std::span<const double> after, double scale,
                     std::span<const char> active);
  std::span<const double> vertex_progress() const { return vertex_progress_; }
  std::span<const double> mode_progress() const { return mode_progress_; }

  // Returns, for each candidate s, g_s^T (U_s^T H U_s)^-1 g_s. The value is twice the decrease of the model g^T d + d^T
  // H d / 2 by that candidate alone. It is 0 for active candidates. Rows and columns of H at fixed coordinates must be
  // zero except for the diagonal.
  std::vector<double> decreases(const Points& g, const SymBlockMatrix& H, std::span<const char> active) const;

 private:
  void find_scales(const System& system);
  void find_norms();
  void find_dense_norms();
  void find_dense_errors(const Points& g, double scale, std::span<const char> active);
  void find_dense_progress(double scale, std::span<const double> before, std::span<const double> after,
                           std::span<const char> active);
  template <class F>
  std::vector<double> handle_sums(std::span<const char> skip, int size, F&& add) const;
  template <class F, class Combine>
  std::vector<double> over_dense(std::span<const char> active, F&& f, Combine&& combine) const;

  std::shared_ptr<const ModeLibrary> library_;
  const Points& rest_;
  std::span<const char> fixed_;
  std::vector<double> gamma_, eta_;    // without the factor a h^2
  std::vector<double> norm_;           // u^T u of each mode, 12 for each handle
  std::vector<double> scalar_norm_;    // the same for each scalar function, 4 for each handle
  std::vector<double> scalar_weight_;  // sum of each scalar function over eta, times a h^2; 4 for each handle
  // For each dense mode: u^T u, ubar^T ubar, and the sum of ubar / eta times a h^2.
  std::vector<double> dense_norm_, dense_scalar_norm_, dense_scalar_weight_;
  std::vector<double> vertex_error_, mode_error_, vertex_progress_, mode_progress_;
};

}  // namespace sinew
