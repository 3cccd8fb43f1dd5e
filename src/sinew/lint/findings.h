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
  remark,   // worth knowing
  warning,  // the run will probably not do what is wanted
  error,    // the run would be refused
};
const char* severity_name(Severity severity);

struct Finding {
  std::string kind;  // "intersection", "thin gap", "sliver", ...: begins its line
  Severity severity = Severity::warning;
  std::string message;                                      // what and where, with numbers and units
  std::string remedy;                                       // what to do
  std::vector<std::string> owners;                          // names of the bodies, obstacles or materials it is about
  double value = std::numeric_limits<double>::quiet_NaN();  // what the message measures, SI; not a number: nothing
  std::optional<Vec3> position = {};                        // [m]
  Json primitives = Json::array();                          // in the numbering of the meshes' files
  std::vector<std::string> details = {};                    // further lines

  // Its section of docs/errors.md: "C-thin-gap".
  std::string code() const;
};

class Findings {
 public:
  void add(Finding finding) { all_.push_back(std::move(finding)); }
  bool empty() const { return all_.empty(); }
  const std::vector<Finding>& all() const { return all_; }
  std::size_t count(Severity severity) const;
  bool has(const std::string& kind, std::vector<std::string> owners) const;  // owners in any order

  // Worst first, in the order they were found among equals.
  void sort();
  // "kind: message; remedy [code]" and the details, indented, a line each.
  std::string text() const;
  Json json(bool primitives = true) const;

 private:
  std::vector<Finding> all_;
};

}  // namespace sinew
