#include "sinew/command/program.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "sinew/command/describe.h"
#include "sinew/core/error.h"
#include "sinew/core/suggest.h"
#include "sinew/core/utf8.h"
#include "sinew/core/version.h"

namespace sinew::command {
namespace {

constexpr int done = 0, failed = 1, bad_input = 2;

std::vector<std::string> command_names(const Program& program) {
  std::vector<std::string> names;
  for (const Command& row : program.commands) names.push_back(row.name);
  return names;
}

int report(ErrorCode code, const std::string& message, int exit_code) {
  fmt::print(stderr, "error: {}\n", with_code(message, code.id));
  return exit_code;
}

// CLI11's own message for a misspelt command is about an unexpected argument.
bool refuse_unknown_command(const Program& program, int argc, const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return false;
  const std::vector<std::string> names = command_names(program);
  for (const std::string& name : names) {
    if (name == argv[1]) return false;
  }
  report(code::usage,
         fmt::format("unknown command \"{}\", expected one of {}{}", shortened(argv[1]), quoted_list(names),
                     did_you_mean(argv[1], names)),
         bad_input);
  return true;
}

// The rest of a text behind a mark, or all of it.
std::string behind(const std::string& text, std::string_view mark) {
  const auto at = text.find(mark);
  return at == std::string::npos ? text : text.substr(at + mark.size());
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// CLI11's error of a command in the words of the other errors.
std::string usage_error(const Program& program, const CLI::ParseError& error, const CLI::App& command,
                        const Command& row) {
  const std::string help = fmt::format("see {} {} --help", program.name, row.name);
  const std::string text = error.what();
  if (dynamic_cast<const CLI::RequiredError*>(&error)) {
    const std::string name = text.substr(0, text.find(" is required"));
    return fmt::format("missing {}, for example: {}; {}", name, row.example, help);
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
    const std::vector<std::string> extras = command.remaining();
    const std::string word = extras.empty() ? behind(text, ": ") : extras.front();
    const bool option = word.starts_with('-');
    return fmt::format("found \"{}\", which is {}{}; {}", shortened(word),
                       option ? "no option of this command" : "one argument too many",
                       option ? did_you_mean(word, option_names(command)) : "", help);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
    const bool several = text.find(": At Most ") != std::string::npos;
    return fmt::format("{}: {}; {}", text.substr(0, text.find(':')),
                       several ? "found more than once, expected it once" : "found no value for it", help);
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&error)) return text + "; give one of them";
  return text;
}

int refuse_usage(const Program& program, const CLI::ParseError& error, const CLI::App& app) {
  for (const Command& row : program.commands) {
    const CLI::App* command = app.get_subcommand(row.name);
    if (!command->parsed()) continue;
    return report(code::usage, fmt::format("{}: {}", row.name, usage_error(program, error, *command, row)), bad_input);
  }
  return report(code::usage, fmt::format("{}; see {} --help", error.what(), program.name), bad_input);
}

int refuse_no_command(const Program& program) {
  return report(code::usage,
                fmt::format("missing a command, expected one of {}. For example: {}; see {} --help",
                            quoted_list(command_names(program)), program.commands.front().example, program.name),
                bad_input);
}

int refuse_stdout(int error) {
  std::clearerr(stdout);
  const std::string reason = error != 0 ? fmt::format(": {}", std::strerror(error)) : "";
  return report(code::output_write, "cannot write to standard output" + reason, failed);
}

// An exit code, or that of a failure where what was printed did not all arrive.
int printed(int code) {
  errno = 0;
  const bool whole = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (whole || code != done) return code;
  return refuse_stdout(errno);
}

// A standard stream that the caller closed would lend its number to the next file that is opened, and what is printed
// would end up in it. The place is taken by what fails as a closed stream does.
void hold_standard_streams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) < 0 && errno == EBADF)
      ::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

int guarded(const Program& program, const Action& action) {
  try {
    return printed(action());
  } catch (const InputError& error) {
    return report(error.code(), error.what(), bad_input);
  } catch (const Error& error) {
    return report(error.code(), error.what(), failed);
  } catch (const std::bad_alloc&) {
    return report(code::memory, fmt::format("out of memory; {}", program.out_of_memory), failed);
  } catch (const std::system_error& error) {
    return std::ferror(stdout) != 0 ? refuse_stdout(error.code().value()) : report(code::system, error.what(), failed);
  } catch (const std::exception& error) {
    return report(code::internal, error.what(), failed);
  }
}

}  // namespace

int run(const Program& program, int argc, const char* const* argv) {
  hold_standard_streams();
  if (refuse_unknown_command(program, argc, argv)) return bad_input;
  CLI::App app(fmt::format("{}: {}", program.name, program.description), program.name);
  app.set_version_flag("--version", fmt::format("{} {} ({})", program.name, version, instructions()));
  app.require_subcommand(0, 1);
  std::string shell;
  bool manual = false;
  app.add_option("--completion", shell, "Print what makes a shell complete commands and options: bash, zsh or fish")
      ->type_name("SHELL");
  app.add_flag("--manual", manual, "Print the manual page, for man -l -");
  Action chosen;
  for (const Command& row : program.commands) {
    CLI::App* command = app.add_subcommand(row.name, row.description);
    command->footer(fmt::format("Example: {}", row.example));
    Action action = row.add(*command);
    command->callback([&chosen, action] { chosen = action; });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return refuse_usage(program, error, app);
    std::ostringstream text;
    app.exit(error, text, text);  // --help, --version
    return guarded(program, [&] {
      fmt::print("{}", text.str());
      return done;
    });
  }
  if (!shell.empty() || manual) {
    return guarded(program, [&] {
      const std::vector<OptionValues> values = program.values ? program.values() : std::vector<OptionValues>();
      fmt::print("{}", manual ? manual_page(app, version) : completion(app, values, shell));
      return done;
    });
  }
  return chosen ? guarded(program, chosen) : refuse_no_command(program);
}

}  // namespace sinew::command
