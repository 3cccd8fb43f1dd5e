// Parses the part of XML that VTK's files need: elements, attributes and text, without entities in text, DTDs or
// namespaces.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/formats/byte_reader.h"

namespace sinew {

struct XmlElement {
  std::string name;
  std::map<std::string, std::string, std::less<>> attributes;
  std::string_view text;     // last run of text that is not blank, inside the reader's bytes
  std::size_t position = 0;  // byte offset of the tag, for errors
  std::vector<XmlElement> children;

  const XmlElement* child(std::string_view child_name) const;  // first child of that name, or nullptr
  std::string attribute(std::string_view key, std::string_view otherwise = "") const;
};

// Returns the root element. Parsing ends at an element named `last`, whose text is everything after its tag, because
// raw appended data are not XML. Throws InputError with the location.
XmlElement parse_xml(ByteReader& reader, std::string_view last);

}  // namespace sinew
