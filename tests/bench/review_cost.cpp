// What a review costs: the server's CPU time for small reviews (12 KB, a TFJob with an `ExitCode`
// worker as the API server sends it), as a multiple of what the same server spends on a constant
// reply of the same size to the same requests, in the same run. Fails if it is more than 4.
//
// Usage: review_cost [REQUESTS]

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "http/certificate.h"
#include "http/server.h"
#include "http/tls_context.h"
#include "tests/bench/reviews.h"
#include "tests/support/http_client.h"
#include "tests/support/review.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/test_certificate.h"
#include "webhook/review_handler.h"
#include "webhook/routes.h"

namespace {

constexpr double kLimit = 4.0;
constexpr std::size_t kReviewSize = 12'000;
constexpr int kRounds = 7;

/// Serves /mutate and /constant until killed; writes its port to `out`.
[[noreturn]] void serve(const std::filesystem::path& certificates, const std::string& constant,
                        int out) {
  webhook::Log log(webhook::LogFormat::json, webhook::LogLevel::info);
  webhook::Metrics metrics;
  const webhook::Snapshot<admission::Settings> settings(
      std::make_shared<const admission::Settings>());
  const webhook::ReviewHandler handler(settings, metrics, log);
  http::ServerOptions options;
  options.host = "127.0.0.1";
  options.routes = webhook::review_routes(handler);
  options.routes.push_back(
      {.method = "POST",
       .path = "/constant",
       .consumes = "application/json",
       .handler = [&constant](const http::Request&) {
         return http::Response{
             .status = 200, .content_type = "application/json", .body = constant, .headers = {}};
       }});
  const auto certificate =
      http::Certificate::load(certificates, std::chrono::system_clock::now()).value();
  auto context = http::make_tls_context(certificate).value();
  options.tls = [context] { return context; };
  http::Server server(std::move(options));
  const std::uint16_t port = server.listen().value();
  if (::write(out, &port, sizeof port) != sizeof port) std::abort();
  server.run();
  std::abort();
}

/// Seconds of CPU that the process has used.
double cpu_of(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return -1;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Server CPU in microseconds for each of `count` requests over one connection.
double cost(pid_t server, support::HttpClient& client, const std::string& path,
            const std::string& body, int count) {
  const std::string request = support::HttpClient::request(
      "POST", path, body, "User-Agent: kube-apiserver-admission\r\nAccept-Encoding: gzip\r\n");
  const double before = cpu_of(server);
  for (int i = 0; i < count; ++i) {
    if (client.exchange(request).status != 200) {
      std::puts("a request was not answered with 200");
      std::abort();
    }
  }
  return (cpu_of(server) - before) / count * 1e6;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const int requests = argc > 1 ? std::atoi(argv[1]) : 1000;
  const support::TemporaryDirectory folder;
  support::TestPair::authority().issue({}).write_to(folder.path());
  const std::string review = bench::review_of_size(kReviewSize);
  const std::string constant = support::answer(review).dump();

  int ends[2];
  if (::pipe(ends) != 0) return 1;
  const pid_t server = ::fork();
  if (server == 0) serve(folder.path(), constant, ends[1]);
  std::uint16_t port = 0;
  if (::read(ends[0], &port, sizeof port) != sizeof port) return 1;

  std::vector<double> reviews;
  std::vector<double> constants;
  std::vector<double> ratios;
  {
    support::HttpClient client(port, support::TlsOptions{});
    cost(server, client, "/mutate", review, requests / 10);
    cost(server, client, "/constant", review, requests / 10);
    for (int round = 0; round < kRounds; ++round) {
      constants.push_back(cost(server, client, "/constant", review, requests));
      reviews.push_back(cost(server, client, "/mutate", review, requests));
      ratios.push_back(reviews.back() / constants.back());
    }
  }
  ::kill(server, SIGKILL);
  ::waitpid(server, nullptr, 0);

  const double ratio = median(ratios);
  std::printf(
      "review of %zu bytes: %.1f us of CPU; constant reply: %.1f us; ratio %.2f (limit %.1f)\n",
      review.size(), median(reviews), median(constants), ratio, kLimit);
  return ratio <= kLimit ? 0 : 1;
}
