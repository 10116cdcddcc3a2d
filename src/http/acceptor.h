#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "http/event_loop.h"
#include "http/file_descriptor.h"
#include "http/server.h"
#include "http/service.h"
#include "http/signal_flag.h"

namespace http {

/// Takes connections off a listening socket and deals them to loops in turn: where every loop waits
/// on the socket itself, nearly all connections end up with one of them. For one thread.
class Acceptor {
 public:
  /// All arguments must outlive it.
  Acceptor(const FileDescriptor& listener, Service& service, const TlsSource& tls,
           std::vector<std::unique_ptr<EventLoop>>& loops)
      : listener_(listener), service_(service), tls_(tls), loops_(loops) {}

  /// Accepts until `stopping` is raised, and then what is in the queue still.
  void run(const SignalFlag& stopping);

 private:
  /// False: there is none now.
  bool accept_one(const SignalFlag& stopping);
  void deal(FileDescriptor socket, std::string peer);
  void rest(const std::string& why, const SignalFlag& stopping) const;

  const FileDescriptor& listener_;
  Service& service_;
  const TlsSource& tls_;
  std::vector<std::unique_ptr<EventLoop>>& loops_;
  std::size_t next_ = 0;
};

}  // namespace http
