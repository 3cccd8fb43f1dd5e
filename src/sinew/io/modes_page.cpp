#include "sinew/io/modes_page.h"

#include <algorithm>

#include "sinew/core/version.h"
#include "sinew/io/page_file.h"
#include "sinew/io/report_blob.h"
#include "sinew/io/report_encoding.h"
#include "sinew/io/report_format.h"
#include "sinew/io/report_surface.h"
#include "sinew/io/user_cells.h"
#include "sinew/scene/inline_array.h"

namespace sinew {
namespace {

Json list_of(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

// The colours of the page: the length of a vertex's displacement over that of the largest one.
Json displacement_field() {
  return Json::array({{{"name", "displacement"}, {"unit", ""}}});
}

Json mesh_facts(const ModesPage& page, const ReportSurface& surface) {
  const Setup& setup = page.system.setup;
  return {{"format", report_format_version},
          {"name", setup.name},
          {"version", version},
          {"gravity", list_of(setup.gravity)},
          {"objects", surface.objects()},
          {"planes", surface.planes()},
          {"materials", page.system.material_names},
          {"fields", displacement_field()},
          {"scene", with_short_arrays(page.scene)}};
}

Json mode_facts(const ModesPage& page, std::size_t vertices) {
  const System& system = page.system;
  Json planes = Json::array();
  for (const PlaneSetup& plane : system.planes)
    planes.push_back({{"point", list_of(plane.point)}, {"normal", list_of(plane.normal)}});
  const auto rest = system.rest.leftCols(system.dynamic_count);
  const VecX& values = page.modes.values;
  return {
      {"kind", page.modes.kind},
      {"values", std::vector<double>(values.begin(), values.end())},
      {"box", {list_of(rest.rowwise().minCoeff()), list_of(rest.rowwise().maxCoeff())}},
      {"diagonal", system.diagonal},
      {"planes", planes},
      {"vertices", vertices},
      {"summary", {{"scene", system.setup.name}, {"vertices", system.dynamic_count}, {"tets", user_tets_of(system)}}}};
}

// Places in a list of user vertices in the order of the simulation, where neighbours are near one another:
// displacements then differ little from those before, and compress.
std::vector<Index> local_order(const System& system, const std::vector<Index>& vertices) {
  std::vector<Index> place(static_cast<std::size_t>(system.user_vertex_count), -1);
  for (std::size_t i = 0; i < vertices.size(); ++i) place[vertices[i]] = static_cast<Index>(i);
  std::vector<Index> order;
  for (const Index user : system.vertex_to_user)
    if (user >= 0 && place[user] >= 0) order.push_back(place[user]);
  return order;
}

std::string encoded_order(const std::vector<Index>& order) {
  ReportEncoder encoder;
  encoder.integers(order);
  return encoder.finish();
}

// One range for all axes: of a direction in which little moves, few levels are used, and these compress well. It is
// symmetric, so that what is at rest stays exactly there.
std::string encoded_mode(const System& system, const std::vector<Index>& vertices, const VecX& mode) {
  const Points all = system.to_user(Eigen::Map<const Points>(mode.data(), 3, system.dynamic_count));
  const MatX shown = all(Eigen::all, vertices).transpose();  // a column an axis
  const double largest = shown.size() > 0 ? shown.cwiseAbs().maxCoeff() : 0;
  const ValueRange range{-largest, largest};
  ReportEncoder encoder;
  encoder.range(range);
  for (int axis = 0; axis < 3; ++axis)
    encoder.sequence({shown.col(axis).data(), vertices.size()}, range, displacement_levels);
  return encoder.finish();
}

}  // namespace

void write_modes_page(const std::string& path, const ModesPage& page) {
  const ReportSurface surface(page.system, {});  // modes are of the vertices of meshes
  const std::vector<Index> vertices = surface.body_vertices(), order = local_order(page.system, vertices);
  std::vector<Index> stored;  // user numbers
  for (const Index place : order) stored.push_back(vertices[place]);
  std::string modes = "[\n" + blob_entry(mode_facts(page, vertices.size()), encoded_order(order));
  for (Index k = 0; k < page.modes.values.size(); ++k)
    modes += ",\n" + blob_entry({{"mode", k + 1}}, encoded_mode(page.system, stored, page.modes.vectors.col(k)));
  modes += "\n]";
  write_page_file(path, PageKind::modes, {"mesh", "modes"},
                  {blob_text(mesh_facts(page, surface), surface.mesh_data()), modes});
}

}  // namespace sinew
