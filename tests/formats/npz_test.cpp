// .npz files: round trips, the same bytes twice, damage.
#include "sinew/formats/npz.h"

#include <fstream>

#include "support/folder.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/input_file.h"

namespace sinew {
namespace {

TEST(Npz, GivesBackWhatWasWritten) {
  const test::Folder folder;
  const std::string path = (folder.path / "a.npz").string();
  NpzWriter writer;
  MatX A(3, 2);
  A << 1, 2, 3, 4, 5, 1e-300;
  writer.add("A", A);
  writer.add_vector("v", VecX::LinSpaced(5, 0, 1));
  writer.add("empty", MatX(4, 0));
  writer.add_text("kind", "linear");
  writer.write(path);
  const NpzReader reader(path);
  EXPECT_TRUE(reader.has("A"));
  EXPECT_FALSE(reader.has("B"));
  const NumberArray a = reader.array("A"), v = reader.array("v");
  EXPECT_EQ(a.rows, 3u);
  EXPECT_EQ(a.columns, 2u);
  EXPECT_EQ(a.values, (std::vector<double>{1, 2, 3, 4, 5, 1e-300}));
  EXPECT_EQ(v.rows, 5u);
  EXPECT_EQ(v.values.back(), 1);
  EXPECT_EQ(reader.text("kind"), "linear");
  EXPECT_THROW(reader.array("B"), InputError);
  EXPECT_THROW(reader.array("kind"), InputError);
  EXPECT_THROW(reader.text("A"), InputError);
  const std::string bytes = read_whole_file(path);
  writer.write(path);
  EXPECT_EQ(read_whole_file(path), bytes);
}

// Every cut and every changed byte of the numbers is found.
TEST(Npz, DamageIsAnError) {
  const test::Folder folder;
  const std::string path = (folder.path / "a.npz").string();
  NpzWriter writer;
  writer.add_vector("v", VecX::LinSpaced(20, 1, 2));
  writer.write(path);
  const std::string bytes = read_whole_file(path);
  const auto values = [&](const std::string& changed) {
    return NpzReader(folder.write("b.npz", changed)).array("v").values;
  };
  EXPECT_EQ(values(bytes).size(), 20u);
  for (std::size_t size = 0; size < bytes.size(); size += 7) EXPECT_THROW(values(bytes.substr(0, size)), InputError);
  for (std::size_t at = 170; at < 300; at += 13) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    EXPECT_THROW(values(changed), InputError) << at;
  }
}

}  // namespace
}  // namespace sinew
