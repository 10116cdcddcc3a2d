#include "exit_codes/code_names.h"

#include <array>

#include "exit_codes/code_set.h"

namespace exit_codes {
namespace {

constexpr int kSignalBase = 128;
// glibc keeps 32 and 33 to itself; programs have 34 to 64.
constexpr int kFirstRealTimeSignal = 34;
constexpr int kLastSignal = 64;

constexpr CodeName signal(std::string_view name, int number) {
  return {name, kSignalBase + number};
}

constexpr std::array kSignals{
    signal("SIGHUP", 1),     signal("SIGINT", 2),    signal("SIGQUIT", 3),  signal("SIGILL", 4),
    signal("SIGTRAP", 5),    signal("SIGABRT", 6),   signal("SIGIOT", 6),   signal("SIGBUS", 7),
    signal("SIGFPE", 8),     signal("SIGKILL", 9),   signal("SIGUSR1", 10), signal("SIGSEGV", 11),
    signal("SIGUSR2", 12),   signal("SIGPIPE", 13),  signal("SIGALRM", 14), signal("SIGTERM", 15),
    signal("SIGSTKFLT", 16), signal("SIGCHLD", 17),  signal("SIGCLD", 17),  signal("SIGCONT", 18),
    signal("SIGSTOP", 19),   signal("SIGTSTP", 20),  signal("SIGTTIN", 21), signal("SIGTTOU", 22),
    signal("SIGURG", 23),    signal("SIGXCPU", 24),  signal("SIGXFSZ", 25), signal("SIGVTALRM", 26),
    signal("SIGPROF", 27),   signal("SIGWINCH", 28), signal("SIGIO", 29),   signal("SIGPOLL", 29),
    signal("SIGPWR", 30),    signal("SIGSYS", 31),
};

constexpr std::array kSysexits{
    CodeName{"EX_USAGE", 64},     CodeName{"EX_DATAERR", 65}, CodeName{"EX_NOINPUT", 66},
    CodeName{"EX_NOUSER", 67},    CodeName{"EX_NOHOST", 68},  CodeName{"EX_UNAVAILABLE", 69},
    CodeName{"EX_SOFTWARE", 70},  CodeName{"EX_OSERR", 71},   CodeName{"EX_OSFILE", 72},
    CodeName{"EX_CANTCREAT", 73}, CodeName{"EX_IOERR", 74},   CodeName{"EX_TEMPFAIL", 75},
    CodeName{"EX_PROTOCOL", 76},  CodeName{"EX_NOPERM", 77},  CodeName{"EX_CONFIG", 78},
};

struct Meaning {
  int code;
  std::string_view words;
};

// 1, 2 and 126 to 128 as POSIX shells use them; 64 to 78 as the comments of sysexits.h have them.
constexpr std::array kMeanings{
    Meaning{0, "success"},
    Meaning{1, "general error"},
    Meaning{2, "misuse of shell builtins"},
    Meaning{64, "EX_USAGE, command line usage error"},
    Meaning{65, "EX_DATAERR, data format error"},
    Meaning{66, "EX_NOINPUT, cannot open input"},
    Meaning{67, "EX_NOUSER, addressee unknown"},
    Meaning{68, "EX_NOHOST, host name unknown"},
    Meaning{69, "EX_UNAVAILABLE, service unavailable"},
    Meaning{70, "EX_SOFTWARE, internal software error"},
    Meaning{71, "EX_OSERR, system error"},
    Meaning{72, "EX_OSFILE, critical OS file missing"},
    Meaning{73, "EX_CANTCREAT, cannot create output file"},
    Meaning{74, "EX_IOERR, input/output error"},
    Meaning{75, "EX_TEMPFAIL, temporary failure"},
    Meaning{76, "EX_PROTOCOL, remote error in protocol"},
    Meaning{77, "EX_NOPERM, permission denied"},
    Meaning{78, "EX_CONFIG, configuration error"},
    Meaning{126, "command cannot be executed"},
    Meaning{127, "command not found"},
    Meaning{128, "invalid argument to exit"},
    Meaning{255, "exit status out of range, or exit(-1)"},
};

}  // namespace

std::span<const CodeName> signal_names() noexcept { return kSignals; }

std::span<const CodeName> sysexits_names() noexcept { return kSysexits; }

std::optional<int> code_of_name(std::string_view name) noexcept {
  for (const auto names : {signal_names(), sysexits_names()}) {
    for (const CodeName& known : names) {
      if (known.name == name) return known.code;
    }
  }
  return std::nullopt;
}

std::string_view signal_of_code(std::int64_t code) noexcept {
  for (const CodeName& known : kSignals) {
    if (known.code == code) return known.name;
  }
  return {};
}

std::string describe_code(std::int64_t code) {
  for (const Meaning& meaning : kMeanings) {
    if (meaning.code == code) return std::string(meaning.words);
  }
  if (code <= kSignalBase || code > kSignalBase + kLastSignal) return {};
  const std::string number = std::to_string(code - kSignalBase);
  if (const std::string_view name = signal_of_code(code); !name.empty()) {
    return std::string(name) + ", signal " + number;
  }
  return code < kSignalBase + kFirstRealTimeSignal ? std::string() : "real-time signal " + number;
}

}  // namespace exit_codes
