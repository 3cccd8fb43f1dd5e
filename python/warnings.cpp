#include "warnings.h"

#include <deque>
#include <mutex>
#include <string>

#include "module.h"

#include "sinew/core/log.h"

namespace sinew::python {
namespace {

struct Message {
  log::Level level;
  std::string text;
};

py::handle category;  // sinew.Warning, for as long as the process lasts

// Of threads that are in no call.
struct Others {
  std::mutex mutex;
  std::deque<Message> messages;
};

// Never destroyed: threads may write when the process ends.
Others& others() {
  static Others& instance = *new Others;
  return instance;
}

// Names of files that are not UTF-8 come as surrogates, as Python itself has them.
py::object text_of_message(const std::string& text) {
  PyObject* decoded = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
  if (!decoded) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(decoded);
}

void issue(const Message& message) {
  using namespace py::literals;
  const py::object text = text_of_message(message.text);
  if (message.level == log::Level::warning) {
    py::module_::import("warnings").attr("warn")(text, category, "stacklevel"_a = 1);
  } else {
    py::print(text, "file"_a = py::module_::import("sys").attr("stderr"));
  }
}

// All of them, also where some raise: the first error is thrown at the end.
void issue_all(std::deque<Message>& messages) {
  std::exception_ptr first;
  while (!messages.empty()) {
    const Message message = std::move(messages.front());
    messages.pop_front();
    try {
      issue(message);
    } catch (const py::error_already_set&) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace

struct KeptMessages::List {
  std::deque<Message> messages;

  // The innermost of this thread.
  static List*& current() {
    thread_local List* list = nullptr;
    return list;
  }
};

// Called by any thread, under the log's lock; takes no GIL.
void KeptMessages::keep(log::Level level, std::string_view text) {
  if (List* const own = List::current()) {
    own->messages.push_back({level, std::string(text)});
    return;
  }
  Others& o = others();
  const std::lock_guard lock(o.mutex);
  o.messages.push_back({level, std::string(text)});
}

KeptMessages::KeptMessages() : list_(new List), outer_(List::current()) {
  List::current() = list_;
}

// An error of Python may be on its way.
KeptMessages::~KeptMessages() {
  {
    const py::error_scope kept;
    try {
      issue();
    } catch (const py::error_already_set&) {  // the error that ended the call counts
    }
  }
  List::current() = outer_;
  delete list_;
}

void KeptMessages::issue() {
  {
    Others& o = others();
    const std::lock_guard lock(o.mutex);
    for (Message& message : o.messages) list_->messages.push_back(std::move(message));
    o.messages.clear();
  }
  issue_all(list_->messages);
}

void end_messages() {
  try {
    KeptMessages().issue();
  } catch (const py::error_already_set&) {  // nobody is left to catch it
  }
  log::set_sink({});
}

void add_warnings(py::module_& m) {
  category = PyErr_NewExceptionWithDoc("sinew.Warning",
                                       "A warning of the engine, issued by warnings.warn(), for example about a "
                                       "repaired mesh or a setting without effect.",
                                       PyExc_UserWarning, nullptr);
  if (!category) throw py::error_already_set();
  m.add_object("Warning", category);
  log::set_sink(&KeptMessages::keep);
}

}  // namespace sinew::python
