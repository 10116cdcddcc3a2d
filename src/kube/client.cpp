#include "kube/client.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <httplib.h>
#include <openssl/pem.h>

#include "http/openssl.h"
#include "http/pem.h"
#include "kube/bearer_token.h"
#include "kube/rate_limiter.h"

namespace kube {

using Connection = std::unique_ptr<httplib::ClientImpl>;

/// As `http::OpensslDelete`, for what only clients need.
struct StoreDelete {
  void operator()(X509_STORE* p) const noexcept { X509_STORE_free(p); }
};

/// What every TLS connection is made with.
struct Identity {
  http::CertificateList certificates;  ///< the client's own first; empty: none
  http::OpensslPtr<EVP_PKEY> key;
  std::unique_ptr<X509_STORE, StoreDelete> authorities;  ///< null: the system's
};

namespace {

std::expected<Identity, std::string> identity_of(const Credentials& credentials) {
  Identity identity;
  if (!credentials.ca.empty()) {
    const auto read = http::read_certificates("the certificate authority", credentials.ca);
    if (!read) return std::unexpected(read.error());
    identity.authorities.reset(X509_STORE_new());
    for (const auto& certificate : *read) {
      X509_STORE_add_cert(identity.authorities.get(), certificate.get());
    }
  }
  if (!credentials.certificate.empty()) {
    auto read = http::read_certificates("the client certificate", credentials.certificate);
    if (!read) return std::unexpected(read.error());
    identity.certificates = std::move(*read);
    const auto bio = http::memory_bio(credentials.key);
    identity.key.reset(PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr));
    if (!identity.key) {
      return std::unexpected("the client key cannot be read: " + http::take_openssl_error());
    }
  }
  return identity;
}

/// What went wrong where no answer came.
std::string describe(httplib::Error error) {
  switch (error) {
    case httplib::Error::Connection:
    case httplib::Error::ConnectionTimeout:
      return "no connection";
    case httplib::Error::SSLConnection:
      return "the TLS handshake failed";
    case httplib::Error::SSLServerVerification:
      return "its certificate is not trusted";
    case httplib::Error::Read:
      return "no answer";
    case httplib::Error::Write:
      return "the connection ended";
    default:
      return httplib::to_string(error);
  }
}

/// Takes whole lines off what has come.
class Lines {
 public:
  /// False where `on_line` gave false.
  bool add(std::string_view bytes, const std::function<bool(std::string_view)>& on_line) {
    std::size_t end = 0;
    while ((end = bytes.find('\n')) != std::string_view::npos) {
      std::string_view line = bytes.substr(0, end);
      if (!rest_.empty()) line = rest_.append(line);
      if (!line.empty() && !on_line(line)) return false;
      rest_.clear();
      bytes.remove_prefix(end + 1);
    }
    rest_.append(bytes);
    return true;
  }

 private:
  std::string rest_;
};

}  // namespace

struct Client::Impl {
  Credentials credentials;
  ClientOptions options;
  Identity identity;
  BearerToken token;
  RateLimiter limiter;
  std::mutex mutex;
  std::vector<Connection> idle;

  Impl(Credentials c, ClientOptions o, Identity i)
      : credentials(std::move(c)),
        options(std::move(o)),
        identity(std::move(i)),
        token(credentials.token, credentials.token_file),
        limiter(options.per_second, options.burst) {}

  [[nodiscard]] Connection connect(std::chrono::milliseconds timeout) const {
    // The name in the certificate is what cpp-httplib checks, whatever address it connects to.
    const std::string& name =
        credentials.server_name.empty() ? credentials.host : credentials.server_name;
    Connection connection;
    if (credentials.tls) {
      auto tls = std::make_unique<httplib::SSLClient>(
          name, credentials.port,
          identity.certificates.empty() ? nullptr : identity.certificates.front().get(),
          identity.key.get());
      for (std::size_t i = 1; i < identity.certificates.size(); ++i) {
        X509* const further = identity.certificates[i].get();
        // The context takes one reference.
        X509_up_ref(further);
        SSL_CTX_ctrl(tls->ssl_context(), SSL_CTRL_EXTRA_CHAIN_CERT, 0, further);
      }
      if (identity.authorities) {
        X509_STORE_up_ref(identity.authorities.get());
        tls->set_ca_cert_store(identity.authorities.get());
      }
      tls->enable_server_certificate_verification(credentials.verify);
      connection = std::move(tls);
    } else {
      connection = std::make_unique<httplib::ClientImpl>(name, credentials.port);
    }
    if (name != credentials.host) {
      connection->set_hostname_addr_map({{name, credentials.host}});
    }
    connection->set_connection_timeout(options.timeout);
    connection->set_read_timeout(timeout);
    connection->set_write_timeout(options.timeout);
    connection->set_keep_alive(true);
    connection->set_tcp_nodelay(true);
    return connection;
  }

  Connection take() {
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) {
        Connection connection = std::move(idle.back());
        idle.pop_back();
        return connection;
      }
    }
    return connect(options.timeout);
  }

  void give_back(Connection connection) {
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(connection));
  }

  [[nodiscard]] httplib::Request request_of(const std::string& method, const std::string& path) {
    httplib::Request request;
    request.method = method;
    request.path = credentials.prefix + path;
    request.set_header("Accept", "application/json");
    request.set_header("User-Agent", options.user_agent);
    if (const std::string bearer = token.get(); !bearer.empty()) {
      request.set_header("Authorization", "Bearer " + bearer);
    } else if (!credentials.username.empty()) {
      const auto [name, value] =
          httplib::make_basic_authentication_header(credentials.username, credentials.password);
      request.set_header(name, value);
    }
    return request;
  }

  [[nodiscard]] Error no_answer(httplib::Error error) const {
    const std::string host = credentials.host.find(':') == std::string::npos
                                 ? credentials.host
                                 : "[" + credentials.host + "]";
    return {.status = 0,
            .reason = {},
            .message = "API server " + host + ":" + std::to_string(credentials.port) + ": " +
                       describe(error)};
  }

  Error answered(const httplib::Response& response, const std::string& body) {
    if (response.status == 401) token.forget();
    Error error = error_of(response.status, body);
    if (const std::string after = response.get_header_value("Retry-After"); !after.empty()) {
      // A number of seconds, as the API server sends it; a date is passed over.
      const long seconds = std::strtol(after.c_str(), nullptr, 10);
      if (seconds > 0) error.retry_after = std::chrono::seconds(seconds);
    }
    return error;
  }

  std::expected<std::string, Error> exchange(const Request& call) {
    httplib::Request request = request_of(call.method, call.path);
    if (!call.body.empty()) {
      request.body = call.body;
      request.set_header("Content-Type", call.content_type);
    }
    Connection connection = take();
    auto result = connection->send(request);
    if (!result) return std::unexpected(no_answer(result.error()));
    httplib::Response& response = result.value();
    give_back(std::move(connection));
    if (response.status < 200 || response.status > 299) {
      return std::unexpected(answered(response, response.body));
    }
    return std::move(response.body);
  }
};

Client::Client(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Client::~Client() = default;

std::expected<std::unique_ptr<Client>, std::string> Client::make(Credentials credentials,
                                                                 ClientOptions options) {
  auto identity = identity_of(credentials);
  if (!identity) return std::unexpected(identity.error());
  return std::unique_ptr<Client>(new Client(
      std::make_unique<Impl>(std::move(credentials), std::move(options), std::move(*identity))));
}

std::expected<std::string, Error> Client::send(const Request& request) {
  std::this_thread::sleep_until(impl_->limiter.reserve(RateLimiter::Clock::now()));
  auto answer = impl_->exchange(request);
  // The server may end a connection while a request is on its way, or the token may be an old one.
  const bool again = !answer && ((answer.error().status == 0 && request.method == "GET") ||
                                 (answer.error().status == 401 && impl_->token.is_file()));
  return again ? impl_->exchange(request) : answer;
}

std::expected<void, Error> Client::stream(const std::string& path,
                                          const std::function<bool(std::string_view)>& on_line,
                                          const std::stop_token& stop) {
  if (stop.stop_requested()) return {};
  httplib::Request request = impl_->request_of("GET", path);
  std::optional<httplib::Response> refusal;
  std::string refusal_body;
  bool ended_here = false;
  Lines lines;
  request.response_handler = [&](const httplib::Response& response) {
    if (response.status != 200) refusal = response;
    return !stop.stop_requested();
  };
  request.content_receiver = [&](const char* data, std::size_t size, std::uint64_t, std::uint64_t) {
    if (refusal) {
      refusal_body.append(data, size);
      return true;
    }
    ended_here = stop.stop_requested() || !lines.add({data, size}, on_line);
    return !ended_here;
  };

  const Connection connection = impl_->connect(impl_->options.stream_timeout);
  const std::stop_callback on_stop(stop, [&connection] { connection->stop(); });
  const auto result = connection->send(request);
  if (stop.stop_requested() || ended_here) return {};
  if (refusal) return std::unexpected(impl_->answered(*refusal, refusal_body));
  if (!result) return std::unexpected(impl_->no_answer(result.error()));
  return {};
}

}  // namespace kube
