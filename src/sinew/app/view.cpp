// sinew view: the page of a run in a browser.

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "sinew/app/browser.h"
#include "sinew/app/commands.h"
#include "sinew/app/interrupt.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/io/report_format.h"
#include "sinew/io/report_page.h"
#include "sinew/live/files.h"
#include "sinew/live/server.h"

namespace sinew::app {
namespace fs = std::filesystem;

namespace {

struct ViewOptions {
  std::string folder;
  int port = 0;
  bool no_open = false;
};

// Makes the page anew where a run ended without, or goes on.
void prepare_page(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    fail_input(code::run_folder, "{}: expected the output folder of a run, found {}; for example: sinew view out/demo",
               folder, fs::exists(fs::status(folder, error)) ? "a file" : "nothing");
  }
  if (::access(folder.c_str(), R_OK | X_OK) != 0)
    fail_input(code::run_folder, "{}: cannot read the folder: {}", folder, std::strerror(errno));
  const std::string page = folder + "/" + report_page_name;
  if (report_is_current(folder)) return;
  const bool has_page = fs::exists(page, error);
  if (!has_page && !fs::is_directory(folder + "/" + report_folder_name, error)) {
    fail_input(code::run_folder,
               "{}: found neither {} nor the folder {}; run the scene with \"html\" in output.formats", folder,
               report_page_name, report_folder_name);
  }
  try {
    rebuild_report(folder);
  } catch (const Error& failure) {
    if (!has_page) throw;
    log::warning("{}; showing the page as it is", failure.what());
  }
}

// The files of one folder; "/" is the page.
class FolderService : public live::Service {
 public:
  explicit FolderService(const std::string& folder) : folder_(fs::canonical(folder)) {}

  std::optional<live::Answer> get(const std::string& path, const std::string&) override {
    const fs::path file = live::file_below(folder_, path == "/" ? report_page_name : path);
    if (file.empty()) return std::nullopt;
    return live::Answer{live::content_type_of(file), nullptr, file.string()};
  }

 private:
  fs::path folder_;
};

int execute(const ViewOptions& options) {
  prepare_page(options.folder);
  const InterruptGuard guard;
  FolderService service(options.folder);
  live::ServerSettings settings;
  settings.port = options.port;
  live::Server server(settings, service);
  server.start();
  fmt::print("{} is shown at {} (Ctrl-C stops)\n", options.folder, server.url());
  if (std::fflush(stdout) != 0)
    throw SimulationError(code::output_write, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  if (!options.no_open && has_display()) open_browser(server.url());
  while (!InterruptGuard::requested()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  return 0;
}

}  // namespace

Action add_view(CLI::App& app) {
  const auto options = std::make_shared<ViewOptions>();
  app.add_option("DIR", options->folder, "Output folder of a run")->required();
  app.add_option("--port", options->port, "Port on 127.0.0.1 (default: any free one)")->check(whole_number(0, 65535));
  app.add_flag("--no-open", options->no_open, "Only print the address");
  return [options] { return execute(*options); };
}

}  // namespace sinew::app
