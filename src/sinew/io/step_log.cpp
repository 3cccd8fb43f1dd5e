#include "sinew/io/step_log.h"

#include <cstring>
#include <fstream>

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

std::string text_of(const std::vector<Json>& rows) {
  std::string text;
  for (const Json& row : rows) text += row.dump() + "\n";
  return text;
}

}  // namespace

StepLog::StepLog(std::string path, const std::vector<Json>& rows) : file_(std::move(path), text_of(rows)) {}

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
