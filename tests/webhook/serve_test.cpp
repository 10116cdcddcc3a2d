// The running program over real TLS.

#include <csignal>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>
#include <openssl/ssl.h>

#include "tests/support/catch.h"
#include "tests/support/manifest.h"
#include "tests/support/review.h"
#include "tests/support/webhook_process.h"

using nlohmann::ordered_json;
using support::HttpClient;
using support::make_review;
using support::Reply;
using support::WebhookProcess;

namespace {

ordered_json good_job() { return support::test_manifest("valid", "tfjob-v1-inputs-on-job").object; }

ordered_json bad_job() {
  return support::test_manifest("invalid", "tfjob-v1-several-faults").object;
}

ordered_json answer_to(const WebhookProcess& webhook, const ordered_json& review,
                       const std::string& path = "/mutate") {
  const Reply reply = webhook.post(path, review.dump());
  REQUIRE(reply.status == 200);
  CHECK(reply.header("content-type") == "application/json");
  return ordered_json::parse(reply.body);
}

/// The value of a sample such as `name{label="x"}`; -1 if there is none.
double sample(const std::string& metrics, const std::string& name) {
  std::istringstream lines(metrics);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(name + " ")) return std::stod(line.substr(name.size() + 1));
  }
  return -1;
}

}  // namespace

TEST_CASE("every manifest is answered over TLS as by the library, in both versions",
          "[webhook][serve]") {
  const WebhookProcess webhook;
  for (const std::string group : {"valid", "warned", "invalid"}) {
    for (const support::Manifest& manifest : support::test_manifests(group)) {
      for (const char* version : {"admission.k8s.io/v1", "admission.k8s.io/v1beta1"}) {
        INFO(group << "/" << manifest.name << " " << version);
        const auto review = make_review(manifest.object, {.api_version = version});
        const auto mutated = answer_to(webhook, review, "/mutate");
        CHECK(mutated == support::answer(review.dump()));
        CHECK(mutated["apiVersion"] == version);
        const auto validated = answer_to(webhook, review, "/validate");
        CHECK(validated["response"]["allowed"] == (group != "invalid"));
        CHECK_FALSE(validated["response"].contains("patch"));
      }
    }
  }
}

TEST_CASE("bad requests have their status", "[webhook][serve]") {
  const WebhookProcess webhook;
  const std::string review = make_review(good_job()).dump();

  CHECK(webhook.post("/mutate", "no json").status == 400);
  CHECK(webhook.post("/mutate", "").status == 400);
  CHECK(webhook.post("/mutate", std::string(200'000, '[')).status == 400);
  CHECK(webhook.post("/validate", R"({"kind":"AdmissionReview"})").status == 400);
  CHECK(webhook.post("/nowhere", review).status == 404);
  CHECK(webhook.post("/metrics", review).status == 404);  // on the other port only
  CHECK(webhook.post("/mutate/", review).status == 404);

  const auto exchange = [&](const std::string& request) {
    HttpClient client = webhook.connect();
    return client.exchange(request).status;
  };
  CHECK(exchange(HttpClient::request("GET", "/mutate")) == 405);
  CHECK(exchange(HttpClient::request("PUT", "/validate", review)) == 405);
  CHECK(exchange(HttpClient::request("POST", "/mutate", review, "", "text/plain")) == 415);
  CHECK(exchange(HttpClient::request("POST", "/mutate", review, "Content-Encoding: gzip\r\n")) ==
        415);
  CHECK(exchange("POST /mutate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\r\n") ==
        411);
  CHECK(exchange("POST /mutate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                 "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n") == 411);
  CHECK(exchange(HttpClient::request("POST", "/mutate", std::string(9U << 20U, 'x'))) == 413);
  CHECK(exchange("GET /mutate HTTP/1.1\r\nHost: a\r\nX: " + std::string(20'000, 'x') +
                 "\r\n\r\n") == 431);
  CHECK(exchange("nonsense\r\n\r\n") == 400);
  // All the while it serves.
  CHECK(webhook.post("/mutate", review).status == 200);
}

TEST_CASE("a 400 says in words what is wrong", "[webhook][serve]") {
  const WebhookProcess webhook;
  const Reply reply = webhook.post("/mutate", R"({"kind":"TFJob"})");
  CHECK(reply.status == 400);
  CHECK(reply.header("content-type") == "text/plain; charset=utf-8");
  CHECK(reply.body == "kind must be AdmissionReview, as the API server sends it\n");
}

TEST_CASE("an object that is none is denied, not refused", "[webhook][serve]") {
  const WebhookProcess webhook;
  auto review = make_review(good_job());
  review["request"]["object"] = "a string";
  const auto response = answer_to(webhook, review)["response"];
  CHECK(response["allowed"] == false);
  CHECK(response["status"]["details"]["causes"][0]["field"] == "object");
}

TEST_CASE("objects of 3 MB are answered, as UPDATE too", "[webhook][serve]") {
  const WebhookProcess webhook;
  auto large = good_job();
  large["spec"]["padding"] = std::string(3U << 20U, 'p');
  const auto created = answer_to(webhook, make_review(large));
  CHECK(created["response"]["allowed"] == true);
  const auto stored = support::patched(large, created);
  const auto update = make_review(stored, {.operation = "UPDATE", .old_object = stored});
  CHECK(update.dump().size() > 6U << 20U);
  const auto updated = answer_to(webhook, update);
  CHECK(updated["response"]["allowed"] == true);
  CHECK_FALSE(updated["response"].contains("patch"));
}

TEST_CASE("TLS 1.2 and 1.3 are spoken, TLS 1.1 is not", "[webhook][serve]") {
  const WebhookProcess webhook;
  for (const auto& [version, name] :
       {std::pair{TLS1_2_VERSION, "TLSv1.2"}, std::pair{TLS1_3_VERSION, "TLSv1.3"}}) {
    support::TlsOptions options;
    options.ca = webhook.ca();
    options.min_version = options.max_version = version;
    HttpClient client(webhook.reviews_port(), options);
    CHECK(client.tls_version() == name);
    CHECK(client.exchange(HttpClient::request("POST", "/mutate", make_review(good_job()).dump()))
              .status == 200);
  }
  support::TlsOptions old;
  old.min_version = old.max_version = TLS1_1_VERSION;
  old.ciphers = "ALL:@SECLEVEL=0";
  CHECK_THROWS_AS(HttpClient(webhook.reviews_port(), old), std::runtime_error);
}

TEST_CASE("many clients are served at once, over connections that stay", "[webhook][serve]") {
  const WebhookProcess webhook;
  const std::string review = make_review(good_job()).dump();
  const std::string expected = support::answer(review).dump();
  constexpr int kClients = 16;
  constexpr int kReviews = 50;
  std::vector<int> right(kClients, 0);
  {
    std::vector<std::jthread> threads;
    threads.reserve(kClients);
    for (int& count : right) {
      threads.emplace_back([&webhook, &review, &expected, &count] {
        HttpClient client = webhook.connect();
        for (int i = 0; i < kReviews; ++i) {
          const auto reply = client.exchange(HttpClient::request("POST", "/mutate", review));
          if (reply.status == 200 && reply.body == expected) ++count;
        }
      });
    }
  }
  CHECK(right == std::vector<int>(kClients, kReviews));
}

TEST_CASE("the plain port tells of health and metrics, and nothing else", "[webhook][serve]") {
  const WebhookProcess webhook;
  CHECK(webhook.get("/livez").status == 200);
  CHECK(webhook.get("/readyz").body == "ok\n");
  CHECK(webhook.get("/mutate").status == 404);
  CHECK(webhook.get("/").status == 404);

  answer_to(webhook, make_review(good_job()));
  answer_to(webhook, make_review(bad_job()), "/validate");
  auto other = good_job();
  other["kind"] = "Notebook\n{}";
  answer_to(webhook, make_review(other, {.operation = "STRANGE"}));
  CHECK(webhook.post("/mutate", "no review").status == 400);

  const Reply reply = webhook.get("/metrics");
  CHECK(reply.header("content-type") == "text/plain; version=0.0.4; charset=utf-8");
  const std::string& text = reply.body;
  const std::string reviews = "tfjob_webhook_reviews_total";
  CHECK(sample(text, reviews + R"({endpoint="mutate",kind="TFJob",operation="CREATE",)"
                               R"(outcome="allowed"})") == 1);
  CHECK(sample(text, reviews + R"({endpoint="validate",kind="TFJob",operation="CREATE",)"
                               R"(outcome="denied"})") == 1);
  CHECK(sample(text, reviews + R"({endpoint="mutate",kind="other",operation="other",)"
                               R"(outcome="ignored"})") == 1);
  CHECK(sample(text, R"(tfjob_webhook_findings_total{rule="invalid-restart-policy",)"
                     R"(severity="denied"})") == 2);
  CHECK(sample(text, R"(tfjob_webhook_findings_total{rule="unknown-replica-type",)"
                     R"(severity="warned"})") == 1);
  CHECK(sample(text, R"(tfjob_webhook_malformed_requests_total{endpoint="mutate"})") == 1);
  CHECK(sample(text, R"(tfjob_webhook_review_duration_seconds_count{endpoint="mutate"})") == 2);
  CHECK(sample(text, R"(tfjob_webhook_build_info{version=")" + std::string("0.1.0") + R"("})") ==
        1);
  CHECK(sample(text, "tfjob_webhook_configuration_last_reload_successful") == 1);
  const double expiry = sample(text, "tfjob_webhook_certificate_expiry_timestamp_seconds");
  const double day = 24 * 60 * 60;
  CHECK(std::abs(expiry - (static_cast<double>(std::time(nullptr)) + day)) < 600);
}

TEST_CASE("each denial is a line of the log", "[webhook][serve]") {
  WebhookProcess webhook;
  answer_to(webhook, make_review(bad_job()));
  webhook.process().wait_for_err("review denied");
  std::istringstream lines(webhook.process().err());
  ordered_json denied;
  for (std::string line; std::getline(lines, line);) {
    auto parsed = ordered_json::parse(line);
    if (parsed["message"] == "review denied") denied = parsed;
  }
  denied.erase("time");
  CHECK(denied == ordered_json::parse(R"({
    "level": "info", "message": "review denied", "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
    "endpoint": "mutate", "operation": "CREATE", "kind": "TFJob", "namespace": "default",
    "name": "everything-wrong", "user": "ada", "outcome": "denied",
    "rules": "malformed-job, invalid-restart-policy, invalid-exit-codes, duplicate-replica-type, exit-code-container-missing, template-restart-policy-ignored, unknown-replica-type, unknown-annotation"})"));
}

TEST_CASE("the log can be text, and what users write stays in its line", "[webhook][serve]") {
  WebhookProcess webhook({}, {"--log-level", "debug"});
  auto review = make_review(good_job());
  review["request"]["userInfo"]["username"] = "eve\n{\"message\":\"forged\"}";
  answer_to(webhook, review);
  webhook.process().wait_for_err("review answered");
  std::istringstream lines(webhook.process().err());
  for (std::string line; std::getline(lines, line);) {
    CHECK(ordered_json::parse(line)["message"] != "forged");
  }
}

TEST_CASE("a configuration holds", "[webhook][serve]") {
  const WebhookProcess webhook(R"(
apiVersion: exit-codes.kubeflow.org/v1alpha1
kind: WebhookConfiguration
profile: my-cloud
profiles:
  my-cloud:
    retryable: "42"
    maxRetries: 5
namespaces:
- match: [quiet-*]
  enforcement: audit
)");
  const auto created = answer_to(webhook, make_review(good_job(), {.name_space = "default"}));
  CHECK(created["response"]["auditAnnotations"]["outcome"] == "allowed");
  const auto quiet = answer_to(webhook, make_review(bad_job(), {.name_space = "quiet-1"}));
  CHECK(quiet["response"]["allowed"] == true);
  CHECK(quiet["response"]["auditAnnotations"]["profile"] == "my-cloud");
  CHECK(answer_to(webhook, make_review(bad_job()))["response"]["allowed"] == false);
}

TEST_CASE("a new pair is taken, and a bad one is not", "[webhook][serve][reload]") {
  WebhookProcess webhook;
  const std::string old_ca = webhook.ca();
  const std::string review = make_review(good_job()).dump();
  HttpClient kept = webhook.connect();
  REQUIRE(kept.exchange(HttpClient::request("POST", "/mutate", review)).status == 200);

  webhook.write("tls.crt", "rubbish");
  webhook.process().wait_for_err("certificate not reloaded, the old one stays");
  CHECK(webhook.post("/mutate", review).status == 200);
  CHECK(webhook.get("/readyz").status == 200);
  CHECK(sample(webhook.get("/metrics").body, "tfjob_webhook_certificate_last_reload_successful") ==
        0);

  webhook.rotate();
  webhook.process().wait_for_err("certificate reloaded");
  CHECK(webhook.ca() != old_ca);
  CHECK(webhook.post("/mutate", review).status == 200);  // trusts the new authority alone
  CHECK(sample(webhook.get("/metrics").body, "tfjob_webhook_certificate_last_reload_successful") ==
        1);
  // A connection of before goes on.
  CHECK(kept.exchange(HttpClient::request("POST", "/mutate", review)).status == 200);
}

TEST_CASE("the log tells when the certificate ends", "[webhook][serve][reload]") {
  // Far away, so that it is no warning.
  WebhookProcess webhook({}, {}, std::chrono::system_clock::from_time_t(2'537'740'800));
  webhook.process().wait_for_err(
      R"("level":"info","message":"certificate loaded","expires":"2050-06-02T00:00:00Z"})");
  webhook.rotate();
  webhook.process().wait_for_err(R"("level":"warn","message":"certificate reloaded","expires":")");
}

TEST_CASE("only clients of an authority that the flags name may ask", "[webhook][serve]") {
  const support::TestPair authority = support::TestPair::authority("clients");
  support::CertificateSpec spec;
  spec.common_name = "kube-apiserver";
  spec.names.clear();
  spec.extended_key_usage = "clientAuth";
  const support::TestPair client = authority.issue(spec);
  spec.common_name = "somebody";
  const support::TestPair other = authority.issue(spec);
  const support::TemporaryDirectory folder;
  const std::string ca = folder.write("ca.crt", authority.certificate_pem()).string();
  WebhookProcess webhook(
      {}, {"--client-ca-file", ca, "--client-allowed-names", "kube-apiserver,front-proxy"});
  const auto status = [&](const support::TestPair& pair) {
    support::TlsOptions options;
    options.ca = webhook.ca();
    options.certificate = pair.certificate_pem();
    options.key = pair.key_pem();
    HttpClient connection(webhook.reviews_port(), options);
    return connection
        .exchange(HttpClient::request("POST", "/mutate", make_review(good_job()).dump()))
        .status;
  };
  CHECK(status(client) == 200);
  CHECK(status(other) == 403);

  // The authorities change as the pair does: whole or not at all.
  static_cast<void>(folder.write("ca.crt", "no certificate\n"));
  webhook.process().wait_for_err("there is no certificate in it");
  CHECK(status(client) == 200);
  static_cast<void>(folder.write("ca.crt", support::TestPair::authority("new").certificate_pem()));
  webhook.process().wait_for_err("certificate reloaded");
  CHECK(status(client) == 0);
}

TEST_CASE("a new configuration is taken, and a bad one is not", "[webhook][serve][reload]") {
  const std::string head =
      "apiVersion: exit-codes.kubeflow.org/v1alpha1\nkind: WebhookConfiguration\n";
  WebhookProcess webhook(head);
  const auto allowed = [&] {
    return answer_to(webhook, make_review(bad_job()))["response"]["allowed"].get<bool>();
  };
  const auto loaded = [&] {
    return sample(webhook.get("/metrics").body,
                  "tfjob_webhook_configuration_last_reload_successful");
  };
  CHECK_FALSE(allowed());
  webhook.write("config.yaml", head + "enforcement: warn\n");
  webhook.process().wait_for_err("configuration reloaded");
  CHECK(allowed());
  CHECK(loaded() == 1);

  webhook.write("config.yaml", head + "enforcement: denny\n");
  webhook.process().wait_for_err("configuration not reloaded, the old one stays");
  CHECK(webhook.process().err().find("config.yaml:3:14: ") != std::string::npos);
  CHECK(allowed());
  CHECK(loaded() == 0);
  CHECK(webhook.get("/readyz").status == 200);
}

TEST_CASE("a certificate that expires while it is served makes the webhook unready",
          "[webhook][serve]") {
  using std::chrono::system_clock;
  const auto end = system_clock::now() + std::chrono::seconds(3);
  const WebhookProcess webhook({}, {}, end);
  CHECK(webhook.get("/readyz").status == 200);
  std::this_thread::sleep_until(end + std::chrono::seconds(1));
  CHECK(webhook.get("/readyz").status == 503);
  CHECK(webhook.get("/readyz").body == "not ready: the serving certificate has expired\n");
  CHECK(webhook.get("/livez").status == 200);
}

TEST_CASE("SIGTERM drains: not ready at once, serves on, then ends with 0", "[webhook][serve]") {
  WebhookProcess webhook({}, {"--shutdown-delay", "1s"});
  const std::string review = make_review(good_job()).dump();
  HttpClient kept = webhook.connect();
  REQUIRE(kept.exchange(HttpClient::request("POST", "/mutate", review)).status == 200);
  HttpClient busy = webhook.connect();
  const std::string request = HttpClient::request("POST", "/mutate", review);
  REQUIRE(busy.send(request.substr(0, request.size() / 2)));

  webhook.process().signal(SIGTERM);
  webhook.process().wait_for_err("draining");
  CHECK(webhook.get("/readyz").status == 503);
  CHECK(webhook.get("/readyz").body == "not ready: shutting down\n");
  CHECK(webhook.get("/livez").status == 200);
  const Reply late = webhook.post("/mutate", review);
  CHECK(late.status == 200);
  CHECK(late.header("connection") == "close");

  // A request that had begun is answered.
  REQUIRE(busy.send(request.substr(request.size() / 2)));
  const auto answered = busy.read_reply();
  CHECK(answered.status == 200);
  CHECK(answered.header("connection") == "close");
  CHECK(kept.ended());

  CHECK(webhook.process().wait().status == 0);
  CHECK(webhook.process().err().find("\"stopped\"") != std::string::npos);
  CHECK_THROWS(webhook.connect());
}

TEST_CASE("a second signal cuts the delay short", "[webhook][serve]") {
  WebhookProcess webhook({}, {"--shutdown-delay", "1h"});
  webhook.process().signal(SIGTERM);
  webhook.process().wait_for_err("draining");
  webhook.process().signal(SIGINT);
  CHECK(webhook.process().wait(std::chrono::seconds(10)).status == 0);
}
