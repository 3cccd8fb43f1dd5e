#include "sinew/render/offscreen_context.h"

#include <cstdlib>
#include <mutex>

#include <dlfcn.h>
#include <unistd.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

// Numbers of the interface of OSMesa.
constexpr int format = 0x22, depth_bits = 0x30, profile = 0x33, core_profile = 0x34, major_version = 0x36,
              minor_version = 0x37, rgba = 0x1908, unsigned_byte = 0x1401, buffer_width = 16;

// The library stays loaded until the process ends.
struct Library {
  void* handle = nullptr;
  void* (*create)(const int*, void*) = nullptr;
  void (*destroy)(void*) = nullptr;
  unsigned char (*make_current)(void*, void*, unsigned, int, int) = nullptr;
  void* (*find)(const char*) = nullptr;
  pid_t process = 0;  // in which the first context was made
  std::mutex mutex;   // contexts are made and ended one at a time

  bool load() {
    if (handle) return true;
    void* loaded = ::dlopen(offscreen_library().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!loaded) return false;
    create = reinterpret_cast<decltype(create)>(::dlsym(loaded, "OSMesaCreateContextAttribs"));
    destroy = reinterpret_cast<decltype(destroy)>(::dlsym(loaded, "OSMesaDestroyContext"));
    make_current = reinterpret_cast<decltype(make_current)>(::dlsym(loaded, "OSMesaMakeCurrent"));
    find = reinterpret_cast<decltype(find)>(::dlsym(loaded, "OSMesaGetProcAddress"));
    if (create && destroy && make_current && find) handle = loaded;
    return handle != nullptr;
  }
};

Library& library() {
  static Library& instance = *new Library;  // never destroyed: contexts may last as long as the process
  return instance;
}

// Threads of the library do not exist in a forked process.
void refuse_forks(const Library& own) {
  if (own.process == ::getpid()) return;
  throw SimulationError(code::picture,
                        "this process was forked after its parent had made a picture, and lacks threads of the "
                        "renderer; start it by \"spawn\" in place of \"fork\"");
}

}  // namespace

std::string offscreen_library() {
  const char* given = std::getenv("SINEW_OSMESA");
  return given && *given ? given : "libOSMesa.so.8";
}

bool has_offscreen_library() {
  const std::lock_guard<std::mutex> lock(library().mutex);
  return library().load();
}

void* GlSymbol::find() const {
  void* found = library().find(name);
  if (!found)
    throw SimulationError(
        code::picture, fmt::format("{}: expected {} in the library; install a newer Mesa", offscreen_library(), name));
  return found;
}

OffscreenContext::OffscreenContext() {
  Library& own = library();
  {
    const std::lock_guard<std::mutex> lock(own.mutex);
    if (!own.load()) {
      const char* reason = ::dlerror();
      throw SimulationError(
          code::picture,
          fmt::format("pictures need the library {}, which cannot be loaded ({}); install Debian's package libosmesa6, "
                      "or set SINEW_OSMESA to the library's file",
                      offscreen_library(), reason ? reason : "it is not OSMesa"));
    }
    if (own.process == 0) own.process = ::getpid();
    refuse_forks(own);
    constexpr int wishes[] = {format,        rgba, depth_bits,    0, profile, core_profile,
                              major_version, 3,    minor_version, 3, 0};
    context_ = own.create(wishes, nullptr);
  }
  if (!context_)
    throw SimulationError(code::picture, fmt::format("{}: found no OpenGL 3.3 in the library; install a newer Mesa",
                                                     offscreen_library()));
  const Use use(*this);
  gl_ = std::make_unique<const GlFunctions>();
}

OffscreenContext::~OffscreenContext() {
  const std::lock_guard<std::mutex> lock(library().mutex);
  library().destroy(context_);
}

OffscreenContext::Use::Use(OffscreenContext& context) {
  const std::lock_guard<std::mutex> lock(library().mutex);
  refuse_forks(library());
  if (!library().make_current(context.context_, context.pixels_, unsigned_byte, buffer_width, buffer_width))
    throw SimulationError(code::picture, "OSMesa refused to use a context");
}

OffscreenContext::Use::~Use() {
  const std::lock_guard<std::mutex> lock(library().mutex);
  library().make_current(nullptr, nullptr, 0, 0, 0);
}

}  // namespace sinew
