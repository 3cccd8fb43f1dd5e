#include "sinew/io/report_store.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <utility>

#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/input_file.h"
#include "sinew/io/frame_sink.h"
#include "sinew/io/report_blob.h"
#include "sinew/io/report_format.h"

namespace sinew {
namespace fs = std::filesystem;

namespace {

// A chunk is written anew with each of its frames. It takes frames until it has so many bytes: few at first, so that
// short steps stay short, more in long runs, so that the files stay few.
std::size_t chunk_limit(std::size_t earlier_bytes) {
  return std::clamp<std::size_t>(earlier_bytes / 64, 64'000, 1'000'000);
}

constexpr const char* chunk_prefix = "frames_";
constexpr const char* script_suffix = ".js";

std::string chunk_name(int number) {
  return fmt::format("{}{:06}", chunk_prefix, number);
}

// The chunk's number, or -1 for other files.
int chunk_number(const std::string& file_name) {
  const std::string_view prefix = chunk_prefix, suffix = script_suffix;
  if (!file_name.starts_with(prefix) || !file_name.ends_with(suffix)) return -1;
  const char* first = file_name.data() + prefix.size();
  const char* last = file_name.data() + file_name.size() - suffix.size();
  int number = -1;
  const auto [end, error] = std::from_chars(first, last, number);
  return error == std::errc() && end == last && chunk_name(number) + script_suffix == file_name ? number : -1;
}

std::string script_head(const std::string& name) {
  return fmt::format("sinewBlob(\"{}\",", name);
}
constexpr std::string_view script_tail = ");\n";

[[noreturn]] void fail_damaged(const std::string& path, const char* what) {
  fail_input(code::resume_output,
             "{}: expected {}; the file is damaged. Continue without \"html\" in output.formats, or start again with "
             "--overwrite",
             path, what);
}

Json range_json(const ValueRange& range) {
  return Json::array({range.low, range.high});
}

// Number of values and quantiles; four digits are more than colours need.
Json spread_json(const Spread& spread) {
  Json list = Json::array({spread.count});
  for (const double value : spread.values) list.push_back(Json::parse(fmt::format("{:.4g}", value)));
  return list;
}

Json frame_header(const EncodedFrame& frame) {
  Json ranges = Json::array(), box = Json::array(), focus = Json::array(), spreads = Json::array();
  for (const ValueRange& range : frame.ranges) ranges.push_back(range_json(range));
  for (const Spread& spread : frame.spreads) spreads.push_back(spread_json(spread));
  for (const ValueRange& axis : frame.box) box.push_back(range_json(axis));
  for (const ValueRange& axis : frame.focus) focus.push_back(range_json(axis));
  Json header = {{"step", frame.step}, {"time", frame.time}, {"ranges", ranges},
                 {"spreads", spreads}, {"box", box},         {"focus", focus}};
  for (const std::vector<Spread>& materials : frame.by_material) {
    Json list = Json::array();
    for (const Spread& spread : materials) list.push_back(spread_json(spread));
    header["by_material"].push_back(std::move(list));
  }
  if (!frame.moved.empty()) header["moved"] = frame.moved;
  return header;
}

// Throws nlohmann::json::exception.
Spread spread_of(const Json& list) {
  Spread spread;
  spread.count = list.at(0).get<double>();
  for (std::size_t k = 0; k < spread.values.size(); ++k) spread.values[k] = list.at(k + 1).get<double>();
  return spread;
}

// Throws nlohmann::json::exception.
ValueRange range_from(const Json& pair) {
  return {pair.at(0).get<double>(), pair.at(1).get<double>()};
}

}  // namespace

void ReportStore::Chunk::add(const std::string& frame) {
  if (frames++ > 0) text += ",\n";
  text += frame;
}

ReportStore::ReportStore(std::string folder) : folder_(std::move(folder)) {}

std::string ReportStore::blob_path(const std::string& name) const {
  return fmt::format("{}/{}/{}{}", folder_, report_folder_name, name, script_suffix);
}

void ReportStore::read(int step) {
  index_ = {};
  last_ = {};
  earlier_bytes_ = 0;
  for (int number = 0; fs::exists(blob_path(chunk_name(number))); ++number) {
    Chunk chunk = read_chunk(chunk_name(number), step);
    if (chunk.frames == 0) break;
    index_.chunks.push_back(chunk.frames);
    earlier_bytes_ += last_.text.size();
    last_ = std::move(chunk);
  }
}

ReportStore::Chunk ReportStore::read_chunk(const std::string& name, int step) {
  const std::string path = blob_path(name);
  require_fit(path);
  std::ifstream stream(path);
  std::string header, data;
  if (!std::getline(stream, header) || header != script_head(name) + "[") fail_damaged(path, "a chunk of frames");
  Chunk chunk;
  while (std::getline(stream, header) && header != "]);") {
    if (!std::getline(stream, data) || !header.ends_with(',')) fail_damaged(path, "a header and data for each frame");
    header.pop_back();
    if (data.ends_with(',')) data.pop_back();
    const Json facts = Json::parse(header, nullptr, /*allow_exceptions=*/false);
    const bool good = facts.is_object() && facts.contains("step") && facts["step"].is_number_integer();
    if (!good || data.size() < 2 || data.front() != '"' || data.back() != '"') fail_damaged(path, "a frame's header");
    if (facts["step"].get<int>() > step) return chunk;
    try {
      count(facts);
    } catch (const nlohmann::json::exception&) {
      fail_damaged(path, "a frame's time, ranges and box");
    }
    chunk.add(header + ",\n" + data);
  }
  if (header != "]);") fail_damaged(path, "its end");
  return chunk;
}

void ReportStore::count(const Json& header) {
  const bool first = index_.steps.empty();
  const Json &ranges = header.at("ranges"), &spreads = header.at("spreads"), &box = header.at("box");
  if (first) {
    index_.ranges.clear();
    index_.spreads.assign(ranges.size(), {});
    for (const Json& range : ranges) index_.ranges.push_back(range_from(range));
  }
  for (std::size_t f = 0; f < index_.ranges.size(); ++f) {
    widen(index_.ranges[f], range_from(ranges.at(f)));
    index_.spreads[f].push_back(spread_of(spreads.at(f)));
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (first) index_.box[axis] = range_from(box.at(axis));
    widen(index_.box[axis], range_from(box.at(axis)));
  }
  if (header.contains("by_material")) {
    const Json& fields = header["by_material"];
    index_.by_material.resize(fields.size());
    for (std::size_t f = 0; f < fields.size(); ++f) {
      index_.by_material[f].resize(fields[f].size());
      for (std::size_t m = 0; m < fields[f].size(); ++m) index_.by_material[f][m].push_back(spread_of(fields[f][m]));
    }
  }
  // Reports of earlier versions have no focus.
  std::array<ValueRange, 3> focus;
  for (std::size_t axis = 0; axis < 3; ++axis)
    focus[axis] = range_from(header.contains("focus") ? header["focus"].at(axis) : box.at(axis));
  index_.focus.push_back(focus);
  index_.times.push_back(header.at("time").get<double>());
  index_.steps.push_back(header.at("step").get<int>());
}

void ReportStore::keep_until(int step) {
  const fs::path folder = fs::path(folder_) / report_folder_name;
  if (!fs::is_directory(folder)) return;
  remove_leftovers(folder.string());
  read(step);
  const int kept = static_cast<int>(index_.chunks.size());
  if (kept > 0) write_chunk(kept - 1, last_);
  std::vector<std::string> doomed;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (chunk_number(entry.path().filename().string()) >= kept) doomed.push_back(entry.path().string());
  }
  for (const std::string& path : doomed) remove_file(path);
}

void ReportStore::append(const EncodedFrame& frame) {
  make_folder(folder_ + "/" + report_folder_name);
  const Json header = frame_header(frame);
  const bool starts = index_.chunks.empty() || last_.text.size() >= chunk_limit(earlier_bytes_);
  Chunk closed;
  if (starts) closed = std::exchange(last_, {});
  const std::size_t size = last_.text.size();
  last_.add(blob_entry(header, frame.data));
  try {
    write_chunk(static_cast<int>(index_.chunks.size()) - (starts ? 0 : 1), last_);
  } catch (...) {  // as it is on disk
    last_.text.resize(size);
    --last_.frames;
    if (starts) last_ = std::move(closed);
    throw;
  }
  if (starts) {
    index_.chunks.push_back(0);
    earlier_bytes_ += closed.text.size();
  }
  index_.chunks.back() = last_.frames;
  count(header);
}

void ReportStore::write_chunk(int number, const Chunk& chunk) const {
  const std::string name = chunk_name(number), head = script_head(name) + "[\n";
  const std::string_view pieces[] = {head, chunk.text, "\n]);\n"};
  write_file_atomically(blob_path(name), pieces);
}

void ReportStore::write_blob(const std::string& name, const Json& header, const std::string& data) const {
  make_folder(folder_ + "/" + report_folder_name);
  write_file_atomically(blob_path(name), script_head(name) + blob_text(header, data) + ");\n");
}

void ReportStore::write_mesh(const Json& header, const std::string& data) const {
  write_blob("mesh", header, data);
}

bool ReportStore::has_mesh() const {
  return fs::exists(blob_path("mesh"));
}

bool ReportStore::has_sound() const {
  return fs::exists(blob_path(report_sound_name));
}

Json ReportStore::blob_header(const std::string& name) const {
  require_fit(blob_path(name));
  std::ifstream stream(blob_path(name));
  if (!stream) return nullptr;
  std::string line;
  std::getline(stream, line);
  std::getline(stream, line);
  if (line.ends_with(',')) line.pop_back();
  Json header = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!header.is_object()) fail_damaged(blob_path(name), "a header");
  return header;
}

Json ReportStore::mesh_header() const {
  const std::string path = blob_path("mesh");
  Json header = blob_header("mesh");
  if (header.is_null()) {
    fail_input(code::run_folder,
               "{}: no such file, which the page needs; run the scene again with \"html\" in output.formats", path);
  }
  const Json format = header.value("format", Json());
  if (format != report_format_version) {
    fail_input(code::run_folder,
               "{}: found format {}, expected {}: it was written by another version of sinew. Use that one", path,
               format.dump(), report_format_version);
  }
  return header;
}

std::vector<std::string> ReportStore::blob_names() const {
  std::vector<std::string> names{"mesh", "run"};
  if (has_sound()) names.push_back(report_sound_name);
  for (std::size_t k = 0; k < index_.chunks.size(); ++k) names.push_back(chunk_name(static_cast<int>(k)));
  return names;
}

std::size_t ReportStore::blob_bytes(const std::string& name) const {
  std::error_code error;
  const auto size = fs::file_size(blob_path(name), error);
  return error ? 0 : size;
}

std::string ReportStore::blob_array(const std::string& name) const {
  const std::string path = blob_path(name), head = script_head(name);
  const std::string text = read_whole_file(path);
  if (!text.starts_with(head + "[") || !text.ends_with(script_tail)) fail_damaged(path, "a script of the report");
  return text.substr(head.size(), text.size() - head.size() - script_tail.size());
}

void ReportStore::remove_all(const std::string& folder) {
  const fs::path report = fs::path(folder) / report_folder_name;
  if (!fs::is_directory(report)) return;
  remove_leftovers(report.string());
  std::vector<std::string> doomed;
  for (const auto& entry : fs::directory_iterator(report)) {
    const std::string name = entry.path().filename().string();
    if (name == "mesh.js" || name == "run.js" || name == "sound.js" || chunk_number(name) >= 0)
      doomed.push_back(entry.path().string());
  }
  for (const std::string& path : doomed) remove_file(path);
  std::error_code ignored;
  fs::remove(report, ignored);  // if nothing else is in it
}

}  // namespace sinew
