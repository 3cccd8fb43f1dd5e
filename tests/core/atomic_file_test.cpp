#include "sinew/core/atomic_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
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
  EXPECT_EQ(error(""), "found an empty file name, expected the name of the file to write");
  write_file_atomically(path("file"), "text");
  EXPECT_EQ(error(path("file/a.json")),
            path("file/a.json") + ": cannot write: " + path("file") + " is no folder; choose another");
  EXPECT_EQ(fs::file_size(path("file")), 4u);
}

TEST_F(AtomicFile, MissingFolders) {
  EXPECT_EQ(error_of<SimulationError>([&] { write_file_atomically(path("no/a"), "text"); }),
            path("no/a") + ": cannot write: the folder " + path("no") + " does not exist");
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(AtomicFile, LinksStayLinks) {
  write_file_atomically(path("target"), "before");
  fs::create_directory(path("there"));
  fs::create_symlink("../target", path("there/near"));  // from the folder of the link
  fs::create_symlink(path("there/near"), path("far"));
  fs::create_symlink("new", path("dangling"));
  fs::create_symlink("no/new", path("nowhere"));
  fs::create_symlink("loop", path("loop"));
  EXPECT_EQ(error_of<InputError>([&] { require_folder_of(path("far")); }), "no error");
  write_file_atomically(path("far"), "after");
  EXPECT_EQ(text_of(path("target")), "after");
  EXPECT_TRUE(fs::is_symlink(path("far")) && fs::is_symlink(path("there/near")));
  write_file_atomically(path("dangling"), "text", Durability::synced);
  EXPECT_TRUE(fs::is_symlink(path("dangling")));
  EXPECT_EQ(text_of(path("new")), "text");
  EXPECT_EQ(error_of<InputError>([&] { require_folder_of(path("nowhere")); }),
            path("nowhere") + ": cannot write: the folder " + path("no") + " does not exist; create it first");
  EXPECT_EQ(
      error_of<Error>([&] { write_file_atomically(path("loop"), "text"); }).substr(path("loop").size()),
      ": cannot write: Too many levels of symbolic links; the file is unchanged. Free space or choose another folder.");
}

TEST_F(AtomicFile, PipesTakeTheBytes) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(error_of<InputError>([&] { require_folder_of(pipe); }), "no error");
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  write_file_atomically(pipe, "text", Durability::synced);
  EXPECT_EQ(fs::status(pipe).type(), fs::file_type::fifo);
  char bytes[10] = {};
  EXPECT_EQ(::read(reader, bytes, sizeof bytes), 4);
  EXPECT_STREQ(bytes, "text");
  ::close(reader);
}

TEST_F(AtomicFile, DevicesTakeTheBytes) {
  fs::create_symlink("/dev/null", path("null"));  // a test must not put /dev/null itself at risk
  EXPECT_EQ(error_of<InputError>([&] { require_folder_of(path("null")); }), "no error");
  write_file_atomically(path("null"), "text", Durability::synced);
  EXPECT_TRUE(fs::is_symlink(path("null")) && fs::is_character_file(path("null")));
  fs::create_symlink("/dev/full", path("full"));
  EXPECT_EQ(error_of<SimulationError>([&] { write_file_atomically(path("full"), "text"); }),
            path("full") + ": cannot write: No space left on device");
}

// As the shell's `>(command)` and /dev/stdout name them, whatever they are open for.
TEST_F(AtomicFile, DescriptorsOfThisProcessTakeTheBytes) {
  const std::string file = path("file");
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(::write(descriptor, "first ", 6), 6);
  const std::string name = "/dev/fd/" + std::to_string(descriptor);
  EXPECT_EQ(error_of<InputError>([&] { require_folder_of(name); }), "no error");
  write_file_atomically(name, "second ");
  ASSERT_EQ(::write(descriptor, "third", 5), 5);
  ::close(descriptor);
  EXPECT_EQ(text_of(file), "first second third");
  EXPECT_EQ(error_of<InputError>([&] { require_folder_of(name); }), name + ": cannot write: Bad file descriptor");
}

}  // namespace
}  // namespace sinew
