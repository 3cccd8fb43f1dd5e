// Vertex caches: what is read, and what is refused.
#include "sinew/formats/vertex_cache.h"

#include <bit>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"

namespace sinew::vertex_cache_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <class T>
void append(std::string& bytes, T value, bool big_endian) {
  auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if (big_endian == (std::endian::native == std::endian::little)) std::ranges::reverse(raw);
  bytes.append(raw.data(), raw.size());
}

std::string pc2(int vertices, float first, float rate, int samples, const std::vector<float>& numbers) {
  std::string bytes("POINTCACHE2\0", 12);
  append(bytes, std::int32_t{1}, false);
  append(bytes, std::int32_t{vertices}, false);
  append(bytes, first, false);
  append(bytes, rate, false);
  append(bytes, std::int32_t{samples}, false);
  for (const float number : numbers) append(bytes, number, false);
  return bytes;
}

std::string mdd(int samples, int vertices, const std::vector<float>& numbers) {
  std::string bytes;
  append(bytes, std::int32_t{samples}, true);
  append(bytes, std::int32_t{vertices}, true);
  for (const float number : numbers) append(bytes, number, true);
  return bytes;
}

const std::vector<float> two_samples = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

TEST(VertexCache, PointCachesHaveFrames) {
  const VertexCache cache = parse_pc2(pc2(2, 3, 0.5f, 2, two_samples), "a.pc2");
  EXPECT_TRUE(cache.in_frames);
  EXPECT_THAT(cache.times, ElementsAre(3, 3.5));
  ASSERT_EQ(cache.places.size(), 2u);
  EXPECT_EQ(cache.places[0], (Points{{0, 3}, {1, 4}, {2, 5}}));
  EXPECT_EQ(cache.places[1], (Points{{6, 9}, {7, 10}, {8, 11}}));
}

TEST(VertexCache, MddFilesHaveTimes) {
  std::vector<float> numbers = {0.5f, 0.75f};
  numbers.insert(numbers.end(), two_samples.begin(), two_samples.end());
  const VertexCache cache = parse_mdd(mdd(2, 2, numbers), "a.mdd");
  EXPECT_FALSE(cache.in_frames);
  EXPECT_THAT(cache.times, ElementsAre(0.5, 0.75));
  EXPECT_EQ(cache.places[1], (Points{{6, 9}, {7, 10}, {8, 11}}));
}

template <class Parse>
std::string error_of(Parse parse, const std::string& bytes) {
  try {
    parse(bytes, "a");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(VertexCache, DamagedFilesAreRefused) {
  EXPECT_THAT(error_of(parse_pc2, "POINTCACHE1"), HasSubstr("begins with POINTCACHE2"));
  EXPECT_THAT(error_of(parse_pc2, std::string("POINTCACHE2\0", 12)), HasSubstr("the file ends inside the version"));
  EXPECT_THAT(error_of(parse_pc2, pc2(0, 0, 1, 0, {})), HasSubstr("found 0 vertices"));
  EXPECT_THAT(error_of(parse_pc2, pc2(2, 0, 0, 2, two_samples)), HasSubstr("found 0 frames between samples"));
  EXPECT_THAT(error_of(parse_pc2, pc2(2, 0, 1, 3, two_samples)), HasSubstr("found a count of 3 samples"));
  std::vector<float> numbers = two_samples;
  numbers[7] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(error_of(parse_pc2, pc2(2, 0, 1, 2, numbers)), HasSubstr("not finite in sample 1"));
  EXPECT_THAT(error_of(parse_mdd, mdd(-1, 2, {})), HasSubstr("found a count of -1 samples"));
  EXPECT_THAT(error_of(parse_mdd, mdd(2000000000, 2000000000, {})), HasSubstr("only 0 bytes are left"));
  numbers.assign({0.5f, 0.5f});
  numbers.insert(numbers.end(), two_samples.begin(), two_samples.end());
  EXPECT_THAT(error_of(parse_mdd, mdd(2, 2, numbers)), HasSubstr("expected times that ascend"));
  EXPECT_THAT([] { read_vertex_cache("walk.abc"); }, testing::ThrowsMessage<InputError>(HasSubstr(".pc2 or .mdd")));
}

}  // namespace
}  // namespace sinew::vertex_cache_test
