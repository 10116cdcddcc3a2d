#include "kube/kubeconfig.h"

#include "tests/kube/environment.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_directory.h"

using kube_test::Variable;

namespace {

/// Two clusters, two users, two contexts, as `kubectl config view --raw` writes them.
constexpr const char* kFile = R"(apiVersion: v1
kind: Config
current-context: first
clusters:
- name: one
  cluster:
    server: https://one.example:6443
    certificate-authority-data: Q0E=
    tls-server-name: kubernetes
- name: two
  cluster:
    server: https://two.example
    certificate-authority: pki/ca.crt
contexts:
- name: first
  context: {cluster: one, user: admin, namespace: team-a}
- name: second
  context: {cluster: two, user: robot}
users:
- name: admin
  user:
    client-certificate-data: Q0VS
      VA==
    client-key: pki/admin.key
- name: robot
  user: {token: abc}
)";

std::string error_of(const support::TemporaryDirectory& folder, const std::string& content,
                     const std::string& context = {}) {
  const auto file = folder.write("config", content);
  const auto read = kube::read_kubeconfig(file, context);
  REQUIRE_FALSE(read);
  const std::string start = file.string() + ": ";
  return read.error().starts_with(start) ? read.error().substr(start.size()) : read.error();
}

/// A file of one context whose cluster and user say this.
std::string file_of(const std::string& cluster, const std::string& user) {
  return "current-context: c\n"
         "contexts: [{name: c, context: {cluster: k, user: u}}]\n"
         "clusters: [{name: k, cluster: " +
         cluster +
         "}]\n"
         "users: [{name: u, user: " +
         user + "}]\n";
}

}  // namespace

TEST_CASE("The current context is read", "[kube][kubeconfig]") {
  const support::TemporaryDirectory folder;
  folder.write("pki/admin.key", "KEY");
  const auto read = kube::read_kubeconfig(folder.write("config", kFile));
  REQUIRE(read);
  CHECK(read->host == "one.example");
  CHECK(read->port == 6443);
  CHECK(read->ca == "CA");
  CHECK(read->server_name == "kubernetes");
  CHECK(read->certificate == "CERT");
  CHECK(read->key == "KEY");
  CHECK(read->name_space == "team-a");
  CHECK(read->verify);
}

TEST_CASE("Another context can be named; files are below the kubeconfig's folder",
          "[kube][kubeconfig]") {
  const support::TemporaryDirectory folder;
  folder.write("pki/ca.crt", "AUTHORITY");
  const auto read = kube::read_kubeconfig(folder.write("config", kFile), "second");
  REQUIRE(read);
  CHECK(read->host == "two.example");
  CHECK(read->port == 443);
  CHECK(read->ca == "AUTHORITY");
  CHECK(read->token == "abc");
  CHECK(read->certificate.empty());
  CHECK(read->name_space == "default");
}

TEST_CASE("Other ways to be let in are read", "[kube][kubeconfig]") {
  const support::TemporaryDirectory folder;
  const std::string cluster = "{server: 'https://a', insecure-skip-tls-verify: true}";
  const auto file =
      kube::read_kubeconfig(folder.write("config", file_of(cluster, "{tokenFile: token}")));
  REQUIRE(file);
  CHECK(file->token_file == folder.path() / "token");
  CHECK_FALSE(file->verify);
  const auto basic =
      kube::read_kubeconfig(folder.write("config", file_of(cluster, "{username: u, password: p}")));
  REQUIRE(basic);
  CHECK(basic->username == "u");
  CHECK(basic->password == "p");
}

TEST_CASE("What runs a program is refused, with the way out", "[kube][kubeconfig]") {
  const support::TemporaryDirectory folder;
  const std::string cluster = "{server: 'https://a'}";
  const std::string rest =
      " runs a program for credentials, which is not supported: use a context with a certificate "
      "or a token ('kubectl create token ACCOUNT' makes one)";
  CHECK(error_of(folder, file_of(cluster, "{exec: {command: aws}}")) == "user 'u': exec" + rest);
  CHECK(error_of(folder, file_of(cluster, "{auth-provider: {name: gcp}}")) ==
        "user 'u': auth-provider" + rest);
}

TEST_CASE("Errors of a kubeconfig name the file, the entry and the mend", "[kube][kubeconfig]") {
  const support::TemporaryDirectory folder;
  const std::string cluster = "{server: 'https://a'}";
  CHECK(error_of(folder, "kind: Config") == "current-context is not set: name one with --context");
  CHECK(error_of(folder, kFile, "third") == "there is no context 'third'");
  CHECK(error_of(folder, "contexts: [{name: c, context: {cluster: k}}]", "c") ==
        "there is no cluster 'k'");
  CHECK(error_of(folder,
                 "contexts: [{name: c, context: {cluster: k, user: u}}]\n"
                 "clusters: [{name: k, cluster: {server: 'https://a'}}]",
                 "c") == "there is no user 'u'");
  CHECK(error_of(folder, file_of("{server: a}", "{}")) ==
        "cluster 'k': server: 'a' is no URL of an API server: write https://HOST:PORT");
  CHECK(error_of(folder, file_of("{server: 'https://a', proxy-url: 'http://p'}", "{}")) ==
        "cluster 'k': proxy-url is not supported: use a context that reaches the server directly");
  CHECK(error_of(folder, file_of("{server: 'https://a', certificate-authority-data: '%%'}",
                                 "{}")) == "cluster 'k': certificate-authority-data is no base64");
  CHECK(error_of(folder, file_of(cluster, "{client-certificate-data: Q0E=}")) ==
        "user 'u': client-certificate and client-key go together: one of them is missing");
  CHECK(error_of(folder, file_of(cluster, "{client-certificate: gone.crt}"))
            .starts_with("user 'u': "));
  CHECK(error_of(folder, "- a list") ==
        (folder.path() / "config").string() + " is no kubeconfig: it has no keys");
  CHECK(error_of(folder, "a: [").starts_with((folder.path() / "config").string() + ":"));
}

TEST_CASE("Credentials are looked for as kubectl does", "[kube][kubeconfig]") {
  const support::TemporaryDirectory folder;
  const auto named = folder.write("named", file_of("{server: 'https://named'}", "{}"));
  const auto second = folder.write("second", file_of("{server: 'https://second'}", "{}"));
  folder.write(".kube/config", file_of("{server: 'https://home'}", "{}"));
  const Variable home("HOME", folder.path().c_str());
  const Variable host("KUBERNETES_SERVICE_HOST", nullptr);
  {
    const Variable variable("KUBECONFIG", (":" + second.string() + ":/nowhere").c_str());
    CHECK(kube::find_credentials(named)->host == "named");
    CHECK(kube::find_credentials({})->host == "second");
  }
  const Variable variable("KUBECONFIG", nullptr);
  CHECK(kube::find_credentials({})->host == "home");
  const support::TemporaryDirectory empty;
  const Variable nothing("HOME", empty.path().c_str());
  const auto none = kube::find_credentials({});
  REQUIRE_FALSE(none);
  CHECK(none.error() ==
        "no credentials: not in a pod, and there is no ~/.kube/config; name a file with "
        "--kubeconfig");
}
