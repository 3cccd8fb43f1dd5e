// A series of .vtu files, one for each frame, and the .pvd file that lists them with their times.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace sinew {

class VtuSeries {
 public:
  VtuSeries(std::string folder, std::string stem) : folder_(std::move(folder)), stem_(std::move(stem)) {}

  std::string path(int step) const { return folder_ + "/" + file_name(step); }
  // Returns the frames on disk, ascending.
  std::vector<std::string> files() const;
  std::string list_path() const { return folder_ + "/" + stem_ + ".pvd"; }

  // Adds a frame, whose file must exist, to the list.
  void add(int step, double time);

  // Deletes frames after `step` from disk and list. Earlier frames stay listed if they are on disk and their time is
  // known.
  void keep_until(int step, const std::map<int, double>& times);

 private:
  std::string file_name(int step) const;
  void write_list() const;

  std::string folder_, stem_;
  std::map<int, double> frames_;  // step -> time [s]
};

}  // namespace sinew
