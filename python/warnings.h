// Messages of the engine as Python's warnings, and what else it says on sys.stderr.
#pragma once

#include <exception>
#include <type_traits>
#include <utility>

#include "engine_call.h"

#include "sinew/core/log.h"

namespace sinew::python {

// While it lives, the messages that this thread writes are kept for it; those of the engine's own threads wait for the
// next call of any thread to end.
class KeptMessages {
 public:
  KeptMessages();
  // Issues what issue() has not. Nothing is raised.
  ~KeptMessages();
  KeptMessages(const KeptMessages&) = delete;
  KeptMessages& operator=(const KeptMessages&) = delete;

  // With the GIL: warnings.warn() at the line of the user's program. Throws error_already_set where a filter makes an
  // error of one; the others are issued all the same.
  void issue();

  static void keep(log::Level level, std::string_view text);  // the log's sink

 private:
  struct List;
  List* list_;
  List* outer_;
};

// f() without the GIL; its warnings are issued when the GIL is back, whether it throws or not.
template <class F>
auto call_engine(F&& f) {
  KeptMessages messages;
  const auto run = [&] {
    const EngineCall call;
    return f();
  };
  if constexpr (std::is_void_v<decltype(f())>) {
    run();
    messages.issue();
  } else {
    auto result = run();
    messages.issue();
    return result;
  }
}

// Issues what no call has, at the end of the interpreter; from then on messages go to the standard error output.
void end_messages();

}  // namespace sinew::python
