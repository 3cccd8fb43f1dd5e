#include "sinew/io/report_encoding.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <zlib.h>

#include "sinew/core/base64.h"
#include "sinew/core/error.h"
#include "sinew/io/report_format.h"

namespace sinew {
namespace {

constexpr int compression_level = 4;  // 6 takes twice as long for a hundredth of the size

void append_bytes(std::string& out, std::uint64_t word, int bytes) {
  for (int k = 0; k < bytes; ++k) out += static_cast<char>(word >> (8 * k) & 0xff);
}

}  // namespace

ValueRange range_of(std::span<const double> values) {
  ValueRange range;
  bool any = false;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    range.low = any ? std::min(range.low, value) : value;
    range.high = any ? std::max(range.high, value) : value;
    any = true;
  }
  return range;
}

void widen(ValueRange& range, const ValueRange& other) {
  range.low = std::min(range.low, other.low);
  range.high = std::max(range.high, other.high);
}

void ReportEncoder::number(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  append_bytes(head_, bits, 8);
}

void ReportEncoder::range(const ValueRange& range) {
  number(range.low);
  number(range.high);
}

void ReportEncoder::sequence(std::span<const double> values, const ValueRange& range, std::uint16_t levels) {
  const double scale = range.high > range.low ? levels / (range.high - range.low) : 0;
  std::uint16_t last = 0;
  for (const double value : values) {
    const double level = std::clamp((value - range.low) * scale, 0.0, static_cast<double>(levels));
    const auto rounded = static_cast<std::uint16_t>(level >= 0 ? level + 0.5 : 0.0);  // NaN: 0
    differences_.push_back(static_cast<std::uint16_t>(rounded - last));
    last = rounded;
  }
}

std::array<ValueRange, 3> ReportEncoder::box(const Points& points) {
  std::array<ValueRange, 3> box{};
  if (points.cols() == 0) return box;
  for (int axis = 0; axis < 3; ++axis) {
    const VecX values = points.row(axis).transpose();
    box[axis] = range_of({values.data(), static_cast<std::size_t>(values.size())});
  }
  return box;
}

void ReportEncoder::box(const std::array<ValueRange, 3>& box) {
  for (const ValueRange& axis : box) number(axis.low);
  for (const ValueRange& axis : box) number(axis.high);
}

void ReportEncoder::points(const Points& points, const std::array<ValueRange, 3>& box) {
  if (points.cols() == 0) return;
  for (int axis = 0; axis < 3; ++axis) {
    const VecX values = points.row(axis).transpose();
    sequence({values.data(), static_cast<std::size_t>(values.size())}, box[axis], position_levels);
  }
}

void ReportEncoder::integers(std::span<const Index> values, bool plain) {
  std::vector<std::uint32_t> coded;
  std::int64_t last = 0;
  for (const Index value : values) {
    const std::int64_t difference = value - last;
    coded.push_back(static_cast<std::uint32_t>(difference << 1 ^ difference >> 63));
    if (!plain) last = value;
  }
  for (int plane = 0; plane < 4; ++plane) {
    for (const std::uint32_t word : coded) tail_ += static_cast<char>(word >> (8 * plane) & 0xff);
  }
}

void ReportEncoder::residuals(std::span<const std::int16_t> values) {
  for (const std::int16_t value : values) differences_.push_back(static_cast<std::uint16_t>(value * 2 ^ value >> 15));
}

std::string ReportEncoder::finish() const {
  std::string bytes = head_;
  bytes.reserve(head_.size() + 2 * differences_.size() + tail_.size());
  for (const std::uint16_t word : differences_) bytes += static_cast<char>(word & 0xff);
  for (const std::uint16_t word : differences_) bytes += static_cast<char>(word >> 8);
  return deflate_base64(bytes + tail_);
}

std::string deflate_base64(std::string_view bytes) {
  std::string packed(compressBound(bytes.size()), '\0');
  uLongf size = packed.size();
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                bytes.size(), compression_level) != Z_OK) {
    throw SimulationError(code::output_write, "zlib could not compress the data of the report");
  }
  packed.resize(size);
  return base64_encode(packed);
}

}  // namespace sinew
