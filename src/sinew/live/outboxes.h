// What waits for each viewer: texts in their order, and the latest frame.
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
    std::shared_ptr<const std::string> bytes;  // null: nothing waits
    bool is_text = false;
  };

  // most_unsent: bytes of texts that wait for a viewer, the one on its way too.
  explicit Outboxes(std::size_t most_unsent) : most_unsent_(most_unsent) {}

  // ---- From any thread. True: the viewer's connection is to look here; false: it will anyway, or there is no viewer.
  bool add_text(Client client, std::shared_ptr<const std::string> text);
  bool set_frame(Client client, std::shared_ptr<const std::string> bytes);
  std::vector<Client> clients() const;

  // ---- From the thread of the connections.
  void open(Client client);
  void close(Client client);
  // The connection looks here. False: more texts wait than may, and the viewer is to be cut off.
  bool look(Client client);
  Parcel take(Client client);  // texts first
  void sent(Client client, const Parcel& parcel);

 private:
  struct Outbox {
    std::deque<std::shared_ptr<const std::string>> texts;
    std::shared_ptr<const std::string> frame;
    std::size_t unsent = 0;  // bytes of texts, with the one on its way
    bool woken = false;      // the connection will look here
    bool full = false;
  };
  Outbox* find(Client client);

  const std::size_t most_unsent_;
  mutable std::mutex mutex_;
  std::map<Client, Outbox> boxes_;  // under the mutex
};

}  // namespace sinew::live
