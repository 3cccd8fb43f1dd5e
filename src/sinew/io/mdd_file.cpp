#include "sinew/io/mdd_file.h"

#include <cstdint>
#include <cstring>

#include "sinew/core/atomic_stream.h"

namespace sinew {
namespace {

void append_big_endian(std::string& out, const void* word) {
  std::uint32_t bits;
  std::memcpy(&bits, word, sizeof bits);
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>(bits >> shift & 255u));
}

}  // namespace

void write_mdd(const std::string& path, Index vertices, const std::vector<double>& times,
               const std::function<Eigen::Matrix3Xf(std::size_t)>& frame) {
  AtomicStream out(path);
  std::string bytes;
  for (const std::int32_t count : {static_cast<std::int32_t>(times.size()), static_cast<std::int32_t>(vertices)})
    append_big_endian(bytes, &count);
  for (const double time : times) {
    const auto value = static_cast<float>(time);
    append_big_endian(bytes, &value);
  }
  out.write(bytes);
  for (std::size_t k = 0; k < times.size(); ++k) {
    const Eigen::Matrix3Xf x = frame(k);
    bytes.clear();
    for (const float value : x.reshaped()) append_big_endian(bytes, &value);
    out.write(bytes);
  }
  out.commit();
}

}  // namespace sinew
