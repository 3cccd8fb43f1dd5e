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

Look look_of(const nlohmann::ordered_json& material, const char* name) {
  const std::string source = "scene.json";
  return material_look(Node(material, "materials.x", source), name);
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

}  // namespace
}  // namespace sinew
