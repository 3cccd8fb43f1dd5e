// The schema, the parser and the published file agree.
#include "sinew/scene/schema.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "scene_tools.h"
#include "support/paths.h"
#include <gtest/gtest.h>

#include "sinew/dynamics/methods.h"

namespace sinew {
namespace {

std::string published_path() {
  return test::source_folder() + "/docs/scene.schema.json";
}

std::string read_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(Schema, PublishedFileIsUpToDate) {
  const std::string text = scene_schema().dump(2) + "\n";
  if (std::getenv("SINEW_UPDATE_SCHEMA")) std::ofstream(published_path()) << text;
  EXPECT_EQ(read_text(published_path()), text) << "run test_scene with SINEW_UPDATE_SCHEMA=1 to write it anew";
}

// Every key has a title; every number with a dimension could have a unit.
void check_titles(const nlohmann::ordered_json& schema, const std::string& path) {
  if (schema.is_array()) {
    for (std::size_t i = 0; i < schema.size(); ++i) check_titles(schema[i], path + "/" + std::to_string(i));
    return;
  }
  if (!schema.is_object()) return;
  if (schema.contains("properties")) {
    for (const auto& [key, value] : schema["properties"].items()) {
      const bool named = value.contains("title") || value.contains("allOf");  // a definition has its own title
      EXPECT_TRUE(named) << path << "/" << key;
    }
  }
  for (const auto& [key, value] : schema.items()) {
    if (key != "default" && key != "enum") check_titles(value, path + "/" + key);
  }
}

TEST(Schema, KnowsTheMethodsOfTheTable) {
  std::vector<std::string> named = scene_schema()["properties"]["solver"]["properties"]["method"]["enum"];
  std::vector<std::string> known = method_names();
  std::ranges::sort(named);
  std::ranges::sort(known);
  EXPECT_EQ(named, known);
}

TEST(Schema, EveryKeyIsDescribed) {
  check_titles(scene_schema(), "");
  for (const auto& [name, definition] : scene_schema()["definitions"].items()) {
    EXPECT_TRUE(definition.contains("title") || definition.contains("oneOf")) << name;
  }
}

// Documents that the parser's schema check and an independent validator must judge alike.
std::vector<nlohmann::json> documents() {
  std::vector<nlohmann::json> all = {nlohmann::json::parse(test::sample_scene), test::cube_scene(), 3,
                                     nlohmann::json::object()};
  const char* changes[] = {
      "sinew=2",
      "sinew=true",
      "name=3",
      "gravity=[0,1]",
      "gravity=[0,1,null]",
      "gravity=9.81",
      "size=0",
      "size=0.5",
      "time.step=0",
      "time.step=1e-3",
      "time.steps=0",
      "time.steps=1.5",
      "time.steps=10.0",
      "time.integrator=euler",
      "time.mode=static",
      "time.stepp=1",
      "time=[]",
      "materials.rubber.young=-1",
      "materials.rubber.model=stvk",
      "materials.rubber.model=steel",
      "materials.rubber={\"model\":\"mooney_rivlin\"}",
      "materials.rubber={\"model\":\"mooney_rivlin\",\"c10\":1e5,\"c01\":1e4,\"kappa\":1e6}",
      "materials.rubber={\"lambda\":1e5,\"mu\":1e5}",
      "materials.rubber.poisson=0.5",
      "materials.rubber.young.field=E.npy",
      "materials.rubber.young={\"field\":\"\"}",
      "materials.rubber.density=0",
      "materials.rubber.fiber.stiffness=1",
      "materials.rubber.fiber={\"stiffness\":1,\"direction\":[0,1,0]}",
      "materials.rubber.fiber={\"stiffness\":-1,\"direction\":[0,1,0]}",
      "bodies=[]",
      "bodies[0].name=\"\"",
      "bodies[0].mesh=ball.msh",
      "bodies[0].mesh={}",
      "bodies[0].mesh={\"shape\":\"gyroid\",\"period\":2}",
      "bodies[0].mesh.sphere.radius=1",
      "bodies[0].mesh={\"sphere\":{\"radius\":1,\"size\":0.1,\"edge\":0.1}}",
      "bodies[0].mesh={\"torus\":{\"radius\":1,\"tube\":0.1,\"axis\":\"z\"}}",
      "bodies[0].mesh={\"cylinder\":{\"radius\":1,\"height\":1,\"axis\":\"w\"}}",
      "bodies[0].mesh.box.edge=0.1",
      "bodies[0].mesh.box.cells=[1,2,0]",
      "bodies[0].material=rubber",
      "bodies[0].material=3",
      "bodies[0].material={\"regions\":{}}",
      "bodies[0].material={\"regions\":{\"1\":\"rubber\"}}",
      "bodies[0].material={\"model\":\"arap\",\"mu\":3}",
      "bodies[0].transform.scale=2",
      "bodies[0].transform.scale=[1,2]",
      "bodies[0].transform.rotate={\"axis\":\"x\",\"degrees\":3}",
      "bodies[0].transform.rotate={\"axis\":[1,1,1]}",
      "bodies[0].velocity=[0,1,2]",
      "bodies[0].acceleration={\"times\":[0],\"values\":[[0,1,2]]}",
      "bodies[0].acceleration={\"times\":[0]}",
      "bodies[0].fix=[\"all\"]",
      "bodies[0].fix=[\"some\"]",
      "bodies[0].fix=\"all\"",
      "bodies[0].fix=[{\"all\":true,\"until\":2}]",
      "bodies[0].fix=[{\"all\":false}]",
      "bodies[0].fix=[{\"axes\":\"xy\"}]",
      "bodies[0].fix=[{\"all\":true,\"axes\":\"yx\"}]",
      "bodies[0].fix=[{\"all\":true,\"group\":\"left\"}]",
      "bodies[0].fix=[{\"any\":[\"all\",{\"not\":{\"group\":\"left\"}}]}]",
      "bodies[0].fix=[{\"any\":[]}]",
      "bodies[0].fix=[{\"vertices\":[0,-1]}]",
      "bodies[0].fix=[{\"sphere\":{\"center\":[0,0,0],\"radius\":1}}]",
      "bodies[0].fix=[{\"halfspace\":{\"point\":[0,0,0]}}]",
      "bodies[0].fix=[{\"all\":true,\"motion\":{\"rotate\":{\"times\":[0],\"degrees\":[1]}}}]",
      "bodies[0].fix=[{\"all\":true,\"motion\":{\"scale\":{\"times\":[0,1],\"values\":[1,[1,2,3]]}}}]",
      "bodies[0].fix=[{\"all\":true,\"motion\":{\"scale\":{\"times\":[0],\"values\":[0]}}}]",
      "bodies[0].loads=[{\"all\":true}]",
      "bodies[0].loads=[{\"all\":true,\"pressure\":3}]",
      "bodies[0].loads=[{\"all\":true,\"pressure\":{\"times\":[0,1],\"values\":[0,3]}}]",
      "bodies[0].loads=[{\"all\":true,\"pressure\":[0,1,2]}]",
      "bodies[0].loads=[{\"all\":true,\"force\":[0,1,2],\"traction\":[0,1,2]}]",
      "bodies[0].springs=[{\"all\":true,\"to\":[0,1,2],\"stiffness\":1}]",
      "bodies[0].springs=[{\"all\":true,\"to\":{\"body\":\"cube\",\"all\":true},\"stiffness\":1}]",
      "bodies[0].springs=[{\"all\":true,\"to\":{\"body\":\"cube\"},\"stiffness\":1}]",
      "bodies[0].springs=[{\"all\":true,\"to\":[0,1,2],\"stiffness\":0}]",
      "bodies[0].damping.mass=-1",
      "obstacles[0].mesh=a.obj",
      "obstacles[0].material=ice",
      "obstacles=[{}]",
      "contact.distance=auto",
      "contact.distance=automatic",
      "contact.distance=0",
      "contact.stiffness=1e5",
      "contact.friction={\"pairs\":[[\"a\",\"b\",0.1]]}",
      "contact.friction={\"pairs\":[[\"a\",0.1,\"b\"]]}",
      "contact.friction={\"pairs\":[[\"a\",\"b\"]]}",
      "contact.friction=-1",
      "contact.enabled=1",
      "contact.ignore=[[\"a\",\"b\",\"c\"]]",
      "solver.method=newton-pcg",
      "solver.method=gauss",
      "solver.linear_tolerance=1",
      "solver.cubature={\"points\":3}",
      "solver.cubature=0",
      "solver.multilevel.levels=3",
      "solver.multilevel.partition=metis",
      "solver.multilevel.printed={\"hessian\":\"cubature\",\"refinement\":40,\"lag\":5}",
      "solver.multilevel.printed.refinement=auto",
      "solver.multilevel.printed.refinement=-1",
      "solver.multilevel.forcing=1",
      "solver.handles=auto",
      "solver.handles=0",
      "solver.cubature={\"rule\":\"polynomial\",\"degree\":3}",
      "solver.cubature=gauss",
      "solver.multilevel=3",
      "output.formats=[]",
      "output.formats=[\"vtk\"]",
      "output.formats=[\"wav\"]",
      "output.sound={\"listener\":\"auto\",\"gain\":2}",
      "output.sound={\"listener\":[0,1,2],\"gain\":\"auto\",\"modes\":3}",
      "output.sound.listener=[0,1]",
      "output.sound.gain=0",
      "output.every=0",
      "output.checkpoint=0",
      "compare.from=-1",
      "initial=\"\"",
      "initial=state.vtu",
      "initial={}",
      "initial={\"file\":\"state.vtu\"}",
      "initial={\"file\":\"state.vtu\",\"time\":\"reset\"}",
      "initial={\"file\":\"state.vtu\",\"time\":0}",
      "unknown=1",
  };
  for (const char* change : changes) {
    all.push_back(test::cube_scene());
    apply_override(all.back(), change);
  }
  return all;
}

bool accepted(const nlohmann::json& document) {
  try {
    completed_scene(document);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

// jsonschema is an independent implementation of draft 7.
TEST(Schema, AgreesWithAnIndependentValidator) {
  if (std::system("/usr/bin/python3 -c 'import jsonschema' 2>/dev/null") != 0)
    GTEST_SKIP() << "python3-jsonschema is missing";
  const test::Folder folder;
  nlohmann::ordered_json cases = nlohmann::ordered_json::array();
  int valid = 0;
  for (const auto& document : documents()) {
    const bool good = accepted(document);
    valid += good;
    cases.push_back({{"document", document}, {"valid", good}});
    // What is filled in must be valid too, and complete.
    if (!good) continue;
    const auto completed = completed_scene(document);
    cases.push_back({{"document", completed}, {"valid", true}});
    EXPECT_EQ(completed_scene(nlohmann::json(completed)).dump(), completed.dump());
  }
  EXPECT_GE(valid, 40);
  folder.write("schema.json", scene_schema().dump());
  folder.write("cases.json", cases.dump());
  folder.write("check.py", R"(import json, sys, jsonschema
schema = json.load(open(sys.argv[1] + "/schema.json"))
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
wrong = [c for c in json.load(open(sys.argv[1] + "/cases.json")) if validator.is_valid(c["document"]) != c["valid"]]
for c in wrong: print("parser says valid:", c["valid"], json.dumps(c["document"]))
sys.exit(bool(wrong))
)");
  EXPECT_EQ(
      std::system(("/usr/bin/python3 " + (folder.path / "check.py").string() + " " + folder.path.string()).c_str()), 0);
}

}  // namespace
}  // namespace sinew
