// The steps of a sound that a run left behind, and the sound made of them.
#include "sinew/io/sound_log.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "small_scene.h"
#include "targets.h"

#include "sinew/io/modal_source.h"
#include "sinew/scene/scene.h"

namespace sinew::fuzz {
namespace {

constexpr double longest = 0.02;  // [s] of sound
constexpr std::size_t head_size = 24;

// The bodies of small_scene() with three modes each, stiff enough to be heard, and what stands before their steps.
struct Heard {
  std::shared_ptr<const System> system;
  std::unique_ptr<ModalSource> source;
  std::string head;

  Heard() {
    nlohmann::json json = small_scene();
    json["materials"]["rubber"]["young"] = 1e9;
    Scene scene = parse_scene(json, scratch_folder(), "scene.json");
    system = build_system(scene);
    SoundSettings settings;
    settings.modes = 3;
    source = std::make_unique<ModalSource>(settings, *system);
    const std::string path = file_with("head.bin", "");
    std::filesystem::remove(path);
    SoundLog log(path, *source);
    SoundRecord record;
    for (std::size_t b = 0; b < source->body_count(); ++b) {
      record.frames.emplace_back();
      record.signals.push_back(VecX::Zero(source->width(b)));
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
    SoundLog log(path, *heard.source);
    log.truncate(kept);
    const std::vector<SoundHistory> histories = log.read();
    if (histories.front().times.empty()) return;
    const SoundSettings settings;
    const Listener listener = make_listener(settings, *heard.system);
    StereoSound sound = silence(histories, listener, settings.tail, longest);
    for (std::size_t b = 0; b < heard.source->body_count(); ++b) heard.source->add(b, histories[b], listener, sound);
  });
}

}  // namespace sinew::fuzz
