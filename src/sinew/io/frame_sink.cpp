#include "sinew/io/frame_sink.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <unistd.h>

#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/io/animation_frames.h"
#include "sinew/io/pc2_frames.h"
#include "sinew/io/report_format.h"
#include "sinew/io/report_frames.h"
#include "sinew/io/sequence_frames.h"
#include "sinew/io/vtu_frames.h"
#include "sinew/io/wav_frames.h"

namespace sinew {
namespace fs = std::filesystem;

namespace {

struct Format {
  const char* name;
  const char* folder;  // of its frames, in the run's
  std::unique_ptr<FrameSink> (*make)(const SinkSettings& settings, const System& system);
  void (*remove)(const std::string& run_folder);
};

template <class Sink>
std::unique_ptr<FrameSink> make(const SinkSettings& settings, const System& system) {
  return std::make_unique<Sink>(settings, system);
}

template <const AnimationKind& kind>
std::unique_ptr<FrameSink> make_animation(const SinkSettings& settings, const System& system) {
  return std::make_unique<AnimationFrames>(kind, settings, system);
}
template <const AnimationKind& kind>
void remove_animation(const std::string& run_folder) {
  AnimationFrames::remove_all(kind, run_folder);
}

template <const SequenceKind& kind>
std::unique_ptr<FrameSink> make_sequence(const SinkSettings& settings, const System& system) {
  return std::make_unique<SequenceFrames>(kind, settings, system);
}
template <const SequenceKind& kind>
void remove_sequence(const std::string& run_folder) {
  SequenceFrames::remove_all(kind, run_folder);
}

constexpr Format formats[] = {{"vtu", VtuFrames::folder_name, make<VtuFrames>, VtuFrames::remove_all},
                              {"pc2", Pc2Frames::folder_name, make<Pc2Frames>, Pc2Frames::remove_all},
                              {"gltf", "gltf", make_animation<gltf_animation>, remove_animation<gltf_animation>},
                              {"usda", "usda", make_animation<usda_animation>, remove_animation<usda_animation>},
                              {"mdd", "mdd", make_animation<mdd_animation>, remove_animation<mdd_animation>},
                              {"obj", "frames_obj", make_sequence<obj_sequence>, remove_sequence<obj_sequence>},
                              {"ply", "frames_ply", make_sequence<ply_sequence>, remove_sequence<ply_sequence>},
                              {"wav", WavFrames::folder_name, make<WavFrames>, WavFrames::remove_all},
                              {"html", report_folder_name, make<ReportFrames>, ReportFrames::remove_all}};

}  // namespace

std::vector<std::unique_ptr<FrameSink>> make_frame_sinks(const std::vector<std::string>& names,
                                                         const SinkSettings& settings, const System& system) {
  std::vector<std::unique_ptr<FrameSink>> sinks;
  std::vector<std::string> ordered = names;
  // Last, since it has the sound.
  std::stable_partition(ordered.begin(), ordered.end(), [](const std::string& name) { return name != "html"; });
  for (const std::string& name : ordered) {
    const Format* format = std::ranges::find_if(formats, [&](const Format& f) { return f.name == name; });
    if (format == std::end(formats)) {
      std::string known;
      for (const Format& f : formats) known += fmt::format("{}{}", known.empty() ? "" : ", ", f.name);
      fail_input(code::scene_value, "output.formats: found \"{}\", expected one of: {}", name, known);
    }
    sinks.push_back(format->make(settings, system));
  }
  return sinks;
}

void check_frame_folders(const std::string& run_folder) {
  for (const Format& format : formats) {
    const std::string folder = run_folder + "/" + format.folder;
    std::error_code error;
    if (!fs::is_directory(folder, error) || ::access(folder.c_str(), W_OK | X_OK) == 0) continue;
    fail_input(code::output_write,
               "{}: expected a folder to write to, but {} is not writable: {}; choose another with -o", run_folder,
               folder, std::strerror(errno));
  }
}

void remove_frames(const std::string& run_folder) {
  for (const Format& format : formats) format.remove(run_folder);
}

void remove_leftovers(const std::string& folder) {
  if (!fs::is_directory(folder)) return;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (is_leftover(entry.path().filename().string())) remove_file(entry.path().string());
  }
}

void remove_file(const std::string& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) throw SimulationError(code::output_write, fmt::format("{}: cannot remove: {}", path, error.message()));
}

void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directory(folder, error);  // not those above: a run's folder that was taken away must not come back
  if (error)
    throw SimulationError(code::output_write, fmt::format("{}: cannot create the folder: {}", folder, error.message()));
}

}  // namespace sinew
