// The place of edits in checkpoints.
#include <algorithm>
#include <memory>
#include <numeric>
#include <type_traits>

#include "sinew/model/edit_parts.h"
#include "sinew/model/live_scalars.h"

namespace sinew {
namespace {

// Entries of one folder of an archive: each call writes a value, or reads it and refuses what does not fit.
class EditEntries {
 public:
  EditEntries(ArchiveWriter& archive, std::string folder) : to_(&archive), folder_(std::move(folder)) {}
  EditEntries(const ArchiveReader& archive, std::string folder) : from_(&archive), folder_(std::move(folder)) {}

  bool writes() const { return to_ != nullptr; }
  // Whether there is something to write or to read.
  bool go(const std::string& name, bool known) const { return to_ ? known : from_->has(folder_ + name); }

  void numbers(const std::string& name, std::vector<double>& values, std::optional<std::size_t> count = {}) {
    if (to_) return to_->write(folder_ + name, std::span<const double>(values));
    values = from_->doubles(folder_ + name);
    if (count && values.size() != *count) damaged(name, fmt::format("{} numbers, expected {}", values.size(), *count));
  }

  void points(const std::string& name, Points& values, std::optional<std::size_t> count = {}) {
    if (to_) return to_->write(folder_ + name, values);
    values = from_->points(folder_ + name);
    if (count && static_cast<std::size_t>(values.cols()) != *count)
      damaged(name, fmt::format("{} points, expected {}", values.cols(), *count));
  }

  void indices(const std::string& name, std::vector<Index>& values) {
    if (to_) return to_->write(folder_ + name, std::span<const Index>(values));
    values = from_->integers32(folder_ + name);
  }

  void whole(const std::string& name, std::int64_t& value) {
    if (to_) return to_->write(folder_ + name, value);
    value = from_->integer(folder_ + name);
  }

  // Below `count`, as places in a list of the scene.
  void places(const std::string& name, std::vector<std::size_t>& places, std::size_t count) {
    if (to_) {
      const std::vector<std::int64_t> values(places.begin(), places.end());
      return to_->write(folder_ + name, std::span<const std::int64_t>(values));
    }
    places.clear();
    for (const std::int64_t value : from_->integers(folder_ + name)) {
      if (value < 0 || static_cast<std::size_t>(value) >= count)
        damaged(name, fmt::format("number {}, the scene has {}", value, count));
      places.push_back(static_cast<std::size_t>(value));
    }
  }

  // Errors repeat it, so that it is to be text.
  void text(const std::string& name, std::string& value) {
    if (to_) return to_->write(folder_ + name, value);
    constexpr std::size_t longest = 4096;
    value = from_->text(folder_ + name);
    const auto fits = [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); };
    if (value.size() > longest || !std::ranges::all_of(value, fits)) damaged(name, "what is no list of names");
  }

  // Of a map, which the code chose, as of parameters and curves: one a line.
  template <class T>
  void names(const std::string& name, std::map<std::string, T>& values) {
    std::string lines;
    for (const auto& [known, value] : values) lines += known + "\n";
    text(name, lines);
    for (std::size_t begin = 0; begin < lines.size();) {
      const std::size_t end = std::min(lines.find('\n', begin), lines.size());
      values[lines.substr(begin, end - begin)];
      begin = end + 1;
    }
  }

  [[noreturn]] void damaged(const std::string& name, const std::string& what) const {
    fail_input(code::file_damaged, "{}: entry '{}{}': found {}; the file is damaged or belongs to another scene",
               from_->source(), folder_, name, what);
  }

 private:
  ArchiveWriter* to_ = nullptr;
  const ArchiveReader* from_ = nullptr;
  std::string folder_;
};

void archive_one(EditEntries& entries, const std::string& own, CurvesEdit& edit, const System&) {
  std::int64_t mend = edit.curves.mend_rest;
  entries.names(own + "names", edit.curves.points);
  entries.whole(own + "mend_rest", mend);
  edit.curves.mend_rest = mend != 0;
  for (auto& [name, points] : edit.curves.points) {
    if (name.empty() || name.find('/') != std::string::npos) entries.damaged(own + "names", "no name of a curve");
    entries.numbers(own + name + "/x", points.x);
    entries.numbers(own + name + "/dy", points.dy, points.x.size());
  }
}

// The values of all parameters behind each other, with the number of each where there are several.
void archive_one(EditEntries& entries, const std::string& own, MaterialEdit& edit, const System& system) {
  UserParameters& parameters = edit.parameters;
  entries.names(own + "names", parameters);
  std::vector<double> values;
  std::vector<std::size_t> counts;
  for (const auto& [name, given] : parameters) {
    values.insert(values.end(), given.begin(), given.end());
    counts.push_back(given.size());
  }
  const bool several = std::ranges::any_of(counts, [](std::size_t count) { return count > 1; });
  if (entries.go(own + "counts", several)) {
    entries.places(own + "counts", counts, system.tet_material.size() + 1);
  } else {
    counts.assign(parameters.size(), 1);
  }
  if (counts.size() != parameters.size())
    entries.damaged(own + "counts", fmt::format("{} numbers, expected {}", counts.size(), parameters.size()));
  entries.numbers(own + "values", values, std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  auto next = values.begin();
  auto count = counts.begin();
  for (auto& [name, given] : parameters) {
    given.assign(next, next + static_cast<std::ptrdiff_t>(*count));
    next += static_cast<std::ptrdiff_t>(*count++);
  }
}

void archive_one(EditEntries& entries, const std::string& own, ActivationEdit& edit, const System&) {
  std::vector<double> value{edit.activation};
  entries.numbers(own + "value", value, 1);
  edit.activation = value[0];
}

void archive_one(EditEntries& entries, const std::string& own, FiberEdit& edit, const System&) {
  entries.numbers(own + "stiffness", edit.fibers.stiffness);
  entries.points(own + "direction", edit.fibers.direction);
}

// Edits of one kind of the scene's materials, by their place in System::material_names.
template <class Kind>
void archive_materials(EditEntries& entries, const std::string& kind, Edits& edits, const System& system) {
  std::vector<std::size_t> places;
  for (std::size_t m = 0; m < system.material_names.size(); ++m)
    if (edits.find(Kind{system.material_names[m], {}})) places.push_back(m);
  if (!entries.go(kind + "places", !places.empty())) return;
  entries.places(kind + "places", places, system.material_names.size());
  for (const std::size_t m : places) {
    Kind edit{system.material_names[m], {}};
    if (entries.writes()) edit = *edits.find(edit);
    archive_one(entries, fmt::format("{}{}/", kind, m), edit, system);
    edits.add(edit);
  }
}

// Lengths and kept points of springs, which older checkpoints do not have.
void archive_lengths(EditEntries& entries, std::vector<SpringEdit>& springs) {
  constexpr double none = -1;
  const bool plain = std::ranges::none_of(springs, [](const SpringEdit& s) { return s.length || s.keeps_point; });
  if (!entries.go("springs/lengths", !plain)) return;
  std::vector<double> lengths;
  std::vector<Index> keeps;
  for (const SpringEdit& spring : springs) {
    lengths.push_back(spring.length.value_or(none));
    keeps.push_back(spring.keeps_point ? 1 : 0);
  }
  entries.numbers("springs/lengths", lengths, springs.size());
  entries.indices("springs/keep_points", keeps);
  keeps.resize(springs.size(), 0);
  for (std::size_t i = 0; i < springs.size(); ++i) {
    springs[i].length = lengths[i] == none ? std::optional<double>() : lengths[i];
    springs[i].keeps_point = keeps[i] != 0;
  }
}

// The keys of a course behind each other: 12 numbers of each map, or the positions of all vertices.
void archive_course(EditEntries& entries, const std::string& own, Course& course) {
  std::int64_t turns = course.turns, goes_on = course.goes_on;
  entries.numbers(own + "times", course.times);
  entries.whole(own + "turns", turns);
  entries.whole(own + "goes_on", goes_on);
  course.turns = turns != 0;
  course.goes_on = goes_on != 0;
  const std::size_t keys = course.times.size();
  if (entries.go(own + "maps", !course.by_vertex())) {
    std::vector<double> values;
    for (const Course::Map& map : course.maps) values.insert(values.end(), map.data(), map.data() + map.size());
    entries.numbers(own + "maps", values, 12 * keys);
    course.maps.resize(keys);
    for (std::size_t k = 0; k < keys; ++k) course.maps[k] = Eigen::Map<const Course::Map>(values.data() + 12 * k);
    return;
  }
  const Index count = course.by_vertex() ? static_cast<Index>(course.places[0].cols()) : 0;
  Points all(3, static_cast<Index>(course.places.size()) * count);
  for (std::size_t k = 0; k < course.places.size(); ++k)
    all.middleCols(static_cast<Index>(k) * count, count) = course.places[k];
  entries.points(own + "places", all);
  if (keys == 0 || all.cols() % static_cast<Index>(keys) != 0)
    entries.damaged(own + "places", fmt::format("{} positions at {} times", all.cols(), keys));
  const Index each = static_cast<Index>(all.cols()) / static_cast<Index>(keys);
  course.places.resize(keys);
  for (std::size_t k = 0; k < keys; ++k) course.places[k] = all.middleCols(static_cast<Index>(k) * each, each);
}

void archive_targets(EditEntries& entries, Edits& edits, const System& system) {
  std::vector<std::size_t> places;
  for (std::size_t m = 0; m < system.motions.size(); ++m)
    if (edits.find(TargetEdit{m, nullptr})) places.push_back(m);
  if (!entries.go("targets/places", !places.empty())) return;
  entries.places("targets/places", places, system.motions.size());
  for (const std::size_t m : places) {
    const TargetEdit* known = edits.find(TargetEdit{m, nullptr});
    const std::string own = fmt::format("targets/{}/", m);
    std::int64_t ended = known && !known->course;
    entries.whole(own + "ended", ended);
    if (ended != 0) {
      edits.add(TargetEdit{m, nullptr});
      continue;
    }
    Course course = known ? *known->course : Course();
    archive_course(entries, own, course);
    edits.add(TargetEdit{m, std::make_shared<const Course>(std::move(course))});
  }
}

void archive_forces(EditEntries& entries, Edits& edits) {
  const ForceEdit* known = edits.find(ForceEdit());
  if (!entries.go("forces/vertices", known)) return;
  ForceEdit edit = known ? *known : ForceEdit();
  std::vector<double> times{edit.added.begin, edit.added.until};
  entries.indices("forces/vertices", edit.added.vertices);
  entries.points("forces/values", edit.added.forces, edit.added.vertices.size());
  entries.numbers("forces/times", times, 2);
  edit.added.begin = times[0];
  edit.added.until = times[1];
  edits.add(edit);
}

void archive_pair_friction(EditEntries& entries, Edits& edits, const System& system) {
  const std::size_t count = system.friction_names.size();
  std::vector<std::size_t> rows;
  std::vector<double> values;
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = a; b < count; ++b)
      if (const auto* edit = edits.find(PairFrictionEdit{a, b, 0})) {
        rows.insert(rows.end(), {a, b});
        values.push_back(edit->coefficient);
      }
  if (!entries.go("pair_friction/rows", !rows.empty())) return;
  entries.places("pair_friction/rows", rows, count);
  entries.numbers("pair_friction/values", values, rows.size() / 2);
  for (std::size_t i = 0; i < values.size(); ++i) edits.add(PairFrictionEdit{rows[2 * i], rows[2 * i + 1], values[i]});
}

void archive_ties(EditEntries& entries, Edits& edits, const System& system) {
  std::vector<std::size_t> places;
  std::vector<double> until;
  for (std::size_t t = 0; t < system.ties.size(); ++t)
    if (const auto* edit = edits.find(TieEdit{t, 0})) {
      places.push_back(t);
      until.push_back(edit->until);
    }
  if (!entries.go("ties/places", !places.empty())) return;
  entries.places("ties/places", places, system.ties.size());
  entries.numbers("ties/until", until, places.size());
  for (std::size_t i = 0; i < places.size(); ++i) edits.add(TieEdit{places[i], until[i]});
}

// Edits of loads or springs, of which the scene has `count`: their places, and four numbers each, a vector first.
template <class Kind>
void archive_fours(EditEntries& entries, const std::string& kind, Edits& edits, std::size_t count, Vec3 Kind::*vector,
                   double Kind::*number) {
  std::vector<std::size_t> places;
  std::vector<double> values;
  for (std::size_t place = 0; place < count; ++place) {
    const Kind* edit = edits.find(Kind{place, {}, 0});
    if (!edit) continue;
    places.push_back(place);
    const Vec3& v = edit->*vector;
    values.insert(values.end(), {v[0], v[1], v[2], edit->*number});
  }
  if (!entries.go(kind + "places", !places.empty())) return;
  entries.places(kind + "places", places, count);
  entries.numbers(kind + "values", values, 4 * places.size());
  std::vector<Kind> all;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double* four = values.data() + 4 * i;
    Kind edit{places[i], {}, four[3]};
    if (const Kind* known = edits.find(edit)) edit = *known;
    edit.*vector = Vec3(four[0], four[1], four[2]);
    edit.*number = four[3];
    all.push_back(edit);
  }
  if constexpr (std::is_same_v<Kind, SpringEdit>) archive_lengths(entries, all);
  for (const Kind& edit : all) edits.add(edit);
}

void archive_scalar(EditEntries& entries, const LiveScalar& scalar, Edits& edits) {
  const ScalarEdit* known = edits.find(ScalarEdit{scalar.key, {}});
  if (!entries.go(scalar.name, known)) return;
  ScalarEdit edit{scalar.key, known ? known->value : std::vector<double>(scalar.size)};
  if (scalar.whole) {
    auto value = static_cast<std::int64_t>(edit.value[0]);
    entries.whole(scalar.name, value);
    edit.value[0] = static_cast<double>(value);
  } else {
    entries.numbers(scalar.name, edit.value, scalar.size);
  }
  edits.add(edit);
}

// Both ways: writes the edits, or adds those that there are.
void archive_edits(EditEntries& entries, Edits& edits, const System& system) {
  for (const LiveScalar& scalar : live_scalars()) archive_scalar(entries, scalar, edits);
  archive_materials<CurvesEdit>(entries, "curves/", edits, system);
  archive_materials<MaterialEdit>(entries, "materials/", edits, system);
  archive_materials<FiberEdit>(entries, "fibers/", edits, system);
  archive_materials<ActivationEdit>(entries, "activation/", edits, system);
  archive_fours(entries, "loads/", edits, system.loads.size(), &LoadEdit::vector, &LoadEdit::pressure);
  archive_fours(entries, "springs/", edits, system.scene_spring_count(), &SpringEdit::point, &SpringEdit::stiffness);
  const PrescribedEdit* prescribed = edits.find(PrescribedEdit());
  if (entries.go("pins/until", prescribed)) {
    PrescribedEdit edit = prescribed ? *prescribed : PrescribedEdit();
    entries.numbers("pins/until", edit.until);
    entries.indices("pins/held", edit.vertices);
    entries.points("pins/offset", edit.offset, edit.vertices.size());
    entries.numbers("pins/held_until", edit.vertices_until, edit.vertices.size());
    edits.add(edit);
  }
  const MethodEdit* method = edits.find(MethodEdit());
  if (entries.go("method", method)) {
    MethodEdit edit = method ? *method : MethodEdit();
    entries.text("method", edit.method);
    edits.add(edit);
  }
  archive_targets(entries, edits, system);
  archive_forces(entries, edits);
  archive_pair_friction(entries, edits, system);
  archive_ties(entries, edits, system);
}

struct PullLists {
  std::vector<Index> vertices;
  Points targets;
  std::vector<double> stiffness;

  void archive(EditEntries& entries) {
    entries.indices("pulls/vertices", vertices);
    entries.points("pulls/targets", targets, vertices.size());
    entries.numbers("pulls/stiffness", stiffness, vertices.size());
  }
};

}  // namespace

void Edits::save(ArchiveWriter& archive, const std::string& folder, const System& system) const {
  EditEntries entries(archive, folder);
  Edits edits = *this;
  archive_edits(entries, edits, system);
}

Edits Edits::load(const ArchiveReader& archive, const std::string& folder, const System& system) {
  EditEntries entries(archive, folder);
  Edits edits;
  archive_edits(entries, edits, system);
  return edits;
}

void save_pulls(ArchiveWriter& archive, const std::string& folder, const System& system) {
  if (system.pulls.empty()) return;
  PullLists lists;
  lists.targets.resize(3, static_cast<Index>(system.pulls.size()));
  for (std::size_t k = 0; k < system.pulls.size(); ++k) {
    const Pull pull = system.pull(k);
    lists.targets.col(static_cast<Index>(k)) = pull.target;
    lists.vertices.push_back(pull.vertex);
    lists.stiffness.push_back(pull.stiffness);
  }
  EditEntries entries(archive, folder);
  lists.archive(entries);
}

bool holds_pulls(const ArchiveReader& archive, const std::string& folder) {
  return archive.has(folder + "pulls/vertices");
}

void load_pulls(const ArchiveReader& archive, const std::string& folder, System& system) {
  PullLists lists;
  EditEntries entries(archive, folder);
  lists.archive(entries);
  system.springs.resize(system.scene_spring_count());
  system.pulls.clear();
  for (std::size_t i = 0; i < lists.vertices.size(); ++i) {
    const Index vertex = lists.vertices[i];
    PullKey who{0, vertex >= 0 && vertex < system.body_vertex_count() ? system.vertex_to_user[vertex] : 0};
    while (std::ranges::find(system.pulls, who) != system.pulls.end()) ++who.id;
    try {
      apply(system, PullEdit{who, Pull{vertex, lists.targets.col(static_cast<Index>(i)), lists.stiffness[i]}});
    } catch (const InputError& error) {
      fail_input(code::file_damaged, "{}: entry '{}pulls': {}; the file is damaged or belongs to another scene",
                 archive.source(), folder, error.what());
    }
  }
}

}  // namespace sinew
