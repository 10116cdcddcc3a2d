#include "jobs/kind.h"

#include <algorithm>
#include <array>

namespace jobs {
namespace {

using Names = std::string_view;

constexpr std::array<Names, 1> kV1alpha1{"v1alpha1"};
constexpr std::array<Names, 4> kV1alpha2ToV1{"v1alpha2", "v1beta1", "v1beta2", "v1"};
constexpr std::array<Names, 1> kV1{"v1"};
constexpr std::array<Names, 1> kV2beta1{"v2beta1"};

constexpr std::array<Names, 4> kTheFour{"Always", "OnFailure", "Never", kExitCode};
constexpr std::array<Names, 3> kKubernetes{"Always", "OnFailure", "Never"};
constexpr std::array<Names, 2> kNeverOnFailure{"Never", "OnFailure"};

constexpr std::array<ReplicaType, 3> kTfV1alpha1{{{"MASTER", ""}, {"PS", ""}, {"WORKER", ""}}};
constexpr std::array<ReplicaType, 5> kTf{{{"Chief", "Never"},
                                          {"Master", "Never"},
                                          {"PS", "Never"},
                                          {"Worker", "Never"},
                                          {"Evaluator", "Never"}}};
constexpr std::array<ReplicaType, 2> kMasterWorkerOnFailure{
    {{"Master", "OnFailure"}, {"Worker", "OnFailure"}}};
constexpr std::array<ReplicaType, 2> kMasterWorkerNever{{{"Master", "Never"}, {"Worker", "Never"}}};
constexpr std::array<ReplicaType, 1> kJax{{{"Worker", "Never"}}};
constexpr std::array<ReplicaType, 6> kMx{{{"Scheduler", "Never"},
                                          {"Server", "Never"},
                                          {"Worker", "Never"},
                                          {"Tuner", "Never"},
                                          {"TunerTracker", "Never"},
                                          {"TunerServer", "Never"}}};
constexpr std::array<ReplicaType, 2> kMpiV1{{{"Launcher", "Never"}, {"Worker", "Never"}}};
constexpr std::array<ReplicaType, 2> kMpiV2{{{"Launcher", "OnFailure"}, {"Worker", "Never"}}};

constexpr std::array<Kind, 9> kKinds{{
    {"TFJob", kV1alpha1, "replicaSpecs", Layout::list, kTfV1alpha1, kKubernetes, "tensorflow",
     false, true},
    {"TFJob", kV1alpha2ToV1, "tfReplicaSpecs", Layout::map, kTf, kTheFour, "tensorflow", true,
     true},
    {"PyTorchJob", kV1, "pytorchReplicaSpecs", Layout::map, kMasterWorkerOnFailure, kTheFour,
     "pytorch", true, true},
    {"PaddleJob", kV1, "paddleReplicaSpecs", Layout::map, kMasterWorkerOnFailure, kTheFour,
     "paddle", true, true},
    {"XGBoostJob", kV1, "xgbReplicaSpecs", Layout::map, kMasterWorkerNever, kTheFour, "xgboost",
     true, true},
    {"JAXJob", kV1, "jaxReplicaSpecs", Layout::map, kJax, kTheFour, "jax", true, true},
    {"MXJob", kV1, "mxReplicaSpecs", Layout::map, kMx, kTheFour, "mxnet", true, true},
    {"MPIJob", kV1, "mpiReplicaSpecs", Layout::map, kMpiV1, kTheFour, "", false, false},
    {"MPIJob", kV2beta1, "mpiReplicaSpecs", Layout::map, kMpiV2, kNeverOnFailure, "", false, false},
}};

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equal_but_for_case(std::string_view left, std::string_view right) noexcept {
  return std::ranges::equal(left, right, {}, lower, lower);
}

}  // namespace

const ReplicaType* Kind::find_type(std::string_view type) const noexcept {
  const auto found = std::ranges::find_if(types, [&](const ReplicaType& known) {
    return folds_case ? equal_but_for_case(known.name, type) : known.name == type;
  });
  return found == types.end() ? nullptr : &*found;
}

bool Kind::accepts(std::string_view policy) const noexcept {
  return std::ranges::find(policies, policy) != policies.end();
}

std::span<const Kind> kinds() noexcept { return kKinds; }

const Kind* find_kind(std::string_view group, std::string_view version,
                      std::string_view kind) noexcept {
  if (group != kGroup) return nullptr;
  const auto* const found = std::ranges::find_if(kKinds, [&](const Kind& row) {
    return row.name == kind && std::ranges::find(row.versions, version) != row.versions.end();
  });
  return found == kKinds.end() ? nullptr : found;
}

bool is_specs_field(std::string_view field) noexcept {
  return std::ranges::any_of(kKinds, [&](const Kind& row) { return row.specs_field == field; });
}

}  // namespace jobs
