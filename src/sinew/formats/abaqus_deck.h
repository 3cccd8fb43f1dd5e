// The contents of an Abaqus or CalculiX input file before they become a mesh: parts, instances, sets, surfaces.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sinew/formats/abaqus_lines.h"
#include "sinew/formats/labelled_mesh.h"

namespace sinew {

// Some members of a set, as one keyword lists them.
struct AbaqusMembers {
  struct Range {
    Index first = 0, last = 0, step = 1;
  };
  std::string instance;  // whose labels and sets these are; empty: of the place of the keyword
  std::vector<Index> labels;
  std::vector<Range> ranges;
  std::vector<std::string> sets;
  std::string nodes_of;  // a set of elements, whose nodes are the members
  LinePlace place;
};

struct AbaqusSet {
  std::string name;
  bool internal = false;  // made by Abaqus/CAE for itself
  bool unnamed = false;
  int id = 0;
  std::vector<AbaqusMembers> members;
};

// Sets by name in the order of the file.
struct AbaqusSets {
  std::vector<AbaqusSet> list;
  std::map<std::string, std::size_t> numbers;  // by abaqus_key()

  const AbaqusSet* find(std::string_view name) const;
  AbaqusSet& get(const std::string& name);  // makes it if there is none
};

struct AbaqusSurface {
  struct Row {
    std::string name;  // of a set or instance.set; empty: label
    Index label = 0;
    int face = all;
  };
  static constexpr int all = -1;  // else 0 to 3 for S1 to S4

  std::string name;
  bool of_nodes = false, unnamed = false;
  int id = 0;
  std::vector<Row> rows;
  LinePlace place;
};

struct AbaqusSection {
  std::string set, material;
  LinePlace place;
};

// A part, the own contents of an instance, or the model with its assembly.
struct AbaqusScope {
  std::string name;
  LabelledPart mesh;  // the property of an element is 1 + its set's number in element_sets, or 0
  AbaqusSets node_sets, element_sets;
  std::vector<AbaqusSurface> surfaces;
  std::vector<AbaqusSection> sections;

  bool empty() const { return mesh.empty() && node_sets.list.empty() && element_sets.list.empty(); }
};

struct AbaqusInstance {
  std::string name;
  std::size_t part = 0;
  Eigen::Affine3d motion = Eigen::Affine3d::Identity();
  AbaqusScope own;
  LinePlace place;
};

struct AbaqusDeck {
  AbaqusScope model;
  std::vector<std::unique_ptr<AbaqusScope>> parts;
  std::vector<std::unique_ptr<AbaqusInstance>> instances;
  std::vector<FileMaterial> materials;
  std::map<std::string, std::int64_t> unread;
};

// Reads a file up to its end. Throws InputError with file and line.
AbaqusDeck read_abaqus_deck(AbaqusLines& lines);

}  // namespace sinew
