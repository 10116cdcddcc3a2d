#include "tests/support/webhook_process.h"

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace support {
namespace {

std::uint16_t port_of(const std::string& address) {
  return static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
}

/// The log line with this message. Throws if there is none.
nlohmann::json log_line(const std::string& log, const std::string& message) {
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    auto parsed = nlohmann::json::parse(line, nullptr, false);
    if (parsed.is_object() && parsed.value("message", "") == message) return parsed;
  }
  throw std::runtime_error("no line \"" + message + "\" in: " + log);
}

}  // namespace

WebhookProcess::WebhookProcess(const std::string& configuration,
                               const std::vector<std::string>& flags,
                               std::chrono::system_clock::time_point not_after) {
  write_pair(not_after);

  std::vector<std::string> arguments{PROGRAM,
                                     "serve",
                                     "--cert-dir",
                                     folder_.path().string(),
                                     "--bind-address",
                                     "127.0.0.1:0",
                                     "--metrics-bind-address",
                                     "127.0.0.1:0",
                                     "--shutdown-delay",
                                     "0s"};
  if (!configuration.empty()) {
    arguments.insert(arguments.end(),
                     {"--config", folder_.write("config.yaml", configuration).string()});
  }
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  process_ = std::make_unique<Process>(arguments);
  process_->wait_for_err("\"serving\"");
  const auto line = log_line(process_->err(), "serving");
  reviews_port_ = port_of(line.at("https"));
  operations_port_ = port_of(line.at("http"));
}

WebhookProcess::~WebhookProcess() {
  if (!process_->running()) return;
  process_->signal(SIGTERM);
  const Finished finished = process_->wait();
  if (finished.status == 0) return;
  std::cerr << "tfjob-webhook serve ended with " << finished.status << ":\n" << finished.err;
  std::abort();
}

void WebhookProcess::write_pair(std::chrono::system_clock::time_point not_after) {
  CertificateSpec spec;
  spec.not_after = not_after;
  const TestPair authority = TestPair::authority();
  authority.issue(spec).write_to(folder_.path());
  ca_ = authority.certificate_pem();
}

void WebhookProcess::rotate() { write_pair(CertificateSpec{}.not_after); }

void WebhookProcess::write(const std::string& name, const std::string& content) const {
  folder_.write(name, content);
}

HttpClient WebhookProcess::connect() const {
  TlsOptions options;
  options.ca = ca_;
  return {reviews_port_, options};
}

Reply WebhookProcess::post(const std::string& path, const std::string& body) const {
  HttpClient client = connect();
  return client.exchange(HttpClient::request("POST", path, body));
}

Reply WebhookProcess::get(const std::string& path) const {
  HttpClient client = connect_plain();
  return client.exchange(HttpClient::request("GET", path));
}

}  // namespace support
