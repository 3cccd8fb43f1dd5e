#include "sinew/io/wav_frames.h"

#include <algorithm>
#include <filesystem>

#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/io/wav_file.h"

namespace sinew {
namespace {

constexpr const char* wav_name = "/sound.wav";
constexpr const char* steps_name = "/steps.bin";
constexpr double automatic_peak = 0.891;   // of full scale: -1 dB
constexpr double quietest_at_peak = 1e-3;  // [Pa], 34 dB SPL: what is less stays as much less
constexpr double longest_sound = 600;      // [s]

std::vector<float> scaled(const std::vector<double>& pressure, double gain) {
  std::vector<float> samples(pressure.size());
  std::ranges::transform(pressure, samples.begin(), [&](double p) { return static_cast<float>(gain * p); });
  return samples;
}

}  // namespace

WavFrames::WavFrames(const SinkSettings& settings, const System& system)
    : folder_(settings.folder + "/" + folder_name),
      path_(settings.folder + wav_name),
      settings_(settings.sound),
      listener_(make_listener(settings.sound, system)),
      source_(make_sound_source(settings.sound, system)),
      log_(folder_ + steps_name, *source_) {
  for (std::size_t b = 0; b < source_->body_count(); ++b) names_.push_back(system.bodies[source_->body(b)].name);
}

void WavFrames::check_resume(int step) const {
  const int found = log_.records();
  if (found > step) return;
  fail_input(code::resume_output,
             "{}: expected at least {} records, of the steps up to {}, found {}; continue without \"wav\" in "
             "output.formats, or start again with --overwrite",
             log_.path(), step + 1, step, found);
}

void WavFrames::keep_until(int step, const std::map<int, double>& /*times*/) {
  log_.truncate(step + 1);
  log_.read();  // so that a damaged record ends the run before it starts
}

void WavFrames::resume(Frame& frame) {
  source_->resume(log_.read(), frame);
}

void WavFrames::observe(Frame& frame) {
  make_folder(folder_);
  log_.append(source_->record(frame));
}

void WavFrames::finish(const RunRecord& /*record*/) {
  const std::vector<SoundHistory> histories = log_.read();
  if (histories.front().times.empty()) return;
  const double duration = histories.front().times.back() - histories.front().times.front();
  StereoSound sound = silence(histories, listener_, source_->tail(), longest_sound + source_->tail());
  if (duration > longest_sound)
    log::warning("{}: the run lasts {:.4g} s; the sound contains the first {:g} s", path_, duration, longest_sound);
  tell_far_bodies(histories, sound);
  for (std::size_t b = 0; b < source_->body_count(); ++b) source_->add(b, histories[b], listener_, sound);
  const double peak = sound.peak();
  const double gain = settings_.gain > 0 ? settings_.gain : automatic_peak / std::max(peak, quietest_at_peak);
  log::info("sound: the peak is {:.3g} Pa, {:.3g} of full scale", peak, gain * peak);
  write_wav(path_, scaled(sound.pressure[0], gain), scaled(sound.pressure[1], gain), static_cast<int>(sample_rate));
}

// A listener at a place of other units, for instance, would hear silence first, or only silence.
void WavFrames::tell_far_bodies(const std::vector<SoundHistory>& histories, const StereoSound& sound) const {
  const auto distance = [&](const SoundHistory& history) {
    return (history.frames.back().center - listener_.head).norm();
  };
  if (sound.lead > 0) {
    log::warning(
        "output.sound.listener: the nearest body is {:.3g} m away, and its sound takes {:.3g} s to arrive; {} leaves "
        "out that silence. Move the listener nearer, or use \"auto\"",
        sound.lead * speed_of_sound, sound.lead, path_);
  }
  for (std::size_t b = 0; b < histories.size(); ++b) {
    const double late = distance(histories[b]) / speed_of_sound - sound.lead;
    if (late <= longest_delay) continue;
    log::warning(
        "{}: body '{}' ends {:.3g} m away from the listener; sound that arrives more than {:g} s late is left out",
        path_, names_[b], distance(histories[b]), longest_delay);
  }
}

void WavFrames::remove_all(const std::string& run_folder) {
  const std::string folder = run_folder + "/" + folder_name;
  remove_file(run_folder + wav_name);
  remove_leftovers(folder);
  remove_file(folder + steps_name);
  std::error_code ignored;
  std::filesystem::remove(folder, ignored);  // if nothing else is in it
}

}  // namespace sinew
