#include "sinew/lint/findings.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew {

const char* severity_name(Severity severity) {
  switch (severity) {
    case Severity::remark:
      return "remark";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "";
}

std::size_t Findings::count(Severity severity) const {
  return static_cast<std::size_t>(
      std::count_if(all_.begin(), all_.end(), [&](const Finding& f) { return f.severity == severity; }));
}

bool Findings::has(const std::string& kind, std::vector<std::string> owners) const {
  return std::any_of(all_.begin(), all_.end(), [&](const Finding& f) {
    return f.kind == kind && f.owners.size() == owners.size() &&
           std::is_permutation(f.owners.begin(), f.owners.end(), owners.begin());
  });
}

void Findings::sort() {
  std::stable_sort(all_.begin(), all_.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
}

std::string Finding::code() const {
  std::string code = "C-" + kind;
  std::ranges::replace(code, ' ', '-');
  return code;
}

std::string Findings::text() const {
  std::string text;
  for (const Finding& f : all_) {
    text += fmt::format("{}: {}{}{} [{}]\n", f.kind, f.message, f.remedy.empty() ? "" : "; ", f.remedy, f.code());
    for (const std::string& line : f.details) text += "  " + line + "\n";
  }
  return text;
}

Json Findings::json(bool primitives) const {
  Json list = Json::array();
  for (const Finding& f : all_) {
    Json entry = {{"kind", f.kind}, {"code", f.code()}, {"severity", severity_name(f.severity)}, {"bodies", f.owners}};
    if (primitives) entry["primitives"] = f.primitives;
    entry["value"] = std::isfinite(f.value) ? Json(f.value) : Json(nullptr);
    entry["position"] = f.position ? Json{f.position->x(), f.position->y(), f.position->z()} : Json(nullptr);
    entry["message"] = f.message;
    entry["remedy"] = f.remedy;
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace sinew
