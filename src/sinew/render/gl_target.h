// A target of OpenGL's drawing: textures, of one or several samples a pixel.
#pragma once

#include <initializer_list>
#include <vector>

#include "sinew/render/gl_functions.h"

namespace sinew {

class GlTarget {
 public:
  // Formats such as GL_R32F; depth 0: without. Only a target without colours has its depths in a texture.
  GlTarget(const GlFunctions& gl, int width, int height, std::initializer_list<GLenum> colors, GLenum depth,
           int samples = 1);
  ~GlTarget();
  GlTarget(const GlTarget&) = delete;
  GlTarget& operator=(const GlTarget&) = delete;

  int width() const { return width_; }
  int height() const { return height_; }
  GLuint color(std::size_t k) const { return colors_[k]; }
  GLuint depth() const { return depth_; }
  GLuint framebuffer() const { return framebuffer_; }
  void bind() const;  // for drawing, with its whole size as viewport

 private:
  GLuint attach(GLenum place, GLenum format, bool texture);

  const GlFunctions& gl_;
  int width_, height_, samples_;
  GLuint framebuffer_ = 0, depth_ = 0;
  std::vector<GLuint> colors_;
  bool depth_texture_ = false;
};

}  // namespace sinew
