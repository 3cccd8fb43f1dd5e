// Reads how materials look.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "sinew/model/look.h"
#include "sinew/scene/node.h"

namespace sinew {

// A kind of material that people know by sight.
struct LookKind {
  const char* name;
  Look look;
  std::vector<const char*> words;  // beginnings of words in names of materials
};
const std::vector<LookKind>& look_kinds();

// The kind that a word of the material's name begins with: "Steel plate", "soft_foam", "jello2".
const LookKind* look_kind_of(std::string_view material_name);

// The look of a material of a completed scene: that of its kind with what "look" says in place of it. `name`: of the
// material. base_dir: to which the path of its texture is relative. With a texture the colour is white unless the scene
// gives one. Throws InputError if the texture is not an image that formats/image_file.h takes.
Look material_look(const Node& material, std::string_view name, const std::filesystem::path& base_dir);

}  // namespace sinew
