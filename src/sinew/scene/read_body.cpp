#include "sinew/scene/read_body.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "sinew/core/log.h"
#include "sinew/core/suggest.h"
#include "sinew/core/utf8.h"
#include "sinew/formats/obj.h"
#include "sinew/material/model.h"
#include "sinew/mesh/quadratic_tets.h"
#include "sinew/mesh/surface.h"
#include "sinew/model/element_parameters.h"
#include "sinew/scene/fields.h"
#include "sinew/scene/nearest_points.h"
#include "sinew/scene/read_bolt.h"
#include "sinew/scene/read_mesh.h"
#include "sinew/scene/read_motion.h"
#include "sinew/scene/read_skeleton.h"
#include "sinew/scene/read_vertices.h"
#include "sinew/scene/selection.h"

namespace sinew {
namespace {

double until_of(const Node& node) {
  return node.has("until") ? node["until"].number() : forever;
}

std::string name_of(const Node& node) {
  return node.has("name") ? node["name"].text() : std::string();
}

// Some of the letters x, y and z, each once.
std::array<bool, 3> read_axes(const Node& node) {
  std::array<bool, 3> axes{};
  const std::string text = node.text();
  bool good = !text.empty();
  for (const char c : text) {
    const bool known = c >= 'x' && c <= 'z' && !axes[c - 'x'];
    good = good && known;
    if (known) axes[c - 'x'] = true;
  }
  if (!good) {
    node.fail(code::scene_value, "found {}, expected some of the letters x, y and z, each once, such as \"xz\"",
              found_text(node.json()));
  }
  return axes;
}

FixSetup read_fix(const Node& node, const Selector& selector) {
  FixSetup fix;
  fix.vertices = selector.vertices(node);
  if (node.json().is_string()) return fix;  // "all"
  fix.axes = read_axes(node["axes"]);
  fix.motion = read_motion(node["motion"]);
  fix.until = until_of(node);
  fix.name = name_of(node);
  return fix;
}

// The vertices of a symmetry plane, which stay on it. Meshes of other programs may round their coordinates.
FixSetup read_symmetry_plane(const Node& node, const TetMesh& mesh, const std::string& body) {
  constexpr double rounding = 1e-6;  // over the diagonal of the body
  const bool plain = node.json().is_string();
  const int axis = (plain ? node : node["axis"]).text()[0] - 'x';
  const double at = plain ? 0 : node["at"].number();
  const Vec3 extent = mesh.vertices.rowwise().maxCoeff() - mesh.vertices.rowwise().minCoeff();
  FixSetup fix;
  fix.symmetry = true;
  fix.axes = {axis == 0, axis == 1, axis == 2};
  double nearest = std::numeric_limits<double>::infinity();
  for (const Index v : used_vertices(mesh)) {
    const double distance = std::abs(mesh.vertices(axis, v) - at);
    nearest = std::min(nearest, distance);
    if (distance <= rounding * extent.norm()) fix.vertices.push_back(v);
  }
  if (fix.vertices.empty())
    node.fail(
        code::selection,
        "body \"{}\" has no vertex on the plane {} = {:g} m; its nearest one is {:.3g} m away, so move the body or "
        "give {{\"axis\": \"{}\", \"at\": ...}}",
        body, "xyz"[axis], at, nearest, "xyz"[axis]);
  const auto beyond = [&](double side) {
    return (side * (mesh.vertices.row(axis).array() - at)).maxCoeff() > rounding * extent.norm();
  };
  if (beyond(1) && beyond(-1))
    node.fail(
        code::selection,
        "body \"{}\" is on both sides of the plane {} = {:g} m; keep one half of its mesh, or fix the vertices with "
        "\"fix\" and axes \"{}\"",
        body, "xyz"[axis], at, "xyz"[axis]);
  return fix;
}

std::vector<FixSetup> read_symmetry(const Node& node, const TetMesh& mesh, const std::string& body) {
  std::vector<FixSetup> fixes;
  if (!node.json().is_array()) return {read_symmetry_plane(node, mesh, body)};
  for (std::size_t i = 0; i < node.size(); ++i) fixes.push_back(read_symmetry_plane(node[i], mesh, body));
  return fixes;
}

void read_gas(const Node& node, LoadSetup& load) {
  load.kind = LoadKind::gas;
  load.pressure = node["pressure"].number();
  load.gas.ambient = node["ambient"].number();
  load.gas.exponent = node["exponent"].number();
  const Node amount = node["amount"];
  if (amount.json().is_number())
    load.gas.amount = amount.number();
  else
    load.factor = read_keyframes(amount);
}

// A number per axis, or keyframes of it.
void read_load_vector(const Node& vector, LoadSetup& load) {
  if (vector.json().is_array()) {
    load.vector = vector.vector();
  } else {
    load.vector_keys = read_keyframes(vector);
  }
}

double largest_speed(const LoadSetup& load) {
  double largest = load.vector.norm();
  for (Eigen::Index k = 0; k < load.vector_keys.values.cols(); ++k)
    largest = std::max(largest, load.vector_keys.values.col(k).norm());
  return largest;
}

// Eddies pass a point in the time in which the wind covers their size, without wind in that in which they turn.
void read_wind(const Node& node, LoadSetup& load) {
  read_load_vector(node["velocity"], load);
  load.kind = LoadKind::wind;
  WindSetup& wind = load.wind;
  const double density = node["density"].number();
  wind.drag = density * node["drag"].number();
  wind.friction = density * node["friction"].number();
  if (node.has("turbulence")) {
    const Node turbulence = node["turbulence"];
    wind.intensity = turbulence["intensity"].number();
    wind.length = turbulence["length"].number();
    wind.seed = turbulence["seed"].integer();
    const double speed = largest_speed(load) > 0 ? largest_speed(load) : wind.intensity;
    wind.time = turbulence.has("time") ? turbulence["time"].number() : wind.length / speed;
  }
}

LoadSetup read_load(const Node& node, const Selector& selector) {
  LoadSetup load;
  load.faces = selector.faces(node);
  load.name = name_of(node);
  if (node.has("at") && !node.has("force"))
    node["at"].fail(code::scene_value, "found a point of a load without \"force\"; remove it");
  if (node["follows"].flag() && !node.has("force") && !node.has("moment"))
    node["follows"].fail(
        code::scene_value,
        "found true for another load than a moment or force, expected false; a pressure always follows its faces");
  if (node.has("gas")) {
    read_gas(node["gas"], load);
    return load;
  }
  if (node.has("wind")) {
    read_wind(node["wind"], load);
    return load;
  }
  if (node.has("pressure")) {
    const Node pressure = node["pressure"];
    load.kind = LoadKind::pressure;
    const bool constant = pressure.json().is_number();
    load.pressure = constant ? pressure.number() : 1;
    if (!constant) load.factor = read_keyframes(pressure);
    return load;
  }
  const char* key = node.has("traction") ? "traction" : node.has("moment") ? "moment" : "force";
  load.follows = node["follows"].flag();
  if (node.has("at")) load.point = node["at"].vector();
  load.kind = node.has("traction")         ? LoadKind::traction
              : node.has("moment")         ? LoadKind::moment
              : load.follows || load.point ? LoadKind::remote_force
                                           : LoadKind::force;
  read_load_vector(node[key], load);
  return load;
}

Index find_body(const Node& name, const std::vector<BodySetup>& bodies) {
  const std::string text = name.text();
  std::vector<std::string> known;
  for (const BodySetup& body : bodies) {
    if (body.name == text) return static_cast<Index>(known.size());
    known.push_back(body.name);
  }
  name.fail(code::scene_name, "unknown body \"{}\"{}bodies of the scene: {}", shortened(text),
            did_you_mean_then(text, known), quoted_list(known));
}

constexpr std::string_view automatic_elements = "auto";

// Whether all of a body is of materials that mixed elements take, and some of it locks as linear tets.
bool hardly_changes_volume(const BodySetup& body) {
  constexpr double locks_from = 0.45;
  bool locks = false;
  for (const MaterialAssignment& material : body.materials) {
    if (material.mass_spring || material.model->volume_part().form == VolumeEnergy::none) return false;
    const std::size_t count = std::ranges::max(material.parameters, {}, &std::vector<double>::size).size();
    for (std::size_t t = 0; t < count && !locks; ++t) {
      const LameParameters lame = material.model->linearized(element_parameters(material, t).kernel);
      locks = lame.lambda > 2 * locks_from * (lame.lambda + lame.mu);
    }
  }
  return locks && !body.affine && !body.mesh.is_cloth();
}

Elements read_elements(const Node& node) {
  const auto at = std::ranges::find(element_names, node.text());
  return static_cast<Elements>(at - element_names.begin());
}

class BodyReader {
 public:
  BodyReader(const Node& bodies, const MaterialContext& context, ShapeMesher& shapes, bool prefers_mixed)
      : bodies_(bodies), context_(context), shapes_(shapes), prefers_mixed_(prefers_mixed) {}

  std::vector<BodySetup> read() {
    for (std::size_t b = 0; b < bodies_.size(); ++b) read_rest_state(bodies_[b]);
    for (const BodySetup& body : result_) selectors_.emplace_back(body.mesh, body.name);
    for (std::size_t b = 0; b < bodies_.size(); ++b) read_constraints(bodies_[b], b);
    return std::move(result_);
  }

 private:
  void read_rest_state(const Node& node) {
    BodySetup body;
    body.name = node["name"].text();
    body.affine = node["kinematics"].text() == "affine";
    const bool automatic = node["elements"].text() == automatic_elements;
    if (!automatic) body.elements = read_elements(node["elements"]);
    const bool surface = body.affine || takes_surface(node["material"], context_);
    if (surface && body.elements != Elements::linear)
      node["elements"].fail(code::scene_value, "found \"{}\" for a body {}, expected \"linear\"",
                            element_name(body.elements), body.affine ? "that moves as a whole" : "made of springs");
    body.mesh = surface ? read_surface_or_tets(node["mesh"], context_.base_dir, shapes_)
                        : read_body_mesh(node["mesh"], context_.base_dir, shapes_,
                                         automatic || is_quadratic(body.elements) ? MidNodes::kept : MidNodes::dropped);
    body.materials = read_assignments(node["material"], body.name, body.mesh, context_, body.affine);
    read_heat(node["temperature"], body);
    apply_transform(node["transform"], body.mesh);
    if (automatic && prefers_mixed_ && !node.has("skeleton") && hardly_changes_volume(body))
      body.elements = Elements::quadratic_mixed;
    if (is_quadratic(body.elements)) divide(node, body);
    if (automatic && !body.mesh.mid_nodes.empty() && node["mesh"].json().is_string())
      log::warning("body '{}': \"elements\": \"auto\" is linear here, so {} nodes on edges of its mesh are not used",
                   body.name, body.mesh.mid_nodes.size());
    body.mesh.mid_nodes.clear();
    if (node.has("collision")) {
      body.collision = read_obstacle_mesh(node["collision"], context_.base_dir, shapes_);
      apply_transform(node["transform"], *body.collision);
    }
    if (node.has("render")) {
      RenderSurface render = read_render_surface(node["render"], context_.base_dir, shapes_);
      const Triangles before = render.mesh.triangles;
      apply_transform(node["transform"], render.mesh);
      if (render.mesh.triangles != before) render.layout = reversed_layout(render.layout);  // a mirror image
      body.render = std::make_shared<RenderSurface>(std::move(render));
    }
    body.velocity = node["velocity"].vector(largest_velocity, "m/s");
    body.angular_velocity = node["angular_velocity"].vector(largest_velocity, "rad/s");
    const Node acceleration = node["acceleration"];
    if (acceleration.json().is_array()) {
      body.acceleration = acceleration.vector();
    } else {
      body.acceleration_keys = read_keyframes(acceleration);
    }
    if (node.has("skeleton")) {
      if (body.affine)
        node["skeleton"].fail(code::scene_value,
                              "found a skeleton of an affine body, which does not bend; set kinematics to \"full\"");
      body.skeleton = read_skeleton(node["skeleton"], body.mesh, context_.base_dir);
    }
    read_swelling(node["swelling"], body);
    body.damping_mass = node["damping"]["mass"].number();
    body.damping_stiffness = node["damping"]["stiffness"].number();
    result_.push_back(std::move(body));
  }

  // A number, keyframes, a field, or one of these for each region.
  void read_heat(const Node& node, BodySetup& body) const {
    const auto of = [&](const Node& value) {
      HeatSetup heat;
      if (value.json().is_number()) {
        heat.value = value.number();
      } else if (value.has("field")) {
        heat.field = tet_values(value, body.mesh, context_.base_dir);
      } else {
        heat.keys = read_keyframes(value);
      }
      return heat;
    };
    if (node.has("regions")) {
      const Node regions = node["regions"];
      for (const auto& [key, value] : regions.json().items()) {
        HeatSetup heat = of(regions[key]);
        heat.tets = region_tets(body.mesh, key);
        if (heat.tets.empty())
          regions.fail(code::scene_name, "the mesh of body \"{}\" has no region \"{}\"; its regions are {}", body.name,
                       key, region_list(body.mesh));
        if (heat.empty()) continue;
        std::vector<double> of_region;
        for (const Index t : heat.tets)
          if (!heat.field.empty()) of_region.push_back(heat.field[t]);
        heat.field = std::move(of_region);
        body.heat.push_back(std::move(heat));
      }
    } else if (HeatSetup heat = of(node); !heat.empty()) {
      body.heat.push_back(std::move(heat));
    }
    if (body.heat.empty()) return;
    if (body.affine)
      node.fail(code::scene_value, "found a temperature of an affine body, which does not expand; remove it");
    if (std::ranges::all_of(body.materials, [](const auto& material) { return material.expansion.empty(); }))
      node.fail(code::scene_value,
                "found a temperature, but no material of body \"{}\" has an \"expansion\"; give it one", body.name);
  }

  static void read_swelling(const Node& node, BodySetup& body) {
    if (node.json().is_number()) {
      body.swelling.value = node.number();
    } else {
      body.swelling.keys = read_keyframes(node);
    }
    const double least = body.swelling.keys.empty() ? body.swelling.value : body.swelling.keys.values.minCoeff();
    if (!(least > -1)) node.fail(code::scene_value, "found {}, expected more than -1, which is no volume", least);
    if (!body.swelling.empty() && body.affine)
      node.fail(code::scene_value, "found swelling of an affine body, which does not expand; remove it");
  }

  // Ten-node tets, and their materials by the parts of each.
  static void divide(const Node& node, BodySetup& body) {
    try {
      make_quadratic(body.mesh);
    } catch (const InputError& error) {
      node["mesh"].fail(error.code(), "{}", error.what());
    }
    for (MaterialAssignment& material : body.materials) repeat_for_parts(material);
    for (HeatSetup& heat : body.heat) {
      if (!heat.field.empty()) heat.field = repeated_for_parts(heat.field, 1);
      heat.tets = parts_of(heat.tets);
    }
  }

  void read_constraints(const Node& node, std::size_t b) {
    BodySetup& body = result_[b];
    const Node fix = node["fix"], loads = node["loads"], springs = node["springs"];
    for (std::size_t i = 0; i < fix.size(); ++i) body.fixes.push_back(read_fix(fix[i], selectors_[b]));
    if (node.has("symmetry"))
      std::ranges::move(read_symmetry(node["symmetry"], body.mesh, body.name), std::back_inserter(body.fixes));
    for (std::size_t i = 0; i < loads.size(); ++i) body.loads.push_back(read_load(loads[i], selectors_[b]));
    for (std::size_t i = 0; i < node["bolts"].size(); ++i)
      body.bolts.push_back(read_bolt(node["bolts"][i], i, body.mesh, selectors_[b]));
    for (std::size_t i = 0; i < springs.size(); ++i) body.springs.push_back(read_spring(springs[i], b));
  }

  SpringSetup read_spring(const Node& node, std::size_t b) const {
    SpringSetup spring;
    spring.vertices = selectors_[b].vertices(node);
    spring.stiffness = node["stiffness"].number();
    read_number_or_keys(node["length"], spring.length, spring.length_keys);
    const double shortest = spring.length_keys.empty() ? spring.length : spring.length_keys.values.minCoeff();
    if (shortest < 0) node["length"].fail(code::scene_value, "found {}, expected at least 0 m", shortest);
    spring.until = until_of(node);
    spring.name = name_of(node);
    const Node to = node["to"];
    if (to.json().is_array()) {
      spring.point = to.vector();
      if (node.has("motion")) spring.motion = read_motion(node["motion"]);
      return spring;
    }
    if (node.has("motion"))
      node["motion"].fail(code::scene_value,
                          "found a motion of a spring between bodies; only the point of a spring can move, remove it");
    const bool to_any = !to.json().is_object();  // "nearest"
    if (!to_any) {
      spring.other_body = find_body(to["body"], result_);
      spring.other_vertices = selectors_[static_cast<std::size_t>(spring.other_body)].vertices(to);
    }
    if (to_any || to["at"].text() == "nearest") spring.ends = nearest_ends(to, spring, b);
    return spring;
  }

  // For each vertex of the springs its nearest point in the rest state: of the selected vertices and the faces between
  // them, or of all other bodies.
  std::vector<SpringEnd> nearest_ends(const Node& to, const SpringSetup& spring, std::size_t b) const {
    NearestPoints points;
    if (spring.other_body >= 0) {
      const auto other = static_cast<std::size_t>(spring.other_body);
      const Triangles faces = selectors_[other].faces_or_none(to);
      if (faces.cols() > 0) {
        points.add(spring.other_body, result_[other].mesh, faces);
      } else {
        points.add(spring.other_body, result_[other].mesh, spring.other_vertices);
      }
    } else {
      for (std::size_t other = 0; other < result_.size(); ++other)
        if (other != b) points.add(static_cast<Index>(other), result_[other].mesh, selectors_[other].boundary());
    }
    if (points.empty())
      to.fail(code::scene_value,
              "found \"nearest\" in a scene of one body, expected a second body for the other ends of the springs");
    std::vector<SpringEnd> ends;
    for (const Index v : spring.vertices) ends.push_back(points.nearest(result_[b].mesh.vertices.col(v)));
    return ends;
  }

  const Node& bodies_;
  const MaterialContext& context_;
  ShapeMesher& shapes_;
  bool prefers_mixed_;
  std::vector<BodySetup> result_;
  std::vector<Selector> selectors_;  // by body
};

// The samples of a cache are positions in the scene. The first one takes the place of the mesh.
void read_obstacle_vertices(const Node& node, const std::filesystem::path& base_dir, double frame,
                            ObstacleSetup& obstacle) {
  for (const char* other : {"transform", "motion"})
    if (node.has(other) && !node[other].json().empty())
      node[other].fail(code::scene_value,
                       "found a {} beside \"vertices\", which are positions in the scene; remove one of both", other);
  obstacle.motion.course = read_vertices(node["vertices"], base_dir, obstacle.mesh->vertices.cols(), frame);
  obstacle.mesh->vertices = obstacle.motion.course->places[0];
}

ObstacleSetup read_obstacle(const Node& node, const std::filesystem::path& base_dir, double frame,
                            ShapeMesher& shapes) {
  ObstacleSetup obstacle;
  obstacle.name = node["name"].text();
  obstacle.motion = read_motion(node["motion"]);
  if (node.has("material")) obstacle.material = node["material"].text();
  if (node.has("mesh")) {
    obstacle.mesh = read_obstacle_mesh(node["mesh"], base_dir, shapes);
    if (node.has("vertices")) read_obstacle_vertices(node, base_dir, frame, obstacle);
    if (node.has("transform")) apply_transform(node["transform"], *obstacle.mesh);
    return obstacle;
  }
  if (node.has("vertices"))
    node["vertices"].fail(code::scene_value, "a plane has no vertices; give a mesh, or a motion");
  if (node.has("transform"))
    node["transform"].fail(code::scene_value, "a plane has no transform; give its point and normal");
  const Node normal = node["plane"]["normal"];
  const double length = normal.vector().stableNorm();
  if (!(length > 0)) normal.fail(code::scene_value, "found a normal of length zero, expected a length above 0");
  obstacle.plane = PlaneSetup{node["plane"]["point"].vector(), normal.vector() / length};
  if (obstacle.motion.scaling)
    node["motion"]["scale"].fail(code::scene_value, "a plane cannot be scaled; remove the key");
  return obstacle;
}

}  // namespace

std::vector<BodySetup> read_bodies(const Node& bodies, const MaterialContext& context, ShapeMesher& shapes,
                                   bool prefers_mixed) {
  return BodyReader(bodies, context, shapes, prefers_mixed).read();
}

std::vector<TieSetup> read_ties(const Node& ties, const std::vector<BodySetup>& bodies) {
  std::vector<TieSetup> result;
  const auto faces = [&](Index body, const Node& selection) {
    return Selector(bodies[body].mesh, bodies[body].name).faces(selection);
  };
  for (std::size_t t = 0; t < ties.size(); ++t) {
    const Node node = ties[t], to = node["to"];
    TieSetup tie;
    tie.body = find_body(node["body"], bodies);
    tie.to = find_body(to["body"], bodies);
    tie.faces = faces(tie.body, node);
    tie.to_faces = faces(tie.to, to);
    tie.until = until_of(node);
    tie.name = name_of(node);
    if (node.has("breaks_at")) tie.breaks_at = node["breaks_at"].number();
    result.push_back(std::move(tie));
  }
  return result;
}

std::vector<ObstacleSetup> read_obstacles(const Node& obstacles, const std::filesystem::path& base_dir, double frame,
                                          ShapeMesher& shapes) {
  std::vector<ObstacleSetup> result;
  for (std::size_t i = 0; i < obstacles.size(); ++i)
    result.push_back(read_obstacle(obstacles[i], base_dir, frame, shapes));
  return result;
}

}  // namespace sinew
