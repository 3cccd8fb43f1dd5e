#include "sinew/io/step_log.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"

namespace sinew {

StepLog::StepLog(std::string path, const std::vector<Json>& rows) : path_(std::move(path)) {
  std::string text;
  for (const Json& row : rows) text += row.dump() + "\n";
  write_file_atomically(path_, text);
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor_ < 0) fail(errno);
}

StepLog::~StepLog() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void StepLog::append(const Json& row) {
  const std::string line = row.dump() + "\n";
  const off_t before = ::lseek(descriptor_, 0, SEEK_END);
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t written = ::write(descriptor_, line.data() + done, line.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      if (before >= 0 && ::ftruncate(descriptor_, before) != 0) fail(error);  // no half line stays
      fail(error);
    }
    done += static_cast<std::size_t>(written);
  }
}

void StepLog::fail(int error) const {
  throw SimulationError(fmt::format("{}: cannot write: {}; the rows before are whole", path_, std::strerror(error)));
}

std::vector<Json> read_step_log(const std::string& path, int last, const Json& last_row) {
  std::vector<Json> rows;
  std::ifstream stream(path);
  std::string line;
  while (static_cast<int>(rows.size()) < last && std::getline(stream, line)) {
    const int expected = static_cast<int>(rows.size()) + 1;
    Json row = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (row.is_discarded() && stream.peek() == std::ifstream::traits_type::eof()) break;  // half a line
    if (row.is_discarded() || !row.is_object() || row.value("step", -1) != expected) {
      fail_input("{}:{}: expected the row of step {}, found: {:.80}. Start anew in another folder or with --overwrite.",
                 path, expected, expected, line);
    }
    rows.push_back(std::move(row));
  }
  if (static_cast<int>(rows.size()) == last - 1 && last_row.is_object()) rows.push_back(last_row);
  if (static_cast<int>(rows.size()) < last) {
    fail_input(
        "{}: holds the rows of {} steps, but the checkpoint beside it is of step {}. Start anew in another folder or "
        "with --overwrite.",
        path, rows.size(), last);
  }
  return rows;
}

}  // namespace sinew
