#include "kube/kubeconfig.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <openssl/evp.h>

#include "http/pem.h"
#include "kube/in_cluster.h"
#include "yaml/parse.h"
#include "yaml/scalar.h"

namespace kube {
namespace {

using Wrong = std::unexpected<std::string>;
using yaml::Node;

/// The text of `key`, empty where there is none.
std::string text_of(const Node& node, std::string_view key) {
  const Node* const value = node.find(key);
  return value == nullptr || yaml::is_null(*value) ? std::string() : std::string(value->text());
}

/// The entry called `name` of a list of named ones, or null: `clusters` holds `cluster`s.
const Node* named(const Node& root, std::string_view list, std::string_view entry,
                  std::string_view name) {
  const Node* const items = root.find(list);
  if (items == nullptr) return nullptr;
  for (const Node& item : items->items()) {
    if (text_of(item, "name") == name) return item.find(entry);
  }
  return nullptr;
}

/// The bytes that base64 text stands for.
std::expected<std::string, std::string> decoded(std::string text, std::string_view key) {
  // Lines may be broken, as client-go takes them.
  std::erase_if(text, [](char c) { return c == '\n' || c == '\r' || c == ' '; });
  std::string bytes(text.size() / 4 * 3 + 3, '\0');
  // OpenSSL's text and bytes are unsigned char.
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  if (size < 0) return Wrong(std::string(key) + " is no base64");
  bytes.resize(static_cast<std::size_t>(size));
  // Padding counts as zero bytes.
  while (!bytes.empty() && bytes.back() == '\0') bytes.pop_back();
  return bytes;
}

std::filesystem::path below(const std::filesystem::path& file, const std::string& path) {
  return file.parent_path() / path;
}

/// What `KEY-data` holds, else the file that `KEY` names; empty where there is neither.
std::expected<std::string, std::string> data_or_file(const Node& node, const std::string& key,
                                                     const std::filesystem::path& file) {
  if (const std::string data = text_of(node, key + "-data"); !data.empty()) {
    return decoded(data, key + "-data");
  }
  const std::string path = text_of(node, key);
  if (path.empty()) return std::string();
  return http::read_pem_file(below(file, path));
}

std::expected<void, std::string> read_cluster(const Node& cluster,
                                              const std::filesystem::path& file,
                                              Credentials& credentials) {
  if (!text_of(cluster, "proxy-url").empty()) {
    return Wrong("proxy-url is not supported: use a context that reaches the server directly");
  }
  if (const auto read = read_server(text_of(cluster, "server"), credentials); !read) {
    return Wrong("server: " + read.error());
  }
  credentials.server_name = text_of(cluster, "tls-server-name");
  credentials.verify = text_of(cluster, "insecure-skip-tls-verify") != "true";
  auto ca = data_or_file(cluster, "certificate-authority", file);
  if (!ca) return Wrong(ca.error());
  credentials.ca = std::move(*ca);
  return {};
}

std::expected<void, std::string> read_user(const Node& user, const std::filesystem::path& file,
                                           Credentials& credentials) {
  for (const std::string_view key : {"exec", "auth-provider"}) {
    if (user.find(key) == nullptr) continue;
    return Wrong(std::string(key) +
                 " runs a program for credentials, which is not supported: use a context with a "
                 "certificate or a token ('kubectl create token ACCOUNT' makes one)");
  }
  auto certificate = data_or_file(user, "client-certificate", file);
  if (!certificate) return Wrong(certificate.error());
  auto key = data_or_file(user, "client-key", file);
  if (!key) return Wrong(key.error());
  if (certificate->empty() != key->empty()) {
    return Wrong("client-certificate and client-key go together: one of them is missing");
  }
  credentials.certificate = std::move(*certificate);
  credentials.key = std::move(*key);
  credentials.token = text_of(user, "token");
  if (const std::string path = text_of(user, "tokenFile"); !path.empty()) {
    credentials.token_file = below(file, path);
  }
  credentials.username = text_of(user, "username");
  credentials.password = text_of(user, "password");
  return {};
}

std::expected<Credentials, std::string> read_context(const Node& root,
                                                     const std::filesystem::path& file,
                                                     const std::string& wanted) {
  const std::string name = wanted.empty() ? text_of(root, "current-context") : wanted;
  if (name.empty()) return Wrong("current-context is not set: name one with --context");
  const Node* const context = named(root, "contexts", "context", name);
  if (context == nullptr) return Wrong("there is no context '" + name + "'");

  Credentials credentials;
  const std::string cluster_name = text_of(*context, "cluster");
  const Node* const cluster = named(root, "clusters", "cluster", cluster_name);
  if (cluster == nullptr) return Wrong("there is no cluster '" + cluster_name + "'");
  if (const auto read = read_cluster(*cluster, file, credentials); !read) {
    return Wrong("cluster '" + cluster_name + "': " + read.error());
  }
  const std::string user_name = text_of(*context, "user");
  if (const Node* const user = named(root, "users", "user", user_name); user != nullptr) {
    if (const auto read = read_user(*user, file, credentials); !read) {
      return Wrong("user '" + user_name + "': " + read.error());
    }
  } else if (!user_name.empty()) {
    return Wrong("there is no user '" + user_name + "'");
  }
  if (auto name_space = text_of(*context, "namespace"); !name_space.empty()) {
    credentials.name_space = std::move(name_space);
  }
  return credentials;
}

/// The first file that KUBECONFIG names; empty where it names none.
std::filesystem::path kubeconfig_of_environment() {
  const char* const value = std::getenv("KUBECONFIG");
  if (value == nullptr) return {};
  std::string_view rest(value);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) return rest.substr(0, end);
    rest.remove_prefix(1);
  }
  return {};
}

}  // namespace

std::expected<Credentials, std::string> read_kubeconfig(const std::filesystem::path& file,
                                                        const std::string& context) {
  const auto text = http::read_pem_file(file);
  if (!text) return Wrong(text.error());
  const auto documents = yaml::parse(*text);
  if (!documents) {
    return Wrong(file.string() + ":" + std::to_string(documents.error().mark.line) + ": " +
                 documents.error().message);
  }
  if (documents->empty() || !documents->front().root.is_mapping()) {
    return Wrong(file.string() + " is no kubeconfig: it has no keys");
  }
  auto credentials = read_context(documents->front().root, file, context);
  if (!credentials) return Wrong(file.string() + ": " + credentials.error());
  return credentials;
}

std::expected<Credentials, std::string> find_credentials(const std::filesystem::path& file,
                                                         const std::string& context) {
  if (!file.empty()) return read_kubeconfig(file, context);
  if (const auto named = kubeconfig_of_environment(); !named.empty()) {
    return read_kubeconfig(named, context);
  }
  auto own = in_cluster();
  if (!own) return Wrong(own.error());
  if (std::optional<Credentials>& found = *own) return std::move(*found);
  if (const char* const home = std::getenv("HOME"); home != nullptr) {
    const std::filesystem::path usual = std::filesystem::path(home) / ".kube" / "config";
    if (std::filesystem::exists(usual)) return read_kubeconfig(usual, context);
  }
  return Wrong(
      "no credentials: not in a pod, and there is no ~/.kube/config; name a file with "
      "--kubeconfig");
}

}  // namespace kube
