#include "sinew/linalg/metis_lock.h"

namespace sinew {
namespace {

std::mutex mutex;

}  // namespace

MetisLock::MetisLock() : lock_(mutex) {}

}  // namespace sinew
