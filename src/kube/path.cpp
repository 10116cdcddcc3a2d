#include "kube/path.h"

namespace kube {
namespace {

std::string encoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  std::string out;
  for (const char c : text) {
    if (kPlain.find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
  }
  return out;
}

}  // namespace

std::string path_of(const Resource& resource, std::string_view name_space, std::string_view name,
                    std::string_view subresource) {
  std::string path =
      resource.group.empty() ? "/api/" : "/apis/" + std::string(resource.group) + "/";
  path += resource.version;
  if (!name_space.empty()) path.append("/namespaces/").append(encoded(name_space));
  path.append("/").append(resource.plural);
  if (!name.empty()) path.append("/").append(encoded(name));
  if (!subresource.empty()) path.append("/").append(subresource);
  return path;
}

std::string with_query(std::string path,
                       std::initializer_list<std::pair<std::string_view, std::string_view>> query) {
  char separator = '?';
  for (const auto& [name, value] : query) {
    if (value.empty()) continue;
    path += separator;
    path.append(name).append("=").append(encoded(value));
    separator = '&';
  }
  return path;
}

}  // namespace kube
