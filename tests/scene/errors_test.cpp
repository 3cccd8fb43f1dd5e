// Every error of the scene format, word for word.
#include <cmath>

#include "scene_tools.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/scene/npy.h"

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
  EXPECT_EQ(text_error("{\"a\": {\"x\": 1, \"x\": 2}}"),
            "s.json: key \"x\" given twice in one object; keep one of them");
  EXPECT_EQ(
      text_error("[1e999]"),
      "s.json: not valid JSON: number overflow parsing '1e999'; expected numbers within the range of double precision");
}

TEST(SyntaxErrors, MissingFile) {
  try {
    read_scene("no/such.json");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "no/such.json: cannot read the scene file; check the path and its permissions");
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
            "--set bodies.first.name=3: \"first\" is no index of an array of 1; use 0 to 1");
  EXPECT_EQ(override_error("bodies[3].name=a"), "--set bodies[3].name=a: index 3 is outside an array of 1; use 0 to 1");
  EXPECT_EQ(override_error("bodies[0].mesh.box.size.x.y=3"),
            "--set bodies[0].mesh.box.size.x.y=3: \"x\" is no index of an array of 3; use 0 to 3");
  EXPECT_EQ(override_error("bodies[0].name.x=3"),
            "--set bodies[0].name.x=3: cannot set \"x\" inside \"cube\"; only objects and arrays have keys");
  EXPECT_EQ(override_error("bodies[0].mesh.box.size[0].y=3"),
            "--set bodies[0].mesh.box.size[0].y=3: cannot set \"y\" inside 1; only objects and arrays have keys");
}

TEST(KeyErrors, UnknownAndMissing) {
  EXPECT_EQ(changed_error("time.stepps=3"),
            "s.json: time.stepps: unknown key; did you mean \"steps\"? known keys: \"step\", \"steps\", "
            "\"integrator\", \"mode\", "
            "\"ramp\"");
  EXPECT_EQ(changed_error("bodies[0].mesh={\"sphere\": {\"radus\": 1}}"),
            "s.json: bodies[0].mesh.sphere.radus: unknown key; did you mean \"radius\"? known keys: \"radius\", "
            "\"size\", \"edge\"");
  EXPECT_EQ(changed_error("compare.x=3"), "s.json: compare.x: unknown key; known keys: \"from\"");
  EXPECT_EQ(changed_error("materials.rubber.youngs=3"),
            "s.json: materials.rubber.youngs: unknown key; did you mean \"young\"? known keys: \"model\", \"young\", "
            "\"poisson\", "
            "\"lambda\", \"mu\", \"density\", \"fiber\"");
  EXPECT_EQ(scene_error(json::object()),
            "s.json: the scene: missing key \"bodies\", expected an array of at least 1 (bodies)");
  EXPECT_EQ(
      changed_error("bodies[0].mesh={\"sphere\": {}}"),
      "s.json: bodies[0].mesh.sphere: missing key \"radius\", expected a finite number greater than 0 [m] (radius)");
  EXPECT_EQ(changed_error("bodies[0].mesh={}"),
            "s.json: bodies[0].mesh: found none of \"sphere\", \"box\", \"cylinder\", \"torus\", expected exactly one "
            "of them");
  EXPECT_EQ(changed_error("bodies[0].mesh.sphere.radius=1"),
            "s.json: bodies[0].mesh: found \"sphere\", \"box\", expected exactly one of them; remove the others");
  EXPECT_EQ(changed_error("bodies[0].mesh.box.edge=1"),
            "s.json: bodies[0].mesh.box: found \"cells\", \"edge\", which exclude each other; remove one of them");
  EXPECT_EQ(changed_error("bodies[0].fix=[{\"axes\":\"x\"}]"),
            "s.json: bodies[0].fix[0]: found none of \"box\", \"sphere\", \"halfspace\", \"group\", \"vertices\", "
            "\"all\", \"any\", "
            "\"not\", expected exactly one of them");
  EXPECT_EQ(
      changed_error("bodies[0].loads=[{\"all\":true}]"),
      "s.json: bodies[0].loads[0]: found none of \"traction\", \"pressure\", \"force\", expected exactly one of them");
}

TEST(KeyErrors, OddNamesAreQuotedInPaths) {
  json scene = cube_scene();
  scene["materials"]["a b"] = 3;
  EXPECT_EQ(scene_error(scene), "s.json: materials[\"a b\"]: found 3, expected an object (material)");
}

}  // namespace
}  // namespace sinew
