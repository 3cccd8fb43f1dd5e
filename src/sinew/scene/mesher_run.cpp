#include "sinew/scene/mesher_run.h"

#include <array>
#include <csignal>
#include <cstring>
#include <sstream>

#include "sinew/core/log.h"
#include "sinew/core/timer.h"
#include "sinew/dynamics/simulation.h"

namespace sinew {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line.substr(line.rfind('\r') + 1));
  return lines;
}

std::string without(std::string_view mark, const std::string& line) {
  return line.starts_with(mark) ? line.substr(mark.size()) : line;
}

}  // namespace

ProgramResult run_mesher(const std::vector<std::string>& arguments, const std::string& place, const std::string& what,
                         const ReadingHooks& hooks) {
  const Stopwatch watch;
  const auto goes_on = [&](std::string_view) {
    if (hooks.progress) hooks.progress(fmt::format("{}: {:.0f} s", what, watch.seconds()));
    return !(hooks.interrupted && hooks.interrupted());
  };
  ProgramResult result = run_program(arguments, goes_on);
  if (hooks.progress) hooks.progress("");
  if (result.interrupted || result.signal == SIGINT) throw Interrupted("interrupted while a mesh was made");
  if (result.signal != 0) {
    throw SimulationError(
        code::mesher,
        fmt::format("{}: sinew-mesh was ended by signal {} ({}), possibly for lack of memory; use a larger edge length",
                    place, result.signal, ::strsignal(result.signal)));
  }
  for (const std::string& line : lines_of(result.exit_code == 0 ? result.errors : "")) {
    if (line.starts_with("warning: ")) log::warning("{}: sinew-mesh: {}", place, without("warning: ", line));
  }
  return result;
}

std::string mesher_complaint(const ProgramResult& result) {
  std::string text;
  for (const std::string& line : lines_of(result.errors)) {
    const std::string words = without_code(without("error: ", line));
    if (!words.empty() && !words.starts_with("warning: ")) text += (text.empty() ? "" : "; ") + words;
  }
  return text.empty() ? fmt::format("exit code {} without a message", result.exit_code) : text;
}

ErrorCode mesher_code(const ProgramResult& result) {
  constexpr std::array known = {code::surface_open,  code::surface_faults, code::surface_intersects,
                                code::surface_empty, code::surface_scale,  code::mesher_size,
                                code::mesh_index,    code::mesh_finite,    code::mesh_flat};
  for (const ErrorCode& code : known)
    if (result.errors.find(fmt::format("[{}]", code.id)) != std::string::npos) return code;
  return code::mesher;
}

}  // namespace sinew
