#include "sinew/io/wav_file.h"

#include <bit>
#include <cstdint>
#include <cstring>

#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/input_file.h"

namespace sinew {
namespace {

static_assert(std::endian::native == std::endian::little, "WAV files are little-endian");

constexpr int channels = 2, sample_bytes = 4, float_samples = 3;

template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
T get(const std::string& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

}  // namespace

// RIFF/WAVE: chunk "fmt " says how samples are stored, "fact" how many there are of a channel (as WAV files of floats
// must), "data" holds them, left and right in turn.
void write_wav(const std::string& path, std::span<const float> left, std::span<const float> right, int sample_rate) {
  const auto frames = static_cast<std::uint32_t>(left.size());
  const std::uint32_t data_bytes = frames * channels * sample_bytes;
  constexpr std::uint32_t format_bytes = 16, fact_bytes = 4, chunk_header = 8;
  std::string bytes = "RIFF";
  bytes.reserve(data_bytes + 64);
  put<std::uint32_t>(bytes, 4 + 3 * chunk_header + format_bytes + fact_bytes + data_bytes);
  bytes += "WAVEfmt ";
  put<std::uint32_t>(bytes, format_bytes);
  put<std::uint16_t>(bytes, float_samples);
  put<std::uint16_t>(bytes, channels);
  put<std::uint32_t>(bytes, static_cast<std::uint32_t>(sample_rate));
  put<std::uint32_t>(bytes, static_cast<std::uint32_t>(sample_rate) * channels * sample_bytes);
  put<std::uint16_t>(bytes, channels * sample_bytes);
  put<std::uint16_t>(bytes, 8 * sample_bytes);
  bytes += "fact";
  put<std::uint32_t>(bytes, fact_bytes);
  put<std::uint32_t>(bytes, frames);
  bytes += "data";
  put<std::uint32_t>(bytes, data_bytes);
  for (std::size_t k = 0; k < left.size(); ++k) {
    put(bytes, left[k]);
    put(bytes, right[k]);
  }
  write_file_atomically(path, bytes);
}

StereoSamples read_wav(const std::string& path) {
  const std::string bytes = read_whole_file(path, "the sound of the run");
  constexpr std::size_t rate_at = 24, bits_at = 34, samples_at = 56;
  const bool known = bytes.size() >= samples_at && bytes.starts_with("RIFF") && bytes.substr(48, 4) == "data" &&
                     get<std::uint16_t>(bytes, 20) == float_samples && get<std::uint16_t>(bytes, 22) == channels &&
                     get<std::uint16_t>(bytes, bits_at) == 8 * sample_bytes &&
                     get<std::uint32_t>(bytes, samples_at - 4) == bytes.size() - samples_at;
  if (!known)
    fail_input(code::run_folder, "{}: found another file than the sound of a run; run the scene again, or remove it",
               path);
  StereoSamples sound;
  sound.rate = static_cast<int>(get<std::uint32_t>(bytes, rate_at));
  sound.values.resize((bytes.size() - samples_at) / sample_bytes);
  std::memcpy(sound.values.data(), bytes.data() + samples_at, sound.values.size() * sample_bytes);
  return sound;
}

}  // namespace sinew
