#include "sinew/formats/obj.h"

#include <filesystem>
#include <limits>

#include "sinew/core/atomic_file.h"
#include "sinew/formats/byte_reader.h"

namespace sinew {
namespace {

// Calls visit(position, statement); one may go on over several lines.
template <class Visit>
void for_each_statement(ByteReader& in, Visit&& visit) {
  std::string joined;
  std::size_t begin = 0;
  while (in.remaining() > 0) {
    if (joined.empty()) begin = in.position();
    std::string_view line = in.line();
    if (!line.empty() && line.back() == '\\') {
      joined.append(line.substr(0, line.size() - 1)).push_back(' ');
      continue;
    }
    if (!joined.empty()) line = joined.append(line);
    visit(begin, line);
    joined.clear();
  }
  if (!joined.empty()) visit(begin, std::string_view(joined));
}

class ObjParser {
 public:
  explicit ObjParser(ByteReader& reader) : in_(reader) {}

  MeshFile parse() {
    for_each_statement(in_, [&](std::size_t position, std::string_view line) {
      line_ = position;
      parse_statement(line);
    });
    if (triangles_.empty()) fail_input(code::mesh_empty, "{}: found no faces, expected a surface", in_.source());
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

void append_vertices(const Points& vertices, std::string& out) {
  for (Eigen::Index v = 0; v < vertices.cols(); ++v)
    fmt::format_to(std::back_inserter(out), "v {} {} {}\n", vertices(0, v), vertices(1, v), vertices(2, v));
}

}  // namespace

MeshFile parse_obj(const MeshSource& source) {
  ByteReader reader(source.name, source.bytes);
  return ObjParser(reader).parse();
}

std::string obj_text(const TriMesh& mesh) {
  std::string out;
  append_vertices(mesh.vertices, out);
  const auto append = std::back_inserter(out);
  for (Eigen::Index f = 0; f < mesh.triangles.cols(); ++f) {
    fmt::format_to(append, "f {} {} {}\n", mesh.triangles(0, f) + 1, mesh.triangles(1, f) + 1,
                   mesh.triangles(2, f) + 1);
  }
  return out;
}

std::string obj_layout(const MeshSource& source, const std::string& folder) {
  ByteReader in(source.name, source.bytes);
  std::string out;
  const auto append = std::back_inserter(out);
  std::int64_t vertices = 0, coordinates = 0;
  // Numbers below zero count back from the last one.
  const auto number = [](std::string_view text, std::int64_t known) {
    std::int64_t value = 0;
    return parse_integer(text, value) && value < 0 ? known + 1 + value : value;
  };
  const auto face = [&](std::string_view rest) {
    out += "f";
    for (std::string_view token = next_token(rest); !token.empty() && token.front() != '#'; token = next_token(rest)) {
      const std::size_t slash = token.find('/');
      fmt::format_to(append, " {}", number(token.substr(0, slash), vertices));
      if (slash == token.npos) continue;
      const std::string_view after = token.substr(slash + 1), texture = after.substr(0, after.find('/'));
      if (!texture.empty()) fmt::format_to(append, "/{}", number(texture, coordinates));
    }
    out += "\n";
  };
  for_each_statement(in, [&](std::size_t, std::string_view line) {
    std::string_view rest = line;
    const std::string_view keyword = next_token(rest);
    vertices += keyword == "v";
    coordinates += keyword == "vt";
    const auto first = rest.find_first_not_of(" \t\r"), last = rest.find_last_not_of(" \t\r");
    if (first == rest.npos) return;
    const std::string_view text = rest.substr(first, last - first + 1);
    if (keyword == "f") return face(text);
    if (keyword == "mtllib") {
      const auto library = std::filesystem::absolute(std::filesystem::path(folder) / text).lexically_normal();
      fmt::format_to(append, "mtllib {}\n", library.string());
    } else if (keyword == "vt" || keyword == "o" || keyword == "g" || keyword == "s" || keyword == "usemtl") {
      fmt::format_to(append, "{} {}\n", keyword, text);
    }
  });
  return out;
}

std::string reversed_layout(const std::string& layout) {
  std::string out;
  ByteReader in("layout", layout);
  while (in.remaining() > 0) {
    const std::string_view line = in.line();
    std::string_view rest = line;
    if (next_token(rest) != "f") {
      out.append(line).push_back('\n');
      continue;
    }
    std::vector<std::string_view> corners;
    for (std::string_view token = next_token(rest); !token.empty(); token = next_token(rest)) corners.push_back(token);
    out += "f";
    for (auto corner = corners.rbegin(); corner != corners.rend(); ++corner) out.append(" ").append(*corner);
    out += "\n";
  }
  return out;
}

std::string obj_text(const Points& vertices, const std::string& layout) {
  std::string out;
  append_vertices(vertices, out);
  return out + layout;
}

void write_obj(const std::string& path, const Points& vertices, const std::string& layout) {
  write_file_atomically(path, obj_text(vertices, layout));
}

void write_obj(const std::string& path, const TriMesh& mesh) {
  write_file_atomically(path, obj_text(mesh));
}

}  // namespace sinew
