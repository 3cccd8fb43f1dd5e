// Converts VTK's cells and cell arrays to a mesh, for the readers of .vtu and of legacy .vtk.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "sinew/formats/mesh_file.h"

namespace sinew {

// Collects the cells and the cell arrays of the pieces of a file, one piece after another.
class VtkCells {
 public:
  // Adds cell number `cell` of the piece, of VTK's type number `type`. Its point ids count from `first` on and must be
  // below first + points. Points, lines and unknown flat cells are ignored. Throws InputError without a location for
  // volume cells other than tets, too few points, and ids out of range.
  void add_cell(std::size_t cell, std::int64_t type, std::span<const std::int64_t> ids, std::int64_t points,
                Index first = 0);

  // Adds an array of `width` values for each cell of the last piece; only the values of tets are kept. Throws
  // InputError without a location if an earlier piece has no such array, or one of another width.
  void add_field(const std::string& name, std::size_t width, const std::vector<double>& values);

  // Ends a piece. Throws InputError without a location if an array of earlier pieces is missing.
  void end_piece();

  // Returns the mesh with these coordinates (3 for each point). Regions come from the first array that has a whole
  // number for each tet and one of these names: region, regions, RegionId(s), MaterialId(s), Material(s),
  // gmsh:physical, CellEntityIds. Case, '_', '-', ':' and blanks do not matter.
  MeshFile finish(const std::vector<double>& coordinates);

 private:
  struct Field {
    std::size_t width = 1;
    std::vector<double> values;  // width x tets
  };

  std::vector<Index> tets_, triangles_;
  std::vector<std::size_t> piece_tets_;  // numbers of those cells of the piece that are tets
  std::map<std::string, Field> fields_;
  std::map<std::string, std::int64_t> higher_order_;
  std::vector<Index> mid_nodes_;
  std::vector<SecondOrderTet> second_order_;
  std::size_t pieces_ = 0;
};

// Returns the regions of `tets` tets from a cell array named like regions; zeros if there is none.
std::vector<Index> regions_of(const std::map<std::string, std::vector<double>>& fields, std::size_t tets);

// Returns an array's name in lower case, without blanks, '_', '-' and ':'.
std::string plain_array_name(const std::string& name);

}  // namespace sinew
