// sinew explain: what the code of an error, warning or finding means, from docs/errors.md.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sinew/app/commands.h"
#include "sinew/app/error_page.h"
#include "sinew/core/error.h"
#include "sinew/core/suggest.h"
#include "sinew/core/utf8.h"

namespace sinew::app {
namespace {

struct Section {
  std::string code;
  std::string_view text;  // below the heading
};

// The sections "### CODE" of the page, in its order.
std::vector<Section> sections() {
  constexpr std::string_view mark = "\n### ";
  const std::string_view page = error_page();
  std::vector<Section> found;
  for (std::size_t at = page.find(mark); at != std::string_view::npos;) {
    const std::size_t heading = at + mark.size();
    const std::size_t text = page.find('\n', heading);
    at = page.find(mark, text);
    const std::size_t end = std::min(at, page.find("\n## ", text));
    found.push_back({std::string(page.substr(heading, text - heading)), page.substr(text, end - text)});
  }
  return found;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of('\n');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of('\n') + 1 - begin);
}

void list_codes() {
  for (const Section& section : sections()) {
    const std::string_view text = trimmed(section.text);
    fmt::print("{:<24} {}\n", section.code, text.substr(0, text.find('\n')));
  }
}

// Case does not matter, nor brackets as in messages.
std::string normal(std::string code) {
  std::erase_if(code, [](char c) { return c == '[' || c == ']'; });
  std::ranges::transform(code, code.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return code;
}

void explain(const std::string& code) {
  std::vector<std::string> known;
  for (const Section& section : sections()) {
    if (normal(section.code) == normal(code)) {
      fmt::print("{}\n\n{}\n", section.code, trimmed(section.text));
      return;
    }
    known.push_back(section.code);
  }
  fail_input(code::usage, "explain: found \"{}\", expected a code such as E-scene-key{}; `sinew explain` lists them",
             shortened(code), did_you_mean(code, known));
}

}  // namespace

Action add_explain(CLI::App& app) {
  const auto code = std::make_shared<std::string>();
  app.add_option("CODE", *code, "Code at the end of a message, such as E-scene-key; without it all codes are listed");
  return [code] {
    if (code->empty()) {
      list_codes();
    } else {
      explain(*code);
    }
    return 0;
  };
}

}  // namespace sinew::app
