#include "http/certificate.h"

#include <chrono>
#include <string>

#include "http/tls_context.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/test_certificate.h"

namespace {

using std::chrono::hours;
using std::chrono::system_clock;
using support::CertificateSpec;
using support::TemporaryDirectory;
using support::TestPair;

// 2026-12-01 00:00:00 UTC.
const system_clock::time_point kNow = system_clock::from_time_t(1796083200);

CertificateSpec spec_at(system_clock::time_point begin, system_clock::time_point end) {
  CertificateSpec spec;
  spec.not_before = begin;
  spec.not_after = end;
  return spec;
}

CertificateSpec serving() { return spec_at(kNow - hours(1), kNow + hours(24)); }

CertificateSpec intermediate() {
  CertificateSpec spec = spec_at(kNow - hours(1), kNow + hours(12));
  spec.common_name = "intermediate";
  spec.names.clear();
  spec.extended_key_usage.clear();
  spec.authority = true;
  return spec;
}

// The error, with the folder's name taken out.
std::string error_of(const TemporaryDirectory& directory, system_clock::time_point now = kNow) {
  const auto loaded = http::Certificate::load(directory.path(), now);
  if (loaded) return "fine";
  std::string error = loaded.error();
  const std::string prefix = directory.path().string() + "/";
  for (std::size_t at = 0; (at = error.find(prefix)) != std::string::npos;) {
    error.erase(at, prefix.size());
  }
  return error;
}

}  // namespace

TEST_CASE("A pair is loaded and made a TLS context of", "[http][certificate]") {
  const TemporaryDirectory directory;
  TestPair(serving()).write_to(directory.path());
  const auto loaded = http::Certificate::load(directory.path(), kNow);
  REQUIRE(loaded.has_value());
  CHECK(loaded->not_after() == kNow + hours(24));
  CHECK(loaded->issuers().empty());
  const auto context = http::make_tls_context(*loaded);
  REQUIRE(context.has_value());
  CHECK(SSL_CTX_check_private_key(context->get()) == 1);
}

TEST_CASE("A chain in order is loaded and ends with its first end", "[http][certificate]") {
  const TestPair root = TestPair::authority();
  const TestPair middle = root.issue(intermediate());
  const TemporaryDirectory directory;
  middle.issue(serving()).write_to(directory.path(), middle.certificate_pem());
  const auto loaded = http::Certificate::load(directory.path(), kNow);
  REQUIRE(loaded.has_value());
  CHECK(loaded->not_after() == kNow + hours(12));
  CHECK(loaded->issuers().size() == 1);
  const auto context = http::make_tls_context(*loaded);
  REQUIRE(context.has_value());
  STACK_OF(X509)* sent = nullptr;
  // What SSL_CTX_get0_chain_certs is, with the conversion that its macro leaves out.
  SSL_CTX_ctrl(context->get(), SSL_CTRL_GET_CHAIN_CERTS, 0, static_cast<void*>(&sent));
  CHECK(sk_X509_num(sent) == 1);
}

TEST_CASE("Files that are missing or empty are named", "[http][certificate]") {
  const TemporaryDirectory directory;
  const std::string mend =
      "; the directory needs tls.crt and tls.key, as a Secret of type kubernetes.io/tls has them";
  CHECK(error_of(directory) == "cannot read tls.crt: No such file or directory" + mend);
  static_cast<void>(directory.write("tls.crt", "x"));
  CHECK(error_of(directory) == "cannot read tls.key: No such file or directory" + mend);
  static_cast<void>(directory.write("tls.key", ""));
  CHECK(error_of(directory) == "cannot read tls.key: the file is empty" + mend);
}

TEST_CASE("What is no PEM is refused", "[http][certificate]") {
  const TemporaryDirectory directory;
  const TestPair pair(serving());
  pair.write_to(directory.path());
  SECTION("no certificate") {
    static_cast<void>(directory.write("tls.crt", "no certificate\n"));
    CHECK(error_of(directory) ==
          "tls.crt: there is no certificate in it; write PEM that begins with "
          "-----BEGIN CERTIFICATE-----");
  }
  SECTION("a broken second certificate") {
    static_cast<void>(directory.write(
        "tls.crt",
        pair.certificate_pem() + "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"));
    CHECK_THAT(error_of(directory),
               Catch::Matchers::StartsWith("tls.crt: certificate 2 cannot be read (") &&
                   Catch::Matchers::EndsWith("); write it as PEM again"));
  }
  SECTION("no key") {
    static_cast<void>(directory.write("tls.key", pair.certificate_pem()));
    CHECK_THAT(
        error_of(directory),
        Catch::Matchers::StartsWith("tls.key: there is no private key in it (") &&
            Catch::Matchers::EndsWith("); write PEM that begins with -----BEGIN PRIVATE KEY-----"));
  }
  SECTION("a key with a passphrase") {
    static_cast<void>(directory.write("tls.key", pair.key_pem("secret")));
    CHECK(error_of(directory) ==
          "tls.key: the key has a passphrase; write it without one (openssl pkey)");
  }
}

TEST_CASE("The key must belong to the certificate", "[http][certificate]") {
  const TemporaryDirectory directory;
  TestPair(serving()).write_to(directory.path());
  static_cast<void>(directory.write("tls.key", TestPair(serving()).key_pem()));
  CHECK(error_of(directory) ==
        "tls.key: the key does not belong to certificate 1 (CN=webhook) of tls.crt; store both "
        "files of one pair");
}

TEST_CASE("A chain must be in order", "[http][certificate]") {
  const TestPair root = TestPair::authority();
  const TestPair other = TestPair::authority();  // of the same name, but another key
  const TemporaryDirectory directory;
  root.issue(serving()).write_to(directory.path(), other.certificate_pem());
  CHECK(error_of(directory) ==
        "tls.crt: certificate 2 (CN=test authority) did not issue certificate 1 (CN=webhook); "
        "write the serving certificate first and behind each one its issuer");
}

TEST_CASE("A certificate needs a subjectAltName", "[http][certificate]") {
  CertificateSpec spec = serving();
  spec.names.clear();
  const TemporaryDirectory directory;
  TestPair(spec).write_to(directory.path());
  CHECK(error_of(directory) ==
        "tls.crt: certificate 1 (CN=webhook) has no subjectAltName, and API servers look at "
        "nothing else; issue it for the service's DNS names");
}

TEST_CASE("A certificate must be for servers, if it says for what", "[http][certificate]") {
  CertificateSpec spec = serving();
  const TemporaryDirectory directory;
  spec.extended_key_usage = "clientAuth";
  TestPair(spec).write_to(directory.path());
  CHECK(error_of(directory) ==
        "tls.crt: certificate 1 (CN=webhook) may not serve TLS; issue it with the extended key "
        "usage serverAuth");
  spec.extended_key_usage.clear();
  TestPair(spec).write_to(directory.path());
  CHECK(error_of(directory) == "fine");
}

TEST_CASE("Every certificate of a chain must be valid now", "[http][certificate]") {
  const TemporaryDirectory directory;
  const TestPair root = TestPair::authority();
  const TestPair middle = root.issue(intermediate());
  middle.issue(serving()).write_to(directory.path(), middle.certificate_pem());
  CHECK(error_of(directory, kNow - hours(2)) ==
        "tls.crt: certificate 1 (CN=webhook) is not valid before 2026-11-30 23:00:00Z; set the "
        "clock, or issue it again");
  CHECK(error_of(directory, kNow + hours(13)) ==
        "tls.crt: certificate 2 (CN=intermediate) expired at 2026-12-01 12:00:00Z; issue a new "
        "one");
  CHECK(error_of(directory, kNow + hours(25)) ==
        "tls.crt: certificate 1 (CN=webhook) expired at 2026-12-02 00:00:00Z; issue a new one");
  CHECK(error_of(directory) == "fine");
}
