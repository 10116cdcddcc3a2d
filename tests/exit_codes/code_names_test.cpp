#include "exit_codes/code_names.h"

#include <csignal>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include <sysexits.h>

#include "tests/support/catch.h"

namespace exit_codes {
namespace {

const std::map<std::string_view, int> kExpectedSignals{
    {"SIGHUP", 1},   {"SIGINT", 2},     {"SIGQUIT", 3},    {"SIGILL", 4},   {"SIGTRAP", 5},
    {"SIGABRT", 6},  {"SIGIOT", 6},     {"SIGBUS", 7},     {"SIGFPE", 8},   {"SIGKILL", 9},
    {"SIGUSR1", 10}, {"SIGSEGV", 11},   {"SIGUSR2", 12},   {"SIGPIPE", 13}, {"SIGALRM", 14},
    {"SIGTERM", 15}, {"SIGSTKFLT", 16}, {"SIGCHLD", 17},   {"SIGCLD", 17},  {"SIGCONT", 18},
    {"SIGSTOP", 19}, {"SIGTSTP", 20},   {"SIGTTIN", 21},   {"SIGTTOU", 22}, {"SIGURG", 23},
    {"SIGXCPU", 24}, {"SIGXFSZ", 25},   {"SIGVTALRM", 26}, {"SIGPROF", 27}, {"SIGWINCH", 28},
    {"SIGIO", 29},   {"SIGPOLL", 29},   {"SIGPWR", 30},    {"SIGSYS", 31}};

const std::map<std::string_view, int> kExpectedSysexits{
    {"EX_USAGE", EX_USAGE},         {"EX_DATAERR", EX_DATAERR}, {"EX_NOINPUT", EX_NOINPUT},
    {"EX_NOUSER", EX_NOUSER},       {"EX_NOHOST", EX_NOHOST},   {"EX_UNAVAILABLE", EX_UNAVAILABLE},
    {"EX_SOFTWARE", EX_SOFTWARE},   {"EX_OSERR", EX_OSERR},     {"EX_OSFILE", EX_OSFILE},
    {"EX_CANTCREAT", EX_CANTCREAT}, {"EX_IOERR", EX_IOERR},     {"EX_TEMPFAIL", EX_TEMPFAIL},
    {"EX_PROTOCOL", EX_PROTOCOL},   {"EX_NOPERM", EX_NOPERM},   {"EX_CONFIG", EX_CONFIG}};

}  // namespace

TEST_CASE("every signal's name stands for 128 plus its number", "[exit_codes][code_names]") {
  CHECK(signal_names().size() == kExpectedSignals.size());
  for (const auto& [name, number] : kExpectedSignals) {
    CAPTURE(name);
    CHECK(code_of_name(name) == 128 + number);
  }
}

TEST_CASE("signals 1 to 31 all have a preferred name, aliases another",
          "[exit_codes][code_names]") {
  for (int number = 1; number <= 31; ++number) {
    CAPTURE(number);
    const std::string_view name = signal_of_code(128 + number);
    CHECK(kExpectedSignals.at(name) == number);
    CHECK(name != "SIGIOT");
    CHECK(name != "SIGPOLL");
    CHECK(name != "SIGCLD");
  }
  CHECK(signal_of_code(134) == "SIGABRT");
  CHECK(signal_of_code(145) == "SIGCHLD");
  CHECK(signal_of_code(157) == "SIGIO");
}

TEST_CASE("the numbers are those of this system's signals", "[exit_codes][code_names]") {
  CHECK(code_of_name("SIGSEGV") == 128 + SIGSEGV);
  CHECK(code_of_name("SIGTERM") == 128 + SIGTERM);
  CHECK(code_of_name("SIGBUS") == 128 + SIGBUS);
  CHECK(code_of_name("SIGSTKFLT") == 128 + SIGSTKFLT);
  CHECK(code_of_name("SIGCHLD") == 128 + SIGCHLD);
  CHECK(code_of_name("SIGPOLL") == 128 + SIGPOLL);
  CHECK(code_of_name("SIGPWR") == 128 + SIGPWR);
  CHECK(code_of_name("SIGSYS") == 128 + SIGSYS);
}

TEST_CASE("every name of sysexits.h has its number", "[exit_codes][code_names]") {
  CHECK(sysexits_names().size() == kExpectedSysexits.size());
  for (const auto& [name, code] : kExpectedSysexits) {
    CAPTURE(name);
    CHECK(code_of_name(name) == code);
    const std::string description = describe_code(code);
    CHECK(description.starts_with(std::string(name) + ", "));
  }
}

TEST_CASE("names are exact", "[exit_codes][code_names]") {
  for (const auto* name : {"", "sigterm", "TERM", "SIGRTMIN", "EX_OK", "EX__BASE", "EX__MAX", "SIG",
                           "SIGTERM ", "SIGUNUSED", "SIGEMT"}) {
    CAPTURE(name);
    CHECK_FALSE(code_of_name(name).has_value());
  }
}

TEST_CASE("codes are described in a few words", "[exit_codes][code_names]") {
  CHECK(describe_code(0) == "success");
  CHECK(describe_code(1) == "general error");
  CHECK(describe_code(2) == "misuse of shell builtins");
  CHECK(describe_code(75) == "EX_TEMPFAIL, temporary failure");
  CHECK(describe_code(126) == "command cannot be executed");
  CHECK(describe_code(127) == "command not found");
  CHECK(describe_code(128) == "invalid argument to exit");
  CHECK(describe_code(129) == "SIGHUP, signal 1");
  CHECK(describe_code(137) == "SIGKILL, signal 9");
  CHECK(describe_code(139) == "SIGSEGV, signal 11");
  CHECK(describe_code(159) == "SIGSYS, signal 31");
  CHECK(describe_code(162) == "real-time signal 34");
  CHECK(describe_code(192) == "real-time signal 64");
  CHECK(describe_code(255) == "exit status out of range, or exit(-1)");
}

TEST_CASE("codes without a convention are not described", "[exit_codes][code_names]") {
  for (const std::int64_t code :
       {std::int64_t{3}, std::int64_t{42}, std::int64_t{63}, std::int64_t{79}, std::int64_t{125},
        std::int64_t{160}, std::int64_t{161}, std::int64_t{193}, std::int64_t{254},
        std::int64_t{256}, std::int64_t{-1}, std::int64_t{3221225477},
        std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    CAPTURE(code);
    CHECK(describe_code(code).empty());
    CHECK(signal_of_code(code).empty());
  }
}

}  // namespace exit_codes
