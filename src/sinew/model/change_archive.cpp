#include "sinew/model/change_archive.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "sinew/core/error.h"

namespace sinew {
namespace {

// Names that the code chose, as of parameters and curves: one a line.
std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += name + "\n";
  return text;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    names.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

// The entries of one folder of an archive, whose sizes fit or are refused.
class ChangeEntries {
 public:
  ChangeEntries(const ArchiveReader& archive, std::string folder) : archive_(archive), folder_(std::move(folder)) {}

  bool has(const std::string& name) const { return archive_.has(folder_ + name); }
  // Errors repeat it, so that it is to be text.
  std::string text(const std::string& name) const {
    constexpr std::size_t longest = 4096;
    std::string text = archive_.text(folder_ + name);
    const auto fits = [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); };
    if (text.size() > longest || !std::ranges::all_of(text, fits)) damaged(name, "what is no list of names");
    return text;
  }
  double number(const std::string& name) const { return archive_.scalar(folder_ + name); }
  std::int64_t whole(const std::string& name) const { return archive_.integer(folder_ + name); }

  std::vector<double> numbers(const std::string& name, std::size_t count) const {
    std::vector<double> values = archive_.doubles(folder_ + name);
    if (values.size() != count) damaged(name, fmt::format("{} numbers, expected {}", values.size(), count));
    return values;
  }
  std::vector<double> numbers(const std::string& name) const { return archive_.doubles(folder_ + name); }
  std::vector<Index> indices(const std::string& name) const { return archive_.integers32(folder_ + name); }

  Points points(const std::string& name) const { return archive_.points(folder_ + name); }
  Points points(const std::string& name, std::size_t count) const {
    Points values = archive_.points(folder_ + name);
    if (static_cast<std::size_t>(values.cols()) != count)
      damaged(name, fmt::format("{} points, expected {}", values.cols(), count));
    return values;
  }

  // Places in a list of the scene.
  std::vector<std::size_t> places(const std::string& name, std::size_t count) const {
    std::vector<std::size_t> found;
    for (const std::int64_t value : archive_.integers(folder_ + name)) {
      if (value < 0 || static_cast<std::size_t>(value) >= count)
        damaged(name, fmt::format("number {}, the scene has {}", value, count));
      found.push_back(static_cast<std::size_t>(value));
    }
    return found;
  }

  [[noreturn]] void damaged(const std::string& name, const std::string& what) const {
    fail_input("{}: entry '{}{}': found {}; the file is damaged or of another scene", archive_.source(), folder_, name,
               what);
  }

 private:
  const ArchiveReader& archive_;
  std::string folder_;
};

Vec3 vector_at(const std::vector<double>& values, std::size_t i) {
  return {values[i], values[i + 1], values[i + 2]};
}

// Materials by their place in System::material_names; of each, names and values of its parameters.
std::map<std::string, UserParameters> load_materials(const ChangeEntries& entries, const System& system) {
  std::map<std::string, UserParameters> materials;
  for (const std::size_t m : entries.places("materials/places", system.material_names.size())) {
    const std::string own = fmt::format("materials/{}/", m);
    const std::vector<std::string> names = lines(entries.text(own + "names"));
    UserParameters& parameters = materials[system.material_names[m]];
    if (!entries.has(own + "counts")) {  // one each
      const std::vector<double> values = entries.numbers(own + "values", names.size());
      for (std::size_t p = 0; p < names.size(); ++p) parameters[names[p]] = {values[p]};
      continue;
    }
    const std::vector<std::size_t> counts = entries.places(own + "counts", system.tet_material.size() + 1);
    if (counts.size() != names.size())
      entries.damaged(own + "counts", fmt::format("{} numbers, expected {}", counts.size(), names.size()));
    const std::vector<double> values =
        entries.numbers(own + "values", std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
    auto next = values.begin();
    for (std::size_t p = 0; p < names.size(); next += static_cast<std::ptrdiff_t>(counts[p++]))
      parameters[names[p]].assign(next, next + static_cast<std::ptrdiff_t>(counts[p]));
  }
  return materials;
}

std::map<std::string, FiberValues> load_fibers(const ChangeEntries& entries, const System& system) {
  std::map<std::string, FiberValues> fibers;
  for (const std::size_t m : entries.places("fibers/places", system.material_names.size())) {
    const std::string own = fmt::format("fibers/{}/", m);
    FiberValues& of_material = fibers[system.material_names[m]];
    of_material.stiffness = entries.numbers(own + "stiffness");
    of_material.direction = entries.points(own + "direction");
  }
  return fibers;
}

std::map<std::string, UserCurves> load_curves(const ChangeEntries& entries, const System& system) {
  std::map<std::string, UserCurves> curves;
  for (const std::size_t m : entries.places("curves/places", system.material_names.size())) {
    const std::string own = fmt::format("curves/{}/", m);
    UserCurves& of_material = curves[system.material_names[m]];
    of_material.mend_rest = entries.whole(own + "mend_rest") != 0;
    for (const std::string& name : lines(entries.text(own + "names"))) {
      if (name.empty() || name.find('/') != std::string::npos) entries.damaged(own + "names", "no name of a curve");
      const std::vector<double> x = entries.numbers(own + name + "/x");
      of_material.points[name] = {x, entries.numbers(own + name + "/dy", x.size())};
    }
  }
  return curves;
}

void save_materials(ArchiveWriter& archive, const std::string& folder, const ChangeRecord& record,
                    const std::vector<std::string>& known) {
  const auto place = [&](const std::string& name) {
    return static_cast<std::int64_t>(std::ranges::find(known, name) - known.begin());
  };
  std::vector<std::int64_t> places;
  for (const auto& [name, parameters] : record.materials) {
    places.push_back(place(name));
    std::vector<std::string> names;
    std::vector<double> values;
    std::vector<std::int64_t> counts;
    for (const auto& [parameter, own] : parameters) {
      names.push_back(parameter);
      values.insert(values.end(), own.begin(), own.end());
      counts.push_back(static_cast<std::int64_t>(own.size()));
    }
    const std::string own = fmt::format("{}materials/{}/", folder, places.back());
    archive.write(own + "names", joined(names));
    archive.write(own + "values", std::span<const double>(values));
    if (std::ranges::any_of(counts, [](std::int64_t count) { return count > 1; }))
      archive.write(own + "counts", std::span<const std::int64_t>(counts));
  }
  if (!places.empty()) archive.write(folder + "materials/places", std::span<const std::int64_t>(places));
  places.clear();
  for (const auto& [name, curves] : record.curves) {
    places.push_back(place(name));
    const std::string own = fmt::format("{}curves/{}/", folder, places.back());
    std::vector<std::string> names;
    for (const auto& [curve, points] : curves.points) {
      names.push_back(curve);
      archive.write(own + curve + "/x", std::span<const double>(points.x));
      archive.write(own + curve + "/dy", std::span<const double>(points.dy));
    }
    archive.write(own + "names", joined(names));
    archive.write(own + "mend_rest", static_cast<std::int64_t>(curves.mend_rest));
  }
  if (!places.empty()) archive.write(folder + "curves/places", std::span<const std::int64_t>(places));
  places.clear();
  for (const auto& [name, fibers] : record.fibers) {
    places.push_back(place(name));
    const std::string own = fmt::format("{}fibers/{}/", folder, places.back());
    archive.write(own + "stiffness", std::span<const double>(fibers.stiffness));
    archive.write(own + "direction", fibers.direction);
  }
  if (!places.empty()) archive.write(folder + "fibers/places", std::span<const std::int64_t>(places));
}

// Of loads and springs: their places in the scene, and four numbers each, a vector first.
template <class Record>
void save_fours(ArchiveWriter& archive, const std::string& folder, const std::map<std::size_t, Record>& records,
                Vec3 Record::*vector, double Record::*number) {
  if (records.empty()) return;
  std::vector<std::int64_t> places;
  std::vector<double> values;
  for (const auto& [place, record] : records) {
    places.push_back(static_cast<std::int64_t>(place));
    values.insert(values.end(), (record.*vector).begin(), (record.*vector).end());
    values.push_back(record.*number);
  }
  archive.write(folder + "places", std::span<const std::int64_t>(places));
  archive.write(folder + "values", std::span<const double>(values));
}

template <class Record>
std::map<std::size_t, Record> load_fours(const ChangeEntries& entries, const std::string& name, std::size_t count,
                                         Vec3 Record::*vector, double Record::*number) {
  std::map<std::size_t, Record> records;
  if (!entries.has(name + "places")) return records;
  const std::vector<std::size_t> places = entries.places(name + "places", count);
  const std::vector<double> values = entries.numbers(name + "values", 4 * places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    Record& record = records[places[i]];
    record.*vector = vector_at(values, 4 * i);
    record.*number = values[4 * i + 3];
  }
  return records;
}

void save_pulls(ArchiveWriter& archive, const std::string& folder, const std::vector<Pull>& pulls) {
  std::vector<Index> vertices;
  std::vector<double> stiffness;
  Points targets(3, static_cast<Index>(pulls.size()));
  for (const Pull& pull : pulls) {
    targets.col(static_cast<Index>(vertices.size())) = pull.target;
    vertices.push_back(pull.vertex);
    stiffness.push_back(pull.stiffness);
  }
  archive.write(folder + "vertices", std::span<const Index>(vertices));
  archive.write(folder + "targets", targets);
  archive.write(folder + "stiffness", std::span<const double>(stiffness));
}

std::vector<Pull> load_pulls(const ChangeEntries& entries) {
  const std::vector<Index> vertices = entries.indices("pulls/vertices");
  const Points targets = entries.points("pulls/targets", vertices.size());
  const std::vector<double> stiffness = entries.numbers("pulls/stiffness", vertices.size());
  std::vector<Pull> pulls;
  for (std::size_t i = 0; i < vertices.size(); ++i)
    pulls.push_back({vertices[i], targets.col(static_cast<Index>(i)), stiffness[i]});
  return pulls;
}

}  // namespace

void save_changes(ArchiveWriter& archive, const std::string& folder, const ChangeRecord& record, const System& system) {
  if (record.gravity) archive.write(folder + "gravity", std::span<const double>(record.gravity->data(), 3));
  if (record.time_step) archive.write(folder + "time_step", *record.time_step);
  if (record.friction) archive.write(folder + "friction", *record.friction);
  if (record.iterations) archive.write(folder + "iterations", static_cast<std::int64_t>(*record.iterations));
  if (record.method) archive.write(folder + "method", *record.method);
  save_materials(archive, folder, record, system.material_names);
  save_fours(archive, folder + "loads/", record.loads, &LoadRecord::vector, &LoadRecord::pressure);
  save_fours(archive, folder + "springs/", record.springs, &SpringRecord::point, &SpringRecord::stiffness);
  if (record.pulls) save_pulls(archive, folder + "pulls/", *record.pulls);
  if (!record.pins) return;
  archive.write(folder + "pins/until", std::span<const double>(record.pins->until));
  archive.write(folder + "pins/held", std::span<const Index>(record.pins->held));
  archive.write(folder + "pins/offset", record.pins->offset);
  archive.write(folder + "pins/held_until", std::span<const double>(record.pins->held_until));
}

ChangeRecord load_changes(const ArchiveReader& archive, const std::string& folder, const System& system) {
  const ChangeEntries entries(archive, folder);
  ChangeRecord record;
  if (entries.has("gravity")) record.gravity = vector_at(entries.numbers("gravity", 3), 0);
  if (entries.has("time_step")) record.time_step = entries.number("time_step");
  if (entries.has("friction")) record.friction = entries.number("friction");
  if (entries.has("iterations")) {
    const std::int64_t iterations = entries.whole("iterations");
    if (iterations < 0 || iterations > std::numeric_limits<int>::max())
      entries.damaged("iterations", fmt::format("{}", iterations));
    record.iterations = static_cast<int>(iterations);
  }
  if (entries.has("method")) record.method = entries.text("method");
  if (entries.has("materials/places")) record.materials = load_materials(entries, system);
  if (entries.has("curves/places")) record.curves = load_curves(entries, system);
  if (entries.has("fibers/places")) record.fibers = load_fibers(entries, system);
  record.loads = load_fours(entries, "loads/", system.loads.size(), &LoadRecord::vector, &LoadRecord::pressure);
  record.springs =
      load_fours(entries, "springs/", system.scene_spring_count(), &SpringRecord::point, &SpringRecord::stiffness);
  if (entries.has("pulls/vertices")) record.pulls = load_pulls(entries);
  if (entries.has("pins/until")) {
    PinRecord& pins = record.pins.emplace();
    pins.until = entries.numbers("pins/until");
    pins.held = entries.indices("pins/held");
    pins.offset = entries.points("pins/offset", pins.held.size());
    pins.held_until = entries.numbers("pins/held_until", pins.held.size());
  }
  return record;
}

}  // namespace sinew
