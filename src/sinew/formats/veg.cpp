#include "sinew/formats/veg.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sinew/core/sort_unique.h"
#include "sinew/formats/included_lines.h"

namespace sinew {
namespace {

// The lines of a file and of what it includes, without blank lines and comments.
class VegLines {
 public:
  explicit VegLines(const MeshSource& source) : lines_(source, "*INCLUDE") {}

  // Moves to the next line; false at the end.
  bool next() {
    while (lines_.next()) {
      line_ = trimmed(lines_.line());
      if (line_.empty() || line_.front() == '#') continue;
      if (!line_.starts_with("*INCLUDE")) return true;
      lines_.include(std::string(trimmed(line_.substr(8))));
    }
    return false;
  }

  void require(std::string_view what) {
    if (!next()) fail("the file ends before {}; it is truncated, copy or export it again", what);
  }

  // The next line that is not a keyword's; false, with the keyword kept for next(), when there is none.
  bool next_of_section() {
    if (!next()) return false;
    if (line_.front() != '*') return true;
    lines_.hold();
    return false;
  }

  std::string_view line() const { return line_; }

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    lines_.fail(format, std::forward<Args>(args)...);
  }

 private:
  IncludedLines lines_;
  std::string_view line_;
};

struct MaterialModel {
  std::string_view name;
  std::size_t parameters;
};
constexpr MaterialModel material_models[] = {{"ENU", 3},
                                             {"MOONEYRIVLIN", 4},
                                             {"ORTHOTROPIC", 19},
                                             {"ORTHOTROPIC_N3G3R9", 19},
                                             {"ORTHOTROPIC_N3G3", 10},
                                             {"ORTHOTROPIC_N1G1R9", 15},
                                             {"ORTHOTROPIC_N1G1", 6},
                                             {"ORTHOTROPIC_N1R9", 14},
                                             {"ORTHOTROPIC_N1", 5}};

// The next word of a line; commas separate as blanks do.
std::string_view next_word(std::string_view& rest) {
  constexpr std::string_view separators = " ,\t\r";
  rest.remove_prefix(std::min(rest.find_first_not_of(separators), rest.size()));
  const std::string_view word = rest.substr(0, rest.find_first_of(separators));
  rest.remove_prefix(word.size());
  return word;
}

class VegParser {
 public:
  explicit VegParser(const MeshSource& source) : lines_(source), name_(source.name) {}

  MeshFile parse() {
    while (lines_.next()) {
      std::string_view rest = lines_.line();
      const std::string_view keyword = next_word(rest);
      const std::string_view name = trimmed(rest);
      if (keyword == "*VERTICES") {
        parse_vertices();
      } else if (keyword == "*ELEMENTS") {
        parse_elements();
      } else if (keyword == "*MATERIAL") {
        parse_material(std::string(name));
      } else if (keyword == "*SET") {
        parse_set(std::string(name));
      } else if (keyword == "*REGION") {
        parse_region();
      } else {
        lines_.fail("found '{}', expected *VERTICES, *ELEMENTS, *MATERIAL, *SET, *REGION or *INCLUDE",
                    printable(keyword));
      }
    }
    if (vertices_ < 0)
      fail_input(code::file_format, "{}: found no *VERTICES; the file is truncated or not a mesh", name_);
    if (elements_ < 0)
      fail_input(code::file_format, "{}: found no *ELEMENTS; the file is truncated or not a mesh", name_);
    assign_regions();
    return std::move(file_);
  }

 private:
  std::int64_t integer(std::string_view& rest, std::string_view what) {
    const std::string_view word = next_word(rest);
    std::int64_t value;
    if (!parse_integer(word, value))
      lines_.fail("found '{}', expected {} ({})", printable(word), what, integer_words(word));
    return value;
  }

  double real(std::string_view& rest, std::string_view what) {
    const std::string_view word = next_word(rest);
    double value;
    if (!parse_real(word, value)) lines_.fail("found '{}', expected {} (a number)", printable(word), what);
    return value;
  }

  // The number at the start of a line of a list that counts up from 0 or from 1.
  void check_number(std::string_view& rest, std::string_view what, std::int64_t done, std::int64_t& first) {
    const std::int64_t number = integer(rest, what);
    if (done == 0) {
      if (number != 0 && number != 1) lines_.fail("found {} as {}, expected 0 or 1 for the first", number, what);
      first = number;
    }
    if (number != done + first)
      lines_.fail("found {} as {}, expected {}: number them in order", number, what, done + first);
  }

  std::int64_t count(std::string_view what) {
    lines_.require(what);
    std::string_view rest = lines_.line();
    const std::int64_t value = integer(rest, what);
    if (value < 0 || value > std::numeric_limits<Index>::max())
      lines_.fail("found {} as {}, expected 0 to 2^31", value, what);
    return value;
  }

  void check_count(std::int64_t found, std::int64_t announced, std::string_view what) {
    if (found != announced) lines_.fail("found {} {}, but {} were announced", found, what, announced);
  }

  void parse_vertices() {
    if (vertices_ >= 0) lines_.fail("found *VERTICES twice, expected them once");
    vertices_ = count("the number of vertices");
    std::vector<double> coordinates;
    std::int64_t done = 0;
    for (; lines_.next_of_section(); ++done) {
      std::string_view rest = lines_.line();
      check_number(rest, "a vertex's number", done, first_vertex_);
      for (int k = 0; k < 3; ++k) coordinates.push_back(real(rest, "a vertex coordinate"));
    }
    check_count(done, vertices_, "vertices");
    file_.volume.vertices = points_of(coordinates);
  }

  void parse_elements() {
    if (vertices_ < 0) lines_.fail("found *ELEMENTS before *VERTICES, expected it after");
    if (elements_ >= 0) lines_.fail("found *ELEMENTS twice, expected them once");
    lines_.require("the kind of elements");
    if (!lines_.line().starts_with("TET"))
      lines_.fail("found elements '{}', expected TET; mesh the volume with tets", printable(lines_.line()));
    elements_ = count("the number of elements");
    std::vector<Index> tets;
    std::int64_t done = 0;
    for (; lines_.next_of_section(); ++done) {
      std::string_view rest = lines_.line();
      check_number(rest, "an element's number", done, first_element_);
      for (int k = 0; k < 4; ++k) {
        const std::int64_t vertex = integer(rest, "a vertex of an element");
        if (vertex < first_vertex_ || vertex >= first_vertex_ + vertices_) {
          lines_.fail("element {} names vertex {}, expected {} to {}", done + first_element_, vertex, first_vertex_,
                      first_vertex_ + vertices_ - 1);
        }
        tets.push_back(static_cast<Index>(vertex - first_vertex_));
      }
    }
    check_count(done, elements_, "elements");
    file_.volume.tets = tets_of(tets);
  }

  void parse_material(const std::string& name) {
    if (name.empty()) lines_.fail("found *MATERIAL without a name");
    lines_.require("the material's parameters");
    std::string_view rest = lines_.line();
    FileMaterial material{name, std::string(next_word(rest)), {}, {}};
    while (!trimmed(rest).empty()) material.parameters.push_back(real(rest, "a parameter of the material"));
    for (const MaterialModel& model : material_models) {
      if (model.name != material.model || model.parameters == material.parameters.size()) continue;
      lines_.fail("found {} parameters of {}, expected {}", material.parameters.size(), model.name, model.parameters);
    }
    if (material.model == "ENU" && material.parameters.size() == 3)
      material.scene = fmt::format(R"({{"model": "neo_hookean", "young": {}, "poisson": {}, "density": {}}})",
                                   material.parameters[1], material.parameters[2], material.parameters[0]);
    if (!material_ids_.emplace(name, file_.materials.size()).second)
      lines_.fail("found the material '{}' twice, expected different names", printable(name));
    file_.materials.push_back(std::move(material));
  }

  void parse_set(const std::string& name) {
    if (elements_ < 0) lines_.fail("found *SET before *ELEMENTS, expected it after");
    if (name.empty()) lines_.fail("found *SET without a name");
    if (set_ids_.contains(name)) lines_.fail("found the set '{}' twice, expected different names", printable(name));
    std::vector<Index> tets;
    while (lines_.next_of_section()) {
      for (std::string_view rest = lines_.line(); !trimmed(rest).empty();) {
        if (rest.find_first_not_of(" ,\t\r") == std::string_view::npos) break;
        const std::int64_t element = integer(rest, "an element of a set");
        if (element < first_element_ || element >= first_element_ + elements_) {
          lines_.fail("set '{}' names element {}, expected {} to {}", printable(name), element, first_element_,
                      first_element_ + elements_ - 1);
        }
        tets.push_back(static_cast<Index>(element - first_element_));
      }
    }
    sort_unique(tets);
    add_set(name, std::move(tets));
  }

  void add_set(const std::string& name, std::vector<Index> tets) {
    set_ids_[name] = file_.volume.groups.size();
    file_.volume.groups.push_back(
        {3, static_cast<int>(file_.volume.groups.size() + 1), name, Triangles(3, 0), std::move(tets)});
  }

  void parse_region() {
    lines_.require("the set and the material of a region");
    const std::string_view line = lines_.line();
    const std::size_t comma = line.find(',');
    if (comma == std::string_view::npos)
      lines_.fail("found '{}', expected the set and the material of a region: SET, MATERIAL", printable(line));
    const std::string set(trimmed(line.substr(0, comma))), material(trimmed(line.substr(comma + 1)));
    if (set == "allElements" && elements_ >= 0 && !set_ids_.contains(set)) {
      std::vector<Index> all(static_cast<std::size_t>(elements_));
      std::iota(all.begin(), all.end(), Index{0});
      add_set(set, std::move(all));
    }
    const auto known = set_ids_.find(set);
    if (known == set_ids_.end())
      lines_.fail("found no set '{}' before this region; its sets are{}", printable(set), set_list());
    const auto stated = material_ids_.find(material);
    if (stated == material_ids_.end()) lines_.fail("found no material '{}' before this region", printable(material));
    file_.materials[stated->second].groups.push_back(set);
    last_region_[known->second] = ++regions_;
  }

  std::string set_list() const {
    std::string text;
    constexpr std::size_t longest = 500;
    for (const auto& [name, id] : set_ids_) {
      text += (text.empty() ? " " : ", ") + printable(name);
      if (text.size() > longest) return text + ", ...";
    }
    return text.empty() ? " none" : text;
  }

  void assign_regions() {
    file_.volume.regions.assign(static_cast<std::size_t>(elements_), 0);
    std::vector<std::pair<std::size_t, std::size_t>> ordered;  // each set once, at its last region
    for (const auto& [set, region] : last_region_) ordered.emplace_back(region, set);
    std::sort(ordered.begin(), ordered.end());
    for (const auto& [region, set] : ordered) {
      const ElementGroup& group = file_.volume.groups[set];
      for (const Index t : group.tets) file_.volume.regions[static_cast<std::size_t>(t)] = group.id;
    }
  }

  VegLines lines_;
  std::string name_;
  std::int64_t vertices_ = -1, elements_ = -1;
  std::int64_t first_vertex_ = 1, first_element_ = 1;
  std::map<std::string, std::size_t> set_ids_;
  std::map<std::string, std::size_t> material_ids_;
  std::map<std::size_t, std::size_t> last_region_;  // of each set that has a material
  std::size_t regions_ = 0;
  MeshFile file_;
};

}  // namespace

MeshFile parse_veg(const MeshSource& source) {
  return VegParser(source).parse();
}

}  // namespace sinew
