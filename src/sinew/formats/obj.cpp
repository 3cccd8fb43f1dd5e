#include "sinew/formats/obj.h"

#include <limits>

#include "sinew/core/atomic_file.h"
#include "sinew/formats/byte_reader.h"

namespace sinew {
namespace {

class ObjParser {
 public:
  explicit ObjParser(ByteReader& reader) : in_(reader) {}

  MeshFile parse() {
    std::string joined;  // a statement that goes on over several lines
    while (in_.remaining() > 0) {
      if (joined.empty()) line_ = in_.position();
      std::string_view line = in_.line();
      if (!line.empty() && line.back() == '\\') {
        joined.append(line.substr(0, line.size() - 1)).push_back(' ');
        continue;
      }
      if (!joined.empty()) line = joined.append(line);
      parse_statement(line);
      joined.clear();
    }
    if (!joined.empty()) parse_statement(joined);
    if (triangles_.empty()) fail_input("{}: found no faces, expected a surface", in_.source());
    MeshFile file;
    file.volume.vertices = points_of(coordinates_);
    file.triangles = triangles_of(triangles_);
    // Faces may come before their vertices, so the largest index is checked against the whole file.
    if (largest_ >= file.volume.vertices.cols()) {
      in_.seek(largest_position_);
      in_.fail("a face names vertex {}, but the file has {} vertices (numbered from 1)", largest_ + 1,
               file.volume.vertices.cols());
    }
    return file;
  }

 private:
  void parse_statement(std::string_view line) {
    const std::string_view keyword = next_token(line);
    if (keyword == "v") {
      parse_vertex(line);
    } else if (keyword == "f") {
      parse_face(line);
    }
  }

  void parse_vertex(std::string_view rest) {
    for (int k = 0; k < 3; ++k) {
      const std::string_view token = next_token(rest);
      double value;
      if (!parse_real(token, value)) in_.fail("found '{}', expected three coordinates after 'v'", printable(token));
      coordinates_.push_back(value);
    }
    if (coordinates_.size() / 3 > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
      in_.fail("found more than 2^31 vertices");
  }

  void parse_face(std::string_view rest) {
    Index corner[3];
    int count = 0;
    for (std::string_view token = next_token(rest); !token.empty(); token = next_token(rest)) {
      if (token.front() == '#') break;
      const Index vertex = parse_corner(token);
      if (count >= 2) {
        corner[2] = vertex;
        triangles_.insert(triangles_.end(), corner, corner + 3);
        corner[1] = vertex;
      } else {
        corner[count] = vertex;
      }
      ++count;
    }
    if (count < 3) in_.fail("found a face of {} vertices, expected 3 or more", count);
  }

  // "7", "7/1", "7//2" or "7/1/2"; negative numbers count back from the last vertex.
  Index parse_corner(std::string_view token) {
    std::int64_t number;
    if (!parse_integer(token.substr(0, token.find('/')), number)) {
      in_.fail("found '{}', expected a vertex number of a face", printable(token));
    }
    const auto known = static_cast<std::int64_t>(coordinates_.size() / 3);
    if (number == 0 || number < -known || number > std::numeric_limits<Index>::max()) {
      in_.fail("a face names vertex {}, expected 1 or more, or {} to -1", number, -known);
    }
    const std::int64_t vertex = number > 0 ? number - 1 : known + number;
    if (vertex > largest_) {
      largest_ = vertex;
      largest_position_ = line_;
    }
    return static_cast<Index>(vertex);
  }

  ByteReader& in_;
  std::size_t line_ = 0;  // where the statement begins
  std::int64_t largest_ = -1;
  std::size_t largest_position_ = 0;
  std::vector<double> coordinates_;
  std::vector<Index> triangles_;
};

}  // namespace

MeshFile parse_obj(const MeshSource& source) {
  ByteReader reader(source.name, source.bytes);
  return ObjParser(reader).parse();
}

std::string obj_text(const TriMesh& mesh) {
  std::string out;
  const auto append = std::back_inserter(out);
  for (Eigen::Index v = 0; v < mesh.vertices.cols(); ++v) {
    fmt::format_to(append, "v {} {} {}\n", mesh.vertices(0, v), mesh.vertices(1, v), mesh.vertices(2, v));
  }
  for (Eigen::Index f = 0; f < mesh.triangles.cols(); ++f) {
    fmt::format_to(append, "f {} {} {}\n", mesh.triangles(0, f) + 1, mesh.triangles(1, f) + 1,
                   mesh.triangles(2, f) + 1);
  }
  return out;
}

void write_obj(const std::string& path, const TriMesh& mesh) {
  write_file_atomically(path, obj_text(mesh));
}

}  // namespace sinew
