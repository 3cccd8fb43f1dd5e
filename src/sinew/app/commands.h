// The commands of `sinew`. Each function adds the options of a command to the parser and returns the action to run.
#pragma once

#include "sinew/command/program.h"

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace sinew::app {

using command::Action;

Action add_run(CLI::App& app);
Action add_check(CLI::App& app);
Action add_compare(CLI::App& app);
Action add_sweep(CLI::App& app);
Action add_subspace(CLI::App& app);
Action add_modes(CLI::App& app);
Action add_buckling(CLI::App& app);
Action add_response(CLI::App& app);
Action add_bench(CLI::App& app);
Action add_info(CLI::App& app);
Action add_convert(CLI::App& app);
Action add_fit(CLI::App& app);
Action add_view(CLI::App& app);
Action add_render(CLI::App& app);
Action add_plot(CLI::App& app);
Action add_live(CLI::App& app);
Action add_export(CLI::App& app);
Action add_explain(CLI::App& app);

// Validates an option: its text must be a whole number from `low` to `high`.
CLI::Validator whole_number(long low, long high);

// Validates an option: its text must not be empty. expected: what the option expects, for the message.
CLI::Validator not_empty(const char* expected);

}  // namespace sinew::app
