#include "sinew/model/embedded_surface.h"

#include <numeric>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/mesh/surface.h"
#include "sinew/mesh/tet_locator.h"
#include "sinew/model/render_surface.h"

namespace sinew {
namespace {

// A surface may lie this share of the body's diagonal outside its tets. Coarse tets of a ball leave up to 0.1; a
// mistake in units is at least ten times as large as the body or as small.
constexpr double largest_distance = 0.25;

// The tet that each of some vertices of a surface is in or nearest to. The body's vertices are those of body.mesh; of
// an affine one, whose own shape is not that of `tets`, the distance is that to the box of its shape.
std::vector<TetPoint> locate(const BodySetup& body, const Tets& tets, const TriMesh& surface,
                             const std::vector<Index>& vertices, const char* key) {
  Eigen::AlignedBox3d box;
  for (const Index v : used_vertices(body.user_mesh())) box.extend(Vec3(body.user_mesh().vertices.col(v)));
  const double diagonal = box.diagonal().norm();
  const TetLocator locator(body.mesh.vertices, tets);
  std::vector<TetPoint> found(vertices.size());
  parallel_for(
      vertices.size(),
      [&](std::size_t k) {
        const Vec3 p = surface.vertices.col(vertices[k]);
        found[k] = locator.nearest(p);
        if (body.affine) found[k].distance = box.exteriorDistance(p);
      },
      64);
  for (std::size_t k = 0; k < vertices.size(); ++k)
    if (!(found[k].distance <= largest_distance * diagonal))
      fail_input(
          code::surface_scale,
          "body '{}': {}: vertex {} is {:.3g} m away from the body, whose size is {:.3g} m; expected a surface inside "
          "or near the body. Check the units of the file: the transform of the body applies to this surface too",
          body.name, key, vertices[k], found[k].distance, diagonal);
  return found;
}

Embedding::Row row_of(const Tets& tets, const TetPoint& at) {
  Embedding::Row row;
  for (int c = 0; c < 4; ++c)
    if (at.weights[c] != 0) row.push_back({tets(c, at.tet), at.weights[c]});
  return row;
}

void refuse_cloth(const BodySetup& body, const char* key) {
  if (body.mesh.is_cloth() && !body.affine)
    fail_input(code::surface_scale, "body '{}': {}: its mesh is already a surface; leave {} out, or give a volume mesh",
               body.name, key, key);
}

// A large tet of an affine body's vertices: all its motions are affine in any four that lie in no plane. Each corner is
// the vertex farthest from the corners before it, from the line and from the plane through them.
Tets spanning_tet(const TetMesh& mesh) {
  const std::vector<Index> used = used_vertices(mesh);
  const auto farthest = [&](auto&& distance) {
    return *std::ranges::max_element(used, {}, [&](Index v) { return distance(Vec3(mesh.vertices.col(v))); });
  };
  const Index a = farthest([&](const Vec3& x) { return (x - mesh.vertices.col(used[0])).norm(); });
  const Vec3 p = mesh.vertices.col(a);
  const Index b = farthest([&](const Vec3& x) { return (x - p).norm(); });
  const Vec3 along = Vec3(mesh.vertices.col(b)) - p;
  const Index c = farthest([&](const Vec3& x) { return along.cross(x - p).norm(); });
  const Vec3 normal = along.cross(Vec3(mesh.vertices.col(c)) - p);
  const Index d = farthest([&](const Vec3& x) { return std::abs(normal.dot(x - p)); });
  Tets tet(4, 1);
  tet.col(0) << a, b, c, d;
  return tet;
}

}  // namespace

void embed_collision_surface(BodySetup& body) {
  if (!body.collision) return;
  refuse_cloth(body, "collision");
  const std::vector<Index> used = used_vertices(body.collision->triangles);
  const std::vector<TetPoint> found = locate(body, body.mesh.tets, *body.collision, used, "collision");
  body.collision_rows.assign(static_cast<std::size_t>(body.collision->vertices.cols()), {});
  for (std::size_t k = 0; k < used.size(); ++k) body.collision_rows[used[k]] = row_of(body.mesh.tets, found[k]);
}

// Vertices without a triangle follow too: files number them.
void embed_render_surface(BodySetup& body) {
  if (!body.render) return;
  refuse_cloth(body, "render");
  auto render = std::make_shared<RenderSurface>(*body.render);
  const Tets tets = body.affine ? spanning_tet(body.mesh) : body.mesh.tets;
  std::vector<Index> all(static_cast<std::size_t>(render->mesh.vertices.cols()));
  std::iota(all.begin(), all.end(), Index{0});
  for (const TetPoint& at : locate(body, tets, render->mesh, all, "render")) {
    render->rows.push_back(row_of(tets, at));
    render->tets.push_back(body.affine ? -1 : at.tet);
  }
  body.render = std::move(render);
}

}  // namespace sinew
