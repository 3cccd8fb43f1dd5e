#include "sinew/core/program.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <sstream>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/core/error.h"
#include "sinew/core/timer.h"

namespace sinew {
namespace {

constexpr int interval = 100;      // from question to question [ms]
constexpr int short_interval = 5;  // of waiting for the end of a program that has closed its stderr [ms]
constexpr double patience = 3;     // before a program that was asked to end is killed [s]

[[noreturn]] void fail_start(const std::string& program, int error) {
  throw SimulationError(code::program, fmt::format("{}: cannot start this program: {}", program, std::strerror(error)));
}

// Both ends of a pipe that a started program does not inherit.
class Pipe {
 public:
  explicit Pipe(const std::string& program) {
    if (::pipe2(ends_, O_CLOEXEC) != 0) fail_start(program, errno);
  }
  ~Pipe() {
    close(0);
    close(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close_writer() { close(1); }

 private:
  void close(int k) {
    if (ends_[k] >= 0) ::close(ends_[k]);
    ends_[k] = -1;
  }

  int ends_[2] = {-1, -1};
};

// In the new process, where nothing but system calls is safe. Comes back only when the program cannot be started.
void become(char* const* arguments, const Pipe& errors, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(1);  // it has ended before the line above
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0 || ::dup2(nothing, STDIN_FILENO) < 0 || ::dup2(nothing, STDOUT_FILENO) < 0) return;
  if (::dup2(errors.writer(), STDERR_FILENO) < 0) return;
  ::execv(arguments[0], arguments);
}

pid_t start(const std::vector<std::string>& arguments, Pipe& errors) {
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  Pipe failure(arguments[0]);  // closed by a successful exec
  const pid_t parent = ::getpid(), child = ::fork();
  if (child < 0) fail_start(arguments[0], errno);
  if (child == 0) {
    become(pointers.data(), errors, parent);
    const int error = errno;
    [[maybe_unused]] const ssize_t written = ::write(failure.writer(), &error, sizeof error);
    ::_exit(127);
  }
  errors.close_writer();
  failure.close_writer();
  int error = 0;
  ssize_t size = 0;
  while ((size = ::read(failure.reader(), &error, sizeof error)) < 0 && errno == EINTR) {
  }
  if (size == 0) return child;
  ::waitpid(child, nullptr, 0);
  fail_start(arguments[0], error);
}

// A started program, which ends with this object.
class Child {
 public:
  explicit Child(pid_t id) : id_(id) {}
  ~Child() {
    if (ended_) return;
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void signal(int number) const { ::kill(id_, number); }
  bool ended() {
    ended_ = ended_ || ::waitpid(id_, &status_, WNOHANG) == id_;
    return ended_;
  }
  int status() const { return status_; }

 private:
  pid_t id_;
  int status_ = 0;
  bool ended_ = false;
};

// Appends what can be read; false at the end of it.
bool append_available(int descriptor, std::string& text) {
  char buffer[4096];
  const ssize_t size = ::read(descriptor, buffer, sizeof buffer);
  if (size < 0) return errno == EINTR;
  text.append(buffer, static_cast<std::size_t>(size));
  return size > 0;
}

bool readable(int descriptor, int milliseconds) {
  pollfd waiting{descriptor, POLLIN, 0};
  return ::poll(&waiting, 1, milliseconds) > 0;
}

// Ends a program that `watch` wants to end: first politely.
class Ending {
 public:
  bool begun() const { return begun_; }
  void begin(const Child& child) {
    begun_ = true;
    since_.restart();
    child.signal(SIGTERM);
  }
  void insist(const Child& child) const {
    if (begun_ && since_.seconds() > patience) child.signal(SIGKILL);
  }

 private:
  bool begun_ = false;
  Stopwatch since_;
};

}  // namespace

ProgramResult run_program(const std::vector<std::string>& arguments, const ProgramWatch& watch) {
  Pipe errors(arguments[0]);
  Child child(start(arguments, errors));
  ProgramResult result;
  Ending ending;
  Stopwatch since_question;
  bool open = true;
  while (!child.ended()) {
    if (!open) {
      ::poll(nullptr, 0, short_interval);
    } else if (readable(errors.reader(), interval)) {
      open = append_available(errors.reader(), result.errors);
    }
    ending.insist(child);
    if (ending.begun() || since_question.seconds() * 1000 < interval) continue;
    since_question.restart();
    if (!watch(result.errors)) ending.begin(child);
  }
  // Programs that it started in turn may keep its stderr open.
  while (open && readable(errors.reader(), 0)) open = append_available(errors.reader(), result.errors);
  result.interrupted = ending.begun();
  if (WIFSIGNALED(child.status())) result.signal = WTERMSIG(child.status());
  if (WIFEXITED(child.status())) result.exit_code = WEXITSTATUS(child.status());
  return result;
}

bool is_program(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::string find_program(const std::string& name, const std::string& path) {
  std::istringstream folders(path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = (std::filesystem::path(folder) / name).string();
    if (!folder.empty() && is_program(candidate)) return candidate;
  }
  return "";
}

}  // namespace sinew
