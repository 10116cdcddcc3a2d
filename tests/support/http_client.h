#pragma once

#include <algorithm>
#include <bit>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace support {

/// A reply, taken apart.
struct Reply {
  int status = 0;                              ///< 0: the connection ended before its end
  std::map<std::string, std::string> headers;  ///< names in lower case
  std::string body;

  [[nodiscard]] bool whole() const noexcept { return status != 0; }

  /// The field's value, "" if there is none.
  [[nodiscard]] std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
  }
};

/// How a client of a test speaks TLS.
struct TlsOptions {
  std::string ca;                  ///< PEM of the authority to trust; empty: trust anything
  std::string host = "localhost";  ///< to be in the certificate, and sent as SNI
  int min_version = 0;             ///< as TLS1_2_VERSION; 0: any
  int max_version = 0;             ///< 0: any
  std::string ciphers;             ///< of TLS 1.2 and earlier; empty: OpenSSL's own
  std::string alpn;                ///< one protocol to offer
  std::string certificate;         ///< PEM of the client's own; empty: none
  std::string key;                 ///< PEM of its key
};

/// A raw client of 127.0.0.1 (or ::1), for tests of servers: sends what it is told, at the pace
/// that it is told, and reads replies. Blocking; every wait ends after `kPatience`.
class HttpClient {
 public:
  static constexpr std::chrono::seconds kPatience{20};

  /// Plain. Throws if nobody listens.
  explicit HttpClient(std::uint16_t port, bool ipv6 = false) { connect(port, ipv6); }

  /// Over TLS, with the handshake done; throws std::runtime_error if it fails.
  HttpClient(std::uint16_t port, const TlsOptions& options, bool ipv6 = false) {
    connect(port, ipv6);
    start_tls(options);
  }

  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;
  ~HttpClient() {
    ssl_.reset();
    if (socket_ >= 0) ::close(socket_);
  }

  /// False if the server took no more of it.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const int chunk = static_cast<int>(std::min<std::size_t>(bytes.size(), 1 << 20));
      ERR_clear_error();
      const ssize_t sent = ssl_ ? SSL_write(ssl_.get(), bytes.data(), chunk)
                                : ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  /// Byte by byte, with a pause before each one but the first.
  bool send_slowly(std::string_view bytes, std::chrono::milliseconds pause) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (i > 0) std::this_thread::sleep_for(pause);
      if (!send(bytes.substr(i, 1))) return false;
    }
    return true;
  }

  /// One reply, after any 100 Continue; not whole if the connection ended before it. Its body is
  /// not waited for where `to_head` says that HEAD was asked.
  Reply read_reply(bool to_head = false) {
    while (true) {
      std::size_t end = 0;
      while ((end = received_.find("\r\n\r\n")) == std::string::npos) {
        if (!receive()) return {};
      }
      Reply reply = parse_head(std::string_view(received_).substr(0, end));
      received_.erase(0, end + 4);
      if (reply.status == 100) {
        ++continues_;
        continue;
      }
      const std::string length = reply.header("content-length");
      const std::size_t size = to_head || length.empty() ? 0 : std::stoul(length);
      while (received_.size() < size) {
        if (!receive()) return {};
      }
      reply.body = received_.substr(0, size);
      received_.erase(0, size);
      return reply;
    }
  }

  /// Waits for an interim "100 Continue", and that it comes before anything else.
  bool read_continue() {
    constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    while (received_.size() < kContinue.size()) {
      if (!receive()) return false;
    }
    if (!received_.starts_with(kContinue)) return false;
    received_.erase(0, kContinue.size());
    return true;
  }

  /// Sends and reads one reply.
  Reply exchange(std::string_view request) {
    return send(request) ? read_reply(request.starts_with("HEAD ")) : Reply{};
  }

  /// A whole request with Host and, where there is a body, Content-Length and Content-Type.
  static std::string request(std::string_view method, std::string_view path,
                             std::string_view body = {}, std::string_view more_headers = {},
                             std::string_view content_type = "application/json") {
    std::string text;
    text.append(method).append(" ").append(path).append(" HTTP/1.1\r\nHost: localhost\r\n");
    if (method == "POST" || !body.empty()) {
      text.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
      text.append("Content-Type: ").append(content_type).append("\r\n");
    }
    return text.append(more_headers).append("\r\n").append(body);
  }

  /// Waits for the end of the connection; whether it came in order (no reset, nothing unread).
  bool ended() {
    while (receive()) {
    }
    return end_ == End::in_order && received_.empty();
  }

  /// Whether the connection is still open and silent after `time`.
  bool open_after(std::chrono::milliseconds time) {
    pollfd descriptor{socket_, POLLIN, 0};
    return ::poll(&descriptor, 1, static_cast<int>(time.count())) == 0;
  }

  /// Ends the connection by a reset.
  void reset() {
    const linger at_once{1, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    ssl_.reset();
    ::close(socket_);
    socket_ = -1;
  }

  /// Ends the sending side only.
  void finish_sending() {
    if (ssl_) SSL_shutdown(ssl_.get());
    ::shutdown(socket_, SHUT_WR);
  }

  /// How many 100 Continue `read_reply` came across.
  [[nodiscard]] int continues() const noexcept { return continues_; }
  /// The protocol that ALPN settled on; empty if none.
  [[nodiscard]] std::string alpn() const {
    const unsigned char* name = nullptr;
    unsigned int size = 0;
    SSL_get0_alpn_selected(ssl_.get(), &name, &size);
    return {std::bit_cast<const char*>(name), size};
  }
  [[nodiscard]] std::string tls_version() const { return SSL_get_version(ssl_.get()); }
  [[nodiscard]] SSL* ssl() const noexcept { return ssl_.get(); }

 private:
  struct Free {
    void operator()(SSL* p) const noexcept { SSL_free(p); }
    void operator()(SSL_CTX* p) const noexcept { SSL_CTX_free(p); }
  };
  enum class End { none, in_order, reset };

  void connect(std::uint16_t port, bool ipv6) {
    socket_ = ::socket(ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket_ < 0) throw std::runtime_error("no socket");
    const timeval patience{kPatience.count(), 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    sockaddr_in ipv4{};
    ipv4.sin_family = AF_INET;
    ipv4.sin_port = htons(port);
    ipv4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    sockaddr_in6 loopback{};
    loopback.sin6_family = AF_INET6;
    loopback.sin6_port = htons(port);
    loopback.sin6_addr = in6addr_loopback;
    const int failed =
        ipv6 ? ::connect(socket_, std::bit_cast<const sockaddr*>(&loopback), sizeof loopback)
             : ::connect(socket_, std::bit_cast<const sockaddr*>(&ipv4), sizeof ipv4);
    if (failed != 0) {
      ::close(socket_);
      throw std::runtime_error("cannot connect to port " + std::to_string(port));
    }
  }

  void start_tls(const TlsOptions& options) {
    const std::unique_ptr<SSL_CTX, Free> context(SSL_CTX_new(TLS_client_method()));
    SSL_CTX* const c = context.get();
    // Old protocols are to be refused by the server, not by the client's own policy.
    SSL_CTX_set_security_level(c, 0);
    SSL_CTX_set_min_proto_version(c, options.min_version);
    SSL_CTX_set_max_proto_version(c, options.max_version);
    if (!options.ciphers.empty()) SSL_CTX_set_cipher_list(c, options.ciphers.c_str());
    if (!options.ca.empty()) {
      trust(c, options.ca);
      SSL_CTX_set_verify(c, SSL_VERIFY_PEER, nullptr);
    }
    if (!options.certificate.empty()) identify(c, options);
    ssl_.reset(SSL_new(c));
    SSL_set_fd(ssl_.get(), socket_);
    // What SSL_set_tlsext_host_name is, without the C cast of that macro.
    std::string host = options.host;
    SSL_ctrl(ssl_.get(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, host.data());
    SSL_set1_host(ssl_.get(), options.host.c_str());
    if (!options.alpn.empty()) {
      const std::string list = static_cast<char>(options.alpn.size()) + options.alpn;
      SSL_set_alpn_protos(ssl_.get(), std::bit_cast<const unsigned char*>(list.data()),
                          static_cast<unsigned>(list.size()));
    }
    ERR_clear_error();
    if (SSL_connect(ssl_.get()) == 1) return;
    const char* const reason = ERR_reason_error_string(ERR_peek_error());
    ssl_.reset();
    ::close(socket_);
    throw std::runtime_error(reason != nullptr ? reason : "the TLS handshake failed");
  }

  static void identify(SSL_CTX* context, const TlsOptions& options) {
    BIO* const certificate_bio =
        BIO_new_mem_buf(options.certificate.data(), static_cast<int>(options.certificate.size()));
    BIO* const key_bio = BIO_new_mem_buf(options.key.data(), static_cast<int>(options.key.size()));
    X509* const certificate = PEM_read_bio_X509(certificate_bio, nullptr, nullptr, nullptr);
    EVP_PKEY* const key = PEM_read_bio_PrivateKey(key_bio, nullptr, nullptr, nullptr);
    SSL_CTX_use_certificate(context, certificate);
    SSL_CTX_use_PrivateKey(context, key);
    X509_free(certificate);
    EVP_PKEY_free(key);
    BIO_free(certificate_bio);
    BIO_free(key_bio);
  }

  static void trust(SSL_CTX* context, const std::string& pem) {
    BIO* const bio = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
    X509* const authority = PEM_read_bio_X509(bio, nullptr, nullptr, nullptr);
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority);
    X509_free(authority);
    BIO_free(bio);
  }

  bool receive() {
    char bytes[16384];
    ERR_clear_error();
    errno = 0;
    const ssize_t count =
        ssl_ ? SSL_read(ssl_.get(), bytes, sizeof bytes) : ::recv(socket_, bytes, sizeof bytes, 0);
    if (count > 0) {
      received_.append(bytes, static_cast<std::size_t>(count));
      return true;
    }
    const bool in_order =
        ssl_ ? SSL_get_error(ssl_.get(), static_cast<int>(count)) == SSL_ERROR_ZERO_RETURN
             : count == 0;
    end_ = in_order ? End::in_order : End::reset;
    return false;
  }

  static Reply parse_head(std::string_view head) {
    Reply reply;
    reply.status = std::stoi(std::string(head.substr(head.find(' ') + 1, 3)));
    for (std::size_t at = head.find("\r\n"); at != std::string_view::npos;) {
      const std::size_t next = head.find("\r\n", at + 2);
      const std::string_view line = head.substr(at + 2, next - at - 2);
      const std::size_t colon = line.find(':');
      std::string name(line.substr(0, colon));
      std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
      reply.headers[name] = line.substr(std::min(colon + 2, line.size()));
      at = next;
    }
    return reply;
  }

  int socket_ = -1;
  std::unique_ptr<SSL, Free> ssl_;
  std::string received_;
  int continues_ = 0;
  End end_ = End::none;
};

}  // namespace support
