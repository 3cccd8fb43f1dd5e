// Videos and animated pictures, made by the program ffmpeg, which gets the pictures through a pipe.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/render/renderer.h"

namespace sinew::app {

struct VideoSettings {
  int width = 0, height = 0;  // pixels
  int rate = 30;              // pictures a second
  std::string sound;          // a .wav that begins with the video; empty: none
};

// The endings of files that need ffmpeg: .mp4, .webm, .webp, .gif, and .jpg for single pictures.
const std::vector<std::string>& video_endings();
bool is_video(const std::string& path);

class VideoFile {
 public:
  // Starts ffmpeg. Throws SimulationError if it is missing or does not start, naming the package, and InputError for a
  // size that the format cannot have.
  VideoFile(std::string path, const VideoSettings& settings);
  // Without finish(): ends ffmpeg and removes what it wrote.
  ~VideoFile();
  VideoFile(const VideoFile&) = delete;
  VideoFile& operator=(const VideoFile&) = delete;

  // Throws SimulationError with ffmpeg's words if it has ended.
  void add(const ColorImage& image);
  // Waits until the file is whole, and gives it its name.
  void finish();

  // Throws as the constructor does where ffmpeg is missing or the size is unsuitable. Call it before long work.
  static void check(const std::string& path, const VideoSettings& settings);

 private:
  [[noreturn]] void fail(const std::string& reason) const;
  void end();

  struct Process;
  std::string path_, part_;
  std::unique_ptr<Process> process_;
};

}  // namespace sinew::app
