// VTK's cells and cell arrays as a mesh: what the .vtu and the legacy .vtk reader have in common.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "sinew/formats/mesh_file.h"

namespace sinew {

// Collects the cells and the cell arrays of the pieces of a file, one piece after the other.
class VtkCells {
 public:
  // Adds cell number `cell` of the piece, of VTK's type number `type`, whose point ids count from `first` on and stay
  // below first + points. Points, lines and unknown flat cells are passed over. Throws InputError without a location:
  // volume cells other than tets, too few points, ids out of range.
  void add_cell(std::size_t cell, std::int64_t type, std::span<const std::int64_t> ids, std::int64_t points,
                Index first = 0);

  // An array of `width` values for each cell of the piece whose cells were added last; kept for the tets. Throws
  // InputError without a location when an earlier piece has no such array, or one of another width.
  void add_field(const std::string& name, std::size_t width, const std::vector<double>& values);

  // Ends a piece. Throws InputError without a location when an array of earlier pieces is missing.
  void end_piece();

  // The mesh with these coordinates (3 a point). The first array with a whole number for each tet gives the regions,
  // among: region, regions, RegionId(s), MaterialId(s), Material(s), gmsh:physical, CellEntityIds. Case, '_', '-', ':'
  // and blanks do not matter.
  MeshFile finish(const std::vector<double>& coordinates);

 private:
  struct Field {
    std::size_t width = 1;
    std::vector<double> values;  // width x tets
  };

  std::vector<Index> tets_, triangles_;
  std::vector<std::size_t> piece_tets_;  // the cells of the piece that are tets
  std::map<std::string, Field> fields_;
  std::map<std::string, std::int64_t> higher_order_;
  std::vector<Index> mid_nodes_;
  std::size_t pieces_ = 0;
};

// The regions of `tets` tets from the cell array with a name of regions; zeros without one.
std::vector<Index> regions_of(const std::map<std::string, std::vector<double>>& fields, std::size_t tets);

// An array's name without case, blanks, '_', '-' and ':'.
std::string plain_array_name(const std::string& name);

}  // namespace sinew
