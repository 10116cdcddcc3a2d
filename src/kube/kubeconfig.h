#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include "kube/credentials.h"

namespace kube {

/// What a kubeconfig file says of one context: `context`, or its current one if that is empty.
/// Relative paths in it are below its folder. Certificates, keys, tokens, token files and basic
/// authentication are read; what runs a program (`exec`, `auth-provider`), and proxies, are errors
/// that say what to do instead. Source: client-go's clientcmd/api/v1.
[[nodiscard]] std::expected<Credentials, std::string> read_kubeconfig(
    const std::filesystem::path& file, const std::string& context = {});

/// Credentials as kubectl and client-go look for them: `file` if it is not empty, else the first
/// file that KUBECONFIG names, else the pod's own, else ~/.kube/config.
[[nodiscard]] std::expected<Credentials, std::string> find_credentials(
    const std::filesystem::path& file, const std::string& context = {});

}  // namespace kube
