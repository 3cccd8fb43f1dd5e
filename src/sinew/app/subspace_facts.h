// The output of `sinew subspace`: counts of a hierarchy, in total and by body.
#pragma once

#include <string>
#include <vector>

#include "sinew/io/report_rows.h"
#include "sinew/multilevel/hierarchy.h"

namespace sinew::app {

struct SubspaceCounts {
  std::string name;  // of the body; empty: all
  Index vertices = 0, tets = 0, clusters = 0, handles = 0, points = 0;
  double weights_per_vertex = 0;
  double volume_balance = 0;  // volume of the largest cluster over the mean
};

struct SubspaceFacts {
  std::string scene, partition, basis, cubature;  // methods; no cubature: empty
  std::vector<SubspaceCounts> bodies;
  SubspaceCounts total;
  double mean_hops = 0;  // edges from a cluster's centre to its farthest vertex
  double seconds = 0;    // of making or reading the hierarchy
  bool cached = false;   // it was read from the cache
};

SubspaceFacts subspace_facts(const System& system, const Hierarchy& hierarchy);

// A table of the first bodies and of the total.
std::string text(const SubspaceFacts& facts);
Json json(const SubspaceFacts& facts);

}  // namespace sinew::app
