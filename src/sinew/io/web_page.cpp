#include "sinew/io/web_page.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sinew/contact/kinematics.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/version.h"
#include "sinew/io/look_images.h"
#include "sinew/io/report_blob.h"
#include "sinew/io/report_encoding.h"
#include "sinew/io/web_skin.h"
#include "sinew/io/web_template.h"
#include "sinew/packed/cut_model.h"
#include "sinew/packed/model_bytes.h"
#include "sinew/reduced/reduced_basis.h"

namespace sinew {
namespace {

constexpr Index most_grips = 1024;
constexpr double weight_levels = 32767;

template <class T>
void append(std::string& bytes, const T* values, std::size_t count) {
  bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

Json vector_json(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

// Weights of the handles of a set at vertices: 16-bit numbers, handle by handle, and the unit of each handle.
void append_weights(const AxisHandles& set, const std::vector<Index>& vertices, std::string& bytes, Json& units) {
  const Index free = set.free.handle_count(), count = free + set.prescribed.handle_count();
  const auto n = vertices.size();
  std::vector<double> weights(n * static_cast<std::size_t>(count), 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const auto add = [&](const HandleBasis& basis, Index first) {
      if (basis.handle_count() == 0) return;
      for (auto e = basis.begin[vertices[i]]; e < basis.begin[vertices[i] + 1]; ++e)
        weights[static_cast<std::size_t>(first + basis.handle[e]) * n + i] = basis.weight[e];
    };
    add(set.free, 0);
    add(set.prescribed, free);
  }
  for (Index h = 0; h < count; ++h) {
    const double* of = weights.data() + static_cast<std::size_t>(h) * n;
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(of[i]));
    const double unit = largest > 0 ? largest / weight_levels : 1;
    units.push_back(unit);
    std::vector<std::int16_t> levels;
    for (std::size_t i = 0; i < n; ++i) levels.push_back(static_cast<std::int16_t>(std::lround(of[i] / unit)));
    append(bytes, levels.data(), n);
  }
}

Json centers(const AxisHandles& set) {
  Json list = Json::array();
  for (const HandleBasis* basis : {&set.free, &set.prescribed})
    for (Index h = 0; h < basis->handle_count(); ++h)
      for (const double number : {basis->center[h].x(), basis->center[h].y(), basis->center[h].z(), basis->radius[h]})
        list.push_back(number);
  return list;
}

// Every few vertices of the skins: those that can be pulled.
std::vector<Index> grips(const System& system, const std::vector<WebSkin>& skins) {
  std::vector<Index> all;
  for (const WebSkin& skin : skins)
    for (const Index v : skin.vertices)
      if (v < system.dynamic_count) all.push_back(v);
  std::ranges::sort(all);
  const auto stride = std::max<std::size_t>(1, (all.size() + most_grips - 1) / most_grips);
  std::vector<Index> chosen;
  for (std::size_t i = 0; i < all.size(); i += stride) chosen.push_back(all[i]);
  return chosen;
}

const Look* look_of(const System& system, Index body) {
  for (Index t = 0; t < system.tet_count(); ++t)
    if (system.tet_body[t] == body) return &system.material_looks[system.tet_material[t]];
  return nullptr;
}

Json object_facts(const System& system, const WebSkin& skin, LookImages& images) {
  const bool body = skin.owner < static_cast<Index>(system.bodies.size());
  Json facts = {{"name", system.collision.owner_names[skin.owner]},
                {"kind", body ? "body" : "obstacle"},
                {"vertices", skin.vertices.size()},
                {"triangles", skin.triangles.cols()}};
  if (!body) return facts;
  if (const Look* look = look_of(system, skin.owner)) facts["look"] = images.look(*look);
  return facts;
}

}  // namespace

// Two blobs: the packed model, and the picture, whose numbers are single precision and 16 bits, in the order of the
// facts: by object positions, triangles; by object that is a body weights by set of axes.
std::size_t write_web_page(const std::string& path, const Simulation& simulation, Index triangles) {
  const System& system = simulation.system();
  const std::vector<WebSkin> skins = web_skins(system, triangles);
  std::vector<Index> kept;
  const std::vector<Index> pulled = grips(system, skins);
  const std::string model = pack(cut_model(simulation, pulled, &kept));
  const ReducedBasis& basis = *simulation.subspace();

  const Index n = system.dynamic_count;
  const Vec3 low = system.rest.leftCols(n).rowwise().minCoeff(), high = system.rest.leftCols(n).rowwise().maxCoeff();
  const Vec3 origin = 0.5 * (low + high);
  std::string picture;
  Json objects = Json::array(), planes = Json::array(), grip_list = Json::array(), sets = Json::array();
  Points rest = system.rest;
  place_obstacles(system, simulation.time(), rest);
  LookImages images;
  for (const WebSkin& skin : skins) {
    objects.push_back(object_facts(system, skin, images));
    std::vector<float> positions;
    for (const Index v : skin.vertices)
      for (int a = 0; a < 3; ++a) positions.push_back(static_cast<float>(rest(a, v) - origin[a]));
    append(picture, positions.data(), positions.size());
    append(picture, skin.triangles.data(), static_cast<std::size_t>(skin.triangles.size()));
  }
  for (const AxisHandles& set : basis.sets) {
    Json& facts = sets.emplace_back(Json{{"centers", centers(set)}, {"units", Json::array()}});
    for (const WebSkin& skin : skins) {
      Json units = Json::array();
      if (skin.owner < static_cast<Index>(system.bodies.size())) append_weights(set, skin.vertices, picture, units);
      facts["units"].push_back(units);
    }
  }
  for (const PlaneState& plane : planes_at(system, simulation.time()))
    planes.push_back({{"point", vector_json(plane.point - origin)}, {"normal", vector_json(plane.normal)}});
  for (const Index v : pulled) grip_list.push_back(std::ranges::lower_bound(kept, v) - kept.begin());
  const bool slow = system.setup.solver.iterations < 0;
  const Json facts = {{"name", system.setup.name},
                      {"version", version},
                      {"gravity", vector_json(system.setup.gravity)},
                      {"time_step", system.setup.time.step},
                      {"friction", system.setup.contact.enabled ? Json(system.setup.contact.friction) : Json()},
                      {"iterations", slow ? (system.setup.contact.enabled ? 5 : 3) : system.setup.solver.iterations},
                      {"own_iterations", system.setup.solver.iterations},
                      {"tets", system.tet_count()},
                      {"vertices", system.dynamic_count},
                      {"points", basis.cubature.point_count()},
                      {"handles", basis.handle_count()},
                      {"prescribed", basis.motions.size()},
                      {"origin", vector_json(origin)},
                      {"box", {vector_json(low - origin), vector_json(high - origin)}},
                      {"axes", basis.set},
                      {"objects", objects},
                      {"images", images.images()},
                      {"planes", planes},
                      {"grips", grip_list},
                      {"sets", sets}};
  const std::string data = "<script id=\"self-data\" type=\"application/json\">" +
                           blob_text(facts, deflate_base64(model)) + "</script>\n" +
                           "<script id=\"self-picture\" type=\"application/json\">" +
                           blob_text(Json::object(), deflate_base64(picture)) + "</script>\n";
  const std::string page = std::string(web_template_head()) + data + std::string(web_template_tail());
  write_file_atomically(path, page);
  return page.size();
}

}  // namespace sinew
