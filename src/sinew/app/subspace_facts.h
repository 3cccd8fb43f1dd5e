// Facts that `sinew subspace` prints: counts of a hierarchy, in total and by body.
#pragma once

#include <string>
#include <vector>

#include "sinew/io/report_rows.h"
#include "sinew/multilevel/hierarchy.h"

namespace sinew::app {

struct SubspaceCounts {
  std::string name;  // name of the body; empty: all bodies
  Index vertices = 0, tets = 0, clusters = 0, handles = 0, points = 0;
  double weights_per_vertex = 0;
  double volume_balance = 0;  // volume of the largest cluster over the mean volume
};

struct SubspaceFacts {
  std::string scene, partition, basis, cubature;  // names of the methods; empty cubature: none
  std::vector<SubspaceCounts> bodies;
  SubspaceCounts total;
  double mean_hops = 0;  // mean number of edges from a cluster's centre to its farthest vertex
  double seconds = 0;    // time to make or read the hierarchy [s]
  bool cached = false;   // whether it was read from the cache
};

SubspaceFacts subspace_facts(const System& system, const Hierarchy& hierarchy);

// Returns a table of the first bodies and of the total.
std::string text(const SubspaceFacts& facts);
Json json(const SubspaceFacts& facts);
// Returns the volume of each cluster [m^3] and the cluster of each tet in the user's numbering, -1 for none.
Json clusters_json(const System& system, const Hierarchy& hierarchy);

}  // namespace sinew::app
