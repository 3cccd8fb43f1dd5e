// Every error of the mesh readers, word for word, from errors.txt; broken binary files.
#include "support/mesh_files.h"

#include "sinew/formats/medit.h"
#include "sinew/formats/read.h"
#include "sinew/formats/vtk_legacy.h"

namespace sinew {
namespace {

struct Case {
  int line = 0;
  std::string name, expected;
  std::map<std::string, std::string> files;
};

std::vector<Case> read_cases() {
  std::ifstream in(test::source_folder() + "/tests/formats/errors.txt");
  std::vector<Case> cases;
  std::string line, name;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.starts_with("=== ")) {
      cases.push_back({number, name = line.substr(4), "", {{name, ""}}});
    } else if (line.starts_with("+++ ")) {
      name = line.substr(4);
      cases.back().files[name];
    } else if (line.starts_with("--- ")) {
      cases.back().expected = line.substr(4);
    } else if (!cases.empty()) {
      std::string& text = cases.back().files[name];
      text += (text.empty() ? "" : "\n") + line;
    }
  }
  return cases;
}

MeshFile parse(const std::string& name, const std::map<std::string, std::string>& files) {
  const std::string extension = std::filesystem::path(name).extension().string();
  const auto formats = mesh_formats();
  const auto format =
      std::ranges::find(formats, extension, [](const MeshFormat& f) { return std::string(f.extension); });
  MeshSource source{files.at(name), name};
  source.other = [&](const std::string& path) -> std::optional<std::string> {
    const auto at = files.find(path);
    return at == files.end() ? std::nullopt : std::optional(at->second);
  };
  return format->parse(source);
}

TEST(MeshErrors, Table) {
  const std::vector<Case> cases = read_cases();
  EXPECT_GT(cases.size(), 60u);
  for (const Case& broken : cases) {
    SCOPED_TRACE("tests/mesh/errors.txt:" + std::to_string(broken.line));
    EXPECT_EQ(test::error_of([&] { parse(broken.name, broken.files); }), broken.expected);
  }
}

// Each of the included files includes the next one twice: work that doubles with every level.
TEST(MeshErrors, IncludesThatMultiply) {
  std::map<std::string, std::string> files;
  for (int k = 0; k < 19; ++k) {
    const std::string include = "*INCLUDE " + std::to_string(k + 1) + ".txt\n";
    files[k == 0 ? "a.veg" : std::to_string(k) + ".txt"] = include + include;
  }
  files["19.txt"] = "# end\n";
  EXPECT_EQ(test::error_of([&] { parse("a.veg", files); }), "18.txt:1: '19.txt' is included more than 8 times");
}

TEST(MeshErrors, IncludesThatAreDeep) {
  std::map<std::string, std::string> files{{"a.veg", "*INCLUDE 1.txt\n"}};
  for (int k = 1; k < 100; ++k) files[std::to_string(k) + ".txt"] = "*INCLUDE " + std::to_string(k + 1) + ".txt\n";
  EXPECT_EQ(test::error_of([&] { parse("a.veg", files); }),
            "20.txt:1: found *INCLUDE nested more than 20 deep; put the contents into fewer files");
}

TEST(MeshErrors, BinaryMedit) {
  const auto error = [](const std::string& bytes) { return test::error_of([&] { parse_medit({bytes, "a.meshb"}); }); };
  test::BinaryText start(false);
  start.add(1).add(2).add(3).add(24).add(3);
  EXPECT_EQ(error(test::BinaryText(false).add(1).add(7).text),
            "a.meshb: byte 4: found version 7 of the binary format, expected 1 to 4");
  EXPECT_EQ(error(test::BinaryText(true).add(1).add(2).add(3).add(0).add(2).text),
            "a.meshb: byte 16: found dimension 2, expected 3");
  EXPECT_EQ(error(start.text),
            "a.meshb: byte 12: found 24 as the position of the next keyword, expected 16 to 20; the "
            "file is truncated or damaged");
  test::BinaryText many(false);
  many.add(1).add(2).add(3).add(20).add(3).add(4).add(0).add(2000000000);
  EXPECT_EQ(error(many.text),
            "a.meshb: byte 28: found a count of 2000000000 Vertices, but only 0 bytes are left in the "
            "file; it is truncated or damaged");
}

TEST(MeshErrors, BinaryVtk) {
  const auto error = [](const std::string& bytes) {
    return test::error_of([&] { parse_vtk_legacy({bytes, "a.vtk"}); });
  };
  test::BinaryText grid(true);
  grid.words("# vtk DataFile Version 3.0\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 double\n")
      .add(0.)
      .add(0.)
      .add(0.);
  EXPECT_EQ(error(grid.text.substr(0, grid.text.size() - 1)),
            "a.vtk:5: found a count of 3 coordinates, but only 23 bytes are left in the file; it is truncated or "
            "damaged");
  grid.words("\nCELLS 1 5\n").add(4).add(0).add(0).add(0).add(0).words("\nCELL_TYPES 1\n").add(10);
  EXPECT_EQ(error(grid.text + "\nCELL_DATA 1\nSCALARS name string\nLOOKUP_TABLE default\n"),
            "a.vtk:14: the file ends inside an array of strings; it is truncated");
  EXPECT_EQ(error(grid.text), "");
}

}  // namespace
}  // namespace sinew
