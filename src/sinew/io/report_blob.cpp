#include "sinew/io/report_blob.h"

namespace sinew {
namespace {

std::string script_json(const Json& value) {
  std::string text;
  for (const char c : value.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

}  // namespace

std::string blob_entry(const Json& header, const std::string& data) {
  return script_json(header) + ",\n\"" + data + "\"";
}

std::string blob_text(const Json& header, const std::string& data) {
  return "[\n" + blob_entry(header, data) + "\n]";
}

}  // namespace sinew
