#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>

namespace kube {

/// Where an API server is and how to be let in. Every text that is empty is not used.
struct Credentials {
  bool tls = true;
  std::string host;  ///< name or number, IPv6 without brackets
  std::uint16_t port = 443;
  std::string prefix;                ///< of all paths, without a slash at its end
  std::string server_name;           ///< in the server's certificate, if not `host`
  std::string ca;                    ///< PEM of the authorities to trust; empty: the system's
  bool verify = true;                ///< false: the server's certificate is not looked at
  std::string certificate;           ///< PEM of the client's own, chain included
  std::string key;                   ///< PEM
  std::string token;                 ///< bearer token
  std::filesystem::path token_file;  ///< read again as it is rotated; wins over `token`
  std::string username;
  std::string password;
  std::string name_space = "default";
};

/// Reads "https://HOST:PORT/PREFIX" into `credentials`; the error says what is wrong with it.
[[nodiscard]] std::expected<void, std::string> read_server(const std::string& url,
                                                           Credentials& credentials);

}  // namespace kube
