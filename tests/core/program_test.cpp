#include "sinew/core/program.h"

#include <csignal>
#include <filesystem>
#include <fstream>

#include "support/folder.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

const ProgramWatch patient = [](std::string_view) { return true; };

ProgramResult shell(const std::string& script, const ProgramWatch& watch = patient) {
  return run_program({"/bin/sh", "-c", script}, watch);
}

TEST(Program, ExitCodeAndErrors) {
  const ProgramResult result = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.signal, 0);
  EXPECT_FALSE(result.interrupted);
  EXPECT_EQ(result.errors, "err\n");
}

TEST(Program, ArgumentsAreNotRead) {
  const ProgramResult result = run_program({"/bin/sh", "-c", "echo \"$0|$1\" >&2", "a b", "$(id); `id` * 'x"}, patient);
  EXPECT_EQ(result.errors, "a b|$(id); `id` * 'x\n");
}

TEST(Program, AllOfALongText) {
  const ProgramResult result = shell("i=0; while [ $i -lt 20000 ]; do echo 0123456789 >&2; i=$((i+1)); done");
  EXPECT_EQ(result.errors.size(), 220000u);
}

TEST(Program, SignalThatEndsIt) {
  EXPECT_EQ(shell("kill -KILL $$").signal, SIGKILL);
}

TEST(Program, NoSuchProgram) {
  EXPECT_THAT(
      [] { run_program({"/none/such"}, patient); },
      testing::ThrowsMessage<SimulationError>("/none/such: cannot start this program: No such file or directory"));
  EXPECT_THAT([] { run_program({"/dev/null"}, patient); },
              testing::ThrowsMessage<SimulationError>("/dev/null: cannot start this program: Permission denied"));
}

// Asked to end, it does; a program of its own that keeps stderr open is not waited for.
TEST(Program, EndsWhenAsked) {
  const test::Folder folder;
  const std::string ended = (folder.path / "ended").string();
  const ProgramResult result =
      shell("echo begun >&2; (sleep 60; echo > '" + ended + "')", [](std::string_view text) { return text.empty(); });
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.errors, "begun\n");
  EXPECT_FALSE(std::filesystem::exists(ended));
}

// What the watch throws ends it too: afterwards there is no such process.
TEST(Program, EndsWithAnException) {
  pid_t child = 0;
  const auto refuse = [&](std::string_view text) -> bool {
    if (text.find('\n') == text.npos) return true;
    child = std::stoi(std::string(text));
    throw InputError(code::usage, "enough");
  };
  EXPECT_THROW(shell("echo $$ >&2; exec sleep 60", refuse), InputError);
  ASSERT_GT(child, 0);
  EXPECT_EQ(::kill(child, 0), -1);
}

}  // namespace
}  // namespace sinew
