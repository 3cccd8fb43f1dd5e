#include "sinew/linalg/metis_lock.h"

namespace sinew {

std::lock_guard<std::mutex> metis_lock() {
  static std::mutex mutex;
  return std::lock_guard<std::mutex>(mutex);
}

}  // namespace sinew
