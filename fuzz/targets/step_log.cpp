#include "sinew/io/step_log.h"

#include "targets.h"

namespace sinew::fuzz {

// The first byte is the step of the checkpoint beside the log.
void step_log(std::string_view input) {
  const int last = take_byte(input) % 16;
  const std::string path = file_with("steps.jsonl", input);
  allow_input_error([&] {
    RunTotals totals;
    for (const Json& row : read_step_log(path, last, nullptr)) totals.add(row);
  });
}

}  // namespace sinew::fuzz
