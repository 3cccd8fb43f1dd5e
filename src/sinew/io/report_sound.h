// The sound of a run for its page: sound.wav of format "wav" as a blob of 16-bit samples.
#pragma once

#include <string>

#include "sinew/io/report_store.h"

namespace sinew {

inline constexpr double longest_page_sound = 60;  // [s]; the rest of a longer sound stays out of the page

// Writes the blob `sound` from sound.wav in the folder, and removes the blob if there is no such file. Throws
// SimulationError if writing fails, and InputError naming sound.wav if it is damaged.
void write_report_sound(const std::string& folder, const ReportStore& store);

}  // namespace sinew
