// METIS seeds and draws from the random numbers of the whole process: two calls at once would mix theirs up, and
// results would depend on the timing of threads. Every call holds this lock.
#pragma once

#include <mutex>

namespace sinew {

std::lock_guard<std::mutex> metis_lock();

}  // namespace sinew
