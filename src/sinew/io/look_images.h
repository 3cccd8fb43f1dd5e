// Looks of materials for pages, with the images of their textures.
#pragma once

#include <string>
#include <vector>

#include "sinew/io/report_rows.h"
#include "sinew/model/look.h"

namespace sinew {

// Collects images, each file once.
class LookImages {
 public:
  // "roughness", "metalness", "opacity", and, if there are, "color" and "texture": {"image": its number, "width": of an
  // image that is projected [m], 0: by the body}. Throws InputError if the image cannot be read any more.
  Json look(const Look& look);
  // Data URIs.
  const Json& images() const { return images_; }

 private:
  std::vector<std::string> paths_;
  Json images_ = Json::array();
};

}  // namespace sinew
