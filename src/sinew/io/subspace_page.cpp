#include "sinew/io/subspace_page.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/core/version.h"
#include "sinew/io/frame.h"
#include "sinew/io/page_file.h"
#include "sinew/io/report_blob.h"
#include "sinew/io/report_encoding.h"
#include "sinew/io/report_format.h"
#include "sinew/io/report_surface.h"
#include "sinew/mesh/quality.h"
#include "sinew/scene/inline_array.h"
#include "sinew/subspace/cluster_graph.h"

namespace sinew {
namespace {

Points columns(const std::vector<Vec3>& list) {
  Points points(3, static_cast<Eigen::Index>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) points.col(static_cast<Eigen::Index>(i)) = list[i];
  return points;
}

Json vector_json(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

// Bases with a handle a cluster put it at that cluster's frame, in their order; others have none, -1.
std::vector<Index> handle_clusters(const System& system, const Hierarchy& hierarchy) {
  const Partition& partition = hierarchy.partition;
  const Domain domain = make_domain(system, prescribed_at_start(system));
  std::vector<Index> clusters(static_cast<std::size_t>(partition.cluster_count()));
  std::iota(clusters.begin(), clusters.end(), 0);
  HandleBasis frames;
  set_cluster_frames(domain, partition, clusters, frames);
  std::vector<Index> result;
  std::size_t next = 0;
  for (const Vec3& center : hierarchy.subspace.center) {
    const auto found =
        std::find(frames.center.begin() + static_cast<std::ptrdiff_t>(next), frames.center.end(), center);
    result.push_back(found == frames.center.end() ? -1 : static_cast<Index>(found - frames.center.begin()));
    if (result.back() >= 0) next = static_cast<std::size_t>(result.back()) + 1;
  }
  return result;
}

// The weights at the vertices of a surface; those that would be rounded to nothing are left out.
struct SurfaceWeights {
  std::vector<Index> counts, handles;
  std::vector<double> weights;
  ValueRange range;
};

SurfaceWeights surface_weights(const System& system, const HandleBasis& basis, const std::vector<Index>& vertices) {
  std::vector<Index> number(static_cast<std::size_t>(system.user_vertex_count), -1);
  for (Index v = 0; v < system.body_vertex_count(); ++v)
    if (system.vertex_to_user[v] >= 0) number[system.vertex_to_user[v]] = v;
  SurfaceWeights result;
  result.range = range_of(basis.weight);
  widen(result.range, {0, 0});
  const double least = (result.range.high - result.range.low) / (2.0 * field_levels);
  for (const Index user : vertices) {
    const Index v = number[user];
    Index count = 0;
    if (v >= 0) {
      for (const auto& [handle, weight] : handle_row(basis, system.embedding, v)) {
        if (std::abs(weight) < least) continue;
        result.handles.push_back(handle);
        result.weights.push_back(weight);
        widen(result.range, {weight, weight});
        ++count;
      }
    }
    result.counts.push_back(count);
  }
  return result;
}

// Middles of the cubature's tets and the volumes that they stand for.
struct CubaturePoints {
  Points middles;
  std::vector<double> volumes;
};

CubaturePoints cubature_points(const System& system, const Cubature& cubature) {
  CubaturePoints result;
  result.middles.setZero(3, cubature.point_count());
  for (Index i = 0; i < cubature.point_count(); ++i) {
    const Index t = cubature.tets[i];
    for (int k = 0; k < 4; ++k) result.middles.col(i) += system.rest.col(system.tets(k, t)) / 4;
    result.volumes.push_back(cubature.weights[i] * tet_volume(system.rest, system.tets, t));
  }
  return result;
}

Json mesh_header(const SubspacePage& page, const ReportSurface& surface) {
  const Setup& setup = page.system.setup;
  return {{"format", report_format_version},
          {"name", setup.name},
          {"version", version},
          {"gravity", vector_json(setup.gravity)},
          {"objects", surface.objects()},
          {"planes", surface.planes()},
          {"materials", page.system.material_names},
          {"fields", Json::array()},
          {"scene", with_short_arrays(page.scene)}};
}

Json subspace_header(const SubspacePage& page, const SurfaceWeights& weights) {
  Json planes = Json::array();
  for (const PlaneSetup& plane : page.system.planes)
    planes.push_back({{"point", vector_json(plane.point)}, {"normal", vector_json(plane.normal)}});
  const auto rest = page.system.rest.leftCols(page.system.dynamic_count);
  return {{"box", {vector_json(rest.rowwise().minCoeff()), vector_json(rest.rowwise().maxCoeff())}},
          {"planes", planes},
          {"clusters", page.hierarchy.partition.cluster_count()},
          {"handles", page.hierarchy.subspace.handle_count()},
          {"points", page.hierarchy.cubature.point_count()},
          {"vertices", weights.counts.size()},
          {"weights", weights.weights.size()},
          {"summary", page.summary}};
}

}  // namespace

void write_subspace_page(const std::string& path, const SubspacePage& page) {
  const HandleBasis& basis = page.hierarchy.subspace;
  const ReportSurface surface(page.system, by_user_tet(page.system, page.hierarchy.partition.tet_cluster));
  const SurfaceWeights weights = surface_weights(page.system, basis, surface.body_vertices());
  const Points centers = columns(basis.center);
  const CubaturePoints cubature = cubature_points(page.system, page.hierarchy.cubature);

  ReportEncoder encoder;
  const auto center_box = ReportEncoder::box(centers), point_box = ReportEncoder::box(cubature.middles);
  const ValueRange volumes = range_of(cubature.volumes);
  encoder.box(center_box);
  encoder.box(point_box);
  encoder.range(volumes);
  encoder.range(weights.range);
  encoder.points(centers, center_box);
  encoder.points(cubature.middles, point_box);
  encoder.sequence(cubature.volumes, volumes, field_levels);
  encoder.sequence(weights.weights, weights.range, field_levels);
  const auto& regions = surface.triangle_regions();
  std::vector<Index> integers;
  for (const auto& list :
       {regions.own, regions.beyond, weights.counts, weights.handles, handle_clusters(page.system, page.hierarchy)})
    integers.insert(integers.end(), list.begin(), list.end());
  encoder.integers(integers);
  write_page_file(path, PageKind::subspace, {"mesh", "subspace"},
                  {blob_text(mesh_header(page, surface), surface.mesh_data()),
                   blob_text(subspace_header(page, weights), encoder.finish())});
}

}  // namespace sinew
