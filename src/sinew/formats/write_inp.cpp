#include "sinew/formats/write_inp.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "sinew/formats/abaqus_lines.h"
#include "sinew/formats/deck_writer.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

// CalculiX reads 20 characters of a number: an exponent behind them would be lost, so longer numbers have none.
std::string inp_real(double x) {
  constexpr std::size_t read = 20;
  std::string text = fmt::format("{}", x);
  if (text.size() <= read) return text;
  if (std::abs(x) > 1e-60 && std::abs(x) < 1e17) {
    char buffer[128];
    const auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), x, std::chars_format::fixed);
    if (error == std::errc()) return {buffer, end};
  }
  for (int digits = 15; text.size() > read; --digits) text = fmt::format("{:.{}e}", x, digits);
  return text;
}

class InpWriter : DeckWriter {
 public:
  explicit InpWriter(const MeshFile& mesh) : DeckWriter(mesh) {}

  WrittenMesh write() {
    line("** mesh written by sinew; it has no units");
    line("*NODE");
    for (Index v = 0; v < content_.node_count(); ++v) {
      const Vec3 x = content_.node(v);
      line("{}, {}, {}, {}", v + 1, inp_real(x[0]), inp_real(x[1]), inp_real(x[2]));
    }
    write_tets();
    write_triangles();
    for (std::size_t g = 0; g < mesh_.groups.size(); ++g) write_group(g);
    return finished();
  }

 private:
  // A label that differs from the earlier ones of its kind; in quotes if it has other characters than A-Z, 0-9, _, -.
  std::string label(const std::string& name, std::set<std::string>& used) {
    std::string text = plain_name(name);
    for (int k = 2; !used.insert(abaqus_key(text)).second; ++k) text = fmt::format("{}_{}", plain_name(name), k);
    const auto plain = [](char c) {
      return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    };
    const bool letter = !text.empty() && !(text[0] >= '0' && text[0] <= '9') && text[0] != '-';
    return letter && std::ranges::all_of(text, plain) ? text : "\"" + text + "\"";
  }

  void remark(int dim, int id, bool named) { line("** sinew group {}:{}{}", dim, id, named ? "" : " unnamed"); }

  void write_tets() {
    const char* type = content_.has_ten_nodes() ? "C3D10" : "C3D4";
    std::map<Index, std::string> labels;
    for (Index t = 0; t < mesh_.tet_count(); ++t) {
      const Index region = content_.region(t);
      if (t == 0 || region != content_.region(t - 1)) {
        if (region > 0 && !labels.contains(region)) {
          const int g = content_.group_of_region(region);
          const std::string name = g < 0 ? "" : mesh_.groups[static_cast<std::size_t>(g)].name;
          labels[region] = label(name.empty() ? fmt::format("REGION_{}", region) : name, element_labels_);
          remark(3, region, !name.empty());
        }
        line("*ELEMENT, TYPE={}{}{}", type, region > 0 ? ", ELSET=" : "", labels[region]);
      }
      fmt::format_to(std::back_inserter(out_.bytes), "{}", t + 1);
      write_numbers(content_.tet_nodes(t));
    }
  }

  // After a first number. Data lines have at most 16 entries.
  void write_numbers(const std::vector<Index>& numbers) {
    for (const Index number : numbers) fmt::format_to(std::back_inserter(out_.bytes), ", {}", number + 1);
    out_.bytes += '\n';
  }

  void write_list(const std::vector<Index>& numbers) {
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const bool last = k + 1 == numbers.size() || k % 16 == 15;
      fmt::format_to(std::back_inserter(out_.bytes), "{}{}", numbers[k] + 1, last ? "\n" : ", ");
    }
  }

  // Of a surface; triangles of volumes are faces of tets.
  void write_triangles() {
    if (mesh_.tet_count() > 0) return;
    line("*ELEMENT, TYPE=S3");
    for (std::size_t f = 0; f < content_.triangles().size(); ++f) {
      const auto& [a, b, c] = content_.triangles()[f];
      line("{}, {}, {}, {}", f + 1, a + 1, b + 1, c + 1);
    }
  }

  void write_group(std::size_t g) {
    const ElementGroup& group = mesh_.groups[g];
    const bool named = !group.name.empty();
    if (group.dim == 3 && content_.group_of_region(group.id) == static_cast<int>(g) && group.id > 0) return;
    const std::string name = named ? group.name : fmt::format("GROUP_{}_{}", group.dim, group.id);
    if (group.dim == 0) {
      remark(0, group.id, named);
      line("*NSET, NSET={}", label(name, node_labels_));
      write_list(content_.nodes_of(g));
    } else if (group.dim == 3) {
      if (group.tets.empty()) return out_.drop(group);
      remark(3, group.id, named);
      line("*ELSET, ELSET={}", label(name, element_labels_));
      write_list(group.tets);
    } else if (mesh_.tet_count() == 0) {
      remark(2, group.id, named);
      line("*ELSET, ELSET={}", label(name, element_labels_));
      write_list(content_.triangles_of(g));
    } else {
      write_surface(g, name, named);
    }
  }

  void write_surface(std::size_t g, const std::string& name, bool named) {
    if (faces_.empty()) faces_ = sorted_faces(mesh_.tets);
    constexpr int number_of_face[] = {3, 4, 2, 1};  // of the face opposite to each vertex: S3 is 2-4-3, ...
    const ElementGroup& group = mesh_.groups[g];
    remark(2, group.id, named);
    line("*SURFACE, TYPE=ELEMENT, NAME={}", label(name, surface_labels_));
    std::size_t others = 0;
    for (const Index number : content_.triangles_of(g)) {
      std::array<Index, 3> corners = content_.triangles()[static_cast<std::size_t>(number)];
      std::ranges::sort(corners);
      const auto key = [](const TetFace& f) { return std::array<Index, 3>{f.a, f.b, f.c}; };
      const auto at = std::ranges::lower_bound(faces_, corners, {}, key);
      if (at == faces_.end() || key(*at) != corners)
        ++others;
      else
        line("{}, S{}", at->tet() + 1, number_of_face[at->local()]);
    }
    if (others > 0)
      out_.dropped.push_back(
          fmt::format("{} triangles of the group {}:{}, which are no faces of tets", others, group.dim, group.id));
  }

  std::set<std::string> node_labels_, element_labels_, surface_labels_;
  std::vector<TetFace> faces_;
};

}  // namespace

WrittenMesh inp_bytes(const MeshFile& mesh, MeshEncoding) {
  return InpWriter(mesh).write();
}

}  // namespace sinew
