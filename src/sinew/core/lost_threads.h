// Detects forked processes, in which the threads of oneTBB are missing.
#pragma once

namespace sinew {

// Whether this process was forked by a process that had run a parallel loop. The library oneTBB does not notice the
// fork, and a loop might wait forever for threads that do not exist. Loops in such a process therefore run on the
// calling thread, with the same bits. Called before each loop.
bool lost_threads();

}  // namespace sinew
