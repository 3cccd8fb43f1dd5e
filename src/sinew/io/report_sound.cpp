#include "sinew/io/report_sound.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "sinew/core/input_file.h"
#include "sinew/io/frame_sink.h"
#include "sinew/io/report_encoding.h"
#include "sinew/io/wav_file.h"

namespace sinew {
namespace {

constexpr std::size_t ears = 2;
constexpr double levels = 32767;  // of 16 bits with a sign

}  // namespace

void write_report_sound(const std::string& folder, const ReportStore& store) {
  const std::string path = folder + "/sound.wav";
  if (!std::filesystem::exists(path)) {
    remove_file(store.blob_path(report_sound_name));
    return;
  }
  const StereoSamples sound = read_wav(path);
  const auto most = static_cast<std::size_t>(longest_page_sound * sound.rate);
  const std::size_t frames = std::min(sound.values.size() / ears, most);
  float peak = 0;
  for (std::size_t k = 0; k < ears * frames; ++k) peak = std::max(peak, std::abs(sound.values[k]));
  // The low bytes of all samples, then the high bytes, as in sequences (report_format.h): they compress better.
  std::string bytes(2 * ears * frames, '\0');
  for (std::size_t k = 0; k < ears * frames; ++k) {
    const double level = peak > 0 ? std::round(levels * sound.values[k] / peak) : 0;
    const auto bits = static_cast<std::uint16_t>(static_cast<std::int16_t>(level));
    bytes[k] = static_cast<char>(bits & 0xff);
    bytes[ears * frames + k] = static_cast<char>(bits >> 8);
  }
  store.write_blob(report_sound_name, {{"rate", sound.rate}, {"frames", frames}, {"peak", peak}},
                   deflate_base64(bytes));
}

}  // namespace sinew
