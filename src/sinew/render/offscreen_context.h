// An OpenGL context without a display: that of Mesa's OSMesa, which draws on the processor. The library is loaded when
// the first context is made, so that neither building nor installing the engine needs it.
#pragma once

#include <memory>
#include <string>

#include "sinew/render/gl_functions.h"

namespace sinew {

// The name of the library, or that of the environment variable SINEW_OSMESA.
std::string offscreen_library();

// Whether pictures can be made here.
bool has_offscreen_library();

class OffscreenContext {
 public:
  // Throws SimulationError if the library is missing, naming the package to install. Throws it also in a process that
  // was forked after its parent had made a context, because threads of the library are missing there.
  OffscreenContext();
  ~OffscreenContext();
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;

  // Makes it the context of this thread, until the end of the object. No other thread may use it meanwhile.
  class Use {
   public:
    explicit Use(OffscreenContext& context);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
  };

  const GlFunctions& gl() const { return *gl_; }

 private:
  void* context_;
  unsigned char pixels_[4 * 16 * 16];  // a buffer that OSMesa wants; pictures are drawn into textures
  std::unique_ptr<const GlFunctions> gl_;
};

}  // namespace sinew
