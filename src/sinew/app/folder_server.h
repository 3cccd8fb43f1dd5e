// Serves the files of one folder over HTTP on this machine alone.
//
// Small and its own: the worker threads of Debian's CivetWeb have stacks of 100 kB, of which the thread-local data of
// OpenBLAS and METIS take 90.
#pragma once

#include <atomic>
#include <filesystem>
#include <list>
#include <string>
#include <thread>

namespace sinew::app {

// GET and HEAD of regular files in the folder and below, symbolic links resolved before they are judged; "/" is
// `index`. Requests addressed to another host name than this machine's own are refused, so that no web page can read
// the files through a name of its own. A request a connection, a bounded number at a time, each with a time limit.
class FolderServer {
 public:
  // Listens on 127.0.0.1; port 0: any free one. Throws InputError when the port cannot be had.
  FolderServer(const std::string& folder, std::string index, int port);
  ~FolderServer();
  FolderServer(const FolderServer&) = delete;
  FolderServer& operator=(const FolderServer&) = delete;

  std::string url() const;

  // Takes the connections that come within some time.
  void serve(int milliseconds);

 private:
  struct Connection {
    int socket = -1;
    std::atomic<bool> done = false;
    std::thread thread;
  };

  void answer(int socket) const;
  void remove_done();

  std::filesystem::path folder_;
  std::string index_;
  int socket_ = -1;
  int port_ = 0;
  std::list<Connection> connections_;
};

}  // namespace sinew::app
