#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/command/describe.h"
#include "sinew/command/parser_rows.h"

namespace sinew::command {
namespace {

// Text as roff reads it: a backslash, a hyphen that stays one, a dot or quote that begins no request.
std::string roff(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
  }
  if (escaped.starts_with('.') || escaped.starts_with('\'')) escaped = "\\&" + escaped;
  return escaped;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// ".TP", the names of an option, its description.
std::string option_entry(const OptionRow& row) {
  std::string names;
  for (const std::string& name : row.names) {
    if (!names.empty()) names += ", ";
    names += fmt::format("\\f{}{}\\fR", row.positional ? 'I' : 'B', roff(name));
  }
  if (!row.type.empty()) names += fmt::format(" \\fI{}\\fR", roff(row.type));
  return fmt::format(".TP\n{}\n{}\n", names, roff(row.description));
}

std::string synopsis(const std::string& program, const CommandRow& row) {
  std::string text = fmt::format("\\fB{} {}\\fR", roff(program), roff(row.name));
  for (const OptionRow& option : row.options) {
    if (!option.positional) continue;
    const std::string argument =
        fmt::format("\\fI{}\\fR{}", roff(option.names.front()), option.repeatable ? "..." : "");
    text += option.required ? " " + argument : " [" + argument + "]";
  }
  return text + " [\\fIOPTIONS\\fR]";
}

}  // namespace

std::string manual_page(const CLI::App& app, const std::string& version) {
  const std::string& name = app.get_name();
  std::string description = app.get_description();
  if (const auto colon = description.find(": "); colon != std::string::npos)
    description = description.substr(colon + 2);
  std::string text = fmt::format(".TH {} 1 \"\" \"{} {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", upper(roff(name)),
                                 name, roff(version), roff(name), roff(description));
  text += fmt::format(".SH SYNOPSIS\n\\fB{}\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n.SH OPTIONS\n", roff(name));
  for (const OptionRow& row : option_rows(app)) text += option_entry(row);
  text += ".SH COMMANDS\n";
  for (const CommandRow& row : command_rows(app)) {
    text += fmt::format(".SS {}\n{}\n.PP\n{}.\n", roff(row.name), synopsis(name, row), roff(row.description));
    for (const OptionRow& option : row.options) text += option_entry(option);
    text += fmt::format(".PP\n{}\n", roff(row.example));
  }
  text +=
      ".SH EXIT STATUS\n"
      ".TP\n0\ndone\n"
      ".TP\n1\nthe simulation or the writing of its results failed; what was computed is on disk\n"
      ".TP\n2\nbad usage or bad input; nothing was written\n";
  return text;
}

}  // namespace sinew::command
