// Uninitialised storage for large arrays of doubles, on huge pages if the system has them. Buffers are recycled,
// because touching fresh pages costs as much as filling them.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace sinew {

struct FreeAligned {
  void operator()(double* p) const;
};
using HugeArray = std::unique_ptr<double[], FreeAligned>;

// Returns an array aligned to 64 bytes at least. Throws std::bad_alloc.
HugeArray make_huge_array(std::size_t doubles);

// Allocator for containers of large arrays.
template <class T>
struct HugePageAllocator {
  using value_type = T;
  HugePageAllocator() = default;
  template <class U>
  HugePageAllocator(const HugePageAllocator<U>&) {}
  T* allocate(std::size_t n) {
    static_assert(sizeof(T) <= sizeof(double));
    return reinterpret_cast<T*>(make_huge_array((n * sizeof(T) + sizeof(double) - 1) / sizeof(double)).release());
  }
  void deallocate(T* p, std::size_t) { FreeAligned()(reinterpret_cast<double*>(p)); }
  bool operator==(const HugePageAllocator&) const { return true; }
};

// Hands out buffers by size class and takes them back. Thread-safe.
class BufferPool {
 public:
  struct Buffer {
    HugeArray data;
    std::size_t capacity = 0;
  };

  Buffer acquire(std::size_t doubles);
  void release(Buffer buffer);
  void clear();                      // frees the buffers that are not in use
  std::size_t memory_bytes() const;  // all buffers, in use or not [bytes]

 private:
  mutable std::mutex mutex_;
  std::map<std::size_t, std::vector<HugeArray>> free_;  // by capacity
  std::size_t total_ = 0;                               // doubles
};

}  // namespace sinew
