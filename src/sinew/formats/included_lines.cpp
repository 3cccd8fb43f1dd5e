#include "sinew/formats/included_lines.h"

#include <algorithm>

#include "sinew/core/utf8.h"

namespace sinew {

IncludedLines::IncludedLines(const MeshSource& source, std::string keyword)
    : source_(source), keyword_(std::move(keyword)) {
  open("", std::string(source.bytes));
}

bool IncludedLines::next() {
  if (held_) return held_ = false, true;
  while (files_.back()->reader.remaining() == 0) {
    if (files_.size() == 1) return false;  // the first file stays, for the place of errors
    files_.pop_back();
  }
  line_ = files_.back()->reader.line();
  ++files_.back()->place.line;
  return true;
}

void IncludedLines::require(std::string_view what) {
  if (!next()) fail("the file ends before {}; it is truncated, copy or export it again", what);
}

void IncludedLines::open(const std::string& path, std::string bytes) {
  std::string name = source_.name;
  if (!path.empty()) {
    const std::size_t slash = name.rfind('/');
    name = path.front() == '/' || slash == std::string::npos ? path : name.substr(0, slash + 1) + path;
  }
  bytes_ += bytes.size();
  files_.push_back(std::make_unique<File>(path, name, std::move(bytes)));
  const auto known = std::ranges::find(names_, name);
  files_.back()->place.file = static_cast<std::uint32_t>(known - names_.begin());
  if (known == names_.end()) names_.push_back(name);
}

void IncludedLines::include(const std::string& path) {
  constexpr int most_times = 8;  // more would let a small file claim any amount of time
  constexpr std::size_t deepest = 20;
  if (path.empty()) fail("found {} without a file, expected its path", keyword_);
  if (!is_utf8(path)) fail("found '{}' as an include, expected a name in UTF-8; rename the file", printable(path));
  const std::size_t slash = source_.name.rfind('/');
  const std::string self = slash == std::string::npos ? source_.name : source_.name.substr(slash + 1);
  const bool open_already = std::ranges::any_of(files_, [&](const auto& file) { return file->path == path; });
  if (path == self || open_already) fail("'{}' includes itself; remove one {}", printable(path), keyword_);
  if (files_.size() > deepest)
    fail("found {} nested more than {} deep; put the contents into fewer files", keyword_, deepest);
  if (++times_[path] > most_times) fail("'{}' is included more than {} times", printable(path), most_times);
  std::optional<std::string> bytes = source_.other(path);
  if (!bytes)
    fail("cannot open the include '{}': no such file; its path is relative to the folder of '{}'", path, self);
  open(path, std::move(*bytes));
}

}  // namespace sinew
