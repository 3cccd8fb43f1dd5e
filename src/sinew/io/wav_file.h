// Writes WAV files of 32-bit floats.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// Writes two channels, full scale at 1, whole or not at all. The file contains no date. Throws SimulationError naming
// the path.
void write_wav(const std::string& path, std::span<const float> left, std::span<const float> right, int sample_rate);

}  // namespace sinew
