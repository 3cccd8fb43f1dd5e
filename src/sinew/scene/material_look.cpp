#include "sinew/scene/material_look.h"

#include <algorithm>
#include <string>

#include "sinew/formats/image_file.h"

namespace sinew {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The words of a name in small letters.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    if (!is_letter(c))
      words.emplace_back();
    else
      words.back() += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  std::erase(words, "");
  return words;
}

// The path of an image, which is checked.
std::string texture_path(const Node& file, const std::filesystem::path& base_dir) {
  const std::string path = std::filesystem::absolute(base_dir / file.text()).lexically_normal().string();
  try {
    read_image_file(path);
  } catch (const InputError& error) {
    file.fail(error.code(), "{}", error.what());
  }
  return path;
}

}  // namespace

const std::vector<LookKind>& look_kinds() {
  static const std::vector<LookKind> kinds = {
      {"rubber", {"", 0.6, 0, 1}, {"rubber", "silicone", "elastomer", "tire", "tyre"}},
      {"plastic", {"", 0.3, 0, 1}, {"plastic", "acrylic", "nylon", "polymer"}},
      {"foam", {"", 0.95, 0, 1}, {"foam", "sponge", "felt", "cushion"}},
      {"cloth", {"", 0.9, 0, 1}, {"cloth", "fabric", "leather", "cotton"}},
      {"jelly", {"", 0.12, 0, 0.45}, {"jelly", "jello", "gel", "gummy", "agar", "slime"}},
      {"glass", {"#dfeaf0", 0.04, 0, 0.12}, {"glass", "ice", "crystal"}},
      {"steel", {"#a3a9b1", 0.32, 1, 1}, {"steel", "metal", "alumin", "titan", "chrom", "nickel"}},
      {"iron", {"#6d7278", 0.45, 1, 1}, {"iron", "tungsten"}},
      {"copper", {"#c98154", 0.3, 1, 1}, {"copper", "bronze", "brass"}},
      {"gold", {"#e2b64d", 0.25, 1, 1}, {"gold"}},
      {"bone", {"#ece3cf", 0.55, 0, 1}, {"bone", "skull", "tooth", "teeth", "ivory"}},
      {"flesh", {"#d9897a", 0.5, 0, 1}, {"flesh", "muscle", "skin", "tissue", "liver", "meat", "heart"}},
      {"fat", {"#f0dca8", 0.5, 0, 1}, {"fat", "wax", "butter"}},
      {"wood", {"#b5854f", 0.7, 0, 1}, {"wood", "oak", "pine", "cork"}},
      {"stone", {"#a9a59d", 0.9, 0, 1}, {"stone", "rock", "concrete", "clay", "ceramic"}},
  };
  return kinds;
}

const LookKind* look_kind_of(std::string_view material_name) {
  for (const std::string& word : words_of(material_name)) {
    for (const LookKind& kind : look_kinds())
      if (std::ranges::any_of(kind.words, [&](const char* begin) { return word.starts_with(begin); })) return &kind;
  }
  return nullptr;
}

Look material_look(const Node& material, std::string_view name, const std::filesystem::path& base_dir) {
  const LookKind* kind = look_kind_of(name);
  const bool given = material.has("look");
  if (given && material["look"].has("kind")) {
    const std::string wanted = material["look"]["kind"].text();
    kind = &*std::ranges::find(look_kinds(), wanted, [](const LookKind& k) { return std::string(k.name); });
  }
  Look look = kind ? kind->look : Look{};
  if (!given) return look;
  const Node own = material["look"];
  if (own.has("color")) look.color = own["color"].text();
  if (own.has("roughness")) look.roughness = own["roughness"].number();
  if (own.has("metalness")) look.metalness = own["metalness"].number();
  if (own.has("opacity")) look.opacity = own["opacity"].number();
  if (!own.has("texture")) {
    if (own.has("texture_size"))
      own["texture_size"].fail(code::scene_missing, "has no effect without \"texture\"; add it, or remove this key");
    return look;
  }
  if (!own.has("color")) look.color = "#ffffff";
  look.texture = texture_path(own["texture"], base_dir);
  if (own.has("texture_size")) look.texture_size = own["texture_size"].number(largest_length, "m");
  return look;
}

}  // namespace sinew
