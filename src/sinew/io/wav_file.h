// Writes WAV files of 32-bit floats, and reads such files.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// Writes two channels, full scale at 1, whole or not at all. The file contains no date. Throws SimulationError naming
// the path.
void write_wav(const std::string& path, std::span<const float> left, std::span<const float> right, int sample_rate);

// Two channels, left and right in turn.
struct StereoSamples {
  int rate = 0;  // samples a second
  std::vector<float> values;
};

// Reads a file of write_wav(). Throws InputError naming the path for another file.
StereoSamples read_wav(const std::string& path);

}  // namespace sinew
