#include "sinew/io/wav_file.h"

#include <algorithm>
#include <cstring>

#include <sndfile.h>

#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr std::size_t block_frames = 4096;

// A file in memory, as libsndfile sees it.
struct MemoryFile {
  std::string bytes;
  std::size_t at = 0;

  static MemoryFile& of(void* data) { return *static_cast<MemoryFile*>(data); }
  static sf_count_t length(void* data) { return static_cast<sf_count_t>(of(data).bytes.size()); }
  static sf_count_t seek(sf_count_t offset, int whence, void* data) {
    MemoryFile& file = of(data);
    const sf_count_t base = whence == SEEK_SET   ? 0
                            : whence == SEEK_CUR ? static_cast<sf_count_t>(file.at)
                                                 : static_cast<sf_count_t>(file.bytes.size());
    file.at = static_cast<std::size_t>(std::max<sf_count_t>(0, base + offset));
    return static_cast<sf_count_t>(file.at);
  }
  static sf_count_t read(void* target, sf_count_t count, void* data) {
    MemoryFile& file = of(data);
    const std::size_t left = file.bytes.size() - std::min(file.at, file.bytes.size());
    const std::size_t size = std::min(left, static_cast<std::size_t>(count));
    std::memcpy(target, file.bytes.data() + file.at, size);
    file.at += size;
    return static_cast<sf_count_t>(size);
  }
  static sf_count_t write(const void* source, sf_count_t count, void* data) {
    MemoryFile& file = of(data);
    const auto size = static_cast<std::size_t>(count);
    if (file.bytes.size() < file.at + size) file.bytes.resize(file.at + size);
    std::memcpy(file.bytes.data() + file.at, source, size);
    file.at += size;
    return count;
  }
  static sf_count_t tell(void* data) { return static_cast<sf_count_t>(of(data).at); }
};

}  // namespace

void write_wav(const std::string& path, std::span<const float> left, std::span<const float> right, int sample_rate) {
  MemoryFile memory;
  SF_VIRTUAL_IO io{MemoryFile::length, MemoryFile::seek, MemoryFile::read, MemoryFile::write, MemoryFile::tell};
  SF_INFO info{};
  info.samplerate = sample_rate;
  info.channels = 2;
  info.format = SF_FORMAT_WAV | SF_FORMAT_FLOAT;
  SNDFILE* file = sf_open_virtual(&io, SFM_WRITE, &info, &memory);
  if (!file) throw SimulationError(fmt::format("{}: cannot write: {}", path, sf_strerror(nullptr)));
  sf_command(file, SFC_SET_ADD_PEAK_CHUNK, nullptr, SF_FALSE);  // it holds the time of day
  std::vector<float> block;
  sf_count_t written = 0;
  for (std::size_t begin = 0; begin < left.size(); begin += block_frames) {
    const std::size_t end = std::min(left.size(), begin + block_frames);
    block.clear();
    for (std::size_t k = begin; k < end; ++k) {
      block.push_back(left[k]);
      block.push_back(right[k]);
    }
    written += sf_writef_float(file, block.data(), static_cast<sf_count_t>(end - begin));
  }
  const int closed = sf_close(file);
  if (closed != 0 || written != static_cast<sf_count_t>(left.size()))
    throw SimulationError(fmt::format("{}: cannot write: {}", path, sf_error_number(closed)));
  write_file_atomically(path, memory.bytes);
}

}  // namespace sinew
