// Findings of `sinew check`: kind, severity, place, size and remedy of each.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sinew/core/types.h"

namespace sinew {

using Json = nlohmann::ordered_json;

enum class Severity {
  remark,   // good to know
  warning,  // the run will probably not do what the user wants
  error,    // the run would be refused
};
const char* severity_name(Severity severity);

struct Finding {
  std::string kind;  // "intersection", "thin gap", "sliver", ...: begins the line of the finding
  Severity severity = Severity::warning;
  std::string message;              // what is found and where, with numbers and units
  std::string remedy;               // what to do
  std::vector<std::string> owners;  // names of the bodies, obstacles or materials that it concerns
  // The measured value in SI units; NaN: none.
  double value = std::numeric_limits<double>::quiet_NaN();
  std::optional<Vec3> position = {};      // [m]
  Json primitives = Json::array();        // numbered as in the meshes' files
  std::vector<std::string> details = {};  // additional lines

  // Its section of docs/errors.md, such as "C-thin-gap".
  std::string code() const;
};

class Findings {
 public:
  void add(Finding finding) { all_.push_back(std::move(finding)); }
  bool empty() const { return all_.empty(); }
  const std::vector<Finding>& all() const { return all_; }
  std::size_t count(Severity severity) const;
  bool has(const std::string& kind, std::vector<std::string> owners) const;  // owners in any order

  // Sorts by severity, worst first; equally severe findings keep their order.
  void sort();
  // Returns "kind: message; remedy [code]", then the details, indented, one on each line.
  std::string text() const;
  Json json(bool primitives = true) const;

 private:
  std::vector<Finding> all_;
};

}  // namespace sinew
