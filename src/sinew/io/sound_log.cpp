#include "sinew/io/sound_log.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/io/sound_source.h"

namespace sinew {
namespace {

static_assert(std::endian::native == std::endian::little);

struct SoundHead {
  char magic[8] = {'s', 'i', 'n', 'e', 'w', 'S', 'N', 'D'};
  std::int64_t width = 0;
  std::uint64_t hash = 0;
};
static_assert(sizeof(SoundHead) == 24);

constexpr Index frame_width = 12;
constexpr double largest = 1e100;  // whose square is a number

[[noreturn]] void fail_to(const char* what, const std::string& path) {
  throw SimulationError(code::output_write, fmt::format("{}: cannot {}: {}", path, what, std::strerror(errno)));
}

}  // namespace

SoundLog::SoundLog(std::string path, const SoundSource& source) : path_(std::move(path)), hash_(source.hash()) {
  for (std::size_t b = 0; b < source.body_count(); ++b) {
    widths_.push_back(source.width(b));
    width_ += frame_width + widths_.back();
  }
}

std::int64_t SoundLog::bytes(int records) const {
  return static_cast<std::int64_t>(sizeof(SoundHead)) + width_ * records * static_cast<std::int64_t>(sizeof(double));
}

int SoundLog::records() const {
  std::ifstream file(path_, std::ios::binary | std::ios::ate);
  if (!file.is_open()) return 0;
  const std::int64_t size = file.tellg();
  SoundHead head;
  const SoundHead expected;
  file.seekg(0);
  if (!file.read(reinterpret_cast<char*>(&head), sizeof head) ||
      std::memcmp(head.magic, expected.magic, sizeof head.magic) != 0) {
    fail_input(
        code::resume_output,
        "{}: expected the sound data of a run, found another file; start again in another folder or with --overwrite",
        path_);
  }
  if (head.width != width_ || head.hash != hash_) {
    fail_input(
        code::resume_output,
        "{}: found sound data of another source or of other modes; continue with the output.sound of the run, or "
        "without \"wav\" in output.formats, or start again with --overwrite",
        path_);
  }
  return static_cast<int>((size - bytes(0)) / (bytes(1) - bytes(0)));
}

void SoundLog::append(const SoundRecord& record) {
  std::vector<double> values{record.time};
  values.reserve(static_cast<std::size_t>(width_));
  for (std::size_t b = 0; b < widths_.size(); ++b) {
    const BodyFrame& frame = record.frames[b];
    values.insert(values.end(), frame.center.begin(), frame.center.end());
    values.insert(values.end(), frame.rotation.data(), frame.rotation.data() + 9);
    values.insert(values.end(), record.signals[b].begin(), record.signals[b].end());
  }
  if (records_ < 0) records_ = records();
  if (records_ == 0) {
    SoundHead head;
    head.width = width_;
    head.hash = hash_;
    write_file_atomically(path_, std::string_view(reinterpret_cast<const char*>(&head), sizeof head));
  }
  // Over what a record that was cut short has left.
  std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(bytes(records_));
  file.write(reinterpret_cast<const char*>(values.data()), bytes(1) - bytes(0));
  file.close();
  if (!file) fail_to("write", path_);
  ++records_;
}

void SoundLog::truncate(int count) {
  if (!std::filesystem::exists(path_)) return;
  records_ = std::min(records(), count);
  std::error_code error;
  std::filesystem::resize_file(path_, static_cast<std::uintmax_t>(bytes(records_)), error);
  if (error) throw SimulationError(code::output_write, fmt::format("{}: cannot write: {}", path_, error.message()));
}

std::vector<SoundHistory> SoundLog::read() const {
  const int count = records();
  std::vector<SoundHistory> histories(widths_.size());
  for (std::size_t b = 0; b < histories.size(); ++b) histories[b].signals.resize(widths_[b], count);
  std::ifstream file(path_, std::ios::binary);
  file.seekg(bytes(0));
  std::vector<double> values(static_cast<std::size_t>(width_));
  for (int n = 0; n < count; ++n) {
    if (!file.read(reinterpret_cast<char*>(values.data()), bytes(1) - bytes(0))) fail_to("read", path_);
    const bool follows = n == 0 || values[0] > histories.front().times.back();
    if (!follows || !std::ranges::all_of(values, [](double value) { return std::abs(value) < largest; }))
      fail_input(code::resume_output,
                 "{}: record {} of {} is damaged: {}; continue without \"wav\" in output.formats, or start again with "
                 "--overwrite",
                 path_, n, count,
                 follows ? "a number is out of range" : "its time is not after the time of the record before");
    const double* at = values.data() + 1;
    for (std::size_t b = 0; b < histories.size(); ++b) {
      BodyFrame frame;
      frame.center = Eigen::Map<const Vec3>(at);
      frame.rotation = Eigen::Map<const Mat3>(at + 3);
      histories[b].times.push_back(values[0]);
      histories[b].frames.push_back(frame);
      histories[b].signals.col(n) = Eigen::Map<const VecX>(at + frame_width, widths_[b]);
      at += frame_width + widths_[b];
    }
  }
  return histories;
}

}  // namespace sinew
