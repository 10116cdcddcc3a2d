#include "tests/support/process.h"

#include <csignal>
#include <cstring>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/manifest.h"

namespace support {
namespace {

constexpr std::chrono::milliseconds kTick{5};

int exit_status(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

}  // namespace

Process::Process(const std::vector<std::string>& arguments, const std::string& input) {
  const std::string in = scratch_.write("in", input).string();
  const std::string out = scratch_.write("out", "").string();
  const std::string err = scratch_.write("err", "").string();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, in.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_APPEND, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY | O_APPEND, 0);

  std::vector<std::string> owned = arguments;
  std::vector<char*> argv;
  argv.reserve(owned.size() + 1);
  for (std::string& argument : owned) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const int error = posix_spawn(&pid_, argv.front(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error(arguments.front() + ": " + std::strerror(error));
}

Process::~Process() {
  if (!running()) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void Process::signal(int number) const { ::kill(pid_, number); }

bool Process::running() {
  if (status_) return false;
  int wait_status = 0;
  if (::waitpid(pid_, &wait_status, WNOHANG) != pid_) return true;
  status_ = exit_status(wait_status);
  return false;
}

Finished Process::wait(std::chrono::seconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (running()) {
    if (std::chrono::steady_clock::now() > deadline) {
      throw std::runtime_error("the program does not end; it printed: " + err());
    }
    std::this_thread::sleep_for(kTick);
  }
  return {*status_, out(), err()};
}

std::string Process::out() const { return read_file(scratch_.path() / "out"); }
std::string Process::err() const { return read_file(scratch_.path() / "err"); }

void Process::wait_for_err(const std::string& text) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (err().find(text) == std::string::npos) {
    if (!running() || std::chrono::steady_clock::now() > deadline) {
      throw std::runtime_error("the program never printed \"" + text + "\" but: " + err());
    }
    std::this_thread::sleep_for(kTick);
  }
}

Finished run_program(std::vector<std::string> arguments, const std::string& input) {
  arguments.insert(arguments.begin(), PROGRAM);
  return Process(arguments, input).wait();
}

}  // namespace support
