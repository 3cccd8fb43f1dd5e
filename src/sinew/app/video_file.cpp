#include "sinew/app/video_file.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/core/error.h"
#include "sinew/io/file_stem.h"

namespace sinew::app {
namespace fs = std::filesystem;

namespace {

constexpr const char* program_name = "ffmpeg";

// Colours of screens (BT.709), and no traces of the machine or the day.
const std::vector<std::string> screen_colors = {"-vf",
                                                "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
                                                "-colorspace",
                                                "bt709",
                                                "-color_primaries",
                                                "bt709",
                                                "-color_trc",
                                                "bt709",
                                                "-color_range",
                                                "tv"};

std::vector<std::string> joined(std::vector<std::string> list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

// How ffmpeg encodes a format.
std::vector<std::string> encoder_words(const std::string& ending, bool sound) {
  if (ending == ".mp4") {
    std::vector<std::string> words =
        joined({"-c:v", "libx264", "-preset", "slow", "-crf", "17", "-movflags", "+faststart"}, screen_colors);
    if (sound) words = joined(words, {"-c:a", "aac", "-b:a", "192k"});
    return joined(words, {"-f", "mp4"});
  }
  if (ending == ".webm") {
    std::vector<std::string> words =
        joined({"-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "28", "-row-mt", "1", "-deadline", "good", "-cpu-used", "3"},
               screen_colors);
    if (sound) words = joined(words, {"-c:a", "libopus", "-b:a", "128k"});
    return joined(words, {"-f", "webm"});
  }
  // Each picture whole: libwebp_anim, which writes changes, leaves blocks of earlier pictures on smooth floors.
  if (ending == ".webp")
    return {"-c:v", "libwebp", "-q:v", "82", "-compression_level", "5", "-loop", "0", "-f", "webp"};
  if (ending == ".gif")
    return {"-vf",   "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=sierra2_4a",
            "-loop", "0",
            "-f",    "gif"};
  return {"-c:v", "mjpeg", "-q:v", "2", "-pix_fmt", "yuvj444p", "-f", "mjpeg"};
}

// Whether the program is in one of the folders of PATH.
bool has_program() {
  const char* path = std::getenv("PATH");
  const std::string folders = path ? path : "/usr/bin:/bin";
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string file = folders.substr(begin, end - begin) + "/" + program_name;
    if (end > begin && ::access(file.c_str(), X_OK) == 0) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

struct VideoFile::Process {
  pid_t id = -1;
  int pipe = -1;   // what the program reads
  int words = -1;  // a file without name with what it says
  void (*old_handler)(int) = SIG_DFL;

  // What it said last.
  std::string last_words() const {
    std::string text(4096, '\0');
    const off_t end = ::lseek(words, 0, SEEK_END);
    const off_t begin = std::max<off_t>(0, end - static_cast<off_t>(text.size()));
    const ssize_t count = ::pread(words, text.data(), text.size(), begin);
    text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    const std::size_t line = text.rfind('\n');
    return line == std::string::npos ? text : text.substr(line + 1);
  }
};

const std::vector<std::string>& video_endings() {
  static const std::vector<std::string> endings{".mp4", ".webm", ".webp", ".gif", ".jpg", ".jpeg"};
  return endings;
}

bool is_video(const std::string& path) {
  return std::ranges::count(video_endings(), lower_extension(path)) > 0;
}

void VideoFile::check(const std::string& path, const VideoSettings& settings) {
  const std::string ending = lower_extension(path);
  if ((ending == ".mp4" || ending == ".webm") && (settings.width % 2 != 0 || settings.height % 2 != 0)) {
    fail_input(code::usage, "--size: found {}x{}, expected even numbers for {}", settings.width, settings.height,
               ending);
  }
  // A picture of a GIF lasts a whole number of 1/100 s. Browsers show those below 2/100 s for 10/100 s.
  if (ending == ".gif" && settings.rate > 50)
    fail_input(code::usage, "--fps: found {}, expected at most 50 for .gif", settings.rate);
  if (has_program()) return;
  throw SimulationError(
      code::program,
      fmt::format("{}: needs the program {}, which was not found; install Debian's package ffmpeg, or write numbered "
                  "pictures, for example -o frame_%04d.png",
                  path, program_name));
}

VideoFile::VideoFile(std::string path, const VideoSettings& settings) : path_(std::move(path)) {
  check(path_, settings);
  const fs::path target(path_);
  part_ = (target.parent_path() / fmt::format(".{}.{}.part", target.filename().string(), ::getpid())).string();
  // "file:" keeps ffmpeg from seeing options or protocols in names.
  std::vector<std::string> words = {program_name,
                                    "-hide_banner",
                                    "-loglevel",
                                    "error",
                                    "-nostdin",
                                    "-f",
                                    "rawvideo",
                                    "-pix_fmt",
                                    "rgb24",
                                    "-s",
                                    fmt::format("{}x{}", settings.width, settings.height),
                                    "-r",
                                    std::to_string(settings.rate),
                                    "-i",
                                    "pipe:0"};
  if (!settings.sound.empty()) words = joined(words, {"-i", "file:" + settings.sound});
  words = joined(words, encoder_words(lower_extension(path_), !settings.sound.empty()));
  words =
      joined(words, {"-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-y", "file:" + part_});
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  auto process = std::make_unique<Process>();
  std::string name = (fs::temp_directory_path() / "sinew-video-XXXXXX").string();
  process->words = ::mkostemp(name.data(), O_CLOEXEC);
  if (process->words >= 0) ::unlink(name.c_str());
  int ends[2] = {-1, -1};
  if (process->words < 0 || ::pipe2(ends, O_CLOEXEC) != 0) {
    if (process->words >= 0) ::close(process->words);
    fail(fmt::format("cannot start {}: {}", program_name, std::strerror(errno)));
  }
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&files, process->words, STDERR_FILENO);
  // Ctrl-C reaches this process alone, which then ends the other.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int error = ::posix_spawnp(&process->id, program_name, &files, &attributes, pointers.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  ::close(ends[0]);
  process->pipe = ends[1];
  if (error != 0) {
    ::close(ends[1]);
    ::close(process->words);
    fail(fmt::format("cannot start {}: {}", program_name, std::strerror(error)));
  }
  process->old_handler = std::signal(SIGPIPE, SIG_IGN);  // a write to a program that has ended is an error here
  process_ = std::move(process);
}

VideoFile::~VideoFile() {
  if (!process_) return;
  ::kill(process_->id, SIGKILL);
  end();
  std::error_code ignored;
  fs::remove(part_, ignored);
}

// Closes everything and waits for the program.
void VideoFile::end() {
  if (process_->pipe >= 0) ::close(process_->pipe);
  ::waitpid(process_->id, nullptr, 0);
  ::close(process_->words);
  std::signal(SIGPIPE, process_->old_handler);
  process_.reset();
}

void VideoFile::fail(const std::string& reason) const {
  throw SimulationError(code::output_write, fmt::format("{}: {}", path_, reason));
}

void VideoFile::add(const ColorImage& image) {
  const auto* next = reinterpret_cast<const char*>(image.values.data());
  std::size_t left = image.values.size();
  while (left > 0) {
    const ssize_t count = ::write(process_->pipe, next, left);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(fmt::format("{} has stopped: {}", program_name, process_->last_words()));
    next += count;
    left -= static_cast<std::size_t>(count);
  }
}

void VideoFile::finish() {
  ::close(process_->pipe);
  process_->pipe = -1;
  int status = 0;
  while (::waitpid(process_->id, &status, 0) < 0 && errno == EINTR) {
  }
  const std::string said = process_->last_words();
  ::close(process_->words);
  std::signal(SIGPIPE, process_->old_handler);
  process_.reset();
  std::error_code error;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    fs::rename(part_, path_, error);
    if (!error) return;
  }
  std::error_code ignored;
  fs::remove(part_, ignored);
  fail(error ? "cannot write: " + error.message() : fmt::format("{} failed: {}", program_name, said));
}

}  // namespace sinew::app
