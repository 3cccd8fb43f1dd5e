#include "sinew/live/outboxes.h"

#include <utility>

namespace sinew::live {

Outboxes::Outbox* Outboxes::find(Client client) {
  const auto found = boxes_.find(client);
  return found == boxes_.end() ? nullptr : &found->second;
}

bool Outboxes::add_text(Client client, std::shared_ptr<const std::string> text) {
  const std::scoped_lock lock(mutex_);
  Outbox* box = find(client);
  if (!box) return false;
  box->full = box->full || box->unsent + text->size() > most_unsent_;
  if (!box->full) {
    box->unsent += text->size();
    box->texts.push_back(std::move(text));
  }
  return !std::exchange(box->woken, true);
}

bool Outboxes::set_frame(Client client, std::shared_ptr<const std::string> bytes) {
  const std::scoped_lock lock(mutex_);
  Outbox* box = find(client);
  if (!box) return false;
  box->frame = std::move(bytes);
  return !std::exchange(box->woken, true);
}

std::vector<Client> Outboxes::clients() const {
  const std::scoped_lock lock(mutex_);
  std::vector<Client> result;
  for (const auto& [client, box] : boxes_) result.push_back(client);
  return result;
}

void Outboxes::open(Client client) {
  const std::scoped_lock lock(mutex_);
  boxes_[client];
}

void Outboxes::close(Client client) {
  const std::scoped_lock lock(mutex_);
  boxes_.erase(client);
}

bool Outboxes::look(Client client) {
  const std::scoped_lock lock(mutex_);
  Outbox* box = find(client);
  if (!box) return true;
  box->woken = false;
  return !box->full;
}

Outboxes::Parcel Outboxes::take(Client client) {
  const std::scoped_lock lock(mutex_);
  Outbox* box = find(client);
  if (!box) return {};
  if (box->texts.empty()) return {std::move(box->frame), false};
  Parcel parcel{std::move(box->texts.front()), true};
  box->texts.pop_front();
  return parcel;
}

void Outboxes::sent(Client client, const Parcel& parcel) {
  if (!parcel.is_text) return;
  const std::scoped_lock lock(mutex_);
  if (Outbox* box = find(client)) box->unsent -= parcel.bytes->size();
}

}  // namespace sinew::live
