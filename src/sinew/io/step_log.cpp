#include "sinew/io/step_log.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/input_file.h"
#include "sinew/formats/byte_reader.h"

namespace sinew {
namespace {

constexpr std::int64_t largest_count = 1'000'000'000'000;
constexpr int deepest = 16;  // levels of nesting; a row has three, and is written by recursion

// Discarded when it is not JSON.
Json parse_row(const std::string& line) {
  bool deep = false;
  Json row = Json::parse(
      line, [&](int depth, Json::parse_event_t, Json&) { return !(deep = deep || depth > deepest); },
      /*allow_exceptions=*/false);
  return deep ? Json(Json::value_t::discarded) : row;
}

// Whether a row is that of a step and has the numbers that the totals are made from.
bool is_row_of(const Json& row, int step) {
  if (!row.is_object()) return false;
  for (const char* key : {"step", "newton_iterations", "linear_iterations"}) {
    const auto count = row.find(key);
    if (count == row.end() || !count->is_number_integer()) return false;
    const auto value = count->get<std::int64_t>();
    if (value < 0 || value > largest_count) return false;
  }
  try {
    RunTotals().add(row);
  } catch (const Json::exception&) {
    return false;
  }
  return row["step"] == step;
}

}  // namespace

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
  throw SimulationError(code::output_write,
                        fmt::format("{}: cannot write: {}; earlier rows are complete", path_, std::strerror(error)));
}

std::vector<Json> read_step_log(const std::string& path, int last, const Json& last_row) {
  require_fit(path);
  std::vector<Json> rows;
  std::ifstream stream(path);
  std::string line;
  while (static_cast<int>(rows.size()) < last && std::getline(stream, line)) {
    const int expected = static_cast<int>(rows.size()) + 1;
    Json row = parse_row(line);
    if (row.is_discarded() && stream.peek() == std::ifstream::traits_type::eof()) break;  // half a line
    if (row.is_discarded() || !is_row_of(row, expected)) {
      fail_input(
          code::resume_output,
          "{}:{}: expected the row of step {}, found: {:.80}. Start again in another folder or with --overwrite.", path,
          expected, expected, printable(line));
    }
    rows.push_back(std::move(row));
  }
  if (static_cast<int>(rows.size()) == last - 1 && is_row_of(last_row, last)) rows.push_back(last_row);
  if (static_cast<int>(rows.size()) < last) {
    fail_input(code::resume_output,
               "{}: holds the rows of {} steps, but the checkpoint is of step {}. Start again in another folder or "
               "with --overwrite.",
               path, rows.size(), last);
  }
  return rows;
}

}  // namespace sinew
