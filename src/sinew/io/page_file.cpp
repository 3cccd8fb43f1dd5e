#include "sinew/io/page_file.h"

#include <string_view>

#include <fmt/format.h>

#include "sinew/core/atomic_file.h"
#include "sinew/io/report_template.h"

namespace sinew {
namespace {

constexpr const char* page_names[] = {"run", "subspace", "modes", "live"};  // by PageKind

// f(pieces of the page, in order)
template <class F>
auto with_pieces(PageKind kind, const std::vector<std::string>& names, const std::vector<std::string>& arrays, F&& f) {
  const std::string settings =
      fmt::format("<script type=\"application/json\" id=\"sinew-page\">{{\"kind\":\"{}\",\"embedded\":{}}}</script>\n",
                  page_names[static_cast<int>(kind)], !arrays.empty());
  std::vector<std::string> tags;
  for (const std::string& name : names)
    tags.push_back(fmt::format("<script type=\"text/plain\" id=\"sinew-{}\">", name));
  std::vector<std::string_view> pieces{report_template_head(), settings};
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    pieces.insert(pieces.end(), {tags[k], arrays[k], "</script>\n"});
  }
  pieces.push_back(report_template_tail());
  return f(pieces);
}

}  // namespace

void write_page_file(const std::string& path, PageKind kind, const std::vector<std::string>& names,
                     const std::vector<std::string>& arrays) {
  with_pieces(kind, names, arrays, [&](const auto& pieces) { write_file_atomically(path, pieces); });
}

std::string page_text(PageKind kind, const std::vector<std::string>& names, const std::vector<std::string>& arrays) {
  return with_pieces(kind, names, arrays, [](const auto& pieces) {
    std::string text;
    for (const std::string_view piece : pieces) text += piece;
    return text;
  });
}

}  // namespace sinew
