// Finds sinew-mesh, the program that makes gallery shapes.
#pragma once

#include <string>

namespace sinew {

// The places to search for sinew-mesh, in this order.
struct MesherSearch {
  std::string named;  // path in SINEW_MESH; empty: not set
  // Path of the running program: looks beside it, and in bin/ beside its folder.
  std::string executable;
  // File from which this code was loaded, such as a Python module: looks in the same places.
  std::string library;
  std::string path;  // folders of PATH, separated by colons

  static MesherSearch of_this_process();
};

// Returns the path of sinew-mesh. Throws InputError that says how to get it if it is not found.
std::string mesher_program(const MesherSearch& search = MesherSearch::of_this_process());

}  // namespace sinew
