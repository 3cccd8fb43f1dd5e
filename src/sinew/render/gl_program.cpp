#include "sinew/render/gl_program.h"

#include "sinew/core/error.h"

namespace sinew {
namespace {

GLuint compiled(const GlFunctions& gl, GLenum kind, const std::string& text) {
  const GLuint shader = gl.create_shader(kind);
  const GLchar* source = text.c_str();
  gl.shader_source(shader, 1, &source, nullptr);
  gl.compile_shader(shader);
  GLint done = 0;
  gl.get_shader(shader, GL_COMPILE_STATUS, &done);
  if (!done) {
    char message[1024] = "";
    gl.get_shader_log(shader, sizeof message, nullptr, message);
    throw SimulationError(code::picture, fmt::format("OpenGL refuses a shader: {}", message));
  }
  return shader;
}

}  // namespace

GlProgram::GlProgram(const GlFunctions& gl, const std::string& vertex, const std::string& fragment)
    : gl_(gl), program_(gl.create_program()) {
  for (const GLuint shader : {compiled(gl, GL_VERTEX_SHADER, vertex), compiled(gl, GL_FRAGMENT_SHADER, fragment)}) {
    gl.attach_shader(program_, shader);
    gl.delete_shader(shader);  // once the program ends
  }
  gl.link_program(program_);
  GLint done = 0;
  gl.get_program(program_, GL_LINK_STATUS, &done);
  if (!done) {
    char message[1024] = "";
    gl.get_program_log(program_, sizeof message, nullptr, message);
    throw SimulationError(code::picture, fmt::format("OpenGL cannot link a program: {}", message));
  }
}

void GlProgram::set(const char* name, const Eigen::Vector2d& value) const {
  gl_.uniform_pair(place(name), static_cast<float>(value[0]), static_cast<float>(value[1]));
}

void GlProgram::set(const char* name, const Vec3& value) const {
  gl_.uniform_vector(place(name), static_cast<float>(value[0]), static_cast<float>(value[1]),
                     static_cast<float>(value[2]));
}

void GlProgram::set(const char* name, const Eigen::Matrix4d& value) const {
  const Eigen::Matrix4f single = value.cast<float>();
  gl_.uniform_matrix(place(name), 1, GL_FALSE, single.data());
}

void GlProgram::set_texture(const char* name, int unit, GLuint texture, GLenum kind) const {
  gl_.active_texture(GL_TEXTURE0 + static_cast<GLenum>(unit));
  gl_.bind_texture(kind, texture);
  set(name, unit);
}

}  // namespace sinew
