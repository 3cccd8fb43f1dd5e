#include "sinew/formats/vtk_legacy.h"

#include <cctype>
#include <limits>
#include <span>

#include "sinew/formats/byte_reader.h"
#include "sinew/formats/vtk_cells.h"
#include "sinew/formats/vtk_values.h"

namespace sinew {
namespace {

// Attributes of cells or points: a name, a type and this many components; 0 where the file says how many.
struct Attribute {
  const char* keyword;
  int components;
};
constexpr Attribute attributes[] = {{"vectors", 3},      {"normals", 3},    {"tensors", 9},
                                    {"tensors6", 6},     {"scalars", 0},    {"global_ids", 1},
                                    {"pedigree_ids", 1}, {"edge_flags", 1}, {"texture_coordinates", 0}};

constexpr std::int64_t most_values = std::numeric_limits<std::int64_t>::max() / 16;  // bytes of all are counted

// Lists of vertex ids in the layout of the version: lists[offsets[i] .. offsets[i + 1]) is the i-th.
struct IdLists {
  std::vector<std::int64_t> offsets{0}, ids;
  std::size_t size() const { return offsets.size() - 1; }
  std::span<const std::int64_t> operator[](std::size_t i) const {
    return std::span(ids).subspan(static_cast<std::size_t>(offsets[i]),
                                  static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
  }
};

// Names are written with blanks and special characters as %XX.
std::string decoded_name(std::string_view name) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
  };
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool coded = name[i] == '%' && i + 2 < name.size() && digit(name[i + 1]) >= 0 && digit(name[i + 2]) >= 0;
    out += coded ? static_cast<char>(16 * digit(name[i + 1]) + digit(name[i + 2])) : name[i];
    if (coded) i += 2;
  }
  return out;
}

class LegacyParser {
 public:
  explicit LegacyParser(ByteReader& reader) : in_(reader), values_(reader) {}

  MeshFile parse() {
    parse_header();
    while (!in_.at_end()) parse_section(lower_case(in_.token()));
    if (!have_points_)
      fail_input(code::file_format, "{}: found no POINTS; the file is truncated or not a mesh", in_.source());
    if (!polydata_) finish_grid();
    return cells_.finish(coordinates_);
  }

 private:
  void parse_header() {
    std::string_view line = in_.line();
    constexpr std::string_view start = "# vtk DataFile Version ";
    if (!line.starts_with(start)) in_.fail("expected '{}' at the start of a VTK file", start);
    line.remove_prefix(start.size());
    const std::string_view version = trimmed(line);
    if (version.empty() || version.front() < '1' || version.front() > '5')
      in_.fail("found version '{}', expected 1.0 to 5.1", printable(version));
    newest_ = version.front() == '5';
    in_.line();  // the title
    const std::string kind = lower_case(trimmed(in_.line()));
    if (kind != "ascii" && kind != "binary") in_.fail("found '{}', expected ASCII or BINARY", printable(kind));
    values_.set_binary(kind == "binary");
    const std::string_view word = in_.token();
    if (lower_case(word) != "dataset") in_.fail("found '{}', expected DATASET", printable(word));
    const std::string_view type = in_.token();
    polydata_ = lower_case(type) == "polydata";
    if (!polydata_ && lower_case(type) != "unstructured_grid") {
      in_.fail(
          "found a data set of type '{}', expected UNSTRUCTURED_GRID or POLYDATA; save the body as an "
          "unstructured grid of tets",
          printable(type));
    }
  }

  void parse_section(const std::string& keyword) {
    if (keyword == "points") return parse_points();
    if (keyword == "cells" && !polydata_) return parse_cells();
    if (keyword == "cell_types" && !polydata_) return parse_cell_types();
    if (polydata_ && keyword == "vertices") return parse_polydata(1);
    if (polydata_ && keyword == "lines") return parse_polydata(3);
    if (polydata_ && keyword == "polygons") return parse_polydata(7);
    if (polydata_ && keyword == "triangle_strips") return parse_polydata(6);
    if (keyword == "metadata") return skip_metadata();
    if (keyword == "cell_data" || keyword == "point_data") return begin_data(keyword == "cell_data");
    if (keyword == "field") return parse_field();
    if (keyword == "lookup_table") return skip_lookup_table();
    if (keyword == "color_scalars") return skip_colors();
    for (const Attribute& attribute : attributes) {
      if (keyword == attribute.keyword) return parse_attribute(attribute);
    }
    in_.fail("found '{}', expected a keyword such as POINTS, CELLS or CELL_DATA", printable(keyword));
  }

  std::int64_t count_of(std::string_view what, std::int64_t components = 1) {
    const std::int64_t count = in_.integer(what);
    const std::int64_t most = std::numeric_limits<std::int64_t>::max() / components;
    if (count < 0 || count > most) in_.fail("found {} as {}, expected 0 to {}", count, what, most);
    return count;
  }

  void parse_points() {
    if (have_points_) in_.fail("found POINTS twice, expected them once");
    const std::int64_t count = count_of("the number of points", 3);
    if (count > std::numeric_limits<Index>::max()) in_.fail("found more than 2^31 points");
    coordinates_ = values_.reals(values_.type(), 3 * count, "coordinates");
    have_points_ = true;
  }

  IdLists id_lists() {
    const std::int64_t first = count_of("a number of cells"), second = count_of("a number of ids");
    IdLists lists;
    if (newest_) return split_lists(first, second);
    const auto flat = values_.integers(vtk_int, second, "ids of cells");
    for (std::size_t at = 0; at < flat.size();) {
      const std::int64_t size = flat[at++];
      if (size < 0 || size > static_cast<std::int64_t>(flat.size() - at)) {
        in_.fail("cell {} has {} points, expected 0 to {}, the number of ids that remain", lists.size(), size,
                 flat.size() - at);
      }
      const auto begin = flat.begin() + static_cast<std::ptrdiff_t>(at);
      lists.ids.insert(lists.ids.end(), begin, begin + size);
      lists.offsets.push_back(static_cast<std::int64_t>(lists.ids.size()));
      at += static_cast<std::size_t>(size);
    }
    if (static_cast<std::int64_t>(lists.size()) != first)
      in_.fail("found {} cells, but {} were announced", lists.size(), first);
    return lists;
  }

  // Since version 5: offsets (one more than cells) and ids as two arrays.
  IdLists split_lists(std::int64_t offsets, std::int64_t ids) {
    IdLists lists;
    if (offsets == 0) return lists;
    expect("offsets");
    lists.offsets = values_.integers(values_.type(), offsets, "offsets of cells");
    expect("connectivity");
    lists.ids = values_.integers(values_.type(), ids, "ids of cells");
    std::int64_t before = 0;
    for (std::size_t i = 0; i < lists.offsets.size(); ++i) {
      const std::int64_t offset = lists.offsets[i];
      if (offset < before || offset > ids || (i == 0 && offset != 0))
        in_.fail("found offset {} of cell {}, expected {} to {}", offset, i, before, i == 0 ? 0 : ids);
      before = offset;
    }
    return lists;
  }

  void expect(const char* keyword) {
    const std::string_view found = in_.token();
    if (lower_case(found) != keyword) in_.fail("found '{}', expected {}", printable(found), upper(keyword));
  }

  static std::string upper(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
  }

  void parse_cells() {
    if (have_cells_) in_.fail("found CELLS twice, expected them once");
    lists_ = id_lists();
    have_cells_ = true;
  }

  void parse_cell_types() {
    if (!types_.empty()) in_.fail("found CELL_TYPES twice, expected them once");
    types_ = values_.integers(vtk_int, count_of("the number of cells"), "cell types");
    if (!have_cells_ || !have_points_) in_.fail("found CELL_TYPES before POINTS and CELLS, expected it after");
    if (types_.size() != lists_.size())
      in_.fail("found {} cell types, expected one for each of {} cells", types_.size(), lists_.size());
    for (std::size_t c = 0; c < types_.size(); ++c) add_cell(c, types_[c], lists_[c]);
    cell_count_ = types_.size();
    have_types_ = true;
    lists_ = {};
  }

  void parse_polydata(std::int64_t type) {
    if (!have_points_) in_.fail("found cells before POINTS, expected them after");
    const IdLists lists = id_lists();
    for (std::size_t c = 0; c < lists.size(); ++c) add_cell(c, type, lists[c]);
  }

  void add_cell(std::size_t cell, std::int64_t type, std::span<const std::int64_t> ids) {
    located([&] { cells_.add_cell(cell, type, ids, static_cast<std::int64_t>(coordinates_.size() / 3)); });
  }

  template <class Work>
  void located(Work&& work) {
    try {
      work();
    } catch (const InputError& error) {
      in_.fail("{}", error.what());
    }
  }

  void finish_grid() {
    if (!have_cells_)
      fail_input(code::file_format, "{}: found no CELLS; the file is truncated or not a mesh", in_.source());
    if (!have_types_)
      fail_input(code::file_format, "{}: found no CELL_TYPES; the file is truncated or not a mesh", in_.source());
    located([&] { cells_.end_piece(); });
  }

  void begin_data(bool of_cells) {
    of_cells_ = of_cells;
    tuples_ = count_of("the number of values");
    if (!of_cells || polydata_) return;
    if (!have_types_) in_.fail("found CELL_DATA before CELL_TYPES, expected it after");
    if (tuples_ != static_cast<std::int64_t>(cell_count_))
      in_.fail("found CELL_DATA of {} cells, expected {}", tuples_, cell_count_);
  }

  void parse_attribute(const Attribute& attribute) {
    if (tuples_ < 0) in_.fail("found {} before CELL_DATA or POINT_DATA, expected it after", upper(attribute.keyword));
    const std::string name = decoded_name(in_.token());
    std::int64_t components = attribute.components;
    const bool textures = attribute.keyword == std::string_view("texture_coordinates");
    if (textures) components = in_.integer("a number of components");
    const VtkNumberType& type = values_.type();
    if (components == 0) components = scalar_components();
    add_array(name, type, components, tuples_);
  }

  // SCALARS name type [components], then a line LOOKUP_TABLE name, which some writers leave out.
  std::int64_t scalar_components() {
    std::string_view rest = in_.line();
    const std::string_view token = next_token(rest);
    std::int64_t components = 1;
    if (!token.empty() && !parse_integer(token, components))
      in_.fail("found '{}', expected a number of components", printable(token));
    const std::size_t before = in_.position();
    constexpr std::string_view table = "lookup_table";
    if (lower_case(in_.bytes().substr(before, table.size())) == table) {
      const std::size_t end = in_.bytes().find('\n', before);
      in_.seek(end == std::string_view::npos ? in_.bytes().size()
                                             : end);  // the reader of the values takes the line's end
    } else {
      in_.seek(before - 1);
    }
    return components;
  }

  void parse_field() {
    in_.token();  // the field's name
    const std::int64_t arrays = count_of("the number of arrays");
    for (std::int64_t a = 0; a < arrays; ++a) {
      std::string_view name = in_.token();
      if (lower_case(name) == "metadata") {  // of the array before
        skip_metadata();
        name = in_.token();
      }
      const std::string decoded = decoded_name(name);
      const std::int64_t components = in_.integer("a number of components");
      const std::int64_t tuples = in_.integer("a number of values");
      add_array(decoded, values_.type(), components, tuples);
    }
  }

  void add_array(const std::string& name, const VtkNumberType& type, std::int64_t components, std::int64_t tuples) {
    if (components < 0 || tuples < 0 || (components > 0 && tuples > most_values / components)) {
      in_.fail("found {} values of {} components in array '{}', expected 0 or more of each and at most {} in all",
               tuples, components, printable(name), most_values);
    }
    if (type.kind == VtkNumberType::Kind::text) return values_.skip_strings(components * tuples);
    const std::vector<double> all = values_.reals(type, components * tuples, "values of an array");
    if (!of_cells_ || polydata_ || components == 0) return;
    if (tuples != tuples_)
      in_.fail("found {} values of cell array '{}', expected one for each of {} cells", tuples, printable(name),
               tuples_);
    located([&] { cells_.add_field(name, static_cast<std::size_t>(components), all); });
  }

  void skip_lookup_table() {
    in_.token();
    values_.reals(values_.binary() ? vtk_byte : vtk_float, 4 * count_of("the size of a lookup table", 4), "colours");
  }

  void skip_colors() {
    if (tuples_ < 0) in_.fail("found COLOR_SCALARS before CELL_DATA or POINT_DATA, expected it after");
    in_.token();
    const std::int64_t components = count_of("a number of components", 16);
    if (components > 4) in_.fail("found {} components of a colour, expected 1 to 4", components);
    if (tuples_ > most_values) in_.fail("found {} values, expected 0 to {}", tuples_, most_values);
    values_.reals(values_.binary() ? vtk_byte : vtk_float, components * tuples_, "colours");
  }

  // Up to a blank line.
  void skip_metadata() {
    in_.line();
    while (in_.remaining() > 0 && !trimmed(in_.line()).empty()) {
    }
  }

  ByteReader& in_;
  VtkValues values_;
  bool newest_ = false, polydata_ = false;
  bool have_points_ = false, have_cells_ = false, have_types_ = false;
  std::vector<double> coordinates_;
  IdLists lists_;
  std::vector<std::int64_t> types_;
  std::size_t cell_count_ = 0;
  bool of_cells_ = false;
  std::int64_t tuples_ = -1;  // of CELL_DATA or POINT_DATA
  VtkCells cells_;
};

}  // namespace

MeshFile parse_vtk_legacy(const MeshSource& source) {
  ByteReader reader(source.name, source.bytes);
  return LegacyParser(reader).parse();
}

}  // namespace sinew
