#include "sinew/live/files.h"

#include <algorithm>
#include <iterator>

namespace sinew::live {
namespace fs = std::filesystem;

namespace {

struct ContentType {
  const char* extension;
  const char* type;
};
constexpr ContentType content_types[] = {{".html", "text/html; charset=utf-8"},
                                         {".js", "text/javascript; charset=utf-8"},
                                         {".json", "application/json"},
                                         {".jsonl", "text/plain; charset=utf-8"},
                                         {".png", "image/png"}};

}  // namespace

fs::path file_below(const fs::path& folder, const std::string& path) {
  std::error_code error;
  const fs::path file = fs::canonical(folder / fs::path(path).relative_path(), error);
  if (error || !fs::is_regular_file(file, error)) return {};
  const auto [in_folder, in_file] = std::ranges::mismatch(folder, file);
  return in_folder == folder.end() ? file : fs::path();
}

const char* content_type_of(const fs::path& file) {
  const auto row =
      std::ranges::find_if(content_types, [&](const ContentType& c) { return file.extension() == c.extension; });
  return row == std::end(content_types) ? "application/octet-stream" : row->type;
}

}  // namespace sinew::live
