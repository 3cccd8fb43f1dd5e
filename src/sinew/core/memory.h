// The free memory, and sizes of memory in words.
#pragma once

#include <string>

namespace sinew {

// Free memory of this machine or of the container around the process [bytes]; 0: unknown.
double available_memory();

// "1.2 GB"
std::string memory_text(double bytes);

}  // namespace sinew
