#include "sinew/io/look_images.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/core/base64.h"
#include "sinew/formats/image_file.h"

namespace sinew {

Json LookImages::look(const Look& look) {
  Json json = {{"roughness", look.roughness}, {"metalness", look.metalness}, {"opacity", look.opacity}};
  if (!look.color.empty()) json["color"] = look.color;
  if (look.texture.empty()) return json;
  const auto at = std::ranges::find(paths_, look.texture) - paths_.begin();
  if (at == std::ssize(paths_)) {
    const ImageFile image = read_image_file(look.texture);
    paths_.push_back(look.texture);
    images_.push_back(fmt::format("data:{};base64,{}", image.media_type(), base64_encode(image.bytes)));
  }
  json["texture"] = {{"image", at}, {"width", look.texture_size}};
  return json;
}

}  // namespace sinew
