// The steps of a sound that a run left behind, and the sound made of them.
#include "sinew/io/sound_log.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "small_scene.h"
#include "targets.h"

#include "sinew/scene/scene.h"

namespace sinew::fuzz {
namespace {

constexpr double longest = 0.02;  // [s] of sound
constexpr std::size_t head_size = 24;

// The bodies of small_scene() with three modes each, stiff enough to be heard, and what stands before their steps.
struct Heard {
  std::shared_ptr<const System> system;
  std::vector<ModalBody> bodies;
  std::string head;

  Heard() {
    nlohmann::json json = small_scene();
    json["materials"]["rubber"]["young"] = 1e9;
    Scene scene = parse_scene(json, scratch_folder(), "scene.json");
    system = build_system(scene);
    SoundSettings settings;
    settings.modes = 3;
    bodies = modal_bodies(*system, std::vector<char>(3 * static_cast<std::size_t>(system->dynamic_count), 0), settings);
    const std::string path = file_with("head.bin", "");
    std::filesystem::remove(path);
    SoundLog log(path, bodies);
    SoundRecord record;
    for (const ModalBody& body : bodies) {
      record.frames.emplace_back();
      record.forces.push_back(VecX::Zero(body.mode_count()));
    }
    log.append(record);
    std::ifstream file(path, std::ios::binary);
    head.assign(std::istreambuf_iterator<char>(file), {});
    head.resize(head_size);
  }
};

}  // namespace

// The first byte says whether the head is put right; the last one how many records are kept before they are read.
void sound_log(std::string_view input) {
  static const Heard heard;
  const bool headed = take_byte(input) % 2 == 1;
  const int kept = input.empty() ? 0 : static_cast<unsigned char>(input.back()) % 16;
  const std::string path = file_with("steps.bin", headed ? heard.head + std::string(input) : std::string(input));
  allow_input_error([&] {
    SoundLog log(path, heard.bodies);
    log.truncate(kept);
    const std::vector<SoundHistory> histories = log.read();
    if (histories.front().times.empty()) return;
    const SoundSettings settings;
    const Listener listener = make_listener(settings, *heard.system);
    StereoSound sound = silence(histories, listener, settings.tail, longest);
    for (std::size_t b = 0; b < heard.bodies.size(); ++b)
      add_sound(heard.bodies[b], histories[b], listener, settings.impact_time, sound);
  });
}

}  // namespace sinew::fuzz
