#include "kube/in_cluster.h"

#include <cstdlib>
#include <string_view>
#include <utility>

#include "http/pem.h"

namespace kube {
namespace {

std::string trimmed(const std::string& text) {
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

}  // namespace

std::expected<std::optional<Credentials>, std::string> in_cluster(
    const std::filesystem::path& folder) {
  const char* const host = std::getenv("KUBERNETES_SERVICE_HOST");
  const char* const port = std::getenv("KUBERNETES_SERVICE_PORT");
  if (host == nullptr || port == nullptr) return std::nullopt;

  Credentials credentials;
  const std::string_view name(host);
  const bool ipv6 = name.find(':') != std::string_view::npos;
  const std::string url =
      "https://" + (ipv6 ? "[" + std::string(name) + "]" : std::string(name)) + ":" + port;
  if (const auto read = read_server(url, credentials); !read) {
    return std::unexpected("KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT: " + read.error());
  }
  auto ca = http::read_pem_file(folder / "ca.crt");
  if (!ca) return std::unexpected(ca.error());
  credentials.ca = std::move(*ca);
  credentials.token_file = folder / "token";
  if (const auto token = http::read_pem_file(credentials.token_file); !token) {
    return std::unexpected(token.error() + ": the pod needs automountServiceAccountToken: true");
  }
  if (auto name_space = http::read_pem_file(folder / "namespace");
      name_space && !name_space->empty()) {
    credentials.name_space = trimmed(*name_space);
  }
  return credentials;
}

}  // namespace kube
