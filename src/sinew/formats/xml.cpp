#include "sinew/formats/xml.h"

#include <algorithm>

namespace sinew {
namespace {

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == ':' || c == '.';
}

std::string decode_entities(std::string_view text) {
  constexpr std::pair<std::string_view, char> entities[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  std::string out;
  while (!text.empty()) {
    const auto* match = std::find_if(std::begin(entities), std::end(entities),
                                     [&](const auto& entity) { return text.starts_with(entity.first); });
    const bool found = match != std::end(entities);
    out += found ? match->second : text.front();
    text.remove_prefix(found ? match->first.size() : 1);
  }
  return out;
}

class XmlParser {
 public:
  XmlParser(ByteReader& reader, std::string_view last) : reader_(reader), bytes_(reader.bytes()), last_(last) {}

  XmlElement parse() {
    skip_to_tag(nullptr);
    XmlElement root;
    parse_element(root, 0);
    return root;
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
    reader_.seek(at_);
    reader_.fail(format, std::forward<Args>(args)...);
  }

  bool starts(std::string_view text) const { return bytes_.substr(at_).starts_with(text); }

  void skip_past(std::string_view end) {
    const std::size_t found = bytes_.find(end, at_);
    if (found == std::string_view::npos) fail("the file ends before '{}'; it is truncated", end);
    at_ = found + end.size();
  }

  // Moves to the next tag; text on the way is kept in `owner` when it is not blank.
  void skip_to_tag(XmlElement* owner) {
    for (;;) {
      const std::size_t found = bytes_.find('<', at_);
      if (found == std::string_view::npos) fail("the file ends before the next tag; it is truncated or not XML");
      const std::string_view text = bytes_.substr(at_, found - at_);
      if (owner && text.find_first_not_of(" \t\r\n") != std::string_view::npos) owner->text = text;
      at_ = found;
      if (starts("<!--")) {
        skip_past("-->");
      } else if (starts("<?") || starts("<!")) {
        skip_past(">");
      } else {
        return;
      }
    }
  }

  void skip_blanks() {
    while (at_ < bytes_.size() && std::string_view(" \t\r\n").find(bytes_[at_]) != std::string_view::npos) ++at_;
  }

  std::string name(std::string_view what) {
    const std::size_t begin = at_;
    while (at_ < bytes_.size() && is_name_char(bytes_[at_])) ++at_;
    if (at_ == begin) fail("expected {} in a tag", what);
    return std::string(bytes_.substr(begin, at_ - begin));
  }

  void parse_attribute(XmlElement& element) {
    const std::string key = name("an attribute");
    skip_blanks();
    if (!starts("=")) fail("expected '=' after the attribute {}", printable(key));
    ++at_;
    skip_blanks();
    const char quote = at_ < bytes_.size() ? bytes_[at_] : '\0';
    if (quote != '"' && quote != '\'') fail("expected the value of {} in quotes", printable(key));
    const std::size_t end = bytes_.find(quote, ++at_);
    if (end == std::string_view::npos) fail("the value of {} is not closed by a quote", printable(key));
    element.attributes[key] = decode_entities(bytes_.substr(at_, end - at_));
    at_ = end + 1;
  }

  void parse_element(XmlElement& element, int depth) {
    if (depth > 50) fail("found more than 50 nested elements; the file is damaged");
    element.position = at_++;
    element.name = name("a name");
    for (skip_blanks(); !starts(">") && !starts("/>"); skip_blanks()) {
      if (at_ >= bytes_.size()) fail("the file ends inside the tag <{}>; it is truncated", element.name);
      parse_attribute(element);
    }
    const bool empty = starts("/>");
    at_ += empty ? 2 : 1;
    if (empty) return;
    if (element.name == last_) {
      element.text = bytes_.substr(at_);
      done_ = true;
      return;
    }
    for (;;) {
      skip_to_tag(&element);
      if (starts("</")) break;
      parse_element(element.children.emplace_back(), depth + 1);
      if (done_) return;
    }
    at_ += 2;
    const std::string closing = name("a name");
    if (closing != element.name) fail("found </{}>, expected </{}>", printable(closing), printable(element.name));
    skip_past(">");
  }

  ByteReader& reader_;
  std::string_view bytes_;
  std::string_view last_;
  std::size_t at_ = 0;
  bool done_ = false;
};

}  // namespace

const XmlElement* XmlElement::child(std::string_view child_name) const {
  for (const XmlElement& element : children) {
    if (element.name == child_name) return &element;
  }
  return nullptr;
}

std::string XmlElement::attribute(std::string_view key, std::string_view otherwise) const {
  const auto at = attributes.find(key);
  return at == attributes.end() ? std::string(otherwise) : at->second;
}

XmlElement parse_xml(ByteReader& reader, std::string_view last) {
  return XmlParser(reader, last).parse();
}

}  // namespace sinew
