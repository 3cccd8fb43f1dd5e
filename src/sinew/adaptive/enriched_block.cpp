#include "sinew/adaptive/enriched_block.h"

#include <algorithm>
#include <utility>

#include "sinew/linalg/block_submatrix.h"
#include "sinew/linalg/ordering.h"
#include "sinew/linalg/symbolic_factor.h"

namespace sinew {
namespace {

constexpr double least_shift = 1e-13, most_shift = 1e-8;  // of the largest diagonal entry
// Flops of a factorisation of a solid over the square of its vertices.
constexpr double solid_flops = 130;

double largest_diagonal(const SymBlockMatrix& H) {
  double largest = 0;
  for (Index i = 0; i < H.rows(); ++i)
    for (int k = 0; k < 3; ++k) largest = std::max(largest, H.block(H.pattern().row_begin[i])[4 * k]);
  return largest;
}

}  // namespace

EnrichedBlock::EnrichedBlock(std::shared_ptr<const System> system, double most_flops)
    : system_(system), most_flops_(most_flops), schwarz_(std::move(system)) {}

CholeskyOptions EnrichedBlock::Factor::options() {
  CholeskyOptions options;
  options.compact = true;
  return options;
}

void EnrichedBlock::set_mesh(std::shared_ptr<const BlockPattern> mesh) {
  if (mesh != mesh_) mesh_flops_ = -1;
  mesh_ = std::move(mesh);
}

// Flops grow at least as the vertices of a body do and at most as those of a solid: two bounds for some of its
// vertices.
bool EnrichedBlock::wants_bodies(Index vertices) {
  if (system_->setup.solver.adaptive.block_jacobi) return false;
  const double n = vertices;
  if (solid_flops * n * n <= most_flops_) return false;
  if (mesh_flops_ < 0)
    mesh_flops_ = predict_flops(*mesh_, fill_reducing_order(*mesh_, OrderingMethod::minimum_degree).order);
  return mesh_flops_ * n / system_->dynamic_count > most_flops_;
}

void EnrichedBlock::set(std::vector<Index> vertices, std::span<const char> fixed, const SymBlockMatrix& H,
                        const SymBlockMatrix* bodies, bool exact) {
  vertices_ = std::move(vertices);
  exact_ = exact;
  has_bodies_ = false;
  if (vertices_.empty()) return;
  fixed_.resize(3 * vertices_.size());
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    for (int k = 0; k < 3; ++k) fixed_[3 * i + k] = fixed[3 * static_cast<std::size_t>(vertices_[i]) + k];
  principal_submatrix(H, vertices_, H_);
  H_.constrain(fixed_, fixed_diagonal);
  has_bodies_ = bodies != nullptr;
  touching_.clear();
  if (!has_bodies_) return;
  principal_submatrix(*bodies, vertices_, bodies_);
  bodies_.constrain(fixed_, fixed_diagonal);
  // Vertices in contact are those whose diagonal knows of it.
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    const std::int64_t slot = H_.pattern().row_begin[i];
    if (!std::equal(H_.block(slot), H_.block(slot) + 9, bodies_.block(slot)))
      touching_.push_back(static_cast<Index>(i));
  }
}

// Where stiffness is beyond 1 / eps of the mass, rounding alone makes a projected H_x indefinite: H_x + s I with the
// smallest s that helps, as in full space.
bool EnrichedBlock::factor() {
  bool definite = make_preconditioner();
  const double diagonal = exact_ || definite ? 0 : largest_diagonal(H_);
  for (double shift = least_shift; !exact_ && !definite && shift < most_shift; shift *= 100) {
    for (Index i = 0; i < H_.rows(); ++i)
      for (int k = 0; k < 3; ++k) H_.block(H_.pattern().row_begin[i])[4 * k] += shift * diagonal;
    definite = make_preconditioner();
  }
  return definite;
}

// The factor of H_x in single precision, or additive Schwarz over regions if that takes more than most_flops. The
// paper's 3 x 3 block diagonal takes hundreds of iterations (theory, section 8).
bool EnrichedBlock::make_preconditioner() {
  NewtonSystem system(H_);
  system.exact = exact_;
  system.fixed = fixed_;
  if (system_->setup.solver.adaptive.block_jacobi) {
    preconditioner_ = &jacobi_;
    return jacobi_.compute(system);
  }
  if (!wants_bodies(static_cast<Index>(vertices_.size()))) {
    preconditioner_ = &factored_;
    return factored_.compute(system);
  }
  if (has_bodies_) system.bodies = &bodies_;
  system.touching = touching_;
  schwarz_.set_vertices(vertices_, region_);
  preconditioner_ = &schwarz_;
  return schwarz_.compute(system);
}

}  // namespace sinew
