// Reads how materials look.
#pragma once

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
// material.
Look material_look(const Node& material, std::string_view name);

}  // namespace sinew
