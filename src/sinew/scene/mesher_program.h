// Finds sinew-mesh, the program that makes gallery shapes.
#pragma once

#include <string>

namespace sinew {

// Places to look for sinew-mesh, in this order.
struct MesherSearch {
  std::string named;       // by SINEW_MESH; empty: not set
  std::string executable;  // the path of the running program: beside it, or in bin/ beside its folder
  std::string library;     // the file that this code was loaded from, a Python module: likewise
  std::string path;        // folders separated by colons

  static MesherSearch of_this_process();
};

// Throws InputError that says how to get it.
std::string mesher_program(const MesherSearch& search = MesherSearch::of_this_process());

}  // namespace sinew
