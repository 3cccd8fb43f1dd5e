// Detects forked processes, in which the threads of oneTBB are missing.
#pragma once

namespace sinew {

// Whether this process was forked by one that had run a parallel loop. To oneTBB its threads are still there, and a
// loop may wait for them for ever: loops then run on the calling thread, with the same bits. Asked before each loop.
bool lost_threads();

}  // namespace sinew
