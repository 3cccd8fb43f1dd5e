// The heap of this test program: how often it is asked for memory, and what memory holds that nothing was written to.
#pragma once

namespace sinew::test {

// Not where a sanitizer has functions of its own in place of malloc.
extern const bool allocations_are_seen;

// Of all threads, those of Eigen included, which do not go through operator new.
long allocation_count();

// While it lives, all bytes of memory that is handed out, and of memory that is given back, have this value: what is
// read before it is written shows, and what is read after it was given back.
class FilledMemory {
 public:
  explicit FilledMemory(unsigned char byte);
  ~FilledMemory();
  FilledMemory(const FilledMemory&) = delete;
  FilledMemory& operator=(const FilledMemory&) = delete;
};

}  // namespace sinew::test
