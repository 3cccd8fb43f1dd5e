#include "sinew/render/gl_target.h"

#include "sinew/core/error.h"

namespace sinew {
namespace {

// What data of a texture would be made of: it gets none, but the format must suit.
struct Layout {
  GLenum format, type;
};

Layout layout_of(GLenum format) {
  switch (format) {
    case GL_RG32I:
      return {GL_RG_INTEGER, GL_INT};
    case GL_RG32F:
      return {GL_RG, GL_FLOAT};
    case GL_RGBA16F:
      return {GL_RGBA, GL_FLOAT};
    case GL_R32F:
      return {GL_RED, GL_FLOAT};
    case GL_DEPTH_COMPONENT24:
      return {GL_DEPTH_COMPONENT, GL_UNSIGNED_INT};
    case GL_DEPTH_COMPONENT32F:
      return {GL_DEPTH_COMPONENT, GL_FLOAT};
    default:
      return {GL_RGBA, GL_UNSIGNED_BYTE};
  }
}

}  // namespace

GlTarget::GlTarget(const GlFunctions& gl, int width, int height, std::initializer_list<GLenum> colors, GLenum depth,
                   int samples)
    : gl_(gl), width_(width), height_(height), samples_(samples), depth_texture_(colors.size() == 0) {
  gl_.make_framebuffers(1, &framebuffer_);
  gl_.bind_framebuffer(GL_FRAMEBUFFER, framebuffer_);
  std::vector<GLenum> places;
  for (const GLenum format : colors) {
    places.push_back(GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(places.size()));
    colors_.push_back(attach(places.back(), format, true));
  }
  if (depth) depth_ = attach(GL_DEPTH_ATTACHMENT, depth, depth_texture_);
  const GLenum none = GL_NONE;
  gl_.draw_buffers(places.empty() ? 1 : static_cast<GLsizei>(places.size()), places.empty() ? &none : places.data());
  gl_.read_buffer(places.empty() ? GL_NONE : GL_COLOR_ATTACHMENT0);
  const GLenum status = gl_.framebuffer_status(GL_FRAMEBUFFER);
  if (status != GL_FRAMEBUFFER_COMPLETE)
    throw SimulationError(code::picture, fmt::format("OpenGL cannot draw a picture of {} x {} pixels (status {:#x})",
                                                     width, height, status));
}

GlTarget::~GlTarget() {
  gl_.delete_framebuffers(1, &framebuffer_);
  const auto count = static_cast<GLsizei>(colors_.size());
  gl_.delete_textures(count, colors_.data());
  (depth_texture_ ? gl_.delete_textures : gl_.delete_renderbuffers)(1, &depth_);
}

GLuint GlTarget::attach(GLenum place, GLenum format, bool texture) {
  GLuint name = 0;
  if (texture && samples_ > 1) {
    gl_.make_textures(1, &name);
    gl_.bind_texture(GL_TEXTURE_2D_MULTISAMPLE, name);
    gl_.texture_samples(GL_TEXTURE_2D_MULTISAMPLE, samples_, format, width_, height_, GL_TRUE);
    gl_.framebuffer_texture(GL_FRAMEBUFFER, place, GL_TEXTURE_2D_MULTISAMPLE, name, 0);
    return name;
  }
  if (texture) {
    gl_.make_textures(1, &name);
    gl_.bind_texture(GL_TEXTURE_2D, name);
    const Layout layout = layout_of(format);
    gl_.texture_image(GL_TEXTURE_2D, 0, static_cast<GLint>(format), width_, height_, 0, layout.format, layout.type,
                      nullptr);
    const bool compared = place == GL_DEPTH_ATTACHMENT;
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
      gl_.texture_parameter(GL_TEXTURE_2D, filter, compared ? GL_LINEAR : GL_NEAREST);
    for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
      gl_.texture_parameter(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_EDGE);
    if (compared) {
      gl_.texture_parameter(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
      gl_.texture_parameter(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    }
    gl_.framebuffer_texture(GL_FRAMEBUFFER, place, GL_TEXTURE_2D, name, 0);
    return name;
  }
  gl_.make_renderbuffers(1, &name);
  gl_.bind_renderbuffer(GL_RENDERBUFFER, name);
  gl_.renderbuffer_storage(GL_RENDERBUFFER, samples_ == 1 ? 0 : samples_, format, width_, height_);
  gl_.framebuffer_renderbuffer(GL_FRAMEBUFFER, place, GL_RENDERBUFFER, name);
  return name;
}

void GlTarget::bind() const {
  gl_.bind_framebuffer(GL_FRAMEBUFFER, framebuffer_);
  gl_.viewport(0, 0, width_, height_);
}

}  // namespace sinew
