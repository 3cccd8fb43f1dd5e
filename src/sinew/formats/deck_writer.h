// Common to writers of decks: text line by line, and what the format has no place for.
#pragma once

#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "sinew/formats/deck_content.h"
#include "sinew/formats/write.h"

namespace sinew {

class DeckWriter {
 protected:
  explicit DeckWriter(const MeshFile& mesh) : mesh_(mesh.volume), content_(mesh) {}

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_.bytes), format, std::forward<Args>(args)...);
    out_.bytes += '\n';
  }

  // The text with the names of the arrays that decks cannot hold. Ends the writing.
  WrittenMesh finished() {
    for (const auto& [name, values] : mesh_.cell_fields) out_.dropped.push_back("the cell array " + name);
    return std::move(out_);
  }

  const TetMesh& mesh_;
  DeckContent content_;
  WrittenMesh out_;
};

}  // namespace sinew
