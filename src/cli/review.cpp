#include "admission/review.h"

#include <iostream>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "admission/decide.h"
#include "admission/patch.h"
#include "admission/response.h"
#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/input.h"
#include "cli/one_of.h"
#include "cli/settings.h"

namespace cli {
namespace {

struct ReviewOptions {
  std::string file;
  std::string configuration;
  std::string endpoint = "mutate";
  bool show_patch = false;
};

int review(const ReviewOptions& options) {
  const auto settings = load_settings(options.configuration);
  if (!settings) return ExitStatus::unreadable;
  auto text = read_input(options.file);
  if (!text) {
    std::cerr << "tfjob-webhook: " << text.error() << '\n';
    return ExitStatus::unreadable;
  }
  const std::size_t size = text->size();
  text->resize(size + admission::kReviewPadding);

  admission::ReviewReader reader;
  const auto request = reader.read(std::string_view(*text).substr(0, size));
  if (!request) {
    std::cerr << "tfjob-webhook: " << options.file << ": " << request.error() << '\n';
    return ExitStatus::unreadable;
  }
  const auto endpoint =
      options.endpoint == "validate" ? admission::Endpoint::validate : admission::Endpoint::mutate;
  const admission::Decision decision = admission::decide(*request, endpoint, *settings);

  auto answer = nlohmann::ordered_json::parse(admission::write_response(*request, decision));
  if (options.show_patch && !decision.patch.empty()) {
    answer["response"]["patch"] = nlohmann::ordered_json::parse(admission::to_json(decision.patch));
  }
  std::cout << answer.dump(2) << '\n';
  return decision.allowed() ? ExitStatus::ok : ExitStatus::denied;
}

}  // namespace

void add_review(CLI::App& app, Action& action) {
  auto options = std::make_shared<ReviewOptions>();
  CLI::App* command = app.add_subcommand(
      "review", "Answer a saved AdmissionReview as the webhook would, without a server.");
  command->add_option("FILE", options->file, "AdmissionReview as JSON; - is standard input")
      ->required();
  command->add_option("--config", options->configuration, "Configuration file");
  command->add_option("--endpoint", options->endpoint, "Which webhook is asked")
      ->check(one_of({"mutate", "validate"}))
      ->capture_default_str();
  command->add_flag("--show-patch", options->show_patch,
                    "Print the patch as JSON instead of base64");
  command->footer(
      "Examples:\n"
      "  tfjob-webhook review review.json --show-patch\n"
      "  tfjob-webhook review --config config.yaml --endpoint validate - < review.json\n"
      "\n"
      "Exit status: 0 allowed, 1 denied, 2 usage, 3 no AdmissionReview.");
  command->callback([options, &action] { action = [options] { return review(*options); }; });
}

}  // namespace cli
