#include "sinew/core/atomic_file.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

struct AtomicFile : testing::Test {
  AtomicFile() : folder(fs::temp_directory_path() / ("sinew_atomic_" + std::to_string(::getpid()))) {
    fs::create_directories(folder);
  }
  ~AtomicFile() override { fs::remove_all(folder); }
  std::string path(const std::string& name) const { return (folder / name).string(); }
  fs::path folder;
};

template <class Kind, class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const Kind& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(AtomicFile, FoldersAreCheckedBeforeTheWork) {
  const auto error = [](const std::string& name) { return error_of<InputError>([&] { require_folder_of(name); }); };
  EXPECT_EQ(error(path("a.json")), "no error");
  EXPECT_EQ(error("a.json"), "no error");
  EXPECT_EQ(error(path("no/a.json")),
            path("no/a.json") + ": cannot write: the folder " + path("no") + " does not exist; create it first");
  EXPECT_EQ(error(path("")), path("") + ": cannot write: this is a folder, expected the name of a file");
  EXPECT_EQ(error(""), "found an empty file name, expected where to write");
  write_file_atomically(path("file"), "text");
  EXPECT_EQ(error(path("file/a.json")),
            path("file/a.json") + ": cannot write: " + path("file") + " is no folder; choose another");
  EXPECT_EQ(fs::file_size(path("file")), 4u);
}

TEST_F(AtomicFile, MissingFolders) {
  EXPECT_EQ(error_of<SimulationError>([&] { write_file_atomically(path("no/a"), "text"); }),
            path("no/a") + ": cannot write: the folder " + path("no") + " does not exist");
}

}  // namespace
}  // namespace sinew
