// Sums an energy over stencils, or over a weighted list of them, given the kernel of one stencil.
//
// A kernel is a small struct that is passed by reference and inlined. It has the methods
//
//   std::size_t size() const;
//   StencilAssembly::Vertices vertices(std::size_t s) const;
//   double value(std::size_t s) const;
//   void gradient(std::size_t s, Vec12& g) const;
//   void derivatives(std::size_t s, bool psd, Vec12& g, Mat12& H) const;
#pragma once

#include <span>

#include "sinew/potential/energy.h"
#include "sinew/potential/stencil_assembly.h"

namespace sinew {

// Whether a stencil's stiffness, in units of mass, exceeds a tenth of the mass of its lightest vertex. mass: by vertex
// with equations; empty: no inertia, and every stencil matters.
inline bool matters_beside_inertia(const std::array<Index, 4>& vertices, double stiffness,
                                   std::span<const double> mass) {
  if (mass.empty()) return true;
  return std::any_of(vertices.begin(), vertices.end(), [&](Index v) {
    return v >= 0 && static_cast<std::size_t>(v) < mass.size() && stiffness > 0.1 * mass[v];
  });
}

// A kernel over the stencils ids[k] of another kernel, each times weights[k].
template <class Kernel>
struct ListedStencils {
  const Kernel& kernel;
  std::span<const Index> ids;
  std::span<const double> weights;

  std::size_t size() const { return ids.size(); }
  StencilAssembly::Vertices vertices(std::size_t k) const { return kernel.vertices(ids[k]); }
  double value(std::size_t k) const { return weights[k] * kernel.value(ids[k]); }
  void gradient(std::size_t k, Vec12& g) const {
    kernel.gradient(ids[k], g);
    g *= weights[k];
  }
  void derivatives(std::size_t k, bool psd, Vec12& g, Mat12& H) const {
    kernel.derivatives(ids[k], psd, g, H);
    g *= weights[k];
    H *= weights[k];
  }
};

// A kernel of stencils in series with a spring of stiffness s_a at each vertex a: a contact is then no stiffer than its
// surroundings. Two springs H and S in series have the stiffness (H^-1 + S^-1)^-1. For H of rank one this is H / (1 +
// tau) with tau = sum_a tr(H_aa) / s_a. For other H, H / (1 + tau) is softer. Gradients are zero.
template <class Kernel>
struct SoftenedStencils {
  const Kernel& kernel;
  double scale;  // factor on the kernel's Hessians
  std::span<const double> stiffness;

  std::size_t size() const { return kernel.size(); }
  StencilAssembly::Vertices vertices(std::size_t s) const { return kernel.vertices(s); }
  void derivatives(std::size_t s, bool psd, Vec12& g, Mat12& H) const {
    kernel.derivatives(s, psd, g, H);
    g.setZero();
    double tau = 0;
    const StencilAssembly::Vertices v = vertices(s);
    for (int a = 0; a < 4; ++a)
      if (v[a] >= 0 && v[a] < static_cast<Index>(stiffness.size()))
        tau += H.diagonal().segment<3>(3 * a).sum() * scale / stiffness[v[a]];
    if (tau > 0) H /= 1 + tau;
  }
};

// Keeps the assembly plan and the buffers between calls. No concurrent calls on one object.
class StencilSum {
 public:
  // Call before the vertices of the stencils change.
  void invalidate() { planned_ = false; }

  template <class Kernel>
  double value(const Kernel& kernel) {
    const std::size_t chunks = (kernel.size() + chunk - 1) / chunk;
    partial_.resize(chunks);
    parallel_chunks(kernel.size(), chunk, [&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t s = begin; s < end; ++s) sum += kernel.value(s);
      partial_[begin / chunk] = sum;
    });
    double total = 0;
    for (double p : partial_) total += p;
    return total;
  }

  // values[v] += scale * value of every stencil at vertex v (Energy::add_vertex_energies).
  template <class Kernel>
  void add_vertex_energies(const Kernel& kernel, double scale, std::span<double> values) {
    partial_.resize(kernel.size());
    parallel_for(
        kernel.size(), [&](std::size_t s) { partial_[s] = scale * kernel.value(s); }, chunk);
    for (std::size_t s = 0; s < kernel.size(); ++s)
      for (const Index v : kernel.vertices(s))
        if (v >= 0 && static_cast<std::size_t>(v) < values.size()) values[v] += partial_[s];
  }

  template <class Kernel>
  void add_gradient(const Kernel& kernel, Index rows, double scale, Points& g) {
    plan(kernel, rows);
    assembly_.add_gradient([&](std::size_t s, Vec12& local) { kernel.gradient(s, local); }, scale, g);
  }

  template <class Kernel>
  void add_derivatives(const Kernel& kernel, Index rows, double scale, Projection projection, Points& g,
                       SymBlockMatrix& H) {
    plan(kernel, rows);
    const bool psd = projection == Projection::psd;
    assembly_.add_derivatives(
        [&](std::size_t s, Vec12& local_g, Mat12& local_H) { kernel.derivatives(s, psd, local_g, local_H); }, scale, g,
        H);
  }

 private:
  static constexpr std::size_t chunk = 256;

  template <class Kernel>
  void plan(const Kernel& kernel, Index rows) {
    if (planned_) return;
    assembly_.plan(kernel.size(), rows, [&](std::size_t s) { return kernel.vertices(s); });
    planned_ = true;
  }

  StencilAssembly assembly_;
  bool planned_ = false;
  std::vector<double> partial_;
};

// Appends the pairs (row < column) of a stencil's vertices that have equations.
inline void append_pairs(const StencilAssembly::Vertices& v, Index rows, std::vector<std::pair<Index, Index>>& pairs) {
  for (int a = 0; a < 4; ++a) {
    for (int b = a + 1; b < 4; ++b) {
      const auto [low, high] = std::minmax(v[a], v[b]);
      if (low >= 0 && high < rows) pairs.emplace_back(low, high);
    }
  }
}

}  // namespace sinew
