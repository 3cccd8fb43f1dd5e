#include "surface_solid.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "inside_cells.h"
#include "surface_edges.h"

namespace sinew::mesher {
namespace {

struct Part {
  int label;
  double volume;
  InsideCells inside;
};

}  // namespace

Solid make_surface_solid(const std::vector<InputSurface>& surfaces, double size) {
  auto parts = std::make_shared<std::vector<Part>>();
  Solid solid;
  for (const InputSurface& surface : surfaces) {
    const TriMesh& mesh = surface.mesh;
    std::vector<Index> all(static_cast<std::size_t>(mesh.triangles.cols()));
    std::iota(all.begin(), all.end(), 0);
    const Eigen::AlignedBox3d box(mesh.vertices.rowwise().minCoeff(), mesh.vertices.rowwise().maxCoeff());
    solid.regions.push_back(surface.name);
    solid.bounds.extend(box);
    parts->push_back({static_cast<int>(solid.regions.size()),
                      std::abs(enclosed_volume(mesh.vertices, mesh.triangles, all, box.center())),
                      InsideCells(mesh.vertices, mesh.triangles, 0.1 * size)});
  }
  std::stable_sort(parts->begin(), parts->end(), [](const Part& p, const Part& q) { return p.volume < q.volume; });
  const double margin = 0.02 * solid.bounds.diagonal().norm() + size;
  solid.bounds.min().array() -= margin;
  solid.bounds.max().array() += margin;
  solid.thickness = size;
  solid.label = [parts](const Vec3& p) {
    for (Part& part : *parts) {
      if (part.inside(p)) return part.label;
    }
    return 0;
  };
  return solid;
}

}  // namespace sinew::mesher
