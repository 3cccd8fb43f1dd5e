#include "sinew/core/archive.h"

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

class Archive : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("sinew-archive-test-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    path_ = (folder_ / "blob.h5").string();
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write_sample(double value = 1.5) const {
    ArchiveWriter writer(path_, "checkpoint");
    writer.write("x", Points(Points::Random(3, 200)));
    writer.write("stepper/a/b", value);
    writer.write("text", std::string("scene"));
    writer.commit();
  }
  std::string slurp() const {
    std::ifstream stream(path_, std::ios::binary);
    std::ostringstream out;
    out << stream.rdbuf();
    return out.str();
  }
  void spill(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

  // The message of the InputError that opening as `kind` raises; empty when it opens.
  std::string refusal(const std::string& kind = "checkpoint") const {
    try {
      ArchiveReader reader(path_, kind);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
  std::string path_;
};

TEST_F(Archive, RoundTripKeepsEveryBit) {
  const std::vector<double> doubles{0.0, -0.0, 1.0 / 3, std::numeric_limits<double>::denorm_min(),
                                    std::numeric_limits<double>::infinity()};
  const std::vector<std::int64_t> longs{std::numeric_limits<std::int64_t>::min(), -1, 1L << 62};
  const std::vector<std::int32_t> ints{-5, 7};
  const Points points = Points::Random(3, 17);
  {
    ArchiveWriter writer(path_, "cache");
    writer.write("d", std::span(doubles));
    writer.write("group/l", std::span(longs));
    writer.write("group/deep/i", std::span(ints));
    writer.write("p", points);
    writer.write("none", Points(3, 0));
    writer.write("empty text", std::string());
    writer.write("text", std::string("a\0b\nc", 5));
    writer.write("one", 0.1);
    writer.write("count", std::int64_t{3});
    writer.commit();
  }
  const ArchiveReader reader(path_, "cache");
  const auto read = reader.doubles("d");
  ASSERT_EQ(read.size(), doubles.size());
  EXPECT_EQ(std::memcmp(read.data(), doubles.data(), doubles.size() * sizeof(double)), 0);
  EXPECT_EQ(reader.integers("group/l"), longs);
  EXPECT_EQ(reader.integers32("group/deep/i"), ints);
  EXPECT_EQ(reader.points("p"), points);
  EXPECT_EQ(reader.points("none").cols(), 0);
  EXPECT_EQ(reader.text("empty text"), "");
  EXPECT_EQ(reader.text("text"), std::string("a\0b\nc", 5));
  EXPECT_EQ(reader.scalar("one"), 0.1);
  EXPECT_EQ(reader.integer("count"), 3);
  EXPECT_TRUE(reader.has("group/deep/i"));
  EXPECT_FALSE(reader.has("group/shallow/i"));
  EXPECT_FALSE(reader.has("nothing"));
}

TEST_F(Archive, EqualContentsGiveEqualFiles) {
  write_sample();
  std::srand(1);
  const Points points = Points::Random(3, 50);
  const auto make = [&] {
    ArchiveWriter writer(path_, "checkpoint");
    writer.write("x", points);
    writer.commit();
    return slurp();
  };
  const std::string first = make();
  ::sleep(1);  // a stored time stamp would differ
  EXPECT_EQ(first, make());
}

TEST_F(Archive, BytesInMemoryAreThoseOfTheFile) {
  ArchiveWriter writer(path_, "checkpoint");
  writer.write("one", 0.1);
  const std::string bytes = writer.bytes();
  EXPECT_FALSE(fs::exists(path_));
  EXPECT_EQ(ArchiveReader::from_bytes(bytes, "checkpoint", "here").scalar("one"), 0.1);
  writer.commit();
  EXPECT_EQ(slurp(), bytes);
}

TEST_F(Archive, NothingAppearsWithoutCommit) {
  {
    ArchiveWriter writer(path_, "checkpoint");
    writer.write("x", 1.0);
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(Archive, CommitLeavesNoTemporaryFile) {
  write_sample();
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(Archive, TruncationAnywhereIsRefused) {
  write_sample();
  const std::string whole = slurp();
  ASSERT_EQ(refusal(), "");
  for (std::size_t size = 0; size < whole.size(); size += 1 + size / 50) {
    spill(whole.substr(0, size));
    const std::string reason = refusal();
    ASSERT_THAT(reason, HasSubstr(path_ + ": expected a sinew checkpoint, found: "));
    EXPECT_THAT(reason, HasSubstr(size == 0 ? "the file is empty" : "the file is cut off")) << size;
  }
  spill(whole + "x");
  EXPECT_THAT(refusal(), HasSubstr("contents that do not match their hash; the file is damaged"));
}

TEST_F(Archive, EveryFlippedBitIsRefused) {
  write_sample();
  const std::string whole = slurp();
  for (std::size_t i = 0; i < whole.size(); i += 1 + i / 100) {
    std::string flipped = whole;
    flipped[i] = static_cast<char>(flipped[i] ^ (1 << (i % 8)));
    spill(flipped);
    ASSERT_NE(refusal(), "") << "byte " << i;
  }
}

TEST_F(Archive, ForeignFilesAreRefusedWithTheReason) {
  const hid_t file = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  EXPECT_EQ(refusal(), path_ + ": expected a sinew checkpoint, found: an HDF5 file, but not one that sinew wrote");
  spill("hello");
  EXPECT_EQ(refusal(), path_ + ": expected a sinew checkpoint, found: not a file that sinew wrote");
  fs::remove(path_);
  EXPECT_EQ(refusal(), path_ + ": cannot read the file: No such file or directory; check the path and its permissions");
}

TEST_F(Archive, WrongKindAndVersionAreRefused) {
  write_sample();
  EXPECT_EQ(refusal("cache"), path_ + ": expected a sinew cache, found: a sinew checkpoint");
  std::string other = slurp();
  other.replace(other.find("archive 2"), 9, "archive 7");
  spill(other);
  EXPECT_EQ(refusal(), path_ +
                           ": expected a sinew checkpoint, found: format version 7, but this sinew reads version 2; "
                           "use the version that wrote it, or run the scene again");
}

TEST_F(Archive, WrongEntriesAreNamed) {
  write_sample();
  const ArchiveReader reader(path_, "checkpoint");
  EXPECT_THAT([&] { reader.doubles("velocity"); },
              testing::ThrowsMessage<InputError>(path_ + ": has no entry 'velocity'; another method or another version "
                                                         "of sinew wrote this file. Start the run again"));
  EXPECT_THAT([&] { reader.integers("x"); },
              testing::ThrowsMessage<InputError>(path_ + ": entry 'x' has the wrong type; start the run again"));
  EXPECT_THAT([&] { reader.scalar("x"); },
              testing::ThrowsMessage<InputError>(path_ + ": entry 'x' holds 600 values, expected 1"));
}

TEST_F(Archive, UnwritablePlacesAreNamedAndLeaveTheOldFile) {
  const std::string missing = (folder_ / "missing" / "blob.h5").string();
  ArchiveWriter writer(missing, "checkpoint");
  writer.write("x", 1.0);
  EXPECT_THAT([&] { writer.commit(); },
              testing::ThrowsMessage<SimulationError>(missing + ": cannot write: the folder " +
                                                      fs::path(missing).parent_path().string() + " does not exist"));
  // A folder of this name cannot be replaced by a file.
  fs::create_directories(fs::path(path_) / "inside");
  ArchiveWriter blocked(path_, "checkpoint");
  EXPECT_THAT([&] { blocked.commit(); }, testing::Throws<SimulationError>());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(Archive, FullDiskKeepsTheOldFile) {
  write_sample(2.5);
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  // A symbolic link of the temporary name leads the write onto a full device.
  fs::create_symlink("/dev/full", path_ + ".sinew-tmp-" + std::to_string(::getpid()));
  EXPECT_THAT([&] { write_sample(3.5); },
              testing::ThrowsMessage<SimulationError>(HasSubstr("No space left on device")));
  EXPECT_EQ(ArchiveReader(path_, "checkpoint").scalar("stepper/a/b"), 2.5);
}

TEST(MemoryArchives, GiveBackWhatWasWritten) {
  MemoryArchive memory;
  ArchiveWriter writer(memory);
  const Points points = Points::Random(3, 5);
  writer.write("a/points", points);
  writer.write("a/number", 2.5);
  writer.write("flags", std::span<const std::int32_t>(std::array<std::int32_t, 2>{1, 0}));
  writer.write("step", std::int64_t{7});
  writer.write("text", std::string("scene"));
  EXPECT_THAT([&] { writer.write("step", std::int64_t{8}); },
              testing::ThrowsMessage<SimulationError>(HasSubstr("cannot store 'step'")));
  const ArchiveReader reader(memory, "state");
  EXPECT_EQ(reader.points("a/points"), points);
  EXPECT_EQ(reader.scalar("a/number"), 2.5);
  EXPECT_THAT(reader.integers32("flags"), ElementsAre(1, 0));
  EXPECT_EQ(reader.integer("step"), 7);
  EXPECT_EQ(reader.text("text"), "scene");
  EXPECT_TRUE(reader.has("a/points"));
  EXPECT_FALSE(reader.has("a"));
  EXPECT_THAT([&] { reader.doubles("missing"); },
              testing::ThrowsMessage<InputError>(HasSubstr("state: has no entry 'missing'")));
  EXPECT_THAT([&] { reader.doubles("step"); },
              testing::ThrowsMessage<InputError>(HasSubstr("entry 'step' has the wrong type")));
}

TEST(ContentHashTest, KnownValuesOfFnv1a) {
  ContentHash hash;
  EXPECT_EQ(hash.hex(), "cbf29ce484222325");
  hash.add(std::string("a"));
  EXPECT_EQ(hash.hex(), "af63dc4c8601ec8c");
  ContentHash chained, whole;
  chained.add(std::string("foo"));
  chained.add(std::string("bar"));
  whole.add(std::string("foobar"));
  EXPECT_EQ(chained.hex(), "85944171f73967e8");
  EXPECT_EQ(whole.value(), chained.value());
}

}  // namespace
}  // namespace sinew
