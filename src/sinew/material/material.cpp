#include "sinew/material/material.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/material/fiber_family.h"
#include "sinew/material/projection.h"
#include "sinew/material/registry.h"
#include "sinew/material/tet_kernel.h"

namespace sinew {

namespace {

using RowMat3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

// The matrices [begin, begin + used) in lanes; unused lanes repeat the last one.
struct MatrixLanes {
  std::size_t begin, used;
  Lanes f[9];

  MatrixLanes(std::span<const double> F, std::size_t first) : begin(first) {
    used = std::min<std::size_t>(lane_count, F.size() / 9 - begin);
    for (int k = 0; k < 9; ++k)
      f[k] = Lanes([&](auto lane) { return F[9 * (begin + std::min<std::size_t>(lane, used - 1)) + k]; });
  }
};

// One material in all lanes.
void broadcast(std::span<const double> kernel, Lanes* out) {
  for (std::size_t k = 0; k < kernel.size(); ++k) out[k] = Lanes(kernel[k]);
}

Fiber<Lanes> broadcast(const FiberParameters& fiber) {
  Fiber<Lanes> out;
  out.stiffness = Lanes(fiber.stiffness);
  for (int i = 0; i < 3; ++i) out.direction[i] = Lanes(fiber.direction[i]);
  return out;
}

// h += 4 psi'' F A (x) F A + 2 psi' I (x) A (material/fiber_family.h).
void add_family_hessian(const FiberFamily& family, const Lanes* f, std::size_t lane, Mat9& h) {
  const FamilyDerivatives psi = family_derivatives(family, f);
  Lanes image[9];
  family_image(family, f, image);
  for (int a = 0; a < 9; ++a)
    for (int b = 0; b < 9; ++b) {
      h(a, b) += 4 * psi.second[lane] * image[a][lane] * image[b][lane];
      if (a / 3 == b / 3) h(a, b) += 2 * psi.first[lane] * family.structure[symmetric_entry(a % 3, b % 3)][lane];
    }
}

// f(FiberFamily) for all families.
template <class F>
void for_each_family(const Material& material, const Lanes* kernel, F&& f) {
  for (const Vec3& family : material.families()) {
    const Lanes direction[3] = {Lanes(family[0]), Lanes(family[1]), Lanes(family[2])};
    f(fiber_family(kernel + material.model().family_parameter(), direction));
  }
}

// f(MatrixLanes) over all groups of lanes.
template <class F>
void for_each_group(std::span<const double> matrices, F&& f) {
  assert(matrices.size() % 9 == 0);
  const std::size_t count = matrices.size() / 9;
  parallel_chunks(count, 64 * lane_count, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; k += lane_count) f(MatrixLanes(matrices, k));
  });
}

// One lane of d2W/dF2 = T M T^T, T = U (x) V, with F flattened row-major. M is the 9x9 Hessian in the SVD frame: w_ij
// on the scaling modes, and for each pair (i, j) the 2x2 block [c d; d c], c, d = (flip +- twist) / 2, on the entries
// ij, ji.
Mat9 rotated_hessian(const Svd3<Lanes>& svd, const StretchDerivatives<Lanes>& w, std::size_t lane) {
  Mat9 m = Mat9::Zero();
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    m(4 * k, 4 * k) = w.diagonal[k][lane];
    m(4 * i, 4 * j) = m(4 * j, 4 * i) = w.mixed[k][lane];
    const double c = 0.5 * (w.flip[k][lane] + w.twist[k][lane]), d = 0.5 * (w.flip[k][lane] - w.twist[k][lane]);
    const int ij = 3 * i + j, ji = 3 * j + i;
    m(ij, ij) = m(ji, ji) = c;
    m(ij, ji) = m(ji, ij) = d;
  }
  Mat9 t;
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j) t(i, j) = svd.u[3 * (i / 3) + j / 3][lane] * svd.v[3 * (i % 3) + j % 3][lane];
  const Mat9 h = t.lazyProduct(m).lazyProduct(t.transpose());
  return 0.5 * (h + h.transpose());
}

// h += M (x) d d^T (material/fiber.h).
void add_fiber_hessian(const FiberState<Lanes>& state, const Vec3& d, std::size_t lane, Mat9& h) {
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      const double m = state.m[i == k ? i : 6 - i - k][lane];
      for (int j = 0; j < 3; ++j)
        for (int l = 0; l < 3; ++l) h(3 * i + j, 3 * k + l) += m * d[j] * d[l];
    }
}

}  // namespace

// The fiber with a direction of length 1.
FiberParameters checked_fiber(const FiberParameters& fiber) {
  if (!(std::isfinite(fiber.stiffness) && fiber.stiffness >= 0)) {
    fail_input(code::material_value, "fiber: stiffness is {}, but it must be at least 0 [Pa]", fiber.stiffness);
  }
  const double length = fiber.direction.stableNorm();
  if (!(std::isfinite(length) && length > 0)) {
    fail_input(code::material_value, "fiber: direction is [{}, {}, {}], but it must be a finite vector other than zero",
               fiber.direction[0], fiber.direction[1], fiber.direction[2]);
  }
  return {fiber.stiffness, fiber.direction / length};
}

Material::Material(const std::string& model, const UserParameters& parameters, std::optional<FiberParameters> fiber)
    : Material(shared_material_model(model), parameters, std::move(fiber)) {}

Material::Material(SharedModel model, const UserParameters& parameters, std::optional<FiberParameters> fiber,
                   std::vector<Vec3> families)
    : model_(std::move(model)), families_(std::move(families)) {
  if (families_.empty() != (model_->family_parameter() < 0))
    fail_input(code::material_model, "material model '{}' {} families of fibers", model_->name(),
               families_.empty() ? "needs" : "has no");
  for (Vec3& family : families_) family = checked_fiber({0, family}).direction;
  for (const auto& [name, values] : parameters) {
    if (values.size() > 1) {
      fail_input(code::material_value, "material model '{}': {} has {} values, but a single material takes one",
                 model_->name(), name, values.size());
    }
  }
  for (const std::vector<double>& values : model_->resolve(parameters)) kernel_.push_back(values[0]);
  if (fiber) fiber_ = checked_fiber(*fiber);
}

// W by the invariants of F^T F where the model has such a form, else by the stretches of the decomposition.
void Material::energy(std::span<const double> F, std::span<double> out) const {
  assert(9 * out.size() == F.size());
  Lanes kernel[MaterialModel::max_kernel_parameters];
  broadcast(kernel_, kernel);
  for_each_group(F, [&](const MatrixLanes& in) {
    StretchDerivatives<Lanes> w;
    if (model_->has_invariant_form()) {
      w.value = model_->energy(strain_invariants(in.f), kernel);
    } else {
      Svd3<Lanes> svd;
      svd3(in.f, svd);
      model_->evaluate(svd.s, kernel, Order::value, w);
    }
    if (fiber_) w.value += fiber_energy(in.f, broadcast(*fiber_));
    for_each_family(*this, kernel,
                    [&](const FiberFamily& family) { w.value += family_derivatives(family, in.f).value; });
    for (std::size_t lane = 0; lane < in.used; ++lane) out[in.begin + lane] = w.value[lane];
  });
}

// P = U diag(dW/ds_i) V^T + f d^T, with the fiber's force f and direction d.
void Material::stress(std::span<const double> F, std::span<double> out) const {
  assert(out.size() == F.size());
  Lanes kernel[MaterialModel::max_kernel_parameters];
  broadcast(kernel_, kernel);
  for_each_group(F, [&](const MatrixLanes& in) {
    Svd3<Lanes> svd;
    StretchDerivatives<Lanes> w;
    Lanes p[9];
    svd3(in.f, svd);
    model_->evaluate(svd.s, kernel, Order::gradient, w);
    stress_from_stretches(svd, w.first, p);
    if (fiber_) {
      FiberState<Lanes> state;
      fiber_state(in.f, broadcast(*fiber_), false, false, state);
      for (int k = 0; k < 9; ++k) p[k] += state.force[k / 3] * fiber_->direction[k % 3];
    }
    Lanes second[6];
    for (Lanes& entry : second) entry = Lanes(0.0);
    for_each_family(*this, kernel, [&](const FiberFamily& family) {
      add_family_stress(family, family_derivatives(family, in.f), second);
    });
    if (!families_.empty()) add_second_stress(in.f, second, p);
    for (std::size_t lane = 0; lane < in.used; ++lane)
      for (int k = 0; k < 9; ++k) out[9 * (in.begin + lane) + k] = p[k][lane];
  });
}

// d2W/dF2 from the analytic eigensystem; `psd` clamps the eigenvalues of both parts, model and fiber.
void Material::hessian(std::span<const double> F, bool psd, std::span<double> out) const {
  assert(out.size() == 9 * F.size());
  Lanes kernel[MaterialModel::max_kernel_parameters];
  broadcast(kernel_, kernel);
  for_each_group(F, [&](const MatrixLanes& in) {
    Svd3<Lanes> svd;
    StretchDerivatives<Lanes> w;
    FiberState<Lanes> state;
    svd3(in.f, svd);
    model_->evaluate(svd.s, kernel, Order::hessian, w);
    if (psd) project(w);
    if (fiber_) fiber_state(in.f, broadcast(*fiber_), true, psd, state);
    for (std::size_t lane = 0; lane < in.used; ++lane) {
      Mat9 h = rotated_hessian(svd, w, lane);
      if (fiber_) add_fiber_hessian(state, fiber_->direction, lane, h);
      for_each_family(*this, kernel, [&](const FiberFamily& family) { add_family_hessian(family, in.f, lane, h); });
      Eigen::Map<Mat9>(out.data() + 81 * (in.begin + lane)) = h;
    }
  });
}

// The functions of a single F are batches of one.
double Material::energy(const Mat3& F) const {
  const RowMat3 rows = F;
  double w;
  energy(std::span(rows.data(), 9), std::span(&w, 1));
  return w;
}

Mat3 Material::stress(const Mat3& F) const {
  const RowMat3 rows = F;
  RowMat3 p;
  stress(std::span(rows.data(), 9), std::span(p.data(), 9));
  return p;
}

Mat9 Material::hessian(const Mat3& F, bool psd) const {
  const RowMat3 rows = F;
  Mat9 h;
  hessian(std::span(rows.data(), 9), psd, std::span(h.data(), 81));
  return h;
}

}  // namespace sinew
