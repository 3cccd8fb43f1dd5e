// The functions of OpenGL 3.3 that pictures need. They come from a library that is loaded at run time.
#pragma once

#include <GL/glcorearb.h>

namespace sinew {

// A function of the loaded library by its name, of any type. Throws SimulationError if the library lacks it.
struct GlSymbol {
  const char* name;
  void* find() const;
  template <class Function>
  operator Function*() const {
    return reinterpret_cast<Function*>(find());
  }
};

struct GlFunctions {
  PFNGLENABLEPROC enable = GlSymbol{"glEnable"};
  PFNGLDISABLEPROC disable = GlSymbol{"glDisable"};
  PFNGLVIEWPORTPROC viewport = GlSymbol{"glViewport"};
  PFNGLCLEARPROC clear = GlSymbol{"glClear"};
  PFNGLCLEARBUFFERFVPROC clear_floats = GlSymbol{"glClearBufferfv"};
  PFNGLCLEARBUFFERIVPROC clear_integers = GlSymbol{"glClearBufferiv"};
  PFNGLDEPTHFUNCPROC depth_func = GlSymbol{"glDepthFunc"};
  PFNGLDEPTHMASKPROC depth_mask = GlSymbol{"glDepthMask"};
  PFNGLCOLORMASKPROC color_mask = GlSymbol{"glColorMask"};
  PFNGLBLENDFUNCPROC blend_func = GlSymbol{"glBlendFunc"};
  PFNGLCULLFACEPROC cull_face = GlSymbol{"glCullFace"};
  PFNGLPOLYGONOFFSETPROC polygon_offset = GlSymbol{"glPolygonOffset"};
  PFNGLREADPIXELSPROC read_pixels = GlSymbol{"glReadPixels"};
  PFNGLREADBUFFERPROC read_buffer = GlSymbol{"glReadBuffer"};
  PFNGLDRAWBUFFERSPROC draw_buffers = GlSymbol{"glDrawBuffers"};
  PFNGLPIXELSTOREIPROC pixel_store = GlSymbol{"glPixelStorei"};

  PFNGLCREATESHADERPROC create_shader = GlSymbol{"glCreateShader"};
  PFNGLSHADERSOURCEPROC shader_source = GlSymbol{"glShaderSource"};
  PFNGLCOMPILESHADERPROC compile_shader = GlSymbol{"glCompileShader"};
  PFNGLDELETESHADERPROC delete_shader = GlSymbol{"glDeleteShader"};
  PFNGLGETSHADERIVPROC get_shader = GlSymbol{"glGetShaderiv"};
  PFNGLGETSHADERINFOLOGPROC get_shader_log = GlSymbol{"glGetShaderInfoLog"};
  PFNGLCREATEPROGRAMPROC create_program = GlSymbol{"glCreateProgram"};
  PFNGLATTACHSHADERPROC attach_shader = GlSymbol{"glAttachShader"};
  PFNGLLINKPROGRAMPROC link_program = GlSymbol{"glLinkProgram"};
  PFNGLGETPROGRAMIVPROC get_program = GlSymbol{"glGetProgramiv"};
  PFNGLGETPROGRAMINFOLOGPROC get_program_log = GlSymbol{"glGetProgramInfoLog"};
  PFNGLUSEPROGRAMPROC use_program = GlSymbol{"glUseProgram"};
  PFNGLGETUNIFORMLOCATIONPROC uniform_location = GlSymbol{"glGetUniformLocation"};
  PFNGLUNIFORM1IPROC uniform_integer = GlSymbol{"glUniform1i"};
  PFNGLUNIFORM1FPROC uniform_float = GlSymbol{"glUniform1f"};
  PFNGLUNIFORM2FPROC uniform_pair = GlSymbol{"glUniform2f"};
  PFNGLUNIFORM3FPROC uniform_vector = GlSymbol{"glUniform3f"};
  PFNGLUNIFORMMATRIX4FVPROC uniform_matrix = GlSymbol{"glUniformMatrix4fv"};

  PFNGLGENVERTEXARRAYSPROC make_vertex_arrays = GlSymbol{"glGenVertexArrays"};
  PFNGLDELETEVERTEXARRAYSPROC delete_vertex_arrays = GlSymbol{"glDeleteVertexArrays"};
  PFNGLBINDVERTEXARRAYPROC bind_vertex_array = GlSymbol{"glBindVertexArray"};
  PFNGLVERTEXATTRIBPOINTERPROC vertex_pointer = GlSymbol{"glVertexAttribPointer"};
  PFNGLENABLEVERTEXATTRIBARRAYPROC enable_vertex_array = GlSymbol{"glEnableVertexAttribArray"};
  PFNGLDISABLEVERTEXATTRIBARRAYPROC disable_vertex_array = GlSymbol{"glDisableVertexAttribArray"};
  PFNGLGENBUFFERSPROC make_buffers = GlSymbol{"glGenBuffers"};
  PFNGLDELETEBUFFERSPROC delete_buffers = GlSymbol{"glDeleteBuffers"};
  PFNGLBINDBUFFERPROC bind_buffer = GlSymbol{"glBindBuffer"};
  PFNGLBUFFERDATAPROC buffer_data = GlSymbol{"glBufferData"};
  PFNGLDRAWELEMENTSPROC draw_elements = GlSymbol{"glDrawElements"};
  PFNGLDRAWARRAYSPROC draw_arrays = GlSymbol{"glDrawArrays"};

  PFNGLGENTEXTURESPROC make_textures = GlSymbol{"glGenTextures"};
  PFNGLDELETETEXTURESPROC delete_textures = GlSymbol{"glDeleteTextures"};
  PFNGLBINDTEXTUREPROC bind_texture = GlSymbol{"glBindTexture"};
  PFNGLACTIVETEXTUREPROC active_texture = GlSymbol{"glActiveTexture"};
  PFNGLTEXIMAGE2DPROC texture_image = GlSymbol{"glTexImage2D"};
  PFNGLTEXIMAGE2DMULTISAMPLEPROC texture_samples = GlSymbol{"glTexImage2DMultisample"};
  PFNGLTEXPARAMETERIPROC texture_parameter = GlSymbol{"glTexParameteri"};
  PFNGLGENERATEMIPMAPPROC make_mipmap = GlSymbol{"glGenerateMipmap"};

  PFNGLGENFRAMEBUFFERSPROC make_framebuffers = GlSymbol{"glGenFramebuffers"};
  PFNGLDELETEFRAMEBUFFERSPROC delete_framebuffers = GlSymbol{"glDeleteFramebuffers"};
  PFNGLBINDFRAMEBUFFERPROC bind_framebuffer = GlSymbol{"glBindFramebuffer"};
  PFNGLFRAMEBUFFERTEXTURE2DPROC framebuffer_texture = GlSymbol{"glFramebufferTexture2D"};
  PFNGLFRAMEBUFFERRENDERBUFFERPROC framebuffer_renderbuffer = GlSymbol{"glFramebufferRenderbuffer"};
  PFNGLCHECKFRAMEBUFFERSTATUSPROC framebuffer_status = GlSymbol{"glCheckFramebufferStatus"};
  PFNGLGENRENDERBUFFERSPROC make_renderbuffers = GlSymbol{"glGenRenderbuffers"};
  PFNGLDELETERENDERBUFFERSPROC delete_renderbuffers = GlSymbol{"glDeleteRenderbuffers"};
  PFNGLBINDRENDERBUFFERPROC bind_renderbuffer = GlSymbol{"glBindRenderbuffer"};
  PFNGLRENDERBUFFERSTORAGEMULTISAMPLEPROC renderbuffer_storage = GlSymbol{"glRenderbufferStorageMultisample"};
};

}  // namespace sinew
