// The materials of Abaqus and CalculiX input files, in the words of a scene.
#pragma once

#include <string>
#include <vector>

#include "sinew/formats/abaqus_lines.h"
#include "sinew/formats/mesh_file.h"

namespace sinew {

// A *MATERIAL while its options are read.
class AbaqusMaterial {
 public:
  explicit AbaqusMaterial(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  // Reads an option of the material, of which the keyword was read; false if it is none that sinew knows.
  bool read(const AbaqusKeyword& keyword, AbaqusLines& lines);
  // A file may give the option's values at several temperatures; those of the first line count.
  FileMaterial result() const;

 private:
  std::string name_, law_;
  std::vector<double> constants_;        // of the elastic law
  std::vector<double> stress_, strain_;  // of *PLASTIC
  double density_ = 0;                   // 0: none
  int terms_ = 1;
};

}  // namespace sinew
