#include "sinew/formats/off.h"

#include <limits>

#include "sinew/formats/byte_reader.h"

namespace sinew {
namespace {

class OffParser {
 public:
  explicit OffParser(ByteReader& reader) : in_(reader) {}

  MeshFile parse() {
    parse_header();
    parse_vertices();
    for (std::int64_t f = 0; f < faces_; ++f) parse_face(f);
    if (triangles_.empty()) fail_input(code::mesh_empty, "{}: found no faces, expected a surface", in_.source());
    MeshFile file;
    file.volume.vertices = points_of(coordinates_);
    file.triangles = triangles_of(triangles_);
    return file;
  }

 private:
  // The next line with something on it, without its comment.
  std::string_view line(std::string_view what) {
    while (in_.remaining() > 0) {
      const std::string_view text = in_.line();
      const std::string_view content = trimmed(text.substr(0, text.find('#')));
      if (!content.empty()) return content;
    }
    in_.fail("the file ends before {}; it is truncated, copy or export it again", what);
  }

  std::int64_t integer(std::string_view& rest, std::string_view what) {
    const std::string_view token = next_token(rest);
    std::int64_t value;
    if (!parse_integer(token, value))
      in_.fail("found '{}', expected {} ({})", printable(token), what, integer_words(token));
    return value;
  }

  void parse_header() {
    std::string_view rest = line("the keyword OFF");
    std::int64_t number;
    std::string_view after = rest;
    const std::string_view keyword = next_token(after);
    if (!parse_integer(keyword, number)) {  // the keyword may be missing
      check_keyword(keyword);
      if (trimmed(after).starts_with("BINARY")) in_.fail("found a binary OFF file; export it as text or as .ply");
      rest = trimmed(after).empty() ? line("the counts of vertices, faces and edges") : after;
    }
    vertices_ = integer(rest, "the number of vertices");
    faces_ = integer(rest, "the number of faces");
    in_.checked_count(vertices_, 5, "vertices");
    in_.checked_count(faces_, 3, "faces");
    if (vertices_ > std::numeric_limits<Index>::max()) in_.fail("found more than 2^31 vertices");
  }

  void check_keyword(std::string_view keyword) {
    std::string_view prefix = keyword;
    if (!prefix.ends_with("OFF")) in_.fail("found '{}', expected OFF, COFF, NOFF or STOFF", printable(keyword));
    prefix.remove_suffix(3);
    if (prefix.find_first_of("4n") != std::string_view::npos)
      in_.fail("found '{}', expected vertices of three coordinates", printable(keyword));
    if (prefix.find_first_not_of("STCN") != std::string_view::npos)
      in_.fail("found '{}', expected OFF, COFF, NOFF or STOFF", printable(keyword));
  }

  void parse_vertices() {
    coordinates_.reserve(3 * static_cast<std::size_t>(vertices_));
    for (std::int64_t v = 0; v < vertices_; ++v) {
      std::string_view rest = line("the last vertex");
      for (int k = 0; k < 3; ++k) {
        const std::string_view token = next_token(rest);
        double value;
        if (!parse_real(token, value))
          in_.fail("found '{}', expected three coordinates of vertex {} on a line", printable(token), v);
        coordinates_.push_back(value);
      }
    }
  }

  void parse_face(std::int64_t face) {
    std::string_view rest = line("the last face");
    const std::int64_t count = integer(rest, "a face's number of vertices");
    if (count < 3) in_.fail("face {} has {} vertices, expected 3 or more", face, count);
    if (static_cast<std::uint64_t>(count) > rest.size() / 2 + 1)
      in_.fail("face {} has {} vertices, more than its line holds", face, count);
    std::vector<Index> corners;
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t vertex = integer(rest, "a vertex of a face");
      if (vertex < 0 || vertex >= vertices_)
        in_.fail("face {} names vertex {}, expected 0 to {}", face, vertex, vertices_ - 1);
      corners.push_back(static_cast<Index>(vertex));
    }
    append_fan(corners.data(), corners.size(), triangles_);
  }

  ByteReader& in_;
  std::int64_t vertices_ = 0, faces_ = 0;
  std::vector<double> coordinates_;
  std::vector<Index> triangles_;
};

}  // namespace

MeshFile parse_off(const MeshSource& source) {
  ByteReader reader(source.name, source.bytes);
  return OffParser(reader).parse();
}

}  // namespace sinew
