// A series of .vtu files, one a frame, and the .pvd file that lists them with their times.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace sinew {

class VtuSeries {
 public:
  VtuSeries(std::string folder, std::string stem) : folder_(std::move(folder)), stem_(std::move(stem)) {}

  std::string path(int step) const { return folder_ + "/" + file_name(step); }
  // The frames that are on disk, ascending.
  std::vector<std::string> files() const;
  std::string list_path() const { return folder_ + "/" + stem_ + ".pvd"; }

  // Adds the frame, whose file already exists, to the list.
  void add(int step, double time);

  // Deletes frames after `step` and the list; frames up to it that are on disk and whose time is known stay listed.
  void keep_until(int step, const std::map<int, double>& times);

 private:
  std::string file_name(int step) const;
  void write_list() const;

  std::string folder_, stem_;
  std::map<int, double> frames_;  // step -> time [s]
};

}  // namespace sinew
