#include "sinew/modes/mode_cache.h"

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "sinew/core/cache_folder.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/core/version.h"
#include "sinew/material/model.h"
#include "sinew/model/muscle.h"
#include "sinew/modes/linear_modes.h"
#include "sinew/modes/mode_sources.h"
#include "sinew/potential/inelastic_strain.h"

namespace sinew {
namespace {

constexpr const char* bodies_archive_kind = "bodymodes";
constexpr const char* by_body = "linear by body";

// A file named by the hash of all that modes follow from, and of the sources that make them.
std::string path_of(const std::string& name, const System& system, const std::vector<char>& fixed,
                    const ModeOptions& options) {
  const std::string folder = cache_folder();
  if (folder.empty() || !system.setup.solver.multilevel.cache || system.tet_count() < least_cached_tets) return {};
  ContentHash hash;
  hash.add(std::string(mode_sources()));
  hash.add(std::string(instructions()));
  hash.add(name);
  const NonlinearModeOptions& nonlinear = options.nonlinear;
  const GramSchmidtOptions& orthogonal = options.inertia.orthogonal;
  const std::int64_t numbers[] = {
      options.count.number,    options.rigid,   orthogonal.reduced,   static_cast<std::int64_t>(nonlinear.basis),
      nonlinear.linear.number, nonlinear.order, system.dynamic_count, system.tet_count()};
  hash.add_values(std::span<const std::int64_t>(numbers));
  hash.add(&orthogonal.least_cosine, sizeof(double));
  for (const std::string& start : options.inertia.start) hash.add(start + ",");
  hash.add(nonlinear.reduction);
  hash.add_values(std::span(system.rest.data(), 3 * static_cast<std::size_t>(system.dynamic_count)));
  hash.add_values(std::span(system.tets.data(), static_cast<std::size_t>(system.tets.size())));
  hash.add_values(std::span<const double>(system.mass));
  hash.add_values(std::span<const char>(fixed));
  add_elasticity(system, hash);
  hash.add(&system.diagonal, sizeof(double));  // by which derivatives are weighed
  return (std::filesystem::path(folder) / "modes" / (hash.hex() + ".h5")).string();
}

std::string entry(std::size_t body, const char* what) {
  return fmt::format("{}/{}", body, what);
}

// The modes of a file of the cache, by body; none where there is none or it is damaged.
std::vector<BodyModes> read_kept(const std::string& path, Index vertices) {
  std::error_code ignored;
  if (path.empty() || !std::filesystem::exists(path, ignored)) return {};
  try {
    const ArchiveReader archive(path, bodies_archive_kind);
    std::vector<BodyModes> bodies(static_cast<std::size_t>(archive.integer("bodies")));
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      BodyModes& modes = bodies[b];
      modes.vertices = archive.integers32(entry(b, "vertices"));
      const std::vector<double> values = archive.doubles(entry(b, "values")),
                                all = archive.doubles(entry(b, "vectors"));
      modes.values = Eigen::Map<const VecX>(values.data(), static_cast<Index>(values.size()));
      const std::size_t rows = 3 * modes.vertices.size();
      if (all.size() != rows * values.size())
        fail_input(code::file_damaged, "{}: the modes have other sizes than their number", path);
      for (const Index v : modes.vertices)
        if (v < 0 || v >= vertices) fail_input(code::file_damaged, "{}: found vertex {} of {}", path, v, vertices);
      modes.vectors = Eigen::Map<const MatX>(all.data(), static_cast<Eigen::Index>(rows), modes.values.size());
    }
    return bodies;
  } catch (const InputError& error) {
    log::warning("the cached modes are rebuilt: {}", error.what());
    return {};
  }
}

// A cache that cannot be written is a warning: the work goes on without it.
void keep(const std::string& path, const std::vector<BodyModes>& bodies) {
  if (path.empty()) return;
  try {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    ArchiveWriter archive(path, bodies_archive_kind);
    archive.write("bodies", static_cast<std::int64_t>(bodies.size()));
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const BodyModes& modes = bodies[b];
      archive.write(entry(b, "vertices"), std::span<const std::int32_t>(modes.vertices));
      archive.write(entry(b, "values"), std::span(modes.values.data(), static_cast<std::size_t>(modes.values.size())));
      archive.write(entry(b, "vectors"),
                    std::span(modes.vectors.data(), static_cast<std::size_t>(modes.vectors.size())));
    }
    archive.commit();
  } catch (const std::exception& error) {
    log::warning("the modes cannot be cached: {}", error.what());
  }
}

}  // namespace

void add_elasticity(const System& system, ContentHash& hash) {
  for (const ElasticGroup& group : groups_at(system, 0)) {
    const Index range[] = {group.tet_begin, group.tet_end};
    hash.add_values(std::span<const Index>(range));
    if (group.elements != Elements::linear) hash.add(std::string(element_name(group.elements)));
    hash.add(group.model->name());
    hash.add_values(group.model->data());
    for (const std::vector<double>& values : group.parameters) hash.add_values(std::span<const double>(values));
    hash.add_values(std::span<const double>(group.fiber_stiffness));
    if (std::ranges::any_of(group.fiber_tension, [](double tension) { return tension != 0; }))
      hash.add_values(std::span<const double>(group.fiber_tension));
    hash.add_values(std::span(group.fiber_direction.data(), static_cast<std::size_t>(group.fiber_direction.size())));
  }
}

std::string kept_modes_path(const ModeKind& kind, const System& system, const std::vector<char>& fixed,
                            const ModeOptions& options) {
  return path_of(kind.name, system, fixed, options);
}

namespace {

// Modes are those of the material at rest, without its history and what strains the mesh.
void warn_of_inelastic(const System& system) {
  const InelasticBody found = inelastic_body(system);
  if (found.body >= 0 && found.what != "plasticity")
    log::warning("body '{}': modes are those of its elastic material at rest, without its {}",
                 system.bodies[found.body].name, found.what);
}

}  // namespace

// A set of modes is kept as that of one body.
ModeSet kept_modes(const ModeKind& kind, const System& system, const std::vector<char>& fixed,
                   const ModeOptions& options) {
  warn_of_inelastic(system);
  const std::string path = kept_modes_path(kind, system, fixed, options);
  std::vector<BodyModes> kept = read_kept(path, system.dynamic_count);
  ModeSet modes{kind.name, {}, {}};
  const auto all = static_cast<std::size_t>(system.dynamic_count);
  if (kept.size() == 1 && kept[0].vertices.size() == all) {
    modes.values = std::move(kept[0].values);
    modes.vectors = std::move(kept[0].vectors);
  } else {
    modes = kind.make(system, fixed, options);
    BodyModes whole{std::vector<Index>(all), std::move(modes.values), std::move(modes.vectors)};
    std::iota(whole.vertices.begin(), whole.vertices.end(), 0);
    kept.assign(1, std::move(whole));
    keep(path, kept);
    modes.values = std::move(kept[0].values);
    modes.vectors = std::move(kept[0].vectors);
  }
  if (!options.count.key.empty() && modes.values.size() < options.count.number)
    log::warning("{}: found {} modes of kind \"{}\", of which only {} exist: {}", options.count.key,
                 options.count.number, kind.name, modes.values.size(), kind.end);
  return modes;
}

std::vector<BodyModes> kept_linear_modes_by_body(const System& system, const std::vector<char>& fixed, Index count) {
  ModeOptions options;
  options.count = count;
  const std::string path = path_of(by_body, system, fixed, options);
  std::vector<BodyModes> bodies = read_kept(path, system.dynamic_count);
  if (!bodies.empty()) return bodies;
  bodies = linear_modes_by_body(system, fixed, count);
  keep(path, bodies);
  return bodies;
}

}  // namespace sinew
