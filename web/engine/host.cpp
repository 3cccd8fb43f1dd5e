// What a page gives the engine in place of the operating system: messages, and an end with a text where the engine
// throws, after which the page starts the module anew.
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <typeinfo>

#include "sinew/core/log.h"

extern "C" {

[[clang::import_module("page"), clang::import_name("fail")]] void page_fail(const char* text, std::size_t size);
[[clang::import_module("page"), clang::import_name("message")]] void page_message(int level, const char* text,
                                                                                  std::size_t size);

// The engine throws classes that derive from std::exception first.
void* __cxa_allocate_exception(std::size_t size) noexcept {
  return std::malloc(size);
}
void __cxa_free_exception(void*) noexcept {}
[[noreturn]] void __cxa_throw(void* thrown, std::type_info*, void (*)(void*)) {
  const std::string_view text = static_cast<const std::exception*>(thrown)->what();
  page_fail(text.data(), text.size());
  std::abort();
}
void* __cxa_begin_catch(void*) noexcept {
  return nullptr;
}
void __cxa_end_catch() {}
void __cxa_rethrow() {
  std::abort();
}
}

namespace sinew::log {

void set_threshold(Level) {}
void set_sink(Sink) {}
void message(Level level, std::string_view text) {
  if (level >= Level::warning) page_message(static_cast<int>(level), text.data(), text.size());
}
void write(Level level, std::string_view text) {
  message(level, text);
}

}  // namespace sinew::log
