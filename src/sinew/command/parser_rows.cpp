#include "sinew/command/parser_rows.h"

#include <algorithm>

#include <CLI/CLI.hpp>

namespace sinew::command {
namespace {

OptionRow option_row(const CLI::Option& option) {
  OptionRow row;
  row.positional = !option.nonpositional();
  if (row.positional) {
    row.names.push_back(option.get_name(true));
  } else {
    for (const std::string& name : option.get_snames()) row.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) row.names.push_back("--" + name);
  }
  const bool flag = option.get_items_expected_max() == 0;
  if (!flag && !row.positional) row.type = option.get_type_name();
  row.description = option.get_description();
  row.required = option.get_required();
  row.repeatable = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll || option.get_expected_max() > 1;
  return row;
}

}  // namespace

std::vector<OptionRow> option_rows(const CLI::App& app) {
  std::vector<OptionRow> rows;
  for (const CLI::Option* option : app.get_options()) rows.push_back(option_row(*option));
  std::ranges::stable_partition(rows, &OptionRow::positional);
  return rows;
}

std::vector<CommandRow> command_rows(const CLI::App& app) {
  std::vector<CommandRow> rows;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    rows.push_back({command->get_name(), command->get_description(), command->get_footer(), option_rows(*command)});
  }
  return rows;
}

}  // namespace sinew::command
