#include "sinew/app/surface_export.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "sinew/app/interrupt.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/timer.h"
#include "sinew/io/animation_frames.h"
#include "sinew/io/file_stem.h"
#include "sinew/io/recorded_run.h"
#include "sinew/io/sequence_frames.h"
#include "sinew/io/surface_cache.h"

namespace sinew::app {
namespace fs = std::filesystem;

namespace {

const std::array animation_kinds{&gltf_animation, &usda_animation, &mdd_animation, &pc2_animation};
const std::array sequence_kinds{&obj_sequence, &ply_sequence};

// The kind whose extension the file has; null: none.
auto kind_of(const auto& kinds, const std::string& path) {
  const auto found = std::ranges::find_if(kinds, [&](const auto* k) { return lower_extension(path) == k->extension; });
  return found == kinds.end() ? nullptr : *found;
}

std::string without_extension(const std::string& path) {
  return fs::path(path).replace_extension().string();
}

void stop_if_interrupted() {
  if (InterruptGuard::requested()) throw SimulationError(code::interrupted, "interrupted");
}

// A folder beside the output for positions that are read several times; gone at the end.
class CacheFolder {
 public:
  explicit CacheFolder(const std::string& base) : path_(fmt::format("{}.sinew-tmp-{}", base, ::getpid())) {
    make_folder(path_);
  }
  ~CacheFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  CacheFolder(const CacheFolder&) = delete;
  CacheFolder& operator=(const CacheFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

SurfaceFrame surfaces_of(const RecordedFrame& frame, const SurfaceParts& parts) {
  SurfaceFrame surfaces{parts, {}};
  const Points obstacles = parts.obstacles(frame.state(parts.system()));
  for (std::size_t p = 0; p < parts.parts().size(); ++p)
    surfaces.positions.push_back(parts.positions(p, frame.user, obstacles));
  return surfaces;
}

void export_animation(const AnimationKind& kind, const RecordedRun& run, const SurfaceParts& parts,
                      const SurfaceExport& options) {
  const std::string base = without_extension(options.out);
  const CacheFolder folder(base);
  SurfaceCache cache(folder.path(), parts);
  std::vector<double> times;
  for (std::size_t k = 0; k < run.size(); ++k) {
    stop_if_interrupted();
    const RecordedFrame frame = run.frame(k);
    const SurfaceFrame surfaces = surfaces_of(frame, parts);
    for (std::size_t p = 0; p < surfaces.positions.size(); ++p) cache.append(p, surfaces.positions[p]);
    times.push_back(run.system().setup.time.continuation ? frame.step : frame.time);
  }
  kind.write(base, {parts, file_stem(run.system().setup.name), times,
                    [&](std::size_t part, std::size_t frame) { return cache.read(part, frame); }});
}

void export_sequence(const SequenceKind& kind, const RecordedRun& run, const SurfaceParts& parts,
                     const SurfaceExport& options) {
  const std::string base = without_extension(options.out);
  const std::string library = base + ".mtl";
  if (kind.materials) write_mtl(library, parts);
  for (std::size_t k = 0; k < run.size(); ++k) {
    stop_if_interrupted();
    SurfaceFrame surfaces = surfaces_of(run.frame(k), parts);
    for (const std::string& name : options.fields) surfaces.fields.push_back({name, run.field(k, name)});
    kind.write(sequence_path(base, k, kind.extension), surfaces, fs::path(library).filename().string());
  }
}

// The files there that the command would write, ascending: OUT itself, the caches of parts, or frames, and images of
// textures. Frames of an earlier, longer run count too, since they would look like those of this one.
std::vector<std::string> files_of(const std::string& out, const SurfaceParts& parts) {
  const AnimationKind* animation = kind_of(animation_kinds, out);
  const std::string base = without_extension(out);
  std::error_code error;
  std::vector<std::string> found;
  if (animation == &gltf_animation || animation == &usda_animation) {
    found = {out};
  } else if (animation) {
    for (const SurfacePart& part : parts.parts())
      found.push_back(fmt::format("{}_{}{}", base, part.stem, animation->extension));
  } else {
    const fs::path folder = fs::path(base).has_parent_path() ? fs::path(base).parent_path() : ".";
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (is_sequence_file(entry.path().string(), base, kind_of(sequence_kinds, out)->extension))
        found.push_back(entry.path().string());
    }
  }
  if (animation != &gltf_animation && (animation || kind_of(sequence_kinds, out)->materials))
    for (const PartImage& image : parts.images())
      found.push_back((fs::path(base).parent_path() / image_copy(base + ".mtl", image)).string());
  std::erase_if(found, [&](const std::string& path) { return !fs::exists(path, error); });
  std::ranges::sort(found);
  return found;
}

void make_room(const SurfaceExport& options, const SurfaceParts& parts) {
  const std::vector<std::string> found = files_of(options.out, parts);
  if (found.empty()) return;
  if (!options.overwrite) fail_input(code::output_exists, "'{}' exists; give --overwrite to replace it", found.front());
  if (!kind_of(sequence_kinds, options.out)) return;
  for (const std::string& path : found) remove_file(path);
}

}  // namespace

int export_surfaces(const SurfaceExport& options) {
  const AnimationKind* animation = kind_of(animation_kinds, options.out);
  const SequenceKind* sequence = kind_of(sequence_kinds, options.out);
  if (!animation && !sequence) {
    fail_input(code::output_write,
               "-o: found \"{}\", expected a file that ends in .glb, .usda, .obj, .ply, .mdd or .pc2", options.out);
  }
  if (!options.fields.empty() && sequence != &ply_sequence)
    fail_input(code::usage, "--field: only .ply files hold fields; leave it out or write a .ply file");
  require_folder_of(options.out);
  const InterruptGuard guard;
  const Stopwatch watch;
  const RecordedRun run(options.input);
  const SurfaceParts parts(run.system());
  for (const std::string& name : options.fields) run.field(0, name);  // refuses unknown ones before files go
  make_room(options, parts);
  if (animation)
    export_animation(*animation, run, parts, options);
  else
    export_sequence(*sequence, run, parts, options);
  std::error_code error;
  std::uintmax_t bytes = 0;
  const std::vector<std::string> files = files_of(options.out, parts);
  for (const std::string& path : files) bytes += fs::file_size(path, error);
  fmt::print("{}: {} frames, {} file{}, {:.3g} MB in {:.3g} s\n", options.out, run.size(), files.size(),
             files.size() == 1 ? "" : "s", static_cast<double>(bytes) * 1e-6, watch.seconds());
  return 0;
}

}  // namespace sinew::app
