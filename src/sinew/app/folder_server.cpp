#include "sinew/app/folder_server.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sinew/app/http_request.h"
#include "sinew/core/error.h"

namespace sinew::app {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_connections = 32;
constexpr std::size_t longest_head = 16384;  // bytes of a request
constexpr int patience = 10;                 // [s] for each part of a request or an answer

struct MimeType {
  const char* extension;
  const char* type;
};
constexpr MimeType mime_types[] = {{".html", "text/html; charset=utf-8"},
                                   {".js", "text/javascript; charset=utf-8"},
                                   {".json", "application/json"},
                                   {".jsonl", "text/plain; charset=utf-8"},
                                   {".png", "image/png"}};

const char* mime_type(const fs::path& path) {
  const auto row = std::ranges::find_if(mime_types, [&](const MimeType& m) { return path.extension() == m.extension; });
  return row == std::end(mime_types) ? "application/octet-stream" : row->type;
}

// The file that a path of a request names, or empty when it is none below the folder.
fs::path file_below(const fs::path& folder, const std::string& request) {
  std::error_code error;
  const fs::path path = fs::canonical(folder / fs::path(request).relative_path(), error);
  if (error || !fs::is_regular_file(path, error)) return {};
  const auto [in_folder, in_path] = std::ranges::mismatch(folder, path);
  return in_folder == folder.end() ? path : fs::path();
}

// False when the other side is gone or slow.
bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

// Up to the empty line; empty when none comes in time.
std::string read_head(int socket) {
  std::string text;
  char buffer[2048];
  while (text.size() < longest_head) {
    const ssize_t got = ::recv(socket, buffer, sizeof buffer, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {};
    text.append(buffer, static_cast<std::size_t>(got));
    if (const std::size_t end = text.find("\r\n\r\n"); end != std::string::npos) return text.substr(0, end);
  }
  return {};
}

std::string answer_head(const char* status, const char* type, std::uintmax_t length) {
  return fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
      status, type, length);
}

void refuse(int socket, const char* status) {
  const std::string text = fmt::format("{}\n", status);
  send_all(socket, answer_head(status, "text/plain; charset=utf-8", text.size()) + text);
}

void send_file(int socket, const fs::path& path, bool with_body) {
  std::ifstream stream(path, std::ios::binary);
  std::error_code error;
  std::uintmax_t left = fs::file_size(path, error);
  if (!stream || error) return refuse(socket, "404 Not Found");
  if (!send_all(socket, answer_head("200 OK", mime_type(path), left)) || !with_body) return;
  std::vector<char> buffer(1 << 16);
  while (left > 0) {
    stream.read(buffer.data(), static_cast<std::streamsize>(std::min<std::uintmax_t>(buffer.size(), left)));
    const auto got = static_cast<std::size_t>(stream.gcount());
    if (got == 0 || !send_all(socket, {buffer.data(), got})) return;
    left -= got;
  }
}

void set_time_limit(int socket) {
  const timeval limit{patience, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

}  // namespace

FolderServer::FolderServer(const std::string& folder, std::string index, int port)
    : folder_(fs::canonical(folder)), index_(std::move(index)) {
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);  // after an earlier one on this port
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (socket_ < 0 || ::bind(socket_, any, size) != 0 || ::listen(socket_, 16) != 0) {
    const int error = errno;
    if (socket_ >= 0) ::close(socket_);
    fail_input("cannot listen on 127.0.0.1:{}: {}; choose another with --port, 0 for any free one", port,
               std::strerror(error));
  }
  ::getsockname(socket_, any, &size);
  port_ = ntohs(address.sin_port);
}

FolderServer::~FolderServer() {
  ::close(socket_);
  for (Connection& connection : connections_) ::shutdown(connection.socket, SHUT_RDWR);
  for (Connection& connection : connections_) {
    connection.thread.join();
    ::close(connection.socket);
  }
}

std::string FolderServer::url() const {
  return fmt::format("http://127.0.0.1:{}/", port_);
}

void FolderServer::serve(int milliseconds) {
  remove_done();
  pollfd waiting{socket_, POLLIN, 0};
  if (::poll(&waiting, 1, milliseconds) <= 0) return;
  const int socket = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
  if (socket < 0) return;
  set_time_limit(socket);
  if (connections_.size() >= most_connections) {
    refuse(socket, "503 Service Unavailable");
    ::close(socket);
    return;
  }
  Connection& connection = connections_.emplace_back();
  connection.socket = socket;
  connection.thread = std::thread([this, &connection] {
    try {
      answer(connection.socket);
    } catch (const std::exception&) {  // out of memory: this answer ends, the server goes on
    }
    ::shutdown(connection.socket, SHUT_RDWR);
    connection.done = true;
  });
}

// Sockets are closed here: the destructor may shut them down until then.
void FolderServer::remove_done() {
  for (auto connection = connections_.begin(); connection != connections_.end();) {
    if (!connection->done) {
      ++connection;
      continue;
    }
    connection->thread.join();
    ::close(connection->socket);
    connection = connections_.erase(connection);
  }
}

void FolderServer::answer(int socket) const {
  const std::string head = read_head(socket);
  if (head.empty()) return;
  const std::optional<HttpRequest> request = parse_request(head);
  if (!request) return refuse(socket, "400 Bad Request");
  const std::string own[] = {fmt::format("127.0.0.1:{}", port_), fmt::format("localhost:{}", port_)};
  if (!request->host || std::ranges::find(own, *request->host) == std::end(own)) return refuse(socket, "403 Forbidden");
  if (request->method != "GET" && request->method != "HEAD") return refuse(socket, "405 Method Not Allowed");
  const fs::path path = file_below(folder_, request->path == "/" ? index_ : request->path);
  if (path.empty()) return refuse(socket, "404 Not Found");
  send_file(socket, path, request->method == "GET");
}

}  // namespace sinew::app
