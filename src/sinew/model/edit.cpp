#include "sinew/model/edit.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/model/edit_parts.h"
#include "sinew/model/live_scalars.h"

namespace sinew {
namespace {

void require_vertex(const System& system, Index vertex) {
  if (vertex < 0 || vertex >= system.body_vertex_count())
    fail_input(code::edit, "vertex: found {}, the bodies have {}", vertex, system.body_vertex_count());
}

// Vertices that edits prescribe come last in System::prescribed, their motions last in System::motions.
std::size_t prescribed_by_scene(const System& system) {
  const auto first = std::ranges::find(system.prescribed, true, &PrescribedVertex::by_edit);
  return static_cast<std::size_t>(first - system.prescribed.begin());
}

PrescribedEdit prescribed_of(const System& system) {
  PrescribedEdit edit;
  const std::size_t count = prescribed_by_scene(system);
  edit.offset.resize(3, static_cast<Index>(system.prescribed.size() - count));
  for (std::size_t i = 0; i < system.prescribed.size(); ++i) {
    const PrescribedVertex& prescribed = system.prescribed[i];
    if (i < count) {
      edit.until.push_back(prescribed.until);
      continue;
    }
    edit.offset.col(static_cast<Index>(edit.vertices.size())) =
        system.motions[prescribed.motion].translation->values.col(0);
    edit.vertices.push_back(prescribed.vertex);
    edit.vertices_until.push_back(prescribed.until);
  }
  return edit;
}

// At an offset from its rest position [m] until a time [s].
void prescribe_vertex(System& system, Index vertex, const Vec3& offset, double until) {
  Motion place;
  place.translation = Keyframes{{0.0}, offset};
  PrescribedVertex prescribed;
  prescribed.vertex = vertex;
  prescribed.motion = static_cast<Index>(system.motions.size());
  prescribed.until = until;
  prescribed.by_edit = true;
  system.motions.push_back(std::move(place));
  system.prescribed.push_back(prescribed);
}

void require_prescribed(const System& system, const PrescribedEdit& edit) {
  const std::size_t count = prescribed_by_scene(system), vertices = edit.vertices.size();
  if (edit.until.size() != count)
    fail_input(code::edit, "found {} prescribed vertices, the scene has {}", edit.until.size(), count);
  if (static_cast<std::size_t>(edit.offset.cols()) != vertices || edit.vertices_until.size() != vertices)
    fail_input(code::edit, "found {} places and {} times of {} prescribed vertices", edit.offset.cols(),
               edit.vertices_until.size(), vertices);
  for (const auto* times : {&edit.until, &edit.vertices_until})
    if (std::ranges::any_of(*times, [](double time) { return std::isnan(time); }))
      fail_input(code::edit, "found a time that is not a number");
  for (std::size_t i = 0; i < vertices; ++i) {
    if (edit.vertices[i] < 0 || edit.vertices[i] >= system.body_vertex_count())
      fail_input(code::edit, "found vertex {}, the bodies have {}", edit.vertices[i], system.body_vertex_count());
    if (system.embedding.follows(edit.vertices[i]))
      fail_input(
          code::edit,
          "vertex {} belongs to the affine body '{}' and cannot be fixed alone; pull it, or give the body a \"fix\" in "
          "the scene",
          system.vertex_to_user[edit.vertices[i]] - system.bodies[system.vertex_body[edit.vertices[i]]].user_begin,
          system.bodies[system.vertex_body[edit.vertices[i]]].name);
    if (system.tied && system.tied->follows(edit.vertices[i]))
      fail_input(
          code::edit,
          "vertex {} of body '{}' is tied to another body and cannot be fixed; fix the other body there, or pull the "
          "vertex",
          system.vertex_to_user[edit.vertices[i]] - system.bodies[system.vertex_body[edit.vertices[i]]].user_begin,
          system.bodies[system.vertex_body[edit.vertices[i]]].name);
    if (!(edit.offset.col(static_cast<Index>(i)).cwiseAbs().maxCoeff() <= largest_edit))
      fail_input(code::edit, "found a place that is not finite or beyond {:g} m", largest_edit);
  }
}

// One kind of edit each: checked, made, and what methods make anew.
struct Making {
  System& system;

  Change operator()(const ScalarEdit& edit) const {
    const LiveScalar* scalar = find_live_scalar(edit.key);
    if (!scalar) fail_input(code::edit, "\"{}\" cannot change between steps", edit.key);
    require_live_scalar(system, *scalar, edit.value);
    scalar->set(system, edit.value);
    return scalar->change;
  }

  Change operator()(const CurvesEdit& edit) const {
    edit_curves(system, edit);
    return Change::materials;
  }

  Change operator()(const MaterialEdit& edit) const {
    edit_material(system, edit);
    return Change::materials;
  }

  Change operator()(const FiberEdit& edit) const {
    edit_fibers(system, edit);
    return Change::materials;
  }

  Change operator()(const LoadEdit& edit) const {
    if (edit.load >= system.loads.size())
      fail_input(code::edit, "load: found {}, the scene has {}", edit.load, system.loads.size());
    FaceLoad& load = system.loads[edit.load];
    if (load.kind == LoadKind::gas) {
      require_between("amount", edit.pressure, least_gas, most_gas);
      load.gas.amount = edit.pressure;
      load.factor = {};
      return Change::loads;
    }
    const bool is_pressure = load.kind == LoadKind::pressure;
    require_load_values(system, edit.load, !is_pressure || !edit.vector.isZero(0), is_pressure || edit.pressure != 0);
    require_finite("load", edit.vector);
    require_between("pressure", edit.pressure, -largest_edit, largest_edit);
    load.vector = edit.vector;
    load.pressure = edit.pressure;
    load.vector_keys = {};
    load.factor = {};
    return Change::loads;
  }

  Change operator()(const SpringEdit& edit) const {
    if (edit.spring >= system.scene_spring_count())
      fail_input(code::edit, "spring: found {}, the scene has {}", edit.spring, system.scene_spring_count());
    require_finite("spring", edit.point);
    require_between("stiffness", edit.stiffness, 0, largest_pull);
    if (edit.length) require_between("length", *edit.length, 0, largest_edit);
    Spring& spring = system.springs[edit.spring];
    if (!spring.others.empty() && !edit.keeps_point)
      fail_input(code::edit, "spring {}: both of its ends are on bodies, so it has no point to move", edit.spring);
    if (!edit.keeps_point) {
      spring.point = edit.point;
      spring.motion = -1;
    }
    spring.stiffness = edit.stiffness;
    if (edit.length) {
      spring.length = *edit.length;
      spring.length_keys = {};
    }
    return Change::springs;
  }

  Change operator()(const PullEdit& edit) const {
    const auto known = std::ranges::find(system.pulls, edit.who);
    const auto at = system.springs.begin() + static_cast<std::ptrdiff_t>(system.scene_spring_count()) +
                    (known - system.pulls.begin());
    if (!edit.pull) {
      if (known == system.pulls.end()) return Change::pulls;
      system.springs.erase(at);
      system.pulls.erase(known);
      return Change::pulls;
    }
    require_vertex(system, edit.pull->vertex);
    require_finite("target", edit.pull->target);
    require_between("stiffness", edit.pull->stiffness, 0, largest_pull);
    Spring spring;
    spring.vertex = edit.pull->vertex;
    spring.point = edit.pull->target;
    spring.stiffness = edit.pull->stiffness;
    if (known != system.pulls.end()) {
      *at = std::move(spring);
    } else {
      system.springs.push_back(std::move(spring));
      system.pulls.push_back(edit.who);
    }
    return Change::pulls;
  }

  Change operator()(const PrescribedEdit& edit) const {
    require_prescribed(system, edit);
    const Change change = prescribes_others(system, edit) ? Change::method : Change::values;
    const std::size_t count = prescribed_by_scene(system);
    system.motions.resize(system.motions.size() - (system.prescribed.size() - count));
    system.prescribed.resize(count);
    // A release only brings the end forward.
    for (std::size_t i = 0; i < count; ++i)
      system.prescribed[i].until = std::min(system.prescribed[i].until, edit.until[i]);
    for (std::size_t i = 0; i < edit.vertices.size(); ++i)
      prescribe_vertex(system, edit.vertices[i], edit.offset.col(static_cast<Index>(i)), edit.vertices_until[i]);
    return change;
  }

  Change operator()(const MethodEdit& edit) const {
    SolverSetup& solver = system.setup.solver;
    solver.method = edit.method;
    solver.linear_solver.clear();
    solver.method_reason.clear();
    return Change::method;
  }

  Change operator()(const TargetEdit& edit) const { return edit_target(system, edit); }
  Change operator()(const ForceEdit& edit) const { return edit_forces(system, edit); }
  Change operator()(const PairFrictionEdit& edit) const { return edit_pair_friction(system, edit); }
  Change operator()(const ActivationEdit& edit) const { return edit_activation(system, edit); }
  Change operator()(const TieEdit& edit) const { return edit_tie(system, edit); }
};

constexpr const char* entries[] = {"",     "curves", "materials", "fibers", "loads",         "springs", "pulls",
                                   "pins", "method", "targets",   "forces", "pair_friction", "ties",    "activation"};
static_assert(std::size(entries) == std::variant_size_v<Edit>);

// In a checkpoint.
std::string entry_of(const Edit& edit) {
  const auto* scalar = std::get_if<ScalarEdit>(&edit);
  const LiveScalar* row = scalar ? find_live_scalar(scalar->key) : nullptr;
  return row ? row->name : entries[edit.index()];
}

}  // namespace

Change apply(System& system, const Edit& edit) {
  return std::visit(Making{system}, edit);
}

std::vector<Edit> Edits::all() const {
  std::vector<Edit> list;
  for (const auto& [subject, edit] : edits_) list.push_back(edit);
  return list;
}

PrescribedEdit released(const System& system, const std::vector<Index>& vertices, double time) {
  std::vector<char> free(system.dynamic_count, 0);
  for (const Index vertex : vertices) {
    require_vertex(system, vertex);
    free[vertex] = 1;
  }
  PrescribedEdit edit = prescribed_of(system);
  for (std::size_t i = 0; i < edit.until.size(); ++i)
    if (free[system.prescribed[i].vertex]) edit.until[i] = std::min(edit.until[i], time);
  for (std::size_t i = 0; i < edit.vertices.size(); ++i)
    if (free[edit.vertices[i]]) edit.vertices_until[i] = std::min(edit.vertices_until[i], time);
  return edit;
}

PrescribedEdit prescribed_at(const System& system, const std::vector<Index>& vertices, const Points& x, double time) {
  PrescribedEdit edit = released(system, vertices, time);
  std::vector<Index> anew = vertices;
  std::ranges::sort(anew);
  anew.erase(std::unique(anew.begin(), anew.end()), anew.end());
  auto next = static_cast<Index>(edit.vertices.size());
  edit.offset.conservativeResize(3, next + static_cast<Index>(anew.size()));
  for (const Index vertex : anew) {
    edit.offset.col(next++) = x.col(vertex) - system.rest.col(vertex);
    edit.vertices.push_back(vertex);
    edit.vertices_until.push_back(forever);
  }
  return edit;
}

bool prescribes_others(const System& system, const PrescribedEdit& edit) {
  return prescribed_of(system).vertices != edit.vertices;
}

void require_load_values(const System& system, std::size_t load, bool vector, bool pressure) {
  if (load >= system.loads.size())
    fail_input(code::edit, "load: found {}, the scene has {}", load, system.loads.size());
  const LoadKind kind = system.loads[load].kind;
  if (kind == LoadKind::gas)
    fail_input(code::edit, "load {}: its kind in the scene is gas, which has neither; set its amount", load);
  const bool is_pressure = kind == LoadKind::pressure;
  const char* name = is_pressure                  ? "pressure"
                     : kind == LoadKind::moment   ? "moment"
                     : kind == LoadKind::wind     ? "wind"
                     : kind == LoadKind::traction ? "traction"
                                                  : "force";
  const char* wanted = is_pressure                  ? "pressure [Pa]"
                       : kind == LoadKind::moment   ? "vector [N m]"
                       : kind == LoadKind::wind     ? "vector [m/s]"
                       : kind == LoadKind::traction ? "vector [Pa]"
                                                    : "vector [N]";
  if (is_pressure ? vector : pressure)
    fail_input(code::edit, "load {}: found a {}, but its kind in the scene is {}; give only its {}", load,
               is_pressure ? "vector" : "pressure", name, wanted);
  if (!(is_pressure ? pressure : vector))
    fail_input(code::edit, "load {}: found no value, its kind in the scene is {}; give its {}", load, name, wanted);
}

double pull_stiffness(const System& system, Index vertex) {
  require_vertex(system, vertex);
  const Index body = system.vertex_body[vertex];
  const double mass = parallel_sum(system.dynamic_count,
                                   [&](std::size_t i) { return system.vertex_body[i] == body ? system.mass[i] : 0.0; });
  if (system.setup.time.integrator == Integrator::statics)
    return 0.1 * system.bodies[body].stiffness / std::pow(system.diagonal, 2);
  const double h = 5 * system.setup.time.step;
  return std::min(mass / (h * h), largest_pull);
}

Edits::Subject Edits::subject_of(const Edit& edit) {
  struct Naming {
    std::size_t kind;
    Subject operator()(const ScalarEdit& e) const { return {kind, e.key, 0}; }
    Subject operator()(const CurvesEdit& e) const { return {kind, e.material, 0}; }
    Subject operator()(const MaterialEdit& e) const { return {kind, e.material, 0}; }
    Subject operator()(const FiberEdit& e) const { return {kind, e.material, 0}; }
    Subject operator()(const LoadEdit& e) const { return {kind, "", e.load}; }
    Subject operator()(const SpringEdit& e) const { return {kind, "", e.spring}; }
    Subject operator()(const PullEdit&) const { return {kind, "", 0}; }
    Subject operator()(const PrescribedEdit&) const { return {kind, "", 0}; }
    Subject operator()(const MethodEdit&) const { return {kind, "", 0}; }
    Subject operator()(const TargetEdit& e) const { return {kind, "", e.motion}; }
    Subject operator()(const ForceEdit&) const { return {kind, "", 0}; }
    Subject operator()(const PairFrictionEdit& e) const { return {kind, fmt::format("{:010} {:010}", e.a, e.b), 0}; }
    Subject operator()(const ActivationEdit& e) const { return {kind, e.material, 0}; }
    Subject operator()(const TieEdit& e) const { return {kind, "", e.tie}; }
  };
  return std::visit(Naming{edit.index()}, edit);
}

void Edits::add(const Edit& edit) {
  if (std::holds_alternative<PullEdit>(edit)) return;
  Edit& kept = edits_[subject_of(edit)];
  const Edit before = std::exchange(kept, edit);
  // What an edit of a spring keeps is what the edit before has set.
  if (const auto* known = std::get_if<SpringEdit>(&before)) {
    auto& spring = std::get<SpringEdit>(kept);
    if (!spring.length) spring.length = known->length;
    if (spring.keeps_point) {
      spring.point = known->point;
      spring.keeps_point = known->keeps_point;
    }
    return;
  }
  if (const auto* forces = std::get_if<ForceEdit>(&edit); forces && forces->added.vertices.empty())
    edits_.erase(subject_of(edit));
  // Of cloth, thickness, bending and stretch_limit that are not given stay what they are.
  const auto* known = std::get_if<MaterialEdit>(&before);
  auto* material = std::get_if<MaterialEdit>(&kept);
  if (!known || !material) return;
  for (const char* key : {"thickness", "bending", "stretch_limit"})
    if (const auto own = known->parameters.find(key); own != known->parameters.end()) material->parameters.insert(*own);
}

std::set<Change> Edits::make(System& system, const std::string& place) const {
  std::set<Change> changes;
  for (const auto& known : edits_) {
    try {
      changes.insert(apply(system, known.second));
    } catch (const InputError& error) {
      fail_input(code::file_damaged, "{}{}': {}; the file is damaged or belongs to another scene", place,
                 entry_of(known.second), error.what());
    }
  }
  return changes;
}

}  // namespace sinew
