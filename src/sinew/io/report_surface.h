// Surfaces and fields that a page draws: vertices and triangles of every body and obstacle, and fields on bodies.
// Bodies of tets also have the faces between materials, which a clip plane shows.
#pragma once

#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sinew/io/frame.h"
#include "sinew/io/report_encoding.h"
#include "sinew/io/report_inside.h"
#include "sinew/io/report_rows.h"
#include "sinew/io/report_spread.h"
#include "sinew/model/render_surface.h"

namespace sinew {

// A field with one number for each surface vertex.
struct ReportField {
  const char* name;
  const char* unit;
  bool flag = false;  // values are 0 or 1, and colours span this range
};

// Fields of a page. Means over the tets at a vertex: von_mises [Pa] and strain (equivalent Green strain,
// mesh/strain.h). Lengths of vectors: displacement [m], speed [m/s], contact_force [N]. Some scenes have one more
// (ReportSurface::fields): `enriched` is 1 at enriched vertices of method `adaptive`, `plastic_strain` is the mean over
// the tets at a vertex where a material flows.
inline constexpr ReportField report_fields[] = {
    {"von_mises", "Pa"}, {"displacement", "m"}, {"speed", "m/s"}, {"contact_force", "N"}, {"strain", ""}};
inline constexpr ReportField enriched_field = {"enriched", "", true}, plastic_strain_field = {"plastic_strain", ""};

// A frame as it is stored in the page's data.
struct EncodedFrame {
  int step = 0;
  double time = 0;                 // [s]
  std::vector<ValueRange> ranges;  // by field of the surface
  std::vector<Spread> spreads;
  // By field, then by material: values at the vertices of its triangles. Empty if there is one material, or too many.
  std::vector<std::vector<Spread>> by_material;
  std::array<ValueRange, 3> box;    // bounding box of the bodies [m]
  std::array<ValueRange, 3> focus;  // box of the action: of most of the bodies (focus_box.h) [m]
  std::vector<std::size_t> moved;   // objects, see ReportSurface::moved()
  std::string data;                 // in base64
};

class ReportSurface {
 public:
  // Uses the render surfaces of bodies in place of their own surfaces.
  explicit ReportSurface(const System& system);
  // Uses the surfaces of the simulated meshes. regions: by user tet, or empty. Faces between regions are drawn like
  // faces between materials.
  ReportSurface(const System& system, std::vector<Index> regions);

  // Holds the inside of bodies of at most `most_tets` tets too: cuts show fields. Bodies with a render surface have
  // none.
  void hold_inside(Index most_tets = most_inside_tets);

  // Objects, planes, materials and fields for the header of the mesh; and the data of the mesh.
  Json objects() const;
  Json planes() const;
  std::string mesh_data() const;

  EncodedFrame encode(Frame& frame) const;

  std::size_t object_count() const { return parts_.size(); }
  bool is_body(std::size_t object) const { return parts_[object].body; }
  // Indices into vertices(object), in the order of its groups (objects()).
  const Triangles& triangles(std::size_t object) const { return parts_[object].triangles; }
  // Whether every frame holds its positions: bodies, and obstacles that move in the scene.
  bool moves(std::size_t object) const { return parts_[object].moves; }
  // Other obstacles that are not where the mesh has them, as edits can move them at any time. A frame holds their
  // positions, too. all: as in positions().
  std::vector<std::size_t> moved(const Points& all) const;
  // Texture coordinates of an object whose texture lies at them. By corner of triangles(object), into `coordinates`.
  // Empty: of others, also where the material has no texture.
  struct TextureCorners {
    std::vector<Index> corners;
    std::vector<std::array<float, 2>> coordinates;
  };
  const TextureCorners& texture(std::size_t object) const { return parts_[object].texture; }
  // By vertex of an object: for bodies its number in user numbering, for obstacles in simulation numbering. For a
  // render surface, the user's vertex with the largest weight.
  const std::vector<Index>& vertices(std::size_t object) const { return parts_[object].vertices; }
  // Returns the positions of an object's vertices. user: of bodies in user numbering. all: in simulation numbering.
  Points positions(std::size_t object, const Points& user, const Points& all) const {
    return positions(parts_[object], user, all);
  }
  // Further fields of the table in requested_fields.h.
  void show(const std::vector<std::string>& names) { requested_ = names; }
  std::vector<ReportField> fields() const;
  VecX vertex_field(Frame& frame, std::size_t field) const;  // values of field `field` of fields() by user vertex
  VecX field(std::size_t object, const VecX& by_user_vertex) const { return field(parts_[object], by_user_vertex); }
  // Calls visit(user vertex, weight) for each vertex that vertex k of a body's surface follows.
  template <class Visit>
  void for_each_followed(std::size_t object, std::size_t k, Visit&& visit) const {
    const Part& part = parts_[object];
    if (!part.render) return visit(part.vertices[k], 1.0);
    for (const Embedding::Entry& entry : part.render->rows[k]) visit(part.first + entry.vertex, entry.weight);
  }

  // Returns the user numbers of the vertices of all bodies, in the order of the data.
  std::vector<Index> body_vertices() const;

  // By triangle of all bodies, in the order of the data: its region, and the region on the other side (-1: outside the
  // body).
  struct TriangleRegions {
    std::vector<Index> own, beyond;
  };
  const TriangleRegions& triangle_regions() const { return triangle_regions_; }

 private:
  // Triangles of one material. beyond: the material on the other side; -1: outside.
  struct Group {
    Index material = 0, count = 0, beyond = -1;
  };
  struct Part {
    std::string name;
    bool body = true, moves = true, open = false;  // open: a body whose surface has two sides, cloth
    std::vector<Index> vertices;                   // of bodies in user numbering, of obstacles in simulation numbering
    Triangles triangles;                           // indices into `vertices`, by group
    std::vector<Group> groups;                     // first the groups on the surface, then those between materials
    std::shared_ptr<const RenderSurface> render;
    Index first = 0;  // first vertex of the body that the render surface follows, user numbering
    std::shared_ptr<const BodyInside> inside = nullptr;
    const char* solid = nullptr;  // why cuts of a body of tets show no field: "size", "render"; else null
    TextureCorners texture{};
  };

  ReportSurface(const System& system, std::vector<Index> regions, bool with_render);

  void add_body(const SystemBody& body, const std::vector<Index>& materials);  // materials: by user tet
  void add_cloth(const SystemBody& body);
  void add_render(const SystemBody& body, const std::vector<Index>& materials);
  void add_obstacles();
  void find_material_vertices();
  void finish(Part part, const Triangles& triangles);
  Points positions(const Part& part, const Points& user, const Points& all) const;
  VecX field(const Part& part, const VecX& by_user_vertex) const;
  std::vector<std::vector<Spread>> material_spreads(const std::vector<VecX>& fields) const;  // fields: by user vertex
  VecX mean_at_vertices(const std::vector<double>& by_tet) const;

  const System& system_;
  std::vector<std::string> requested_;
  std::vector<Index> regions_;  // by user tet
  TriangleRegions triangle_regions_;
  std::vector<Part> parts_;  // bodies first
  // By part, then by material: places of the vertices of its triangles. Empty if by_material is.
  std::vector<std::vector<std::vector<Index>>> material_vertices_;
  std::vector<Index> tets_at_vertex_;  // by user vertex: number of tets
};

}  // namespace sinew
