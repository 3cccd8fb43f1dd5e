// Motion and forces of each step for sound: sound/steps.bin of a run's folder. The sound is made from it when the run
// ends, also after interruptions. Layout (little-endian): "sinewSND", int64 doubles a record, uint64 hash of the
// bodies' modes, then a record for each step from step 0 on. A record holds the time, and for each body the centre (3),
// the rotation (9, by columns) and the modal forces.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/sound/synthesis.h"

namespace sinew {

struct SoundRecord {
  double time = 0;  // [s]
  std::vector<BodyFrame> frames;
  std::vector<VecX> forces;
};

class SoundLog {
 public:
  // Touches nothing yet.
  SoundLog(std::string path, const std::vector<ModalBody>& bodies);

  const std::string& path() const { return path_; }

  // Whole records in the file; 0 when there is none. Throws InputError when it is another file, or of other modes.
  int records() const;

  // Writes record number records(); the first one creates the file. Records before stay readable whatever happens.
  // Throws SimulationError naming the path.
  void append(const SoundRecord& record);

  // Drops records from `count` on. Throws SimulationError.
  void truncate(int count);

  // By body. Throws InputError where a record is damaged, SimulationError where the file cannot be read.
  std::vector<SoundHistory> read() const;

 private:
  std::int64_t bytes(int records) const;

  std::string path_;
  std::vector<Index> mode_counts_;  // by body
  std::int64_t width_ = 1;          // doubles a record
  std::uint64_t hash_ = 0;
  int records_ = -1;  // -1: not looked at yet
};

}  // namespace sinew
