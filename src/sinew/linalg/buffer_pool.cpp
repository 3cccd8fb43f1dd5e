#include "sinew/linalg/buffer_pool.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <bit>
#include <cstdlib>
#include <new>

namespace sinew {

void FreeAligned::operator()(double* p) const {
  std::free(p);
}

HugeArray make_huge_array(std::size_t doubles) {
  constexpr std::size_t huge_page = std::size_t{1} << 21;
  std::size_t bytes = doubles * sizeof(double);
  const std::size_t alignment = bytes >= 2 * huge_page ? huge_page : 64;
  bytes = (bytes + alignment - 1) / alignment * alignment;
  auto* p = static_cast<double*>(std::aligned_alloc(alignment, std::max(bytes, alignment)));
  if (!p) throw std::bad_alloc();
#if defined(__linux__)
  if (alignment == huge_page) madvise(p, bytes, MADV_HUGEPAGE);  // only a hint
#endif
  return HugeArray(p);
}

// The smallest free buffer that is large enough, or a new one.
BufferPool::Buffer BufferPool::acquire(std::size_t doubles) {
  // Classes are eighths of a power of two: at most 1/8 of a new buffer is unused; of a recycled one, at most 2/3.
  const std::size_t step = std::max<std::size_t>(std::bit_floor(doubles) / 8, 64);
  const std::size_t capacity = (doubles + step - 1) / step * step;
  {
    std::lock_guard lock(mutex_);
    const auto found = free_.lower_bound(capacity);
    if (found != free_.end() && found->first <= 3 * capacity) {
      Buffer buffer{std::move(found->second.back()), found->first};
      found->second.pop_back();
      if (found->second.empty()) free_.erase(found);
      return buffer;
    }
    total_ += capacity;
  }
  return {make_huge_array(capacity), capacity};
}

void BufferPool::release(Buffer buffer) {
  if (!buffer.data) return;
  std::lock_guard lock(mutex_);
  free_[buffer.capacity].push_back(std::move(buffer.data));
}

void BufferPool::clear() {
  std::lock_guard lock(mutex_);
  for (const auto& [capacity, buffers] : free_) total_ -= capacity * buffers.size();
  free_.clear();
}

std::size_t BufferPool::memory_bytes() const {
  std::lock_guard lock(mutex_);
  return total_ * sizeof(double);
}

}  // namespace sinew
