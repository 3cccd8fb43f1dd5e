#include "sinew/formats/write_bdf.h"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "sinew/formats/deck_writer.h"
#include "sinew/formats/nastran_cards.h"

namespace sinew {
namespace {

// A number with a decimal point, without a zero before it, without the letter of the exponent and its zeros.
std::string compact(double x, int digits) {
  std::string text = fmt::format("{:.{}g}", x, digits);
  std::string exponent;
  if (const std::size_t e = text.find('e'); e != std::string::npos) {
    exponent = text.substr(e + 1, 1) + std::to_string(std::abs(std::stoi(text.substr(e + 1))));
    text.resize(e);
  }
  if (text.find('.') == std::string::npos) text += '.';
  const std::size_t first = text.front() == '-' ? 1 : 0;
  if (text.size() > first + 2 && text[first] == '0') text.erase(first, 1);
  return text + exponent;
}

class BdfWriter : DeckWriter {
 public:
  explicit BdfWriter(const MeshFile& mesh) : DeckWriter(mesh) {}

  WrittenMesh write() {
    line("$ mesh written by sinew; it has no units\nBEGIN BULK");
    for (Index v = 0; v < content_.node_count(); ++v) {
      const Vec3 x = content_.node(v);
      line("{:<8}{:>16}{:>16}{:>16}{:>16}\n{:<8}{:>16}", "GRID*", v + 1, "", nastran_real(x[0]), nastran_real(x[1]),
           "*", nastran_real(x[2]));
    }
    number_properties();
    write_tets();
    write_triangles();
    for (std::size_t g = 0; g < mesh_.groups.size(); ++g) write_set(g);
    line("ENDDATA");
    return finished();
  }

 private:
  // A fixed-field card: of large fields if a number needs more than eight characters.
  void card(const char* name, const std::vector<std::int64_t>& fields) {
    const bool large = std::ranges::any_of(fields, [](std::int64_t f) { return f > 99999999; });
    const std::size_t each = large ? 4 : 8;
    for (std::size_t k = 0; k < fields.size(); ++k) {
      if (k % each == 0)
        out_.bytes += fmt::format("{}{:<8}", k == 0 ? "" : "\n",
                                  k > 0 ? (large ? "*" : "+") : name + std::string(large ? "*" : ""));
      out_.bytes += large ? fmt::format("{:>16}", fields[k]) : fmt::format("{:>8}", fields[k]);
    }
    out_.bytes += '\n';
  }

  void name_comment(const char* kind, int id, const std::string& name) {
    if (!name.empty()) line("$HMNAME {:<8}{:>16}\"{}\"", kind, id, plain_name(name));
  }

  void number_properties() {
    std::set<int> regions;
    for (Index t = 0; t < mesh_.tet_count(); ++t) regions.insert(content_.region(t));
    for (const int region : regions)
      if (region > 0) properties_[region] = free_number(region, used_properties_);
    for (const int region : regions)
      if (region <= 0) properties_[region] = free_number(0, used_properties_);
  }

  void write_tets() {
    for (const auto& [region, property] : properties_) {
      const int g = content_.group_of_region(region);
      name_comment("PROP", property, g < 0 ? "" : mesh_.groups[static_cast<std::size_t>(g)].name);
      card("PSOLID", {property, property});
    }
    for (Index t = 0; t < mesh_.tet_count(); ++t) {
      std::vector<std::int64_t> fields{++element_, properties_[content_.region(t)]};
      for (const Index v : content_.tet_nodes(t)) fields.push_back(v + 1);
      card("CTETRA", fields);
    }
  }

  // The property of a triangle is its group, so it is written once for each of its groups.
  void write_triangles() {
    std::vector<char> grouped(content_.triangles().size(), 0);
    for (std::size_t g = 0; g < mesh_.groups.size(); ++g) {
      const ElementGroup& group = mesh_.groups[g];
      if (group.dim != 2) continue;
      const int property = free_number(group.id, used_properties_);
      name_comment("PROP", property, group.name);
      for (const Index f : content_.triangles_of(g)) {
        grouped[static_cast<std::size_t>(f)] = 1;
        write_triangle(f, property);
      }
    }
    if (std::ranges::find(grouped, 0) == grouped.end()) return;
    const int property = free_number(0, used_properties_);
    for (std::size_t f = 0; f < grouped.size(); ++f)
      if (!grouped[f]) write_triangle(static_cast<Index>(f), property);
  }

  void write_triangle(Index f, int property) {
    const auto& [a, b, c] = content_.triangles()[static_cast<std::size_t>(f)];
    card("CTRIA3", {++element_, property, a + 1, b + 1, c + 1});
  }

  // Groups of vertices, and groups of tets that are not a region.
  void write_set(std::size_t g) {
    const ElementGroup& group = mesh_.groups[g];
    if (group.dim == 2 || (group.dim == 3 && content_.group_of_region(group.id) == static_cast<int>(g))) return;
    const std::vector<Index> members = group.dim == 0 ? content_.nodes_of(g) : group.tets;
    if (members.empty()) return out_.drop(group);
    const int id = free_number(group.id, used_sets_);
    if (!group.name.empty()) line("$HMSET {:>8} {:>8} \"{}\"", id, group.dim == 0 ? 1 : 2, plain_name(group.name));
    out_.bytes += fmt::format("SET3,{},{}", id, group.dim == 0 ? "GRID" : "ELEM");
    for (std::size_t k = 0; k < members.size(); ++k)  // 10 fields a line, the first and the last for the continuation
      out_.bytes += fmt::format("{},{}", k == 6 || (k > 6 && (k - 6) % 8 == 0) ? ",\n" : "", members[k] + 1);
    out_.bytes += '\n';
  }

  std::map<Index, int> properties_;  // by region
  std::set<int> used_properties_, used_sets_;
  std::int64_t element_ = 0;
};

}  // namespace

std::string nastran_real(double x) {
  constexpr std::size_t width = 16;
  for (int digits = 17; digits > 1; --digits) {
    if (const std::string text = compact(x, digits); text.size() <= width) return text;
  }
  return compact(x, 1);
}

WrittenMesh bdf_bytes(const MeshFile& mesh, MeshEncoding) {
  return BdfWriter(mesh).write();
}

}  // namespace sinew
