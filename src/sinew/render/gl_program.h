// A program of OpenGL: a pair of shaders with its uniform values.
#pragma once

#include <string>

#include "sinew/core/types.h"
#include "sinew/render/gl_functions.h"

namespace sinew {

class GlProgram {
 public:
  // Throws SimulationError with the compiler's message.
  GlProgram(const GlFunctions& gl, const std::string& vertex, const std::string& fragment);

  // Sets it, for the draws and values that follow.
  void use() const { gl_.use_program(program_); }
  void set(const char* name, int value) const { gl_.uniform_integer(place(name), value); }
  void set(const char* name, double value) const { gl_.uniform_float(place(name), static_cast<float>(value)); }
  void set(const char* name, const Eigen::Vector2d& value) const;
  void set(const char* name, const Vec3& value) const;
  void set(const char* name, const Eigen::Matrix4d& value) const;
  // A texture, at one of the places from 0.
  void set_texture(const char* name, int unit, GLuint texture, GLenum kind = GL_TEXTURE_2D) const;

 private:
  GLint place(const char* name) const { return gl_.uniform_location(program_, name); }

  const GlFunctions& gl_;
  GLuint program_ = 0;
};

}  // namespace sinew
