#include "sinew/render/gl_images.h"

namespace sinew {

GlImages::~GlImages() {
  for (auto& [image, texture] : textures_) gl_.delete_textures(1, &texture);
}

GLuint GlImages::texture(const std::shared_ptr<const ColorImage>& image) {
  const auto [at, is_new] = textures_.try_emplace(image, 0);
  if (!is_new) return at->second;
  gl_.make_textures(1, &at->second);
  gl_.bind_texture(GL_TEXTURE_2D, at->second);
  gl_.pixel_store(GL_UNPACK_ALIGNMENT, 1);
  gl_.texture_image(GL_TEXTURE_2D, 0, GL_SRGB8, image->width, image->height, 0, GL_RGB, GL_UNSIGNED_BYTE,
                    image->values.data());
  gl_.make_mipmap(GL_TEXTURE_2D);
  gl_.texture_parameter(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  gl_.texture_parameter(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    gl_.texture_parameter(GL_TEXTURE_2D, wrap, GL_REPEAT);
  return at->second;
}

}  // namespace sinew
