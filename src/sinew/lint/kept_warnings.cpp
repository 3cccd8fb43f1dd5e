#include "sinew/lint/kept_warnings.h"

#include <algorithm>
#include <string_view>

#include "sinew/core/log.h"

namespace sinew {

KeptWarnings::KeptWarnings() {
  log::set_sink([](log::Level level, std::string_view text) {
    if (level != log::Level::warning) log::write(level, text);
  });
}

KeptWarnings::~KeptWarnings() {
  if (taken_) return;
  log::set_sink({});
  for (const std::string& text : warnings_.warnings()) log::message(log::Level::warning, text);  // an error came first
}

std::vector<std::string> KeptWarnings::take() {
  taken_ = true;
  log::set_sink({});
  constexpr const char* said_by_findings[] = {"are nearly flat (quality below", "are in no tet and stay at rest",
                                              ": no body uses this material", ", more than the mean surface edge of"};
  std::vector<std::string> rest;
  for (const std::string& text : warnings_.warnings()) {
    const bool known = std::any_of(std::begin(said_by_findings), std::end(said_by_findings),
                                   [&](const char* mark) { return text.find(mark) != std::string::npos; });
    if (!known) rest.push_back(text);
  }
  return rest;
}

}  // namespace sinew
