#include "sinew/model/control.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/Dense>

#include "sinew/core/error.h"
#include "sinew/core/suggest.h"
#include "sinew/model/edit_parts.h"

namespace sinew {
namespace {

constexpr double rigid_within = 1e-6;    // of rotations given as numbers
constexpr double affine_within = 1e-10;  // of the scene's diagonal: positions that count as an affine map

// `names` has an entry for each part, empty for one without a name. what: "fix of body 'arm'".
std::size_t find_part(const std::vector<std::string>& names, const PartName& wanted, const std::string& what) {
  if (const auto* number = std::get_if<std::int64_t>(&wanted)) {
    if (*number < 0 || static_cast<std::size_t>(*number) >= names.size())
      fail_input(code::edit, "{}: found number {}, there are {}", what, *number, names.size());
    return static_cast<std::size_t>(*number);
  }
  const auto& name = std::get<std::string>(wanted);
  std::vector<std::string> known;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!name.empty() && names[i] == name) return i;
    if (!names[i].empty()) known.push_back(names[i]);
  }
  if (known.empty())
    fail_input(code::edit, "{}: unknown name \"{}\"; none of the {} has a \"name\" in the scene, give its number", what,
               name, names.size());
  fail_input(code::edit, "{}: unknown name \"{}\"{}known names: {}", what, name, did_you_mean_then(name, known),
             quoted_list(known));
}

template <class Parts>
std::vector<std::string> names_of(const Parts& parts) {
  std::vector<std::string> names;
  for (const auto& part : parts) names.push_back(part.name);
  return names;
}

std::string of_body(const System& system, Index body, const char* what) {
  return fmt::format("{} of body '{}'", what, system.bodies[body].name);
}

bool keeps_shape(const Course::Map& map) {
  const Mat3 A = map.leftCols<3>();
  return (A.transpose() * A - Mat3::Identity()).cwiseAbs().maxCoeff() <= rigid_within && A.determinant() > 0;
}

Course::Map shifted(Course::Map map, const Vec3& shift) {
  map.col(3) += shift;
  return map;
}

// What a target moves.
struct Mover {
  std::string name;        // in messages
  Index motion = -1;       // into System::motions
  Points rest;             // 3 x vertices [m]
  std::vector<char> uses;  // by vertex: whether it moves
};

// The affine map of smallest change that takes the vertices from rest to x; none: there is none.
std::optional<Course::Map> affine_fit(const System& system, const Mover& mover, const Points& x) {
  const auto count = static_cast<double>(std::ranges::count(mover.uses, 1));
  Vec3 center = Vec3::Zero(), to = Vec3::Zero();
  for (Index v = 0; v < x.cols(); ++v) {
    if (!mover.uses[v]) continue;
    center += mover.rest.col(v) / count;
    to += x.col(v) / count;
  }
  Mat3 cross = Mat3::Zero(), form = Mat3::Zero();
  for (Index v = 0; v < x.cols(); ++v) {
    if (!mover.uses[v]) continue;
    const Vec3 r = mover.rest.col(v) - center;
    cross += (x.col(v) - to) * r.transpose();
    form += r * r.transpose();
  }
  const auto fits = [&](const Mat3& A) {
    for (Index v = 0; v < x.cols(); ++v)
      if (mover.uses[v] &&
          !((A * (mover.rest.col(v) - center) + to - x.col(v)).norm() <= affine_within * system.diagonal))
        return false;
    return true;
  };
  const auto map_of = [&](const Mat3& A) {
    Course::Map map;
    map << A, to - A * center;
    return map;
  };
  // A rotation first (Kabsch 1976): fewer than four vertices in general position leave the affine map open.
  const Eigen::JacobiSVD<Mat3> svd(cross, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Mat3 sign = Mat3::Identity();
  sign(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
  const Mat3 R = svd.matrixU() * sign * svd.matrixV().transpose();
  if (fits(R)) return map_of(R);
  const Mat3 A =
      Mat3::Identity() + (form.completeOrthogonalDecomposition().solve((cross - form).transpose())).transpose();
  if (fits(A)) return map_of(A);
  return {};
}

// The present motion at the end of the last steps, which say how fast it moves, and then the target. Without a motion
// all was at rest.
Course course_to(const System& system, const Mover& mover, const Target& target, const StepSpan& span) {
  const Motion& motion = system.motions[mover.motion];
  Course course;
  std::vector<double>& times = course.times;
  const double h = span.end - span.begin;
  if (!motion.empty()) times = {span.begin - 2 * h, span.begin - h};
  times.push_back(span.begin);
  std::optional<Course::Map> map = target.transform;
  if (target.positions && span.in_subspace) {
    map = affine_fit(system, mover, *target.positions);
    if (!map)
      fail_input(code::edit,
                 "{}: method \"{}\" moves prescribed vertices by affine maps alone, and these positions are no affine "
                 "map of the rest positions; give a transform or velocity, or use a full-space method",
                 mover.name, system.setup.solver.method);
  }
  if (map && span.rigid && !keeps_shape(*map))
    fail_input(
        code::edit,
        "{}: solver.subspace \"{}\" cannot follow prescribed vertices that are scaled or sheared; give a rotation "
        "with a shift, use \"eigenmodes\" or a full-space method",
        mover.name, system.setup.solver.subspace);
  const bool was_by_vertex = motion.course && motion.course->by_vertex();
  if ((target.positions && !map) || was_by_vertex) {
    for (const double time : times) {
      Points& places = course.places.emplace_back(Points::Zero(3, mover.rest.cols()));
      for (Index v = 0; v < places.cols(); ++v)
        if (mover.uses[v]) places.col(v) = motion.apply(mover.rest.col(v), time, v);
    }
    Points& end = course.places.emplace_back(course.places.back());
    if (target.velocity) end.colwise() += h * *target.velocity;
    for (Index v = 0; v < end.cols() && !target.velocity; ++v)
      if (mover.uses[v]) end.col(v) = map ? Vec3(*map * mover.rest.col(v).homogeneous()) : target.positions->col(v);
    course.turns = true;
  } else {
    for (const double time : times) course.maps.push_back(motion.map(time));
    course.maps.push_back(target.velocity ? shifted(course.maps.back(), h * *target.velocity) : *map);
    course.turns = motion.turns() || std::ranges::any_of(course.maps, [](const Course::Map& m) {
                     return m.leftCols<3>() != Mat3::Identity();
                   });
  }
  times.push_back(span.end);
  course.goes_on = target.velocity.has_value();
  return course;
}

TargetEdit target_edit(const System& system, const Mover& mover, const Target& target, const StepSpan& span) {
  if (static_cast<int>(target.positions.has_value()) + target.transform.has_value() + target.velocity.has_value() != 1)
    fail_input(code::edit, "{}: give exactly one of positions, transform and velocity", mover.name);
  if (!(span.end > span.begin))
    fail_input(code::edit, "{}: the end of the next step is unknown, as with time.continuation; move it by keyframes",
               mover.name);
  if (target.velocity) require_finite("velocity", *target.velocity);
  if (target.transform && !(target.transform->allFinite() && target.transform->cwiseAbs().maxCoeff() <= largest_edit))
    fail_input(code::edit, "{}: found a transform with numbers that are not finite or beyond {:g}", mover.name,
               largest_edit);
  if (target.positions) {
    if (target.positions->cols() != mover.rest.cols())
      fail_input(code::edit, "{}: found {} positions, expected {}", mover.name, target.positions->cols(),
                 mover.rest.cols());
    if (!(target.positions->allFinite() && target.positions->cwiseAbs().maxCoeff() <= largest_edit))
      fail_input(code::edit, "{}: found a position that is not finite or beyond {:g} m", mover.name, largest_edit);
  }
  return {static_cast<std::size_t>(mover.motion),
          std::make_shared<const Course>(course_to(system, mover, target, span))};
}

const char* kind_name(LoadKind kind) {
  switch (kind) {
    case LoadKind::pressure:
      return "pressure";
    case LoadKind::traction:
      return "traction";
    case LoadKind::moment:
      return "moment";
    case LoadKind::gas:
      return "gas";
    default:
      return kind == LoadKind::wind ? "wind" : "force";
  }
}

}  // namespace

Index find_body(const System& system, const PartName& body) {
  return static_cast<Index>(find_part(names_of(system.bodies), body, "body"));
}

Index find_obstacle(const System& system, const PartName& obstacle) {
  return static_cast<Index>(find_part(names_of(system.setup.obstacles), obstacle, "obstacle"));
}

Index find_fix(const System& system, Index body, const PartName& fix) {
  return static_cast<Index>(find_part(names_of(system.bodies[body].fixes), fix, of_body(system, body, "fix")));
}

std::size_t find_load(const System& system, Index body, const PartName& load) {
  const auto entry = static_cast<Index>(find_part(system.bodies[body].load_names, load, of_body(system, body, "load")));
  return static_cast<std::size_t>(
      std::ranges::find_if(system.loads,
                           [&](const FaceLoad& known) { return known.body == body && known.entry == entry; }) -
      system.loads.begin());
}

std::vector<std::size_t> find_springs(const System& system, Index body, const PartName& spring) {
  const auto entry =
      static_cast<Index>(find_part(system.bodies[body].spring_names, spring, of_body(system, body, "spring")));
  std::vector<std::size_t> found;
  for (std::size_t s = 0; s < system.scene_spring_count(); ++s)
    if (system.springs[s].body == body && system.springs[s].entry == entry) found.push_back(s);
  return found;
}

std::size_t find_tie(const System& system, const PartName& tie) {
  return find_part(names_of(system.ties), tie, "tie");
}

std::size_t find_friction_row(const System& system, const std::string& name) {
  return find_part(system.friction_names, name, "friction");
}

TargetEdit fix_target(const System& system, Index body, Index fix, const Target& target, const StepSpan& span) {
  const FixEntry& entry = system.bodies[body].fixes[fix];
  Mover mover;
  mover.name =
      fmt::format("fix {} of body '{}'", entry.name.empty() ? fmt::format("{}", fix) : "\"" + entry.name + "\"",
                  system.bodies[body].name);
  if (entry.symmetry) fail_input(code::edit, "{}: a symmetry plane cannot move", mover.name);
  mover.motion = entry.motion;
  mover.rest = Points::Zero(3, static_cast<Index>(entry.vertices.size()));
  mover.uses.assign(entry.vertices.size(), 0);
  bool held = false, released = false;
  for (const PrescribedVertex& prescribed : system.prescribed) {
    if (prescribed.motion != entry.motion) continue;
    mover.rest.col(prescribed.place) = system.rest.col(prescribed.vertex);
    mover.uses[prescribed.place] = 1;
    (prescribed.holds_at(span.end) ? held : released) = true;
  }
  if (!held)
    fail_input(code::edit, "{}: {}", mover.name,
               released ? "its vertices have been released" : "all of its vertices follow other fixes");
  if (target.positions && system.bodies[body].affine_volume > 0)
    fail_input(code::edit, "{}: an affine body moves as a whole; give a transform or velocity", mover.name);
  return target_edit(system, mover, target, span);
}

TargetEdit obstacle_target(const System& system, Index obstacle, const Target& target, const StepSpan& span) {
  Mover mover;
  mover.name = fmt::format("obstacle '{}'", system.setup.obstacles[obstacle].name);
  mover.motion = system.obstacle_motion[obstacle];
  const Index count = system.obstacle_size[obstacle];
  if (target.positions && count == 0)
    fail_input(code::edit, "{}: a plane has no vertices; give a matrix or velocity", mover.name);
  if (target.transform && target.transform->allFinite() && !keeps_shape(*target.transform))
    fail_input(code::edit, "{}: found a matrix that is no rotation with a shift; deform a mesh by its vertices",
               mover.name);
  mover.rest = Points::Zero(3, count);
  mover.uses.assign(count, 0);
  const Index first = system.body_vertex_count();
  for (std::size_t i = 0; i < system.obstacle_vertex_motion.size(); ++i) {
    if (system.obstacle_vertex_motion[i] != mover.motion) continue;
    const Index own = system.obstacle_vertex_to_own[i];
    mover.rest.col(own) = system.rest.col(first + static_cast<Index>(i));
    mover.uses[own] = 1;
  }
  StepSpan any = span;
  any.in_subspace = any.rigid = false;  // obstacles are of no subspace
  return target_edit(system, mover, target, any);
}

bool needs_new_subspace(const System& system, const TargetEdit& edit) {
  if (std::ranges::find(system.obstacle_motion, static_cast<Index>(edit.motion)) != system.obstacle_motion.end())
    return false;
  if (!edit.course) return false;
  const Motion& now = system.motions[edit.motion];
  return now.empty() || now.turns() != edit.course->turns;
}

// Times of steps are rounded, and may be negative.
double forces_until(const StepSpan& span) {
  return span.end + 3e-12 * std::abs(span.end);
}

ForceEdit added_force(const System& system, std::span<const Index> vertices, const Points& forces,
                      const StepSpan& span) {
  if (!(span.end > span.begin))
    fail_input(code::edit, "forces: the end of the next step is unknown, as with time.continuation; use \"loads\"");
  std::map<Index, Vec3> sum;
  const AddedForces& before = system.added_forces;
  if (before.act_at(span.end) && before.begin == span.begin)
    for (std::size_t i = 0; i < before.vertices.size(); ++i)
      sum[before.vertices[i]] = before.forces.col(static_cast<Index>(i));
  for (std::size_t i = 0; i < vertices.size(); ++i)
    sum.try_emplace(vertices[i], Vec3::Zero()).first->second += forces.col(static_cast<Index>(i));
  ForceEdit edit;
  edit.added.begin = span.begin;
  edit.added.until = forces_until(span);
  edit.added.forces.resize(3, static_cast<Index>(sum.size()));
  for (const auto& [vertex, force] : sum) {
    edit.added.forces.col(static_cast<Index>(edit.added.vertices.size())) = force;
    edit.added.vertices.push_back(vertex);
  }
  return edit;
}

std::vector<Edit> spring_edits(const System& system, Index body, const PartName& spring, const SpringChange& change) {
  std::vector<Edit> edits;
  for (const std::size_t s : find_springs(system, body, spring)) {
    const Spring& known = system.springs[s];
    SpringEdit edit{s, change.point.value_or(Vec3::Zero()), change.stiffness.value_or(known.stiffness), change.length,
                    !change.point};
    edits.emplace_back(edit);
  }
  return edits;
}

LoadEdit load_edit(const System& system, Index body, const PartName& load, LoadKind kind, const Vec3& vector,
                   double pressure) {
  const std::size_t found = find_load(system, body, load);
  const LoadKind own = system.loads[found].kind;
  if (own != kind && !(own == LoadKind::remote_force && kind == LoadKind::force))
    fail_input(code::edit, "load {} of body '{}': found a {}, its kind in the scene is {}", system.loads[found].entry,
               system.bodies[body].name, kind_name(kind), kind_name(own));
  return {found, vector, pressure};
}

PairFrictionEdit pair_friction(const System& system, const std::string& a, const std::string& b, double coefficient) {
  const auto [low, high] = std::minmax({find_friction_row(system, a), find_friction_row(system, b)});
  return {low, high, coefficient};
}

TieEdit released_tie(const System& system, const PartName& tie, double time) {
  const std::size_t found = find_tie(system, tie);
  if (!system.ties[found].may_end())
    fail_input(code::edit,
               "ties[{}]: it has no end in the scene, so its faces may have no gap; give it \"until\", such as 1e9",
               found);
  return {found, time};
}

}  // namespace sinew
