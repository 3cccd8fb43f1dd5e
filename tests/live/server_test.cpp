// The server against well-behaved clients (Boost.Beast) and others (raw sockets).
#include "sinew/live/server.h"

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include <arpa/inet.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sinew/core/error.h"
#include "sinew/core/log.h"

namespace sinew::live {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::shared_ptr<const std::string> shared(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

template <class Condition>
bool comes_true(Condition condition, std::chrono::milliseconds patience = 5s) {
  for (const auto until = Clock::now() + patience; Clock::now() < until; std::this_thread::sleep_for(1ms)) {
    if (condition()) return true;
  }
  return condition();
}

// Echoes messages, but for "throw".
class EchoService : public Service {
 public:
  std::optional<Answer> get(const std::string& path, const std::string& query) override {
    if (path == "/") return Answer{"text/html", shared("page"), ""};
    if (path == "/query") return Answer{"text/plain", shared(query), ""};
    if (path == "/file") return Answer{"text/plain", nullptr, file};
    if (path == "/empty") return Answer{"text/plain", shared(""), ""};
    if (path == "/throw") throw std::runtime_error("thrown");
    return std::nullopt;
  }
  void opened(Client client) override {
    const std::scoped_lock lock(mutex);
    EXPECT_TRUE(open.insert(client).second);
    last = client;
    if (server && greets) server->send(client, shared("hello"));
  }
  void message(Client client, std::string_view text) override {
    if (text == "throw") throw std::runtime_error("thrown");
    server->send(client, shared(std::string(text)));
  }
  void closed(Client client) override {
    const std::scoped_lock lock(mutex);
    EXPECT_EQ(open.erase(client), 1u);
    ++closed_count;
  }
  std::size_t open_count() const {
    const std::scoped_lock lock(mutex);
    return open.size();
  }

  Server* server = nullptr;
  bool greets = false;
  std::string file;
  mutable std::mutex mutex;
  std::set<Client> open;
  Client last = 0;
  std::atomic<int> closed_count = 0;
};

ServerSettings live_settings() {
  ServerSettings settings;
  settings.socket_path = "/live/socket";
  return settings;
}

// A server in its thread.
struct Running {
  explicit Running(ServerSettings settings = live_settings()) : server(std::move(settings), service) {
    service.server = &server;
    server.start();
  }
  std::string own_host() const { return "127.0.0.1:" + std::to_string(server.port()); }

  EchoService service;
  Server server;
};

class RawClient {
 public:
  explicit RawClient(int port, int receive_buffer = 0) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (receive_buffer > 0) ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    const timeval limit{5, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  ~RawClient() { ::close(socket_); }
  RawClient(const RawClient&) = delete;

  void send(std::string_view bytes) { ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
  void shut() { ::shutdown(socket_, SHUT_WR); }
  // What comes until there are `enough` bytes or the other side closes; nothing of it within 5 s is an error.
  std::string read(std::size_t enough = std::string::npos) {
    std::string text;
    char buffer[4096];
    while (text.size() < enough) {
      const ssize_t got = ::recv(socket_, buffer, std::min(sizeof buffer, enough - text.size()), 0);
      EXPECT_FALSE(got < 0 && errno == EAGAIN) << "the server neither answers nor closes";
      if (got <= 0) break;
      text.append(buffer, static_cast<std::size_t>(got));
    }
    return text;
  }
  std::string read_head() {
    std::string text;
    while (!text.ends_with("\r\n\r\n")) {
      const std::string next = read(1);
      if (next.empty()) break;
      text += next;
    }
    return text;
  }

 private:
  int socket_;
};

// The whole answer to a request, after which the server closes.
std::string answer_to(int port, const std::string& request) {
  RawClient client(port);
  client.send(request);
  return client.read();
}

std::string request(const Running& running, const std::string& target, const std::string& headers = "",
                    const std::string& method = "GET") {
  return method + " " + target + " HTTP/1.1\r\nHost: " + running.own_host() + "\r\nConnection: close\r\n" + headers +
         "\r\n";
}

std::string answer_to(const Running& running, const std::string& target, const std::string& headers = "",
                      const std::string& method = "GET") {
  return answer_to(running.server.port(), request(running, target, headers, method));
}

std::string handshake(const std::string& host, const std::string& target = "/live/socket",
                      const std::string& headers = "") {
  return "GET " + target + " HTTP/1.1\r\nHost: " + host +
         "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
         "Sec-WebSocket-Version: 13\r\n" +
         headers + "\r\n";
}

// The status line of the answer to a handshake.
std::string handshake_status(const Running& running, const std::string& host, const std::string& headers = "",
                             const std::string& target = "/live/socket") {
  RawClient client(running.server.port());
  client.send(handshake(host, target, headers));
  const std::string head = client.read_head();
  return head.substr(0, head.find("\r\n"));
}

class WebClient {
 public:
  explicit WebClient(const Running& running, const std::string& target = "/live/socket", int receive_buffer = 0)
      : stream(io) {
    auto& socket = stream.next_layer();
    socket.open(net::ip::tcp::v4());
    if (receive_buffer > 0) socket.set_option(net::socket_base::receive_buffer_size(receive_buffer));
    socket.connect({net::ip::address_v4::loopback(), static_cast<std::uint16_t>(running.server.port())});
    stream.handshake(running.own_host(), target);
    stream.auto_fragment(false);
  }
  void send(const std::string& text) {
    beast::error_code error;
    stream.text(true);
    stream.write(net::buffer(text), error);
  }
  // The next message, or the code that closed the connection in "closed 1000".
  std::string read() {
    beast::flat_buffer buffer;
    beast::error_code error;
    stream.read(buffer, error);
    if (error == websocket::error::closed) return "closed " + std::to_string(stream.reason().code);
    if (error) return "closed: " + error.message();
    return {static_cast<const char*>(buffer.cdata().data()), buffer.size()};
  }

  net::io_context io;
  websocket::stream<net::ip::tcp::socket, false> stream;
};

class Quiet : public testing::Test {
 protected:
  Quiet() {
    log::set_sink([](log::Level, std::string_view) {});
  }
  ~Quiet() override { log::set_sink({}); }
};
using ServerTest = Quiet;

TEST_F(ServerTest, AnswersGetAndHead) {
  const Running running;
  EXPECT_EQ(running.server.url(), "http://" + running.own_host() + "/");
  const std::string page = answer_to(running, "/");
  EXPECT_THAT(page, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(page.ends_with("\r\n\r\npage")) << page;
  for (const char* header : {"Content-Type: text/html\r\n", "Content-Length: 4\r\n", "Cache-Control: no-store\r\n",
                             "X-Content-Type-Options: nosniff\r\n", "Connection: close\r\n"}) {
    EXPECT_THAT(page, HasSubstr(header));
  }
  const std::string head = answer_to(running, "/", "", "HEAD");
  EXPECT_EQ(head, page.substr(0, page.size() - 4));
  EXPECT_TRUE(answer_to(running, "/query?a=%20b").ends_with("\r\n\r\na=%20b"));
  EXPECT_TRUE(answer_to(running, "/empty").ends_with("Content-Length: 0\r\n\r\n"));
  EXPECT_THAT(answer_to(running, "/none", "", "HEAD"), StartsWith("HTTP/1.1 404 Not Found\r\n"));
  EXPECT_TRUE(answer_to(running, "/none", "", "HEAD").ends_with("\r\n\r\n"));
}

TEST_F(ServerTest, AnswersSeveralRequestsOnAConnection) {
  const Running running;
  RawClient client(running.server.port());
  const std::string kept = "GET /query?1 HTTP/1.1\r\nHost: " + running.own_host() + "\r\n\r\n";
  client.send(kept + kept + request(running, "/"));
  const std::string answers = client.read();
  EXPECT_THAT(answers, HasSubstr("\r\n\r\n1HTTP/1.1 200 OK"));
  EXPECT_TRUE(answers.ends_with("page"));
}

TEST_F(ServerTest, StreamsFiles) {
  Running running;
  const auto path = std::filesystem::temp_directory_path() / ("sinew-server-" + std::to_string(::getpid()));
  running.service.file = path;
  EXPECT_THAT(answer_to(running, "/file"), StartsWith("HTTP/1.1 404"));
  std::string content(3000000, 'a');
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i * i / 1000);
  std::ofstream(path, std::ios::binary) << content;
  const std::string answer = answer_to(running, "/file");
  EXPECT_THAT(answer.substr(0, 400), HasSubstr("Content-Length: 3000000\r\n"));
  EXPECT_TRUE(answer.substr(answer.find("\r\n\r\n") + 4) == content);
  EXPECT_TRUE(answer_to(running, "/file", "", "HEAD").ends_with("\r\n\r\n"));
  std::filesystem::resize_file(path, 0);
  EXPECT_THAT(answer_to(running, "/file"), HasSubstr("Content-Length: 0\r\n"));
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  EXPECT_THAT(answer_to(running, "/file"), StartsWith("HTTP/1.1 404"));
  std::filesystem::remove(path);
}

TEST_F(ServerTest, Refusals) {
  const Running running;
  const int port = running.server.port();
  EXPECT_THAT(answer_to(running, "/nothing"), StartsWith("HTTP/1.1 404 Not Found\r\n"));
  EXPECT_THAT(answer_to(running, "/nothing"), HasSubstr("\r\n\r\n404 Not Found\n"));
  EXPECT_THAT(answer_to(running, "/throw"), StartsWith("HTTP/1.1 500 Internal Server Error\r\n"));
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "BREW"})
    EXPECT_THAT(answer_to(running, "/", "", method), StartsWith("HTTP/1.1 405 Method Not Allowed\r\n")) << method;
  EXPECT_THAT(answer_to(running, "/", "Content-Length: 5\r\n", "POST"), StartsWith("HTTP/1.1 405 "));
  for (const char* body : {"Content-Length: 5\r\n", "Content-Length: 5000000000\r\n", "Transfer-Encoding: chunked\r\n"})
    EXPECT_THAT(answer_to(running, "/", body), StartsWith("HTTP/1.1 413 ")) << body;
  for (const char* target : {"a", "http://127.0.0.1/", "/%", "/%zz", "/%00", "*"})
    EXPECT_THAT(answer_to(running, target), StartsWith("HTTP/1.1 400 Bad Request\r\n")) << target;
  for (const char* text :
       {"GET / HTTP/2\r\n\r\n", "GET /\r\n\r\n", "\r\n\r\n\r\n", "GET / FTP/1.1\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n", "\x16\x03\x01\x02\r\n\r\n"}) {
    EXPECT_THAT(answer_to(port, text), StartsWith("HTTP/1.1 400 ")) << text;
  }
  EXPECT_THAT(answer_to(running, "/", "X: " + std::string(20000, 'x') + "\r\n"), StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(answer_to(running, "/" + std::string(20000, 'x')), StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(answer_to(running, "/"), StartsWith("HTTP/1.1 200 "));
}

TEST_F(ServerTest, OwnHostsAlone) {
  const Running running;
  const int port = running.server.port();
  const auto status = [&](const std::string& hosts) {
    return answer_to(port, "GET / HTTP/1.1\r\nConnection: close\r\n" + hosts + "\r\n").substr(9, 3);
  };
  const std::string number = std::to_string(port);
  EXPECT_EQ(status("Host: localhost:" + number + "\r\n"), "200");
  EXPECT_EQ(status("hOsT:  127.0.0.1:" + number + " \r\n"), "200");
  EXPECT_EQ(status(""), "403");
  for (const std::string& host : {std::string("evil.example"), "evil.example:" + number, std::string("127.0.0.1"),
                                  std::string("localhost:1"), "127.0.0.1:" + number + "0", std::string()}) {
    EXPECT_EQ(status("Host: " + host + "\r\n"), "403") << host;
  }
  EXPECT_EQ(status("Host: localhost:" + number + "\r\nHost: evil.example\r\n"), "400");
  EXPECT_THAT(handshake_status(running, "evil.example:" + number), StartsWith("HTTP/1.1 403"));
}

TEST_F(ServerTest, OwnAndAllowedOriginsAlone) {
  ServerSettings settings = live_settings();
  settings.origins = {"https://hub.example:8000"};
  const Running running(settings);
  const std::string host = running.own_host();
  const auto status = [&](const std::string& origin) {
    return handshake_status(running, host, "Origin: " + origin + "\r\n").substr(9, 3);
  };
  EXPECT_THAT(handshake_status(running, host), StartsWith("HTTP/1.1 101 "));
  EXPECT_EQ(status("http://" + host), "101");
  EXPECT_EQ(status("https://hub.example:8000"), "101");
  for (const std::string& origin :
       {std::string("null"), std::string("http://evil.example"), "http://evil.example/" + host, "ftp://" + host,
        std::string("https://hub.example"), std::string("http://hub.example:8000"), std::string("http://127.0.0.1"),
        "http://localhost:" + std::to_string(running.server.port()), std::string()}) {
    EXPECT_EQ(status(origin), "403") << origin;
  }
  EXPECT_THAT(answer_to(running, "/", "Origin: https://hub.example:8000\r\n"),
              HasSubstr("Access-Control-Allow-Origin: https://hub.example:8000\r\n"));
  EXPECT_THAT(answer_to(running, "/", "Origin: http://evil.example\r\n"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(answer_to(running, "/"), Not(HasSubstr("Access-Control")));
  EXPECT_TRUE(comes_true([&] { return running.service.open_count() == 0; }));
}

TEST_F(ServerTest, Token) {
  ServerSettings settings = live_settings();
  settings.token = "se cret+";
  const Running running(settings);
  EXPECT_EQ(running.server.url(), "http://" + running.own_host() + "/?token=se%20cret%2B");
  for (const char* target : {"/?token=se%20cret%2B", "/?token=se+cret%2b&a=1", "/?a&token=se%20cret%2B"})
    EXPECT_THAT(answer_to(running, target), StartsWith("HTTP/1.1 200 ")) << target;
  for (const char* target : {"/", "/?token", "/?token=", "/?token=se", "/?token=se%20cret%2Bse%20cret%2B",
                             "/?token=se%20creu%2B", "/?token=%", "/nothing", "/?Token=se%20cret%2B"}) {
    EXPECT_THAT(answer_to(running, target), StartsWith("HTTP/1.1 403 ")) << target;
  }
  const std::string host = running.own_host();
  EXPECT_THAT(handshake_status(running, host), StartsWith("HTTP/1.1 403 "));
  EXPECT_THAT(handshake_status(running, host, "", "/live/socket?token=se+cret%2B"), StartsWith("HTTP/1.1 101 "));
}

TEST_F(ServerTest, OtherAddressesNeedAToken) {
  ServerSettings settings = live_settings();
  EchoService service;
  settings.address = "0.0.0.0";
  EXPECT_THROW(Server(settings, service), InputError);
  settings.address = "elsewhere";
  EXPECT_THROW(Server(settings, service), InputError);
  settings.address = "0.0.0.0";
  settings.token = "secret";
  const Running running(settings);
  EXPECT_EQ(running.server.url(), "http://" + running.own_host() + "/?token=secret");
  const std::string rest = " HTTP/1.1\r\nHost: any.example\r\nConnection: close\r\n\r\n";
  EXPECT_THAT(answer_to(running.server.port(), "GET /?token=secret" + rest), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(answer_to(running.server.port(), "GET /" + rest), StartsWith("HTTP/1.1 403 "));
}

TEST_F(ServerTest, PortInUse) {
  const Running running;
  EchoService service;
  ServerSettings settings = live_settings();
  settings.port = running.server.port();
  try {
    Server second(settings, service);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), "cannot listen on " + running.own_host() +
                                ": Address already in use; choose another with --port, 0 for any free one");
  }
  settings.port = 65536;
  EXPECT_THROW(Server(settings, service), InputError);
}

TEST_F(ServerTest, Echo) {
  Running running;
  WebClient client(running);
  for (const std::string& text : {std::string("a"), std::string(), std::string(16384, 'x'), std::string("ä")}) {
    client.send(text);
    EXPECT_EQ(client.read(), text);
    EXPECT_TRUE(client.stream.got_text());
  }
  ASSERT_TRUE(comes_true([&] { return running.server.clients().size() == 1; }));
  const Client id = running.server.clients().front();
  running.server.set_frame(id, shared(std::string("\0\xff", 2)));
  EXPECT_EQ(client.read(), std::string("\0\xff", 2));
  EXPECT_TRUE(client.stream.got_binary());
  running.server.close(id);
  EXPECT_EQ(client.read(), "closed 1000");
  EXPECT_TRUE(comes_true([&] { return running.service.closed_count == 1; }));
  EXPECT_TRUE(running.server.clients().empty());
  running.server.send(id, shared("too late"));
  running.server.set_frame(id, shared("too late"));
  running.server.close(id);
}

TEST_F(ServerTest, GreetsFromWithinTheService) {
  Running running;
  running.service.greets = true;
  WebClient first(running), second(running);
  EXPECT_EQ(first.read(), "hello");
  EXPECT_EQ(second.read(), "hello");
  EXPECT_EQ(running.service.last, 2u);
}

TEST_F(ServerTest, SocketsAtTheirPathAlone) {
  const Running running;
  const std::string host = running.own_host();
  EXPECT_THAT(handshake_status(running, host, "", "/elsewhere"), StartsWith("HTTP/1.1 404 "));
  EXPECT_THAT(answer_to(running, "/live/socket"), StartsWith("HTTP/1.1 404 "));
  EXPECT_THAT(answer_to(running.server.port(), "GET /live/socket HTTP/1.1\r\nHost: " + host +
                                                   "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"),
              StartsWith("HTTP/1.1 400 "));
  const Running without{ServerSettings{}};
  EXPECT_THAT(handshake_status(without, without.own_host()), StartsWith("HTTP/1.1 404 "));
}

TEST_F(ServerTest, ClosesOnWhatViewersMayNotSend) {
  Running running;
  WebClient too_long(running), binary(running), not_text(running), throwing(running);
  too_long.send(std::string(16385, 'x'));
  EXPECT_EQ(too_long.read(), "closed 1009");
  WebClient far_too_long(running);
  far_too_long.send(std::string(1000000, 'x'));
  EXPECT_EQ(far_too_long.read(), "closed 1009");
  binary.stream.binary(true);
  binary.stream.write(net::buffer("ab", 2));
  EXPECT_EQ(binary.read(), "closed 1003");
  not_text.send("\xff\xfe");
  EXPECT_EQ(not_text.read(), "closed 1007");
  throwing.send("throw");
  EXPECT_EQ(throwing.read(), "closed 1011");
  EXPECT_TRUE(comes_true([&] { return running.service.closed_count == 5; }));
}

TEST_F(ServerTest, GarbageBytes) {
  Running running;
  std::mt19937 random(1);
  for (int i = 0; i < 40; ++i) {
    RawClient client(running.server.port());
    const bool opens = i % 2 == 0;
    if (opens) {
      client.send(handshake(running.own_host()));
      EXPECT_THAT(client.read_head(), StartsWith("HTTP/1.1 101 "));
    }
    std::string bytes(random() % 3000, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    client.send(bytes);
    client.shut();
    client.read();
  }
  EXPECT_THAT(answer_to(running, "/"), StartsWith("HTTP/1.1 200 "));
  EXPECT_TRUE(comes_true([&] { return running.service.closed_count == 20; }));
}

TEST_F(ServerTest, TimeLimits) {
  ServerSettings settings = live_settings();
  settings.request_limit = 150ms;
  settings.idle_limit = 200ms;
  Running running(settings);
  const int port = running.server.port();
  WebClient answering(running);  // its reads answer pings
  std::thread reader([&] { EXPECT_EQ(answering.read(), "still there"); });

  RawClient silent(port), half(port), viewer(port), kept(port);
  half.send("GET / HTTP/1.1\r\nHost");
  viewer.send(handshake(running.own_host()));
  kept.send("GET / HTTP/1.1\r\nHost: " + running.own_host() + "\r\n\r\n");
  const auto start = Clock::now();
  EXPECT_EQ(silent.read(), "");
  EXPECT_EQ(half.read(), "");
  EXPECT_THAT(kept.read(), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(viewer.read(), StartsWith("HTTP/1.1 101 "));
  EXPECT_LT(Clock::now() - start, 2s);
  EXPECT_TRUE(comes_true([&] { return running.service.closed_count == 1; }));
  EXPECT_EQ(running.service.open_count(), 1u);
  running.server.send(running.server.clients().front(), shared("still there"));
  reader.join();
}

TEST_F(ServerTest, CutsOffWhoDoesNotTakeTheAnswer) {
  ServerSettings settings = live_settings();
  settings.request_limit = 150ms;
  Running running(settings);
  const auto path = std::filesystem::temp_directory_path() / ("sinew-server-slow-" + std::to_string(::getpid()));
  std::ofstream(path, std::ios::binary) << std::string(20000000, 'a');
  running.service.file = path;
  RawClient client(running.server.port(), 4096);
  client.send(request(running, "/file"));
  std::this_thread::sleep_for(400ms);
  EXPECT_LT(client.read().size(), 20000000u);
  std::filesystem::remove(path);
}

TEST_F(ServerTest, BoundedConnections) {
  ServerSettings settings = live_settings();
  settings.most_connections = 2;
  const Running running(settings);
  const int port = running.server.port();
  std::optional<RawClient> first(std::in_place, port), second(std::in_place, port);
  EXPECT_THAT(answer_to(running, "/"), StartsWith("HTTP/1.1 503 Service Unavailable\r\n"));
  RawClient third(port), fourth(port);
  EXPECT_TRUE(comes_true([&] { return answer_to(running, "/").empty(); }));
  first.reset();
  second.reset();
  EXPECT_TRUE(comes_true([&] { return answer_to(running, "/").starts_with("HTTP/1.1 503 "); }));
}

TEST_F(ServerTest, SlowReadersGetTheLatestFrame) {
  Running running;
  WebClient client(running, "/live/socket", 4096);
  ASSERT_TRUE(comes_true([&] { return running.server.clients().size() == 1; }));
  const Client id = running.server.clients().front();
  constexpr int count = 300;
  std::vector<std::weak_ptr<const std::string>> frames;
  for (int i = 1; i <= count; ++i) {
    std::string bytes(300000, 'f');
    std::memcpy(bytes.data(), &i, sizeof i);
    const auto frame = shared(std::move(bytes));
    frames.push_back(frame);
    if (i == count) running.server.send(id, shared("text"));
    running.server.set_frame(id, frame);
    if (i % 50 == 0) std::this_thread::sleep_for(2ms);
  }
  EXPECT_LE(std::ranges::count_if(frames, [](const auto& frame) { return !frame.expired(); }), 2);
  int last = 0, taken = 0;
  bool got_text = false;
  while (last < count) {
    const std::string frame = client.read();
    if (client.stream.got_text()) {
      EXPECT_EQ(frame, "text");
      got_text = true;
      continue;
    }
    ASSERT_EQ(frame.size(), 300000u);
    int number = 0;
    std::memcpy(&number, frame.data(), sizeof number);
    EXPECT_GT(number, last);
    last = number;
    ++taken;
  }
  EXPECT_TRUE(got_text);  // before the last frame
  EXPECT_LT(taken, 100);
}

TEST_F(ServerTest, CutsOffWhoDoesNotTakeTexts) {
  Running running;
  WebClient client(running, "/live/socket", 4096);
  ASSERT_TRUE(comes_true([&] { return running.server.clients().size() == 1; }));
  const Client id = running.server.clients().front();
  std::vector<std::weak_ptr<const std::string>> texts;
  for (int i = 0; i < 40; ++i) {
    const auto text = shared(std::string(1000000, 't'));
    texts.push_back(text);
    running.server.send(id, text);
  }
  EXPECT_LE(std::ranges::count_if(texts, [](const auto& text) { return !text.expired(); }), 8);
  EXPECT_TRUE(comes_true([&] { return running.service.closed_count == 1; }));
  EXPECT_TRUE(comes_true([&] { return std::ranges::all_of(texts, [](const auto& text) { return text.expired(); }); }));
}

TEST_F(ServerTest, CutsOffWhoHangsUpWithAMessageOnItsWay) {
  Running running;
  RawClient viewer(running.server.port(), 4096);
  viewer.send(handshake(running.own_host()));
  ASSERT_TRUE(comes_true([&] { return running.server.clients().size() == 1; }));
  const auto text = shared(std::string(8000000, 't'));
  running.server.send(running.server.clients().front(), text);
  ASSERT_TRUE(comes_true([&] { return text.use_count() > 1; }));
  std::this_thread::sleep_for(20ms);
  viewer.shut();
  EXPECT_TRUE(comes_true([&] { return running.service.closed_count == 1; }));
  EXPECT_TRUE(comes_true([&] { return text.use_count() == 1; }));
  EXPECT_LT(viewer.read().size(), 8000000u);
}

TEST_F(ServerTest, TextsArriveInOrder) {
  Running running;
  WebClient client(running);
  ASSERT_TRUE(comes_true([&] { return running.server.clients().size() == 1; }));
  const Client id = running.server.clients().front();
  const auto sender = [&](char name) {
    for (int i = 0; i < 500; ++i) running.server.send(id, shared(name + std::to_string(i)));
  };
  std::thread a(sender, 'a'), b(sender, 'b');
  int next[2] = {0, 0};
  for (int i = 0; i < 1000; ++i) {
    const std::string text = client.read();
    EXPECT_EQ(text.substr(1), std::to_string(next[text[0] - 'a']++));
  }
  a.join();
  b.join();
}

TEST_F(ServerTest, TwentyViewers) {
  Running running;
  std::vector<std::unique_ptr<WebClient>> clients;
  for (int i = 0; i < 20; ++i) clients.push_back(std::make_unique<WebClient>(running));
  ASSERT_TRUE(comes_true([&] { return running.server.clients().size() == 20; }));
  for (int round = 0; round < 5; ++round) {
    for (const auto& client : clients) client->send(std::to_string(round));
    for (const auto& client : clients) EXPECT_EQ(client->read(), std::to_string(round));
    const auto frame = shared(std::string(100000, 'f'));
    for (const Client id : running.server.clients()) running.server.set_frame(id, frame);
    for (const auto& client : clients) EXPECT_EQ(client->read(), *frame);
  }
  clients.resize(10);
  EXPECT_TRUE(comes_true([&] { return running.server.clients().size() == 10; }));
}

TEST_F(ServerTest, StopsWithOpenConnections) {
  auto running = std::make_unique<Running>();
  WebClient polite(*running), sleeping(*running);
  std::thread reader([&] { EXPECT_EQ(polite.read(), "closed 1001"); });
  RawClient silent(running->server.port()), half(running->server.port()), viewer(running->server.port()),
      slow(running->server.port(), 4096);
  half.send("GET / HT");
  viewer.send(handshake(running->own_host()));
  slow.send(handshake(running->own_host()));
  ASSERT_TRUE(comes_true([&] { return running->server.clients().size() == 4; }));
  for (const Client id : {2, 3, 4}) {
    running->server.send(id, shared(std::string(7000000, 't')));
    running->server.set_frame(id, shared(std::string(7000000, 'f')));
  }
  std::this_thread::sleep_for(20ms);
  const auto start = Clock::now();
  running->server.stop();
  EXPECT_LT(Clock::now() - start, 2s);
  reader.join();
  EXPECT_EQ(running->service.closed_count, 4);
  EXPECT_EQ(running->service.open_count(), 0u);
  running->server.stop();
  running->server.send(1, shared("too late"));
  running.reset();
}

TEST_F(ServerTest, StartsAndStopsAtOnce) {
  for (int i = 0; i < 100; ++i) {
    EchoService service;
    Server server(live_settings(), service);
    if (i % 3 > 0) server.start();
    if (i % 3 > 1) server.stop();
  }
}

// Viewers come and go while other threads send to them.
TEST_F(ServerTest, SendsWhileViewersComeAndGo) {
  Running running;
  std::atomic<bool> done = false;
  std::vector<std::thread> senders;
  for (int i = 0; i < 3; ++i) {
    senders.emplace_back([&] {
      while (!done) {
        for (const Client id : running.server.clients()) {
          running.server.send(id, shared("t"));
          running.server.set_frame(id, shared(std::string(1000, 'f')));
          if (id % 3 == 0) running.server.close(id);
        }
        std::this_thread::sleep_for(100us);
      }
    });
  }
  for (int i = 0; i < 60; ++i) {
    WebClient client(running);
    client.send("a");
    client.read();
  }
  done = true;
  for (std::thread& sender : senders) sender.join();
  EXPECT_TRUE(comes_true([&] { return running.service.closed_count == 60; }));
}

}  // namespace
}  // namespace sinew::live
