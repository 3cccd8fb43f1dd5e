// Every error of the scene format, word for word.
#include <cmath>

#include "scene_tools.h"
#include "support/paths.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/formats/npy.h"
#include "sinew/scene/json_file.h"

namespace sinew {
namespace {

using nlohmann::json;
using test::changed_error;
using test::cube_scene;
using test::scene_error;

std::string text_error(const std::string& text) {
  try {
    parse_json(text, "s.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string override_error(const std::string& assignment) {
  json scene = cube_scene();
  try {
    apply_override(scene, assignment);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SyntaxErrors, NameLineAndColumn) {
  EXPECT_EQ(text_error("{\"a\": 1,\n \"b\": }"),
            "s.json:2:7: not valid JSON: parsing value - unexpected '}'; expected '[', '{', or a literal");
  EXPECT_EQ(text_error("{\n\n  \"a\" 1}"),
            "s.json:3:7: not valid JSON: parsing object separator - unexpected number literal; expected ':'");
  EXPECT_EQ(text_error(""),
            "s.json:1:1: not valid JSON: parsing value - unexpected end of input; expected '[', '{', or a literal");
  EXPECT_EQ(text_error("{\"a\": [1, 2, ]}"),
            "s.json:1:14: not valid JSON: parsing value - unexpected ']'; expected '[', '{', or a literal; remove the "
            "comma before it");
  EXPECT_EQ(
      text_error("{\"a\": 1,\n}"),
      "s.json:2:1: not valid JSON: parsing object key - unexpected '}'; expected string literal; remove the comma "
      "before it");
  EXPECT_EQ(text_error("{\"a\": 1\n \"b\": 2}"),
            "s.json:2:4: not valid JSON: parsing object - unexpected string literal; expected '}'; a comma may be "
            "missing before it");
  EXPECT_EQ(text_error("{\"a\": [1 2]}"),
            "s.json:1:10: not valid JSON: parsing array - unexpected number literal; expected ']'; a comma may be "
            "missing before it");
  EXPECT_EQ(text_error("{\"a\": [1, 2"),
            "s.json:1:12: not valid JSON: parsing array - unexpected end of input; expected ']'");
  EXPECT_EQ(text_error("{\"a\": {\"x\": 1, \"x\": 2}}"),
            "s.json:1: key \"x\" given twice in one object; keep one of them");
  EXPECT_EQ(text_error("{\"time\": {},\n\n \"name\": \"a\",\n \"time\": {}}"),
            "s.json:4: key \"time\" given twice in one object; keep one of them");
  EXPECT_EQ(text_error("{\"a\": 1, // one\n \"b\": 2}"), "s.json:1:10: found a comment, but JSON has none; remove it");
  EXPECT_EQ(text_error("{\n/* one */ \"a\": 1}"), "s.json:2:1: found a comment, but JSON has none; remove it");
  EXPECT_EQ(text_error("{\n \"a\": [1,\n # two\n 2]}"), "s.json:3:2: found a comment, but JSON has none; remove it");
  EXPECT_EQ(
      text_error("[1e999]"),
      "s.json: not valid JSON: number overflow parsing '1e999'; expected numbers within the range of double precision");
}

TEST(SyntaxErrors, QuoteTheBeginningOfWhatIsLong) {
  const std::string digits(5000, '9'), first(57, '9'), key(5000, 'k');
  EXPECT_EQ(text_error("[" + digits + "]"), "s.json: not valid JSON: number overflow parsing '" + first +
                                                "...'; expected numbers within the range of double precision");
  EXPECT_EQ(
      text_error("[\"" + digits + "\n\"]"),
      "s.json:1:5003: not valid JSON: parsing value - invalid string: control character U+000A (LF) must be escaped "
      "to \\u000A or \\n; last read: '\"" +
          first.substr(1) + "...'");
  EXPECT_EQ(text_error("{\"" + key + "\": 1, \"" + key + "\": 2}"),
            "s.json:1: key \"" + key.substr(0, 57) + "...\" given twice in one object; keep one of them");
  EXPECT_EQ(override_error("time.step=" + digits),
            "--set time.step=" + first.substr(10) + "...: expected numbers within the range of double precision");
  EXPECT_EQ(override_error(key), "--set " + key.substr(0, 57) +
                                     "...: expected path.to.key=VALUE, for example --set materials.rubber.young=1e7");
  EXPECT_EQ(changed_error("time." + key + "=1"),
            "s.json: time." + key.substr(0, 57) +
                "...: unknown key; known keys: \"step\", \"steps\", \"integrator\", \"newmark\", \"mode\", "
                "\"continuation\", \"ramp\", \"substeps\", \"max_travel\"");
}

TEST(SyntaxErrors, MissingFile) {
  try {
    read_scene("no/such.json");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "no/such.json: cannot read the scene file: No such file or directory; check the path and its permissions");
  }
}

TEST(OverrideErrors, Malformed) {
  EXPECT_EQ(override_error("time.steps"),
            "--set time.steps: expected path.to.key=VALUE, for example --set materials.rubber.young=1e7");
  EXPECT_EQ(override_error("=3"), "--set =3: expected path.to.key=VALUE, for example --set materials.rubber.young=1e7");
  EXPECT_EQ(override_error("time..step=3"),
            "--set time..step=3: empty key in \"time..step\"; expected path.to.key=VALUE");
  EXPECT_EQ(override_error("bodies[x]=3"),
            "--set bodies[x]=3: found \"[x]\", expected an index in brackets such as [0]");
  EXPECT_EQ(override_error("bodies.first.name=3"),
            "--set bodies.first.name=3: \"first\" is no index of an array of 1 and no name in it; use 0 to 1 (1 "
            "appends) or one of \"cube\"");
  EXPECT_EQ(override_error("bodies.cubes.name=3"),
            "--set bodies.cubes.name=3: \"cubes\" is no index of an array of 1 and no name in it; use 0 to 1 (1 "
            "appends) or one of \"cube\"; did you mean \"cube\"?");
  EXPECT_EQ(override_error("bodies[3].name=a"),
            "--set bodies[3].name=a: index 3 is outside an array of 1; use 0 to 1 (1 appends)");
  EXPECT_EQ(override_error("bodies[0].mesh.box.size.x.y=3"),
            "--set bodies[0].mesh.box.size.x.y=3: \"x\" is no index of an array of 3; use 0 to 3 (3 appends)");
  EXPECT_EQ(override_error("bodies[0].name.x=3"),
            "--set bodies[0].name.x=3: cannot set \"x\" inside \"cube\"; only objects and arrays have keys");
  EXPECT_EQ(override_error("bodies[0].mesh.box.size[0].y=3"),
            "--set bodies[0].mesh.box.size[0].y=3: cannot set \"y\" inside 1; only objects and arrays have keys");
}

TEST(OverrideErrors, BytesThatAreNoText) {
  EXPECT_EQ(override_error("name=a\xff"),
            "--set name=a\xef\xbf\xbd: found bytes that are no UTF-8, which JSON needs; check the terminal's character "
            "set");
  try {
    parse_json("{\"name\": \"a\xff\"}", "s.json");
    FAIL();
  } catch (const InputError& error) {  // quoted as U+FFFD: Python and JSON take no other bytes
    EXPECT_STREQ(error.what(),
                 "s.json:1:12: not valid JSON: parsing value - invalid string: ill-formed UTF-8 byte; last read: "
                 "'\"a\xef\xbf\xbd'");
  }
}

TEST(Overrides, ItemsByName) {
  json scene = cube_scene();
  apply_override(scene, "bodies.cube.velocity=[0,0,1]");
  apply_override(scene, "obstacles.floor.material=steel");
  EXPECT_EQ(scene["bodies"][0]["velocity"], json({0, 0, 1}));
  EXPECT_EQ(scene["obstacles"][0]["material"], "steel");
  EXPECT_EQ(scene["bodies"].size(), 1u);
}

TEST(KeyErrors, UnknownAndMissing) {
  EXPECT_EQ(changed_error("time.stepps=3"),
            "s.json: time.stepps: unknown key; did you mean \"steps\"? known keys: \"step\", \"steps\", "
            "\"integrator\", \"newmark\", \"mode\", \"continuation\", "
            "\"ramp\", \"substeps\", \"max_travel\"");
  EXPECT_EQ(changed_error("bodies[0].mesh={\"sphere\": {\"radus\": 1}}"),
            "s.json: bodies[0].mesh.sphere.radus: unknown key; did you mean \"radius\"? known keys: \"radius\", "
            "\"size\", \"edge\"");
  EXPECT_EQ(changed_error("compare.x=3"), "s.json: compare.x: unknown key; known keys: \"from\"");
  EXPECT_EQ(changed_error("materials.rubber.youngs=3"),
            "s.json: materials.rubber.youngs: unknown key; did you mean \"young\"? known keys: \"model\", \"young\", "
            "\"poisson\", "
            "\"lambda\", \"mu\", \"density\", \"expansion\", \"initial_strain\", \"initial_stress\", "
            "\"viscosity\", \"viscosity_of\", \"fiber\", \"look\", \"from_data\"");
  EXPECT_EQ(scene_error(json::object()),
            "s.json: the scene: missing key \"bodies\", expected an array of at least 1 (bodies)");
  EXPECT_EQ(
      changed_error("bodies[0].mesh={\"sphere\": {}}"),
      "s.json: bodies[0].mesh.sphere: missing key \"radius\", expected a finite number greater than 0 [m] (radius)");
  EXPECT_EQ(changed_error("bodies[0].mesh={}"),
            "s.json: bodies[0].mesh: found none of \"shape\", \"sphere\", \"box\", \"cylinder\", \"torus\", \"sheet\", "
            "\"tets\", \"triangles\", \"heightfield\", expected exactly one of them");
  EXPECT_EQ(changed_error("bodies[0].mesh.sphere.radius=1"),
            "s.json: bodies[0].mesh: found \"sphere\", \"box\", expected exactly one of them; remove the others");
  EXPECT_EQ(changed_error("bodies[0].mesh.box.edge=1"),
            "s.json: bodies[0].mesh.box: found \"cells\", \"edge\", which exclude each other; remove one of them");
  EXPECT_EQ(changed_error("bodies[0].fix=[{\"axes\":\"x\"}]"),
            "s.json: bodies[0].fix[0]: found none of \"box\", \"sphere\", \"cylinder\", \"halfspace\", \"plane\", "
            "\"face_angle\", \"nearest\", \"group\", \"vertices\", \"all\", \"any\", \"every\", "
            "\"not\", expected exactly one of them");
  EXPECT_EQ(changed_error("bodies[0].loads=[{\"all\":true}]"),
            "s.json: bodies[0].loads[0]: found none of \"traction\", \"pressure\", \"force\", \"moment\", \"gas\", "
            "\"wind\", expected exactly one of them");
}

TEST(KeyErrors, OddNamesAreQuotedInPaths) {
  json scene = cube_scene();
  scene["materials"]["a b"] = 3;
  EXPECT_EQ(scene_error(scene), "s.json: materials[\"a b\"]: found 3, expected an object (material)");
}

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at; (at = text.find(from)) != std::string::npos;) text.replace(at, from.size(), to);
  return text;
}

TEST(SceneErrors, DeepNestingIsRefusedBeforeItIsBuilt) {
  const std::string deep(100000, '[');
  EXPECT_THAT([&] { parse_json("{\n\"bodies\": " + deep, "s.json"); },
              testing::ThrowsMessage<InputError>("s.json:2: nested more than 64 levels deep; simplify the scene"));
  nlohmann::json scene;
  EXPECT_THAT([&] { apply_override(scene, "solver.multilevel=" + deep + std::string(100000, ']')); },
              testing::ThrowsMessage<InputError>("--set: found a value nested more than 64 levels deep; simplify it"));
}

// errors.txt: a change to the cube scene on one line, the error that it raises on the next; DIR is the folder of the
// files of write_bad_files. After a deliberate change of a text run with SINEW_UPDATE_ERRORS=1 and read the difference.
TEST(SceneErrors, WordForWord) {
  const test::Variable mesher("SINEW_MESH", "/dev/null");  // whether it is built or not
  const test::QuietLog log;
  const test::Folder folder;
  test::write_bad_files(folder);
  const std::string path = test::source_folder() + "/tests/scene/errors.txt";
  std::ifstream file(path);
  std::string change, expected, all;
  int count = 0;
  for (; std::getline(file, change) && std::getline(file, expected); ++count) {
    const std::string found = replace_all(changed_error(change, folder.path), folder.path.string(), "DIR");
    EXPECT_EQ(found, expected) << change;
    all += change + "\n" + found + "\n";
  }
  EXPECT_GT(count, 120);
  file.close();
  if (std::getenv("SINEW_UPDATE_ERRORS")) std::ofstream(path) << all;
}

TEST(SceneErrors, NothingIsHeardWithoutContactsInMotion) {
  json scene = cube_scene();
  scene["output"]["formats"] = {"vtu", "wav"};
  scene["time"]["mode"] = "static";
  EXPECT_EQ(scene_error(scene),
            "s.json: output.formats: found \"wav\" with time.mode \"static\", in which bodies make no sound; leave "
            "\"wav\" out, or use time.mode \"dynamic\"");
  scene.erase("time");
  scene["contact"]["enabled"] = false;
  EXPECT_EQ(scene_error(scene),
            "s.json: output.formats: found \"wav\" with contact.enabled false, but only contacts make sound; leave "
            "\"wav\" out, enable contact, or set output.sound.source to \"motion\"");
  scene["contact"]["enabled"] = true;
  scene["bodies"][0]["kinematics"] = "affine";
  EXPECT_EQ(
      scene_error(scene),
      "s.json: bodies[0].kinematics: found \"affine\" with \"wav\" in output.formats: an affine body has no modes "
      "that sound; leave \"wav\" out, or set kinematics to \"full\"");
  scene["bodies"][0].erase("kinematics");
  scene["bodies"][0]["collision"] = {{"sphere", {{"radius", 0.1}}}};
  EXPECT_EQ(scene_error(scene),
            "s.json: bodies[0].collision: found a collision surface with \"wav\" in output.formats, but its contacts "
            "make no sound; leave out \"wav\" or the collision surface");
}

// What Python can pass and JSON text cannot.
TEST(SceneErrors, NumbersThatAreNotFinite) {
  json scene = cube_scene();
  scene["time"]["step"] = std::nan("");
  EXPECT_EQ(scene_error(scene),
            "s.json: time.step: found nan, expected a finite number greater than 0 [s] (time step)");
}

TEST(SceneErrors, DeepNesting) {
  json selection = "all";
  for (int i = 0; i < 1000; ++i) selection = {{"not", selection}};
  json scene = cube_scene();
  scene["bodies"][0]["fix"] = json::array({selection});
  EXPECT_THAT(scene_error(scene), testing::EndsWith(": nested more than 64 levels deep; simplify the scene"));
}

TEST(SceneErrors, SeveralMaterialsToChooseFrom) {
  json scene = cube_scene();
  scene["materials"]["steel"] = json::object();
  EXPECT_EQ(
      scene_error(scene),
      "s.json: bodies[0]: missing key \"material\", expected one of the scene's materials: \"rubber\", \"steel\"");
}

TEST(SceneErrors, NamesGivenTwice) {
  json scene = cube_scene();
  scene["bodies"].push_back(scene["bodies"][0]);
  EXPECT_EQ(scene_error(scene),
            "s.json: bodies[1].name: \"cube\" is the name of bodies[0] too; give every body and obstacle its own");
}

// Meshes with regions and groups.
struct MeshErrors : testing::Test {
  MeshErrors() {
    folder.write("two.msh", test::two_regions);
    scene = json::parse(R"({"materials": {"a": {}, "b": {"young": 5e6}},
      "bodies": [{"name": "pair", "mesh": "two.msh", "material": "a"}]})");
  }
  std::string with(const char* key, const json& value) {
    json changed = scene;
    changed["bodies"][0][key] = value;
    return scene_error(changed, folder.path);
  }
  test::QuietLog log;
  test::Folder folder;
  json scene;
};

TEST_F(MeshErrors, Regions) {
  EXPECT_EQ(with("material", {{"regions", {{"1", "a"}}}}),
            "s.json: bodies[0].material.regions: 1 of 2 tets of body \"pair\" have no material, the first is tet 1 of "
            "region 2; name a "
            "material for every region: 1 (soft), 2 (hard)");
  EXPECT_EQ(with("material", {{"regions", {{"1", "a"}, {"3", "b"}}}}),
            "s.json: bodies[0].material.regions.3: the mesh of body \"pair\" has no region \"3\"; its regions are 1 "
            "(soft), 2 (hard)");
  EXPECT_EQ(with("material", {{"regions", {{"1", "a"}, {"soft", "b"}}}}),
            "s.json: bodies[0].material.regions.soft: tet 0 of body \"pair\" is in regions \"1\" and \"soft\"; give "
            "one of them a "
            "material");
}

TEST_F(MeshErrors, Groups) {
  EXPECT_EQ(with("fix", {{{"group", "lefft"}}}),
            "s.json: bodies[0].fix[0].group: found \"lefft\", expected a group of the mesh of body \"pair\" by name or "
            "as \"dim:id\"; "
            "did you mean \"left\"? it has left (2:7), soft (3:1), hard (3:2)");
  EXPECT_EQ(with("fix", {{{"vertices", {5}}}}),
            "s.json: bodies[0].fix[0]: the selection matches no vertex of body \"pair\"; it must hold some in the rest "
            "state after the "
            "transform");
  folder.write("two.msh", replace_all(test::two_regions, "$PhysicalNames\n3\n", "$PhysicalNames\n4\n2 8 \"clamp\"\n"));
  EXPECT_EQ(with("fix", {{{"group", "clamp"}}}),
            "s.json: bodies[0].fix[0].group: the group \"clamp\" of the mesh of body \"pair\" is empty: its name is in "
            "the file, but no triangles; it has left (2:7), clamp (2:8) (empty), soft (3:1), hard (3:2)");
  folder.write("two.msh", replace_all(test::two_regions, "\"left\"", "\"soft\""));
  EXPECT_EQ(with("fix", {{{"group", "soft"}}}),
            "s.json: bodies[0].fix[0].group: \"soft\" names triangles and tets of body \"pair\"; give 2:7 or 3:1");
}

TEST_F(MeshErrors, DefectsOfTheMesh) {
  folder.write("two.msh", replace_all(test::two_regions, "5 1 1 1\n", "5 1 1 -1\n"));
  EXPECT_THAT(with("name", "flat"), testing::HasSubstr("two.msh: 1 of 2 tets have zero volume: tet 1"));
}

}  // namespace
}  // namespace sinew
