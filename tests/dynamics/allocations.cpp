#include "dynamics/allocations.h"

#include <atomic>
#include <cstdlib>
#include <cstring>

#include <malloc.h>

namespace {
std::atomic<long> allocations = 0;
std::atomic<int> filling = -1;  // negative: memory keeps what it holds

[[maybe_unused]] void fill(void* p, std::size_t size) {
  const int byte = filling.load(std::memory_order_relaxed);
  if (p && byte >= 0) std::memset(p, byte, size);
}

[[maybe_unused]] void* handed_out(void* p, std::size_t size) {
  ++allocations;
  fill(p, size);
  return p;
}
}  // namespace

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SINEW_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SINEW_SANITIZED 1
#endif
#endif
#ifndef SINEW_SANITIZED
extern "C" {
void* __libc_malloc(std::size_t size);                           // NOLINT
void* __libc_calloc(std::size_t count, std::size_t size);        // NOLINT
void* __libc_realloc(void* p, std::size_t size);                 // NOLINT
void* __libc_memalign(std::size_t alignment, std::size_t size);  // NOLINT
void __libc_free(void* p);                                       // NOLINT
void* malloc(std::size_t size) {
  return handed_out(__libc_malloc(size), size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* p, std::size_t size) {
  ++allocations;
  return __libc_realloc(p, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return handed_out(__libc_memalign(alignment, size), size);
}
int posix_memalign(void** p, std::size_t alignment, std::size_t size) {
  *p = handed_out(__libc_memalign(alignment, size), size);
  return *p ? 0 : 12;
}
void free(void* p) {
  if (p) fill(p, malloc_usable_size(p));
  __libc_free(p);
}
}
#endif

namespace sinew::test {

#ifndef SINEW_SANITIZED
const bool allocations_are_seen = true;
#else
const bool allocations_are_seen = false;
#endif

long allocation_count() {
  return allocations;
}

FilledMemory::FilledMemory(unsigned char byte) {
  filling = byte;
}

FilledMemory::~FilledMemory() {
  filling = -1;
}

}  // namespace sinew::test
