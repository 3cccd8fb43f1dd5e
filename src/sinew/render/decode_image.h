// Decodes images of textures.
#pragma once

#include <string>
#include <string_view>

#include "sinew/render/renderer.h"

namespace sinew {

// The pixels of a PNG, JPEG or WebP file in sRGB. Transparency is left out. Throws InputError that begins with `source`
// if the file is damaged.
ColorImage decode_image(std::string_view bytes, const std::string& source);

}  // namespace sinew
