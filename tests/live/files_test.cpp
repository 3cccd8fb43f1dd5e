#include "sinew/live/files.h"

#include <fstream>

#include <gtest/gtest.h>

namespace sinew::live {
namespace fs = std::filesystem;
namespace {

TEST(Files, BelowTheFolderAlone) {
  const fs::path root = fs::canonical(fs::temp_directory_path()) / ("sinew-files-" + std::to_string(::getpid()));
  const fs::path folder = root / "served";
  fs::create_directories(folder / "below");
  for (const fs::path& file : {folder / "a b.js", folder / "below" / "c.txt", root / "secret.txt", root / "served.txt"})
    std::ofstream(file) << "text";
  fs::create_symlink(root / "secret.txt", folder / "out.txt");
  fs::create_symlink(folder / "a b.js", folder / "in.js");
  fs::create_symlink("loop", folder / "loop");

  EXPECT_EQ(file_below(folder, "/a b.js"), folder / "a b.js");
  EXPECT_EQ(file_below(folder, "/below/../below/c.txt"), folder / "below" / "c.txt");
  EXPECT_EQ(file_below(folder, "/in.js"), folder / "a b.js");
  for (const std::string& path :
       {std::string("/"), std::string(), std::string("/below"), std::string("/nothing"), std::string("/../secret.txt"),
        std::string("/../served.txt"), std::string("/out.txt"), std::string("/loop"),
        "/" + root.string() + "/secret.txt", "//" + root.string() + "/secret.txt", std::string(100000, '/') + "..",
        "/" + std::string(100000, 'a')}) {
    EXPECT_EQ(file_below(folder, path), fs::path()) << path.substr(0, 80);
  }
  fs::remove_all(root);
}

TEST(Files, ContentTypes) {
  EXPECT_STREQ(content_type_of("/a/b.html"), "text/html; charset=utf-8");
  EXPECT_STREQ(content_type_of("/a/b.js"), "text/javascript; charset=utf-8");
  EXPECT_STREQ(content_type_of("/a/b.vtu"), "application/octet-stream");
  EXPECT_STREQ(content_type_of(""), "application/octet-stream");
}

}  // namespace
}  // namespace sinew::live
