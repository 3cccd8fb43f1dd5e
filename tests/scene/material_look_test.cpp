// How materials look: kinds by name, and what a scene says in their place.
#include "sinew/scene/material_look.h"

#include "scene_tools.h"
#include <gtest/gtest.h>

#include "sinew/model/system.h"

namespace sinew {
namespace {

std::string kind_of(const char* name) {
  const LookKind* kind = look_kind_of(name);
  return kind ? kind->name : "";
}

TEST(MaterialLook, KindsAreThoseOfWordsInTheName) {
  EXPECT_EQ(kind_of("Steel plate"), "steel");
  EXPECT_EQ(kind_of("soft_foam"), "foam");
  EXPECT_EQ(kind_of("jello2"), "jelly");
  EXPECT_EQ(kind_of("outer skin"), "flesh");
  EXPECT_EQ(kind_of("aluminium"), "steel");
  EXPECT_EQ(kind_of("hard"), "");
  EXPECT_EQ(kind_of("unsteel"), "");
  EXPECT_EQ(kind_of(""), "");
}

// A folder with an image of one pixel, of the kind that the tests of formats look into.
const test::Folder& test_images() {
  using namespace std::string_literals;
  static const test::Folder folder;
  folder.write("dot.png", "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0CRCC\0\0\0\0IENDCRCC"s);
  return folder;
}

Look look_of(const nlohmann::ordered_json& material, const char* name) {
  const std::string source = "scene.json";
  return material_look(Node(material, "materials.x", source), name, test_images().path);
}

TEST(MaterialLook, TheSceneStandsBeforeTheKind) {
  const Look steel = look_of({{"density", 7800}}, "steel");
  EXPECT_EQ(steel.metalness, 1);
  EXPECT_FALSE(steel.color.empty());
  const Look red = look_of({{"look", {{"color", "#ff0000"}, {"roughness", 0.9}}}}, "steel");
  EXPECT_EQ(red.color, "#ff0000");
  EXPECT_EQ(red.roughness, 0.9);
  EXPECT_EQ(red.metalness, 1);
  const Look jelly = look_of({{"look", {{"kind", "jelly"}, {"opacity", 0.3}}}}, "steel");
  EXPECT_EQ(jelly.opacity, 0.3);
  EXPECT_EQ(jelly.metalness, 0);
  EXPECT_EQ(look_of({{"density", 1}}, "a"), Look{});
}

TEST(MaterialLook, ATextureMakesTheColourWhite) {
  const Look wood = look_of({{"look", {{"texture", "dot.png"}}}}, "wood");
  EXPECT_EQ(wood.color, "#ffffff");
  EXPECT_EQ(wood.roughness, 0.7);
  EXPECT_EQ(wood.texture, (test_images().path / "dot.png").string());
  EXPECT_EQ(wood.texture_size, 0);
  const Look red = look_of({{"look", {{"texture", "dot.png"}, {"color", "#ff0000"}, {"texture_size", 0.2}}}}, "wood");
  EXPECT_EQ(red.color, "#ff0000");
  EXPECT_EQ(red.texture_size, 0.2);
}

TEST(MaterialLook, ATextureMustBeAnImage) {
  test_images().write("text.png", "no picture");
  const auto error_of = [](const nlohmann::ordered_json& look) {
    try {
      look_of({{"look", look}}, "a");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string folder = test_images().path.string();
  EXPECT_EQ(error_of({{"texture", "text.png"}}),
            "scene.json: materials.x.look.texture: " + folder +
                "/text.png: expected a PNG, JPEG or WebP image, found other bytes; convert it");
  EXPECT_EQ(error_of({{"texture", "none.png"}}),
            "scene.json: materials.x.look.texture: " + folder +
                "/none.png: cannot read the image: No such file or directory; check the path and its permissions");
  EXPECT_EQ(error_of({{"texture_size", 1}}),
            "scene.json: materials.x.look.texture_size: has no effect without \"texture\"; add it, or remove this key");
}

}  // namespace
}  // namespace sinew
