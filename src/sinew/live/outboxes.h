// Keeps an outbox for each viewer: texts in order, and the latest frame.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sinew/live/service.h"

namespace sinew::live {

class Outboxes {
 public:
  struct Parcel {
    std::shared_ptr<const std::string> bytes;  // null: nothing to send
    bool is_text = false;
  };

  // most_unsent: limit of unsent text for each viewer [bytes].
  explicit Outboxes(std::size_t most_unsent) : most_unsent_(most_unsent) {}

  // ---- From any thread. Return true if the viewer's connection must be woken.
  bool add_text(Client client, std::shared_ptr<const std::string> text);
  bool set_frame(Client client, std::shared_ptr<const std::string> bytes);
  std::vector<Client> clients() const;

  // ---- From the thread of the connections.
  void open(Client client);
  void close(Client client);
  // Call when the connection wakes. Returns false if too much text waits; disconnect the viewer then.
  bool look(Client client);
  Parcel take(Client client);  // returns texts before frames
  void sent(Client client, const Parcel& parcel);

 private:
  struct Outbox {
    std::deque<std::shared_ptr<const std::string>> texts;
    std::shared_ptr<const std::string> frame;
    std::size_t unsent = 0;  // bytes of unsent texts, including the one being sent
    bool woken = false;      // the connection has been woken
    bool full = false;
  };
  Outbox* find(Client client);

  const std::size_t most_unsent_;
  mutable std::mutex mutex_;
  std::map<Client, Outbox> boxes_;  // protected by the mutex
};

}  // namespace sinew::live
