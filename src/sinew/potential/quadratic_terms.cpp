#include "sinew/potential/quadratic_terms.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/model/external_force.h"

namespace sinew {
namespace {

constexpr std::size_t gram_chunk = 4096;  // vertices

// f(axis) for each axis with functions of its own.
template <class F>
void for_each_function(const ShapeFunctions& shape, F&& f) {
  for (int a = 0; a < (shape.by_axis ? 3 : 1); ++a) f(a);
}

// G = sum_v w_v phi(v) phi(v)^T, over the axes too. Chunks of vertices are dense products of functions scaled by
// sqrt(w_v), added in the order of the chunks: O(n size^2) flops, once.
MatX gram(const ShapeFunctions& shape, const std::vector<double>& weight) {
  const Index size = shape.size();
  if (size == 0) return {};
  std::vector<MatX> parts((weight.size() + gram_chunk - 1) / gram_chunk);
  parallel_chunks(weight.size(), gram_chunk, [&](std::size_t begin, std::size_t end) {
    MatX& part = parts[begin / gram_chunk];
    part.setZero(size, size);
    MatX phi(size, static_cast<Index>(end - begin));
    for_each_function(shape, [&](int axis) {
      phi.setZero();
      for (std::size_t v = begin; v < end; ++v)
        shape.add(static_cast<Index>(v), axis, std::sqrt(weight[v]), phi.col(static_cast<Index>(v - begin)).data());
      part.selfadjointView<Eigen::Lower>().rankUpdate(phi);
    });
  });
  MatX sum = MatX::Zero(size, size);
  for (const MatX& part : parts) sum += part;
  sum.triangularView<Eigen::StrictlyUpper>() = sum.transpose();
  return sum;
}

// moment += weight phi(v), along each axis with functions of its own.
void add_moment(const ShapeFunctions& shape, Index v, double weight, MatX& moment) {
  if (moment.size() == 0) moment.setZero(shape.size(), shape.by_axis ? 3 : 1);
  for_each_function(shape, [&](int axis) { shape.add(v, axis, weight, moment.col(axis).data()); });
}

}  // namespace

// Blocks of coordinates C with u = C phi(X), and loads by body and face set.
QuadraticTerms::QuadraticTerms(const System& system, const std::vector<ShapeFunctions>& shapes) : system_(system) {
  for (const ShapeFunctions& shape : shapes) blocks_.push_back(make_block(system, shape));
  // A vertex whose mass is shared out has its loads shared out alike.
  for (std::size_t l = 0; l < system.loads.size(); ++l) {
    if (!is_dead(system.loads[l].kind)) continue;
    const VecX area = vertex_areas(system, system.loads[l]);
    for (std::size_t s = 0; s < shapes.size(); ++s) {
      const ShapeFunctions& shape = shapes[s];
      if (!shape.is_loaded) continue;
      Source source;
      source.load = static_cast<Index>(l);
      for (std::size_t v = 0; v < shape.vertices.size(); ++v) {
        const Index vertex = shape.vertices[v];
        if (area[vertex] != 0)
          add_moment(shape, static_cast<Index>(v), area[vertex] * (shape.mass[v] / system.mass[vertex]), source.moment);
      }
      if (source.moment.size() > 0) blocks_[s].sources.push_back(std::move(source));
    }
  }
}

QuadraticTerms::QuadraticTerms(const System& system, const std::vector<ShapeFunctions>& shapes,
                               const std::vector<Sums>& sums)
    : system_(system) {
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    Block& block = blocks_.emplace_back(Block{shapes[s].block, sums[s], {}, {}, {}, {}});
    block.make_room();
  }
}

// Sums over the mesh, once: M = sum m phi phi^T, D = sum zeta m phi phi^T, and the moments sum m phi of weights and
// sum A phi of tractions. With u = C phi(X), a step then evaluates
//
//   E_q = 1/2 |C - C~|_M^2 + a h^2 (1/(2 h^) |C - C^|_D^2 - f : C)
//
// in O(size^2) flops (SMFEM, section 4: "explicitly in terms of reduced dimensions").
QuadraticTerms::Block QuadraticTerms::make_block(const System& system, const ShapeFunctions& shape) {
  Block block{shape.block, {}, {}, {}, {}, {}};
  const std::size_t n = shape.vertices.size();
  const auto body = [&](std::size_t v) { return system.vertex_body[shape.vertices[v]]; };
  std::vector<double> weight(shape.mass.begin(), shape.mass.end());
  block.mass = gram(shape, weight);
  for (std::size_t v = 0; v < n; ++v) weight[v] *= system.bodies[body(v)].damping_mass;
  if (std::ranges::any_of(weight, [](double rate) { return rate > 0; })) block.damping = gram(shape, weight);
  std::vector<Source> by_body(shape.weighs ? system.bodies.size() : 0);
  for (std::size_t v = 0; v < n && shape.weighs; ++v) {
    Source& source = by_body[body(v)];
    source.body = body(v);
    source.rest += shape.mass[v] * system.rest.col(shape.vertices[v]);
    add_moment(shape, static_cast<Index>(v), shape.mass[v], source.moment);
  }
  for (Source& source : by_body)
    if (source.body >= 0) block.sources.push_back(std::move(source));
  block.make_room();
  return block;
}

void QuadraticTerms::Block::make_room() {
  for (MatX* m : {&C, &product}) m->setZero(where.rows(), where.cols());
  for (MatX* m : {&force, &slope}) m->setZero(unknowns, where.cols());
}

void QuadraticTerms::Block::gather(const MatX& y) const {
  for (Index i = 0; i < where.size(); ++i) C.data()[i] = y.data()[where.data()[i]];
}

void QuadraticTerms::Block::gather(const MatX& y, const MatX& from) const {
  for (Index i = 0; i < where.size(); ++i) C.data()[i] = y.data()[where.data()[i]] - from.data()[where.data()[i]];
}

// C : (form C), a quadratic form of the coordinates.
double QuadraticTerms::Block::square(const MatX& form) const {
  double sum = 0;
  for (Index i = 0; i < C.cols(); ++i) {
    product.col(i).noalias() = form * C.col(i);
    sum += product.col(i).dot(C.col(i));
  }
  return sum;
}

void QuadraticTerms::Block::add_product(const MatX& form, double factor) const {
  for (Index i = 0; i < C.cols(); ++i) slope.col(i).noalias() += factor * form.topRows(unknowns) * C.col(i);
}

// Adds the gradient of a block at the places of its coordinates in y.
void QuadraticTerms::Block::scatter(MatX& G) const {
  for (Index i = 0; i < where.cols(); ++i)
    for (Index j = 0; j < unknowns; ++j) G.data()[where(j, i)] += slope(j, i);
}

// f(axis, column, moment along it) for each axis along which vertices move.
template <class F>
void QuadraticTerms::Block::for_each_axis(const MatX& moment, F&& f) const {
  for (int a = 0; a < 3; ++a)
    if (column[a] >= 0) f(a, column[a], moment.col(moment.cols() == 3 ? a : 0));
}

// Forces of the step: f = sum over bodies of (sum m phi) g + sum over loads of (sum A phi) traction, O(size (bodies +
// loads)).
void QuadraticTerms::begin_step(const CoordinateStep& step) {
  step_ = &step;
  for (Block& block : blocks_) {
    block.force.setZero();
    for (const Source& source : block.sources) {
      const Vec3 a = source.body >= 0
                         ? acceleration(system_, system_.bodies[source.body], step.time_end, step.load_factor)
                         : system_.loads[source.load].traction(step.time_end, step.load_factor);
      block.for_each_axis(source.moment, [&](int axis, int i, const auto& moment) {
        block.force.col(i) += a[axis] * moment.head(block.unknowns);
      });
    }
  }
}

// f(matrix, where y counts from, weight) for inertia and damping.
template <class F>
void QuadraticTerms::for_each_form(const Block& block, F&& f) const {
  if (!step_->inertia) return;
  f(block.mass, step_->predictor, 1.0);
  if (block.damping.size() > 0) f(block.damping, step_->reference, step_->scale / step_->reference_step);
}

// E_q of the step (SMFEM, section 4; theory, section 6), with u_a = C_a . phi and M, D the Gram matrices of phi in m
// and zeta m:
//
//   1/2 (C - C~) M (C - C~)^T + a h^2/(2 h^) (C - C^) D (C - C^)^T - a h^2 f : C.
double QuadraticTerms::value(const MatX& y) const {
  double value = 0;
  for (const Block& block : blocks_) {
    block.gather(y);
    value -= step_->scale * block.force.cwiseProduct(block.C.topRows(block.unknowns)).sum();
    for_each_form(block, [&](const MatX& form, const MatX& from, double weight) {
      block.gather(y, from);
      value += 0.5 * weight * block.square(form);
    });
  }
  return value;
}

// (C - C~) M + a h^2/h^ (C - C^) D - a h^2 f, at the unknowns alone.
void QuadraticTerms::add_gradient(const MatX& y, MatX& G) const {
  for (const Block& block : blocks_) {
    block.slope = -step_->scale * block.force;
    for_each_form(block, [&](const MatX& form, const MatX& from, double weight) {
      block.gather(y, from);
      block.add_product(form, weight);
    });
    block.scatter(G);
  }
}

// M + a h^2/h^ D: constant in a step.
void QuadraticTerms::add_hessian(Index shape, Eigen::Ref<MatX> H) const {
  const Block& block = blocks_[shape];
  const Index r = block.unknowns;
  for_each_form(block, [&](const MatX& form, const MatX&, double weight) { H += weight * form.topLeftCorner(r, r); });
}

// 1/2 C_v M C_v^T for velocities.
double QuadraticTerms::kinetic(const MatX& v) const {
  double energy = 0;
  for (const Block& block : blocks_) {
    block.gather(v);
    energy += 0.5 * block.square(block.mass);
  }
  return energy;
}

// -g . sum m x = -g . (sum m X + sum m u), the moments of the masses in place of the sum over vertices.
double QuadraticTerms::gravity(const MatX& y) const {
  const Vec3& g = system_.setup.gravity;
  double energy = 0;
  for (const Block& block : blocks_) {
    block.gather(y);
    for (const Source& source : block.sources) {
      if (source.body < 0) continue;
      block.for_each_axis(source.moment, [&](int axis, int i, const auto& moment) {
        energy -= g[axis] * (source.rest[axis] + moment.dot(block.C.col(i)));
      });
    }
  }
  return energy;
}

// G += M C_v, for projections of velocities.
void QuadraticTerms::add_mass_product(const MatX& v, MatX& G) const {
  for (const Block& block : blocks_) {
    block.gather(v);
    block.slope.setZero();
    block.add_product(block.mass, 1);
    block.scatter(G);
  }
}

}  // namespace sinew
