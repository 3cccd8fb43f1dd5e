#include "sinew/formats/stl.h"

#include <array>
#include <bit>
#include <limits>
#include <unordered_map>

#include "sinew/formats/byte_reader.h"

namespace sinew {
namespace {

using Key = std::array<std::uint64_t, 3>;

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::uint64_t h = 0;
    for (const std::uint64_t word : key) h = (h ^ word) * 0x9e3779b97f4a7c15ull, h ^= h >> 29;
    return h;
  }
};

class VertexMerger {
 public:
  void add(const double position[3]) {
    Key key;
    for (int k = 0; k < 3; ++k) key[k] = std::bit_cast<std::uint64_t>(position[k] + 0.0);  // -0 + 0 = +0
    const auto [at, added] = ids_.try_emplace(key, static_cast<Index>(ids_.size()));
    if (added) coordinates_.insert(coordinates_.end(), position, position + 3);
    corners_.push_back(at->second);
  }
  bool empty() const { return corners_.empty(); }
  MeshFile file() const {
    MeshFile file;
    file.volume.vertices = points_of(coordinates_);
    file.triangles = triangles_of(corners_);
    return file;
  }

 private:
  std::unordered_map<Key, Index, KeyHash> ids_;
  std::vector<double> coordinates_;
  std::vector<Index> corners_;
};

constexpr std::size_t header_bytes = 80, facet_bytes = 50;

void read_binary(ByteReader& in, VertexMerger& merger) {
  in.set_binary(true);
  in.set_swapped(std::endian::native == std::endian::big);  // binary STL is little-endian
  in.seek(header_bytes);
  const std::size_t count = in.checked_count(in.raw<std::uint32_t>("the number of facets"), facet_bytes, "facets");
  for (std::size_t f = 0; f < count; ++f) {
    for (int k = 0; k < 3; ++k) in.raw<float>("a facet's normal");
    for (int corner = 0; corner < 3; ++corner) {
      double position[3];
      for (double& x : position) x = in.raw<float>("a facet's vertex");
      merger.add(position);
    }
    in.raw<std::uint16_t>("a facet's attribute");
  }
}

// Text may begin with a byte order mark, and with blanks.
void skip_to_text(ByteReader& in) {
  in.seek(in.bytes().starts_with("\xef\xbb\xbf") ? 3 : 0);
  in.at_end();
}

void expect(ByteReader& in, std::string_view word) {
  const std::string_view found = in.token();
  if (found.empty()) in.fail("the file ends before '{}'; it is truncated, copy or export it again", word);
  if (lower_case(found) != word) in.fail("found '{}', expected '{}'", printable(found), word);
}

void read_ascii(ByteReader& in, VertexMerger& merger) {
  skip_to_text(in);
  in.line();  // solid NAME
  while (!in.at_end()) {
    const std::string word = lower_case(in.token());
    if (word == "endsolid" || word == "solid") {  // a file may hold several solids
      in.line();
      continue;
    }
    if (word != "facet") in.fail("found '{}', expected 'facet' or 'endsolid'", printable(word));
    expect(in, "normal");
    for (int k = 0; k < 3; ++k) in.token();  // often "nan", never needed
    expect(in, "outer");
    expect(in, "loop");
    for (int corner = 0; corner < 3; ++corner) {
      expect(in, "vertex");
      double position[3];
      for (double& x : position) x = in.real("a vertex coordinate");
      merger.add(position);
    }
    expect(in, "endloop");
    expect(in, "endfacet");
  }
}

// Some programs write all words in capitals.
bool starts_with_solid(ByteReader& in) {
  skip_to_text(in);
  return lower_case(in.bytes().substr(in.position(), 5)) == "solid";
}

// A binary header may also begin with "solid", so the size decides first.
bool is_binary(ByteReader& in) {
  if (in.bytes().size() < header_bytes + 4) return false;
  const auto* byte = reinterpret_cast<const unsigned char*>(in.bytes().data() + header_bytes);
  const std::uint64_t count = byte[0] | byte[1] << 8 | byte[2] << 16 | static_cast<std::uint64_t>(byte[3]) << 24;
  return in.bytes().size() == header_bytes + 4 + facet_bytes * count || !starts_with_solid(in);
}

}  // namespace

MeshFile parse_stl(const MeshSource& source) {
  ByteReader in(source.name, source.bytes);
  VertexMerger merger;
  if (is_binary(in)) {
    read_binary(in, merger);
  } else {
    if (!starts_with_solid(in)) in.fail("expected an STL file: 'solid NAME', or 84 bytes of binary header");
    read_ascii(in, merger);
  }
  if (merger.empty()) fail_input(code::mesh_empty, "{}: found no facets, expected a surface", source.name);
  return merger.file();
}

}  // namespace sinew
