// Records motion and forces of each step for sound in sound/steps.bin of a run's folder. When the run ends, also after
// interruptions, the sound is made from this file. Layout (little-endian): "sinewSND", int64 doubles in each record,
// uint64 hash of the source, then a record for each step from step 0 on. A record has the time, and for each
// body the centre (3), the rotation (9, by columns) and the modal forces.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/sound/synthesis.h"

namespace sinew {

class SoundSource;

struct SoundRecord {
  double time = 0;  // [s]
  std::vector<BodyFrame> frames;
  std::vector<VecX> signals;
};

class SoundLog {
 public:
  // Does not access the file yet.
  SoundLog(std::string path, const SoundSource& source);

  const std::string& path() const { return path_; }

  // Returns the number of complete records in the file; 0 if there is no file. Throws InputError if the file is of
  // another kind or has signals of another source.
  int records() const;

  // Writes record number records(); the first record creates the file. Earlier records stay readable if writing fails.
  // Throws SimulationError naming the path.
  void append(const SoundRecord& record);

  // Drops the records from number `count` on. Throws SimulationError.
  void truncate(int count);

  // Returns the histories by body. Throws InputError if a record is damaged, SimulationError if the file cannot be
  // read.
  std::vector<SoundHistory> read() const;

 private:
  std::int64_t bytes(int records) const;

  std::string path_;
  std::vector<Index> widths_;  // signals, by body
  std::int64_t width_ = 1;     // doubles in each record
  std::uint64_t hash_ = 0;
  int records_ = -1;  // -1: not read yet
};

}  // namespace sinew
