// Fields of frames that a scene asks for (output.fields): further stresses and strains, energy, contact tractions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/io/frame.h"

namespace sinew {

struct FieldInfo {
  const char* name;
  const char* unit;
  int width;        // numbers of a value
  bool of_contact;  // at vertices of surfaces; else in tets
  const char* text;
};

// One row for each field.
std::span<const FieldInfo> field_table();

// Throws InputError naming the known fields.
const FieldInfo& find_field(const std::string& name);

// A field in tets, `width` numbers for each of the user's tets.
std::vector<double> tet_field(const FieldInfo& field, Frame& frame);

// A field at the user's vertices: of contact, or of tets as nodal_means().
std::vector<double> vertex_field(const FieldInfo& field, Frame& frame);

// A field of tets as nodal_means(): one of the table, or cauchy_stress, von_mises or plastic_strain. Throws InputError
// naming the known fields.
std::vector<double> nodal_field(const std::string& name, Frame& frame);
int nodal_width(const std::string& name);

// The fields of pages, which show means at vertices of both lists. Fields that pages have anyway are left out.
std::vector<std::string> shown_fields(const std::vector<std::string>& fields,
                                      const std::vector<std::string>& nodal_fields);

// The field as one number at each of the user's vertices, for colours: of a vector its length, of a tensor its von
// Mises measure, of principal values the largest.
VecX colour_field(const FieldInfo& field, Frame& frame);

// Values at vertices: means over the tets around a vertex, weighted by their volumes at rest. Ten-node tets have the
// values to which their quadrature points extrapolate. Only tets of one material count at a vertex: of that with the
// largest volume there. by_tet: `width` numbers for each of the user's tets.
std::vector<double> nodal_means(const System& system, const std::vector<double>& by_tet, int width);

}  // namespace sinew
