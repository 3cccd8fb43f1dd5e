// Measures free memory, and writes sizes of memory as text.
#pragma once

#include <string>

namespace sinew {

// Free memory of this machine, or of the container of this process [bytes]; 0: unknown.
double available_memory();

// Returns a text such as "1.2 GB".
std::string memory_text(double bytes);

}  // namespace sinew
