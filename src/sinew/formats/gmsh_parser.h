// The contents of a .msh file before they become a mesh: nodes, simplices, and the labels that sort these into groups.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sinew/formats/byte_reader.h"
#include "sinew/formats/gmsh_elements.h"
#include "sinew/formats/label_index.h"
#include "sinew/formats/mesh_file.h"

namespace sinew {

// The entity and the physical groups of elements; many elements share one label.
struct GmshLabel {
  int entity = 0;
  std::vector<int> physicals;
};

// The elements of one dimension. Corners are vertex ids (columns of the nodes), k for each element.
struct GmshSimplices {
  std::vector<Index> corners;
  std::vector<Index> labels;
};

struct GmshContents {
  std::vector<double> coordinates;  // 3 for each node, in file order
  std::vector<GmshLabel> labels;
  GmshSimplices points, triangles, tets;             // points: those in physical groups
  std::map<std::pair<int, int>, std::string> names;  // (dim, id) of physical groups
  std::map<std::string, std::int64_t> higher_order;  // kind -> number of elements read by their corners
  std::vector<Index> mid_nodes;                      // mid-nodes of these elements, and of lines of higher order
  std::vector<SecondOrderTet> second_order;
};

// Reads all sections of a file. Throws InputError with the location.
class GmshParser {
 public:
  explicit GmshParser(ByteReader& reader) : in_(reader) {}
  GmshContents parse();

 private:
  struct Version {
    int major = 0, minor = 0;
  };

  void parse_format();
  void parse_names();
  void parse_entities();
  void parse_nodes_2();
  void parse_nodes_4();
  void parse_elements_2();
  void parse_elements_4();
  void skip_section(const std::string& name);
  void end_section(const std::string& name);
  void begin_data();

  // Each reads one value: a token of an ASCII file, or the bytes of a binary file.
  std::int64_t int_value(std::string_view what);
  std::int64_t size_value(std::string_view what);  // C size_t, or unsigned long of version 4.0
  std::int64_t tag_value(std::string_view what);   // a node or element tag: int before 4.1
  double real_value(std::string_view what);

  void read_nodes(std::vector<std::int64_t> tags);
  const GmshElementType& checked_type(std::int64_t type, std::int64_t count);
  void read_point(Index label);
  void read_element(const GmshElementType& type, Index label);
  Index label_of(int entity, int physical);
  int checked_id(std::int64_t id, std::string_view what);

  ByteReader& in_;
  GmshContents out_;
  Version version_;
  bool binary_ = false;
  int word_ = 8;      // bytes of a size_t in the file
  LabelIndex nodes_;  // by tag
  bool have_nodes_ = false, have_elements_ = false;
  std::map<std::pair<int, int>, std::vector<int>> entity_physicals_;  // by (dim, entity)
  std::map<std::pair<int, int>, Index> label_ids_;                    // by (entity, physical), in version 2
};

}  // namespace sinew
