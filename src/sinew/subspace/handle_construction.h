// The construction that SMS and affine handles share: computes functions on unions of cells with prescribed values, and
// makes a basis from them. A cell is a cluster or part of a very large one.
#pragma once

#include <functional>

#include "sinew/subspace/cells.h"
#include "sinew/subspace/constrained_biharmonic.h"
#include "sinew/subspace/nodes.h"
#include "sinew/subspace/sms.h"
#include "sinew/subspace/subdomain.h"
#include "sinew/subspace/weight_table.h"

namespace sinew {

struct HandleConstruction {
  const Domain& domain;
  const Partition& partition;
  Cells cells;
  std::vector<double> stiffness;
  ClusterGraph vertex_graph;  // graph of the cells over vertices
  Nodes nodes;
  ClusterGraph graph;  // graph of the cells over nodes
  ClusterOperators operators;

  // grouped_from: in components with at least this many vertices, nodes are groups of vertices (subspace/nodes.h).
  HandleConstruction(const Domain& domain, const Partition& partition, Index grouped_from);
  HandleConstruction(const HandleConstruction&) = delete;
  HandleConstruction& operator=(const HandleConstruction&) = delete;

  // Returns the clusters whose centre is free, ascending: those that get a handle.
  std::vector<Index> free_clusters() const;

  // Whether a node of a union of cells lies on its internal boundary, next to another tet of the component.
  bool on_internal_boundary(const std::vector<Index>& cells, Index node) const;
};

// The positive part of a function on a union of cells.
struct HandleFunction {
  std::vector<Index> cells;  // ascending
  SparseFunction positive;
  BiharmonicQuality quality = BiharmonicQuality::exact;
  int iterations = 0;
};

// Solves for the biharmonic function on f.cells, clipped to its positive part. It is zero at cluster centres, on the
// internal boundary and at fixed nodes, except for values that `prescribe` sets there.
void solve_function(const HandleConstruction& data,
                    const std::function<void(const Subdomain& subdomain, VecX& values)>& prescribe, HandleFunction& f);

void count_function(const HandleFunction& f, SmsReport& report);

// Normalises the functions of the handles' clusters and completes the basis and its report. dirichlet: u_DBC of the
// nodes.
HandleBasis finish_basis(const HandleConstruction& data, std::vector<HandleFunction>& functions,
                         const std::vector<Index>& handle_cluster, const VecX& dirichlet, SmsReport& report);

}  // namespace sinew
