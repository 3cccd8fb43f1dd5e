#include "sinew/io/animation_frames.h"

#include <filesystem>

#include "sinew/core/error.h"
#include "sinew/io/file_stem.h"
#include "sinew/io/gltf_file.h"
#include "sinew/io/mdd_file.h"
#include "sinew/io/surface_frame.h"
#include "sinew/io/usda_file.h"

namespace sinew {
namespace fs = std::filesystem;

namespace {

void write_gltf_file(const std::string& base, const SurfaceAnimation& animation) {
  write_glb(base + ".glb", animation);
}

void write_usda_file(const std::string& base, const SurfaceAnimation& animation) {
  write_usda(base + ".usda", animation);
}

// A cache and the surface that it moves, for each part. write(path, part): the cache.
void write_caches(const std::string& base, const SurfaceAnimation& animation, const char* extension,
                  const auto& write) {
  write_mtl(base + ".mtl", animation.parts);
  const std::string library = fs::path(base + ".mtl").filename().string();
  for (std::size_t p = 0; p < animation.parts.parts().size(); ++p) {
    const std::string path = fmt::format("{}_{}", base, animation.parts.parts()[p].stem);
    write_part_obj(path + ".obj", animation.parts, p, animation.positions(p, 0), library);
    write(path + extension, p);
  }
}

void write_mdd_files(const std::string& base, const SurfaceAnimation& animation) {
  write_caches(base, animation, ".mdd", [&](const std::string& path, std::size_t p) {
    write_mdd(path, animation.parts.parts()[p].vertices, animation.play_times(),
              [&](std::size_t k) { return animation.positions(p, k); });
  });
}

void write_pc2_files(const std::string& base, const SurfaceAnimation& animation) {
  write_caches(base, animation, ".pc2", [&](const std::string& path, std::size_t p) {
    remove_file(path);
    Pc2File file(path, animation.parts.parts()[p].vertices);
    for (std::size_t k = 0; k < animation.times.size(); ++k) file.append(animation.positions(p, k).cast<double>());
  });
}

// Whether a file is one that a kind writes: for .mdd also materials, and the surface beside it; images of textures.
bool is_written(const AnimationKind& kind, const fs::path& path) {
  if (path.extension() == kind.extension) return true;
  if (&kind == &mdd_animation && path.extension() == ".mtl") return true;
  if (is_image_copy(path.string(), {".usda", ".mtl"})) return true;
  return path.extension() == ".obj" && fs::exists(fs::path(path).replace_extension(kind.extension));
}

void remove_results(const AnimationKind& kind, const std::string& folder) {
  if (!fs::is_directory(folder)) return;
  remove_leftovers(folder);
  std::vector<std::string> doomed;
  for (const auto& entry : fs::directory_iterator(folder))
    if (is_written(kind, entry.path())) doomed.push_back(entry.path().string());
  for (const std::string& path : doomed) remove_file(path);
}

}  // namespace

const AnimationKind gltf_animation{"gltf", ".glb", write_gltf_file}, usda_animation{"usda", ".usda", write_usda_file},
    mdd_animation{"mdd", ".mdd", write_mdd_files}, pc2_animation{"pc2", ".pc2", write_pc2_files};

AnimationFrames::AnimationFrames(const AnimationKind& kind, const SinkSettings& settings, const System& system)
    : kind_(kind),
      folder_(settings.folder + "/" + kind.name),
      name_(file_stem(settings.facts.scene)),
      every_(settings.every),
      parts_(system),
      cache_(folder_ + "/" + animation_cache_folder, parts_) {}

void AnimationFrames::check_resume(int step) const {
  const auto expected = static_cast<std::size_t>(step / every_ + 1);
  const std::size_t found = cache_.frames();
  if (found >= expected) return;
  fail_input(
      code::resume_output,
      "{}: expected at least {} frames, one each {} steps up to step {}, found {}; continue with the output.every "
      "of the run and without \"{}\" in output.formats, or start again with --overwrite",
      cache_.folder(), expected, every_, step, found, kind_.name);
}

void AnimationFrames::keep_until(int step, const std::map<int, double>& times) {
  times_.clear();
  const int count = step < 0 ? 0 : step / every_ + 1;
  for (int k = 0; k < count; ++k) {
    const auto at = times.find(k * every_);
    times_.push_back(at == times.end() ? 0 : at->second);
  }
  remove_results(kind_, folder_);
  cache_.truncate(count);
}

void AnimationFrames::write(Frame& frame) {
  make_folder(folder_);
  make_folder(cache_.folder());
  const Points obstacles = parts_.obstacles(frame.state());
  for (std::size_t p = 0; p < parts_.parts().size(); ++p)
    cache_.append(p, parts_.positions(p, frame.positions(), obstacles));
  times_.push_back(frame.system().setup.time.continuation ? frame.step() : frame.time());
}

void AnimationFrames::finish(const RunRecord&) {
  if (times_.empty()) return;
  kind_.write(folder_ + "/" + name_,
              {parts_, name_, times_, [&](std::size_t part, std::size_t frame) { return cache_.read(part, frame); }});
}

void AnimationFrames::remove_all(const AnimationKind& kind, const std::string& run_folder) {
  const std::string folder = run_folder + "/" + kind.name;
  if (!fs::is_directory(folder)) return;
  remove_results(kind, folder);
  SurfaceCache::remove_all(folder + "/" + animation_cache_folder);
  std::error_code ignored;
  fs::remove(folder, ignored);  // if nothing else is in it
}

}  // namespace sinew
