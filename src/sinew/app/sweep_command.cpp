// sinew sweep: run a scene with many settings. The work is done by the Python package (python/sinew/_sweep), which this
// process becomes.
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "sinew/app/commands.h"
#include "sinew/core/error.h"

namespace sinew::app {
namespace fs = std::filesystem;

namespace {

struct SweepOptions {
  std::string scene;
  std::vector<std::string> sets, sbatch;
  std::string points, folder, scheduler, method;
  int jobs = 0, threads = 0, steps = 0;  // 0: not given
  bool zip = false, overwrite = false, quiet = false;
};

// Folders that may hold the package of a program PREFIX/bin/sinew: those of a build, of an installation, and of a wheel
// (PREFIX is the package itself).
std::vector<fs::path> package_folders(const fs::path& executable) {
  const fs::path prefix = executable.parent_path().parent_path();
  std::vector<fs::path> folders{prefix / "python", prefix.parent_path(), prefix / "lib/python3/dist-packages"};
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(prefix / "lib", ignored))
    folders.push_back(entry.path() / "python3/dist-packages");
  return folders;
}

fs::path package_folder(const fs::path& executable) {
  std::error_code ignored;
  for (const fs::path& folder : package_folders(executable))
    if (fs::is_regular_file(folder / "sinew/_sweep/__main__.py", ignored)) return folder;
  fail_input(code::program,
             "sweep: found no Python package of sinew beside {}; build the target sinew_python, or install sinew as a "
             "Debian package or a wheel",
             executable.string());
}

// The interpreter: SINEW_INTERPRETER, which programs of a wheel set, else the one for which the package was built, else
// that of the system.
std::string interpreter(const fs::path& package) {
  if (const char* named = std::getenv("SINEW_INTERPRETER"); named && *named) return named;
  std::ifstream file(package / "sinew/_built_for.py");
  constexpr std::string_view before = "executable = \"";
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(before) || !line.ends_with('"')) continue;
    std::string named = line.substr(before.size(), line.size() - before.size() - 1);
    if (std::error_code ignored; fs::exists(named, ignored)) return named;
  }
  return "/usr/bin/python3";
}

void set_python_path(const fs::path& folder) {
  const char* before = std::getenv("PYTHONPATH");
  const std::string path = folder.string() + (before && *before ? ":" + std::string(before) : "");
  ::setenv("PYTHONPATH", path.c_str(), 1);
}

std::vector<std::string> sweep_words(const SweepOptions& options, const std::string& executable,
                                     const fs::path& package) {
  std::vector<std::string> words{interpreter(package), "-B", "-m", "sinew._sweep", "--sinew=" + executable};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.push_back(fmt::format("{}={}", option, value));
  };
  for (const std::string& set : options.sets) add("--set", set);
  for (const std::string& option : options.sbatch) add("--sbatch", option);
  add("--points", options.points);
  add("--output", options.folder);
  add("--scheduler", options.scheduler);
  add("--method", options.method);
  for (const auto& [option, count] :
       {std::pair{"--jobs", options.jobs}, {"--threads", options.threads}, {"--steps", options.steps}})
    if (count > 0) add(option, std::to_string(count));
  if (options.zip) words.emplace_back("--zip");
  if (options.overwrite) words.emplace_back("--overwrite");
  if (options.quiet) words.emplace_back("--quiet");
  words.emplace_back("--");
  words.push_back(options.scene);
  return words;
}

int become_sweep(const SweepOptions& options) {
  if (options.sets.empty() && options.points.empty())
    fail_input(code::usage,
               "sweep: found no --set and no --points, expected keys and their values; see sinew sweep --help");
  const fs::path executable = fs::read_symlink("/proc/self/exe");
  const fs::path package = package_folder(executable);
  set_python_path(package);
  std::vector<std::string> words = sweep_words(options, executable.string(), package);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(pointers[0], pointers.data());
  throw SimulationError(code::program,
                        fmt::format("sweep: cannot start {}: {}; install python3, or name the interpreter "
                                    "of the package by the variable SINEW_INTERPRETER",
                                    words[0], std::strerror(errno)));
}

void add_sweep_points(CLI::App& app, SweepOptions& options) {
  app.add_option("SCENE", options.scene, "Scene file (JSON)")->required();
  app.add_option("--set", options.sets,
                 "path.to.key=VALUE,VALUE,...: values of a key; several keys make all combinations (repeatable)")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  app.add_option("--points", options.points, "CSV file with a column for each key and a line for each run")
      ->check(not_empty("a file"));
  app.add_flag("--zip", options.zip, "Pair the values of the keys instead of all combinations");
}

}  // namespace

Action add_sweep(CLI::App& app) {
  const auto options = std::make_shared<SweepOptions>();
  add_sweep_points(app, *options);
  app.add_option("-o,--output", options->folder,
                 "Folder of the sweep (default: out/, the name of the scene's file and _sweep)")
      ->check(not_empty("a folder, such as out/sweep"));
  app.add_option("--jobs", options->jobs,
                 "The most runs at a time (default: cores divided by --threads, or as many as a cluster takes)")
      ->check(whole_number(1, 100000));
  app.add_option("--threads", options->threads, "Threads of each run (default: 1)")->check(whole_number(1, 1024));
  app.add_option(
         "--scheduler", options->scheduler,
         "dask://HOST:PORT: the workers of a Dask scheduler; slurm: job arrays of Slurm (default: this machine)")
      ->check(not_empty("dask://HOST:PORT or slurm"));
  app.add_option("--sbatch", options->sbatch, "Option for Slurm's sbatch, such as -pLONG (repeatable)")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  app.add_option("--method", options->method, "Method, in place of the scene's solver.method")
      ->check(not_empty("the name of a method"));
  app.add_option("--steps", options->steps, "Steps, in place of the scene's time.steps")
      ->check(whole_number(1, 2000000000));
  app.add_flag("--overwrite", options->overwrite, "Replace an earlier sweep in the folder");
  app.add_flag("--quiet", options->quiet, "Print only errors");
  return [options] { return become_sweep(*options); };
}

}  // namespace sinew::app
