// What each part of a review costs, by Google Benchmark: reading the bytes, the rules, the tables
// and patch, the answer, and the whole of it without network.

#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "admission/decide.h"
#include "admission/response.h"
#include "admission/review.h"
#include "exit_codes/annotation.h"
#include "http/head.h"
#include "http/request.h"
#include "jobs/check.h"
#include "jobs/kind.h"
#include "jobs/subject.h"
#include "tests/bench/reviews.h"
#include "webhook/review_handler.h"

namespace {

using admission::Endpoint;
using admission::Settings;

/// A review with the spare bytes behind it that simdjson wants.
class Body {
 public:
  explicit Body(std::size_t size) : text_(bench::review_of_size(size)), size_(text_.size()) {
    text_.resize(size_ + http::kBodyPadding);
  }
  [[nodiscard]] std::string_view view() const { return std::string_view(text_).substr(0, size_); }

 private:
  std::string text_;
  std::size_t size_;
};

std::size_t size_of(const benchmark::State& state) {
  return static_cast<std::size_t>(state.range(0));
}

void finish(benchmark::State& state, const Body& body) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(body.view().size()));
}

void read_review(benchmark::State& state) {
  const Body body(size_of(state));
  admission::ReviewReader reader;
  while (state.KeepRunning()) {
    auto review = reader.read(body.view());
    benchmark::DoNotOptimize(review);
  }
  finish(state, body);
}

void check_rules(benchmark::State& state) {
  const Body body(size_of(state));
  admission::ReviewReader reader;
  const auto review = reader.read(body.view());
  const Settings settings;
  const auto* const kind = jobs::find_kind(review->group, review->version, review->kind);
  const auto& table = *settings.profiles.find(settings.profile);
  while (state.KeepRunning()) {
    const auto subject = jobs::make_subject(*kind, review->object, settings.profiles, table);
    auto findings = jobs::check(subject);
    benchmark::DoNotOptimize(findings);
  }
}

/// The rules, the tables and the patch.
void decide(benchmark::State& state) {
  const Body body(size_of(state));
  admission::ReviewReader reader;
  const auto review = reader.read(body.view());
  const Settings settings;
  while (state.KeepRunning()) {
    auto decision = admission::decide(*review, Endpoint::mutate, settings);
    benchmark::DoNotOptimize(decision);
  }
}

void write_response(benchmark::State& state) {
  const Body body(size_of(state));
  admission::ReviewReader reader;
  const auto review = reader.read(body.view());
  const Settings settings;
  const auto decision = admission::decide(*review, Endpoint::mutate, settings);
  while (state.KeepRunning()) {
    auto response = admission::write_response(*review, decision);
    benchmark::DoNotOptimize(response);
  }
}

void encode_table(benchmark::State& state) {
  const Settings settings;
  const auto& table = *settings.profiles.find(settings.profile);
  while (state.KeepRunning()) {
    auto text = exit_codes::encode(table);
    benchmark::DoNotOptimize(text);
  }
}

/// From the body's bytes to the response, counted and logged.
void handle(benchmark::State& state) {
  const Body body(size_of(state));
  webhook::Log log(webhook::LogFormat::json, webhook::LogLevel::info);
  webhook::Metrics metrics;
  const webhook::Snapshot<Settings> settings(std::make_shared<const Settings>());
  const webhook::ReviewHandler handler(settings, metrics, log);
  const http::Request request{"POST", "/mutate", "application/json", "127.0.0.1:1", body.view()};
  while (state.KeepRunning()) {
    auto response = handler.handle(request, Endpoint::mutate);
    benchmark::DoNotOptimize(response);
  }
  finish(state, body);
}

void parse_head(benchmark::State& state) {
  constexpr std::string_view kHead =
      "POST /mutate?timeout=5s HTTP/1.1\r\nHost: tfjob-webhook.tfjob-webhook.svc:443\r\n"
      "User-Agent: kube-apiserver-admission\r\nContent-Length: 11800\r\n"
      "Accept: application/json, */*\r\nContent-Type: application/json\r\n"
      "Accept-Encoding: gzip\r\n\r\n";
  while (state.KeepRunning()) {
    auto head = http::parse_head(kHead);
    benchmark::DoNotOptimize(head);
  }
}

BENCHMARK(parse_head);
BENCHMARK(encode_table);
BENCHMARK(read_review)->Arg(11'800)->Arg(334'000);
BENCHMARK(check_rules)->Arg(11'800);
BENCHMARK(decide)->Arg(11'800);
BENCHMARK(write_response)->Arg(11'800);
BENCHMARK(handle)->Arg(11'800)->Arg(334'000);

}  // namespace

BENCHMARK_MAIN();
