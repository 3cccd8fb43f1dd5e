#include "sinew/formats/vertex_cache.h"

#include <bit>
#include <cmath>
#include <filesystem>

#include "sinew/core/input_file.h"
#include "sinew/formats/byte_reader.h"

namespace sinew {
namespace {

constexpr std::string_view pc2_magic("POINTCACHE2\0", 12);

// The samples that follow, vertices x 3 numbers each.
void read_samples(ByteReader& in, std::size_t samples, std::size_t vertices, VertexCache& cache) {
  for (std::size_t s = 0; s < samples; ++s) {
    Points& places = cache.places.emplace_back(3, static_cast<Index>(vertices));
    for (double& number : places.reshaped()) {
      number = in.raw<float>("the positions");
      if (!std::isfinite(number)) in.fail("found a position that is not finite in sample {}; export it again", s);
    }
  }
}

void check_time(ByteReader& in, const VertexCache& cache) {
  const std::size_t last = cache.times.size() - 1;
  if (!std::isfinite(cache.times[last])) in.fail("found a time that is not finite; export it again");
  if (last > 0 && !(cache.times[last] > cache.times[last - 1]))
    in.fail("found time {} after {}, expected times that ascend", cache.times[last], cache.times[last - 1]);
}

}  // namespace

// "POINTCACHE2\0", int32 version, int32 vertices, float32 first frame, float32 frames between samples, int32 samples;
// little-endian.
VertexCache parse_pc2(const std::string& bytes, const std::string& source) {
  ByteReader in(source, bytes);
  in.set_binary(true);
  in.set_swapped(std::endian::native == std::endian::big);
  if (!bytes.starts_with(pc2_magic)) in.fail("expected a point cache, which begins with POINTCACHE2; export it again");
  in.seek(pc2_magic.size());
  const auto version = in.raw<std::int32_t>("the version");
  if (version != 1) in.fail("found version {}, expected 1; export it again", version);
  const auto vertices = in.raw<std::int32_t>("the number of vertices");
  if (vertices < 1) in.fail("found {} vertices, expected 1 or more", vertices);
  const double first = in.raw<float>("the first frame"), rate = in.raw<float>("the frames between samples");
  if (!std::isfinite(first)) in.fail("found a first frame that is not finite; export it again");
  if (!(rate > 0) || !std::isfinite(rate))
    in.fail("found {} frames between samples, expected a number above 0; export it again", rate);
  const auto samples = in.checked_count(in.raw<std::int32_t>("the number of samples"),
                                        12 * static_cast<std::size_t>(vertices), "samples");
  VertexCache cache;
  cache.in_frames = true;
  for (std::size_t s = 0; s < samples; ++s) {
    cache.times.push_back(first + static_cast<double>(s) * rate);
    check_time(in, cache);
  }
  read_samples(in, samples, static_cast<std::size_t>(vertices), cache);
  return cache;
}

// int32 samples, int32 vertices, a float32 time [s] for each sample; big-endian.
VertexCache parse_mdd(const std::string& bytes, const std::string& source) {
  ByteReader in(source, bytes);
  in.set_binary(true);
  in.set_swapped(std::endian::native == std::endian::little);
  const std::int64_t count = in.raw<std::int32_t>("the number of samples");
  const auto vertices = in.raw<std::int32_t>("the number of vertices");
  if (vertices < 1) in.fail("found {} vertices, expected 1 or more; is this an .mdd file?", vertices);
  const auto samples = in.checked_count(count, 4 + 12 * static_cast<std::size_t>(vertices), "samples");
  VertexCache cache;
  for (std::size_t s = 0; s < samples; ++s) {
    cache.times.push_back(in.raw<float>("the times"));
    check_time(in, cache);
  }
  read_samples(in, samples, static_cast<std::size_t>(vertices), cache);
  return cache;
}

VertexCache read_vertex_cache(const std::string& path) {
  const std::string kind = lower_case(std::filesystem::path(path).extension().string());
  if (kind != ".pc2" && kind != ".mdd")
    fail_input(code::file_format, "{}: found the ending \"{}\", expected a vertex cache: .pc2 or .mdd", path, kind);
  const std::string bytes = read_whole_file(path, "the vertex cache");
  return kind == ".pc2" ? parse_pc2(bytes, path) : parse_mdd(bytes, path);
}

}  // namespace sinew
