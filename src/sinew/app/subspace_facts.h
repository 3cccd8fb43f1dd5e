// What `sinew subspace` tells of a hierarchy, in all and body by body.
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

// The table of the bodies, of the first ones where there are many, and what holds for all.
std::string text(const SubspaceFacts& facts);
Json json(const SubspaceFacts& facts);

}  // namespace sinew::app
