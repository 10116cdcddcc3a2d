#include "operators/operator.h"

#include <algorithm>
#include <array>
#include <vector>

#include "exit_codes/nearest.h"
#include "exit_codes/quote.h"
#include "exit_codes/text.h"
#include "jobs/text.h"

namespace operators {
namespace {

using enum Response;
using Names = std::string_view;

constexpr std::string_view kV1alpha1 = "v1alpha1";
constexpr std::string_view kTfJob = "TFJob";

constexpr std::array<Names, 1> kOnlyV1alpha1{kV1alpha1};
constexpr std::array<Names, 1> kOnlyV1alpha2{"v1alpha2"};
constexpr std::array<Names, 2> kBetas{"v1beta1", "v1beta2"};
constexpr std::array<Names, 2> kBeta2AndV1{"v1beta2", "v1"};
constexpr std::array<Names, 1> kV1{"v1"};

// Read in the sources of tf-operator 0.4.0, 0.5.3, 1.1.0, of training-operator 1.4.0 to 1.9.3 and
// of the library kubeflow/common that those before 1.7 were made with; which versions of TFJob the
// others serve, in the pull requests that removed them (v1beta2: kubeflow/training-operator#1075,
// between 0.6 and 0.7). 1.9.3 is also tried, see docs/operator-behaviour.md.

constexpr std::array<Service, 2> kTf02{
    {{kTfJob, kOnlyV1alpha1, fails}, {kTfJob, kOnlyV1alpha2, fails}}};
constexpr std::array<Service, 1> kTf03{{{kTfJob, kOnlyV1alpha2, fails}}};
constexpr std::array<Service, 1> kTf04{{{kTfJob, kBetas, fails}}};
constexpr std::array<Service, 1> kTf05{{{kTfJob, kBeta2AndV1, fails}}};
constexpr std::array<Service, 1> kTf07{{{kTfJob, kV1, fails}}};

// Up to 1.7 only TFJob fails: the other kinds take any failure under ExitCode for a restart
// (kubeflow/training-operator#2044). From 1.5 on a pod that fails under Always or OnFailure is
// deleted, but MXJob and XGBoostJob fail all the same.
constexpr std::array<Service, 4> kTf13{{{kTfJob, kV1, fails},
                                        {"PyTorchJob", kV1, hangs},
                                        {"MXJob", kV1, hangs},
                                        {"XGBoostJob", kV1, hangs}}};
constexpr std::array<Service, 5> kTf14{{{kTfJob, kV1, fails},
                                        {"PyTorchJob", kV1, hangs},
                                        {"MXJob", kV1, hangs},
                                        {"XGBoostJob", kV1, hangs},
                                        {"MPIJob", kV1, std::nullopt}}};
constexpr std::array<Service, 5> kTraining15{{{kTfJob, kV1, fails},
                                              {"PyTorchJob", kV1, hangs, true},
                                              {"MXJob", kV1, hangs},
                                              {"XGBoostJob", kV1, hangs},
                                              {"MPIJob", kV1, std::nullopt}}};
constexpr std::array<Service, 6> kTraining16{{{kTfJob, kV1, fails, true},
                                              {"PyTorchJob", kV1, hangs, true},
                                              {"PaddleJob", kV1, hangs, true},
                                              {"MXJob", kV1, hangs},
                                              {"XGBoostJob", kV1, hangs},
                                              {"MPIJob", kV1, std::nullopt}}};
constexpr std::array<Service, 6> kTraining18{{{kTfJob, kV1, fails, true},
                                              {"PyTorchJob", kV1, fails, true},
                                              {"PaddleJob", kV1, fails, true},
                                              {"MXJob", kV1, fails},
                                              {"XGBoostJob", kV1, fails},
                                              {"MPIJob", kV1, std::nullopt}}};
constexpr std::array<Service, 6> kTraining19{{{kTfJob, kV1, fails, true},
                                              {"PyTorchJob", kV1, fails, true},
                                              {"PaddleJob", kV1, fails, true},
                                              {"XGBoostJob", kV1, fails},
                                              {"JAXJob", kV1, fails, true},
                                              {"MPIJob", kV1, std::nullopt}}};

constexpr std::array<Operator, 16> kOperators{{
    {"tf-operator/0.2", Schema::listed, false, false, kTf02},
    {"tf-operator/0.3", Schema::listed, false, false, kTf03},
    {"tf-operator/0.4", Schema::listed, false, false, kTf04},
    {"tf-operator/0.5", Schema::listed, true, false, kTf05},
    {"tf-operator/0.6", Schema::listed, true, false, kTf05},
    {"tf-operator/0.7", Schema::listed, true, false, kTf07},
    {"tf-operator/1.0", Schema::listed, true, false, kTf07},
    {"tf-operator/1.1", Schema::listed, true, false, kTf07},
    {"tf-operator/1.2", Schema::listed, true, false, kTf07},
    {"tf-operator/1.3", Schema::listed, true, false, kTf13},
    {"tf-operator/1.4", Schema::listed, true, false, kTf14},
    {"training-operator/1.5", Schema::from_128, true, false, kTraining15},
    {"training-operator/1.6", Schema::from_128, true, false, kTraining16},
    {"training-operator/1.7", Schema::from_128, true, true, kTraining16},
    {"training-operator/1.8", Schema::from_128, true, true, kTraining18},
    {"training-operator/1.9", Schema::from_128, true, true, kTraining19},
}};

/// `NAME/vMAJOR.MINOR.PATCH` without the `v` and the patch version; the text itself if it is none.
std::string without_patch(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return std::string(name);
  std::string_view version = name.substr(slash + 1);
  if (version.starts_with('v')) version.remove_prefix(1);
  const std::size_t minor = version.find('.');
  const std::size_t patch = minor == std::string_view::npos ? minor : version.find('.', minor + 1);
  if (patch != std::string_view::npos) {
    // 1.9.0-rc.0 and 1.9.3+build are releases of 1.9 too.
    const std::string_view digits = version.substr(patch + 1);
    const std::size_t end = digits.find_first_of("-+");
    if (!exit_codes::is_digits(digits.substr(0, end))) return std::string(name);
    version = version.substr(0, patch);
  }
  return std::string(name.substr(0, slash + 1)) + std::string(version);
}

/// The releases 1.3 and 1.4 of tf-operator were called training-operator already.
std::string canonical(std::string_view name) {
  std::string text = without_patch(name);
  if (text == "training-operator/1.3") return "tf-operator/1.3";
  if (text == "training-operator/1.4") return "tf-operator/1.4";
  return text;
}

exit_codes::CodeSet retried_codes(Schema schema) {
  return schema == Schema::listed ? exit_codes::CodeSet{130, 137, 138, 143}
                                  : exit_codes::CodeSet::range(128, exit_codes::kMaxCode);
}

}  // namespace

const Service* Operator::find_service(std::string_view kind,
                                      std::string_view version) const noexcept {
  const auto found = std::ranges::find_if(services, [&](const Service& service) {
    return service.kind == kind &&
           std::ranges::find(service.versions, version) != service.versions.end();
  });
  return found == services.end() ? nullptr : &*found;
}

std::span<const Operator> known_operators() noexcept { return kOperators; }

std::expected<const Operator*, std::string> find_operator(std::string_view name) {
  const std::string wanted = canonical(name);
  const auto* const found = std::ranges::find(kOperators, wanted, &Operator::name);
  if (found != kOperators.end()) return found;

  std::vector<std::string_view> names;
  names.reserve(kOperators.size());
  for (const Operator& known : kOperators) names.push_back(known.name);
  std::string message = exit_codes::quote(name) + " is not known: ";
  // Of several that are equally near, the newest.
  const std::vector<std::string_view> newest_first(names.rbegin(), names.rend());
  if (const auto near = exit_codes::nearest(wanted, newest_first); !near.empty()) {
    message += "did you mean '" + std::string(near) + "'? ";
  }
  return std::unexpected(message + "There are " + jobs::joined(names));
}

std::optional<Behaviour> behaviour_of(const Operator& which, const jobs::Kind& kind) {
  const auto found = std::ranges::find_if(kind.versions, [&](std::string_view version) {
    return which.find_service(kind.name, version) != nullptr;
  });
  if (found == kind.versions.end()) return std::nullopt;
  const Service& service = *which.find_service(kind.name, *found);
  if (!service.otherwise) return std::nullopt;

  const bool from_128 = which.schema == Schema::from_128;
  const bool is_v1alpha1 = kind.layout == jobs::Layout::list;
  Behaviour behaviour{.retried = retried_codes(which.schema),
                      .otherwise = *service.otherwise,
                      .over_255 = from_128 ? retries : *service.otherwise,
                      // Later operators put a number of their own, 48879, for a missing code.
                      .no_exit_code = from_128 ? retries : *service.otherwise,
                      .reads_oom_killed = is_v1alpha1};
  if (is_v1alpha1) behaviour.no_exit_code = std::nullopt;
  if (which.fails_deleted_tfjobs && kind.name == kTfJob) behaviour.deleted = fails;
  return behaviour;
}

std::string describe_policy(const Operator& which, const Service& service,
                            std::string_view policy) {
  if (policy == "Never") return "no container is started again: a failed pod fails the job";
  std::string text =
      policy == "Always"
          ? "the kubelet starts the container again however it ended, in the same pod"
          : "the kubelet starts the container again whatever its code, in the same pod";
  text += service.recreates_failed ? "; a pod that fails as a whole (evicted) is created anew"
                                   : "; a pod that fails as a whole (evicted) fails the job";
  text += which.reads_backoff_limit ? "; backoffLimit counts the restarts of running pods"
                                    : "; nothing limits the restarts";
  return text;
}

}  // namespace operators
