// Meshes of files that give nodes and elements labels of any order and with gaps: Abaqus, Nastran, I-deas.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sinew/formats/included_lines.h"
#include "sinew/formats/label_index.h"
#include "sinew/formats/mesh_file.h"

namespace sinew {

// Labels are from 1 to this.
inline constexpr std::int64_t largest_label = 2147483647;

// An element of a file. Its nodes are the corners, then the nodes on edges.
struct LabelledElement {
  Index label = 0;
  Index property = 0;  // the group that the element itself names; 0: none
  std::uint8_t corners = 0, nodes = 0;
  bool tet = false;       // else a triangle or a quadrangle
  std::size_t first = 0;  // of its nodes in LabelledPart::connectivity
  LinePlace place;
};

// Nodes and elements with their labels, as they stand in a file.
struct LabelledPart {
  std::vector<std::int64_t> node_labels;
  std::vector<double> coordinates;  // 3 for each node
  std::vector<LinePlace> node_places;
  std::vector<Index> connectivity;  // labels of the elements' nodes; 0: a node on an edge that the file leaves out
  std::vector<LabelledElement> elements;
  LabelIndex nodes, element_index;  // after index()

  bool empty() const { return node_labels.empty() && elements.empty(); }
  void add_node(std::int64_t label, const Vec3& x, LinePlace place);
  void add_element(LabelledElement element, const std::vector<Index>& nodes);

  // Builds `nodes` and `element_index`. Throws InputError, located in `lines`, for labels that occur twice.
  void index(const IncludedLines& lines);
};

// A face of an element: of a tet by the local vertex that is opposite (mesh/surface.h); -1: all of a triangle.
struct ElementFace {
  Index element = 0;
  int face = -1;
};

// Puts parts together to a MeshFile with groups. Nodes and elements are numbered in the order in which they are added.
class MeshAssembly {
 public:
  // lines: for errors and for the bound on memory. Must outlive this.
  explicit MeshAssembly(const IncludedLines& lines) : lines_(lines) {}

  // Adds the nodes, moved by `motion`, and the elements. Throws InputError for nodes that the part does not have.
  void add(const LabelledPart& part, const Eigen::Affine3d& motion = Eigen::Affine3d::Identity());

  Index node_count() const { return static_cast<Index>(coordinates_.size() / 3); }
  Index element_count() const { return static_cast<Index>(elements_.size()); }
  bool is_tet(Index element) const { return elements_[static_cast<std::size_t>(element)].tet; }
  // Corners of an element.
  std::vector<Index> corners(Index element) const;

  // Groups of vertices, of elements, and of faces of elements, by numbers. A group of elements becomes one of tets and
  // one of triangles as needed. Empty groups stay, with the dimension given by `dim`. Returns the id, which is `id` if
  // it is above 0 and not in use for the dimension, else the next larger one.
  int add_nodes(const std::string& name, int id, std::vector<Index> nodes);
  int add_elements(const std::string& name, int id, std::vector<Index> elements, int dim = 3);
  int add_faces(const std::string& name, int id, const std::vector<ElementFace>& faces);

  // Faces of these elements that no other tet has, and all of their triangles.
  std::vector<ElementFace> free_faces(const std::vector<Index>& elements);

  // Sets the regions of tets among the elements.
  void set_region(const std::vector<Index>& elements, Index region);

  // Throws InputError if groups and copies of parts take out of proportion to the bytes of the file: sets may name
  // sets, and a small file could claim any amount.
  void charge(std::size_t entries);

  // The mesh, with groups in order of dimension and id. Throws InputError if there are no nodes; nodes: what the format
  // calls them.
  MeshFile take(const char* nodes);

 private:
  struct Element {
    bool tet = false;
    std::uint8_t corners = 0;
    Index first = 0;  // tet or first triangle
  };

  ElementGroup& group(int dim, const std::string& name, int id);
  void add_tet(const LabelledElement& element, const std::vector<Index>& nodes);
  void append_triangles(const ElementFace& face, std::vector<Index>& corners) const;

  const IncludedLines& lines_;
  std::vector<double> coordinates_;
  std::vector<Element> elements_;
  std::vector<Index> tets_, triangles_;
  std::vector<Index> regions_;
  std::map<std::pair<int, int>, ElementGroup> groups_;  // by dimension and id
  std::size_t entries_ = 0;
  MeshFile file_;
};

}  // namespace sinew
