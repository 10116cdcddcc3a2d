#include "kube/credentials.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace kube {

std::expected<void, std::string> read_server(const std::string& url, Credentials& credentials) {
  const auto wrong = [&url](const char* why) {
    return std::unexpected("'" + url + "' " + why + ": write https://HOST:PORT");
  };
  std::string_view rest = url;
  if (rest.starts_with("https://")) {
    rest.remove_prefix(8);
  } else if (rest.starts_with("http://")) {
    rest.remove_prefix(7);
    credentials.tls = false;
    credentials.port = 80;
  } else {
    return wrong("is no URL of an API server");
  }
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  credentials.prefix = rest.substr(slash);
  while (credentials.prefix.ends_with('/')) credentials.prefix.pop_back();
  rest = rest.substr(0, slash);

  std::string_view port;
  if (rest.starts_with('[')) {
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos) return wrong("has no ] behind its address");
    credentials.host = rest.substr(1, end - 1);
    port = rest.substr(end + 1);
  } else {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    credentials.host = rest.substr(0, colon);
    port = rest.substr(colon);
  }
  if (credentials.host.empty()) return wrong("names no host");
  if (port.empty()) return {};
  port.remove_prefix(1);
  const char* const begin = port.data();
  const char* const end = begin + port.size();
  const auto read = std::from_chars(begin, end, credentials.port);
  if (read.ec != std::errc() || read.ptr != end || credentials.port == 0) {
    return wrong("has no port from 1 to 65535");
  }
  return {};
}

}  // namespace kube
