// SPDX-License-Identifier: Apache-2.0
#include "platform/process/process.hpp"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "core/units/limits.hpp"
#include "platform/process/capture.hpp"
#include "platform/process/supervisor.hpp"

namespace kernelgate {
namespace {

using namespace process_detail;
using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

tl::unexpected<Error> system_error(const std::string& what, int error) {
  const bool passing = error == EMFILE || error == ENFILE || error == EAGAIN;
  const auto code = error == ENOENT ? Errc::not_found : passing ? Errc::unavailable : Errc::io;
  return fail(code, what + ": " + std::strerror(error));
}

std::string_view value_of(const std::vector<std::string>& env, std::string_view name) {
  for (const auto& entry : env)
    if (entry.size() > name.size() && entry.compare(0, name.size(), name) == 0 && entry[name.size()] == '=')
      return std::string_view(entry).substr(name.size() + 1);
  return {};
}

Result<std::string> find_program(const ProcessSpec& spec) {
  if (spec.argv.empty() || spec.argv[0].empty()) return fail(Errc::invalid, "no program given");
  const auto& name = spec.argv[0];
  if (name.find('/') != std::string::npos) return name;
  std::string_view path = value_of(spec.env, "PATH");
  if (path.empty()) path = "/usr/local/bin:/usr/bin:/bin";
  while (!path.empty()) {
    const auto end = std::min(path.find(':'), path.size());
    const auto candidate = std::string(path.substr(0, end)) + "/" + name;
    if (end > 0 && access(candidate.c_str(), X_OK) == 0) return candidate;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return fail(Errc::unsupported, "no program '" + name + "'", {}, "install it, or put its folder on PATH");
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const auto& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

void add_limits(const ResourceLimits& wanted, ChildPlan& plan) {
  const auto add = [&](int which, std::uint64_t value) { plan.limits.emplace_back(which, rlimit{value, value}); };
  add(RLIMIT_CORE, 0);
  if (wanted.address_space) add(RLIMIT_AS, wanted.address_space->value);
  if (wanted.file_size) add(RLIMIT_FSIZE, wanted.file_size->value);
  if (wanted.cpu) add(RLIMIT_CPU, static_cast<std::uint64_t>(wanted.cpu->count()));
  if (wanted.processes) add(RLIMIT_NPROC, static_cast<std::uint64_t>(*wanted.processes));
  if (wanted.open_files) add(RLIMIT_NOFILE, static_cast<std::uint64_t>(*wanted.open_files));
}

// stdin is a file in memory: no pipe to fill, no SIGPIPE when the child does not read.
Result<Descriptor> open_stdin(const std::string& text) {
  Descriptor fd(text.empty() ? open("/dev/null", O_RDONLY | O_CLOEXEC) : memfd_create("stdin", MFD_CLOEXEC));
  fd.raise();
  if (!fd.valid()) return system_error("cannot open the child's input", errno);
  for (std::size_t done = 0; done < text.size();) {
    const auto count = write(fd.get(), text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR) return system_error("cannot write the child's input", errno);
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  if (!text.empty()) lseek(fd.get(), 0, SEEK_SET);
  return fd;
}

struct Child {
  pid_t pid = -1;  // the supervisor's
  Descriptor pidfd;
  Descriptor out, err, results, status, report;
};

Result<Child> start(const ProcessSpec& spec) {
  auto program = find_program(spec);
  if (!program) return pass_on(program);
  auto in = open_stdin(spec.stdin_text);
  if (!in) return pass_on(in);
  Pipe out, err, results, status, failed, report;
  if (!out.open() || !failed.open() || !report.open() || (!spec.merge_stderr && !err.open()) ||
      (spec.results_pipe && !results.open()) || (spec.status_pipe && !status.open()))
    return system_error("cannot make a pipe", errno);

  ChildPlan plan;
  plan.argv = pointers(spec.argv);
  plan.envp = pointers(spec.env);
  plan.program = *program;
  plan.cwd = spec.cwd.string();
  plan.in = in->get();
  plan.out = out.write_end.get();
  plan.err = spec.merge_stderr ? plan.out : err.write_end.get();
  plan.results = results.write_end.get();
  plan.status = status.write_end.get();
  plan.filter = spec.filter;
  plan.group = spec.group;
  plan.failure = failed.write_end.get();
  plan.report = report.write_end.get();
  plan.parent = getpid();
  add_limits(spec.limits, plan);
  CPU_ZERO(&plan.cpus);
  for (const int cpu : spec.cpus) CPU_SET(static_cast<unsigned>(cpu), &plan.cpus);
  plan.pin = !spec.cpus.empty();

  const pid_t pid = fork();
  if (pid < 0) return system_error("cannot start a process", errno);
  if (pid == 0) run_supervisor(plan);
  failed.write_end.reset();
  ChildFailure failure;
  ssize_t count = 0;
  while ((count = read(failed.read_end.get(), &failure, sizeof failure)) < 0 && errno == EINTR) {
  }
  if (count == sizeof failure) {
    waitpid(pid, nullptr, 0);
    return system_error(std::string("cannot ") + kChildStages[static_cast<int>(failure.stage)] + " '" +
                            (failure.stage == ChildStage::folder ? spec.cwd.string() : *program) + "'",
                        failure.error);
  }
  Child child;
  child.pid = pid;
  child.pidfd = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  child.out = std::move(out.read_end);
  child.err = std::move(err.read_end);
  child.results = std::move(results.read_end);
  child.status = std::move(status.read_end);
  child.report = std::move(report.read_end);
  return child;
}

// Watches one child until it is gone and its pipes are read.
class Watch {
 public:
  Watch(const ProcessSpec& spec, Child child)
      : spec_(spec),
        pid_(child.pid),
        pidfd_(std::move(child.pidfd)),
        out_(std::move(child.out), spec.output_max),
        err_(std::move(child.err), spec.output_max),
        results_(std::move(child.results), spec.results_max),
        status_(std::move(child.status), Bytes{1 << 16}),
        report_(std::move(child.report)),
        wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        started_(SteadyClock::now()) {}

  void wake() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = write(wake_.get(), &one, sizeof one);
  }

  ProcessResult run(const std::stop_token& stop) {
    auto deadline = started_ + spec_.timeout;
    while (!exited()) {
      wait_for_news(killing_ || !spec_.watch ? deadline : std::min(deadline, next_look_));
      drain();
      look();
      if (!killing_ && must_kill(stop, deadline)) {
        kill(pid_, SIGTERM);
        killing_ = true;
        deadline = SteadyClock::now() + spec_.grace;
      } else if (killing_ && SteadyClock::now() >= deadline) {
        kill(pid_, kKillSignal);
        kill(pid_, SIGCONT);  // a program that stopped its supervisor must not stop us
        deadline = SteadyClock::now() + milliseconds(100);
      }
    }
    return finish();
  }

 private:
  // Leaves the zombie in place, so that its number cannot be given to anybody else yet.
  [[nodiscard]] bool exited() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == pid_;
  }

  bool must_kill(const std::stop_token& stop, SteadyClock::time_point deadline) {
    if (stop.stop_requested())
      result_.cancelled = true;
    else if (!result_.over_limit.empty())
      return true;
    else if (results_.over() || (spec_.kill_when_over && (out_.over() || err_.over())))
      result_.too_large = true;
    else if (SteadyClock::now() >= deadline)
      result_.timed_out = true;
    return result_.killed_by_us();
  }

  // A look that takes long is followed by a longer pause.
  void look() {
    const auto now = SteadyClock::now();
    if (!spec_.watch || killing_ || now < next_look_) return;
    result_.over_limit = spec_.watch(pid_);
    const auto after = SteadyClock::now();
    next_look_ = after + std::max<SteadyClock::duration>(spec_.watch_every, limits::kLookPauseShare * (after - now));
  }

  void wait_for_news(SteadyClock::time_point deadline, bool also_child = true) const {
    std::array<pollfd, 6> watched{};
    nfds_t count = 0;
    const int child = also_child ? pidfd_.get() : -1;
    const int wake = also_child && !killing_ ? wake_.get() : -1;
    for (const int fd : {out_.fd(), err_.fd(), results_.fd(), status_.fd(), child, wake})
      if (fd >= 0) watched[count++] = {fd, POLLIN, 0};
    const auto left = std::chrono::ceil<milliseconds>(deadline - SteadyClock::now()).count();
    const long longest = pidfd_.valid() ? 60000 : 20;  // without pidfds (Linux < 5.3) look at the child often
    poll(watched.data(), count, static_cast<int>(std::clamp(static_cast<long>(left), 0L, longest)));
  }

  void drain() {
    out_.drain();
    err_.drain();
    results_.drain();
    status_.drain();
  }

  ProcessResult finish() {
    const auto ended = SteadyClock::now();
    const auto give_up = ended + limits::kDrainMax;
    const auto any_open = [this] { return out_.open() || err_.open() || results_.open() || status_.open(); };
    for (drain(); any_open() && SteadyClock::now() < give_up; drain()) wait_for_news(give_up, false);
    int status = 0, supervisors = 0;
    rusage usage{};
    while (wait4(pid_, &supervisors, 0, &usage) < 0 && errno == EINTR) {
    }
    // A program that killed its supervisor died with it.
    if (read(report_.get(), &status, sizeof status) != sizeof status) status = supervisors;
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    result_.cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    result_.wall_s = std::chrono::duration<double>(ended - started_).count();
    if (WIFEXITED(status)) result_.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result_.signal = WTERMSIG(status);
    if (results_.over() || (spec_.kill_when_over && (out_.over() || err_.over()))) result_.too_large = true;
    result_.out = out_.text();
    result_.err = err_.text();
    result_.results = results_.text();
    result_.status = status_.text();
    return std::move(result_);
  }

  const ProcessSpec& spec_;
  pid_t pid_;
  Descriptor pidfd_;
  Capture out_, err_, results_, status_;
  Descriptor report_, wake_;
  SteadyClock::time_point started_;
  SteadyClock::time_point next_look_ = started_ + spec_.watch_every;
  bool killing_ = false;
  ProcessResult result_;
};

}  // namespace

Status check_cpus(const std::vector<int>& cpus) {
  cpu_set_t ours;
  CPU_ZERO(&ours);
  if (sched_getaffinity(0, sizeof ours, &ours) != 0) return system_error("sched_getaffinity", errno);
  for (const int cpu : cpus)
    if (cpu < 0 || cpu >= CPU_SETSIZE || !CPU_ISSET(static_cast<unsigned>(cpu), &ours))
      return fail(Errc::invalid, "there is no processor " + std::to_string(cpu) + " here, or we may not use it",
                  "--cpus", "taskset -cp $$ shows those there are");
  return {};
}

Result<ProcessResult> run_process(const ProcessSpec& spec, std::stop_token stop) {
  if (stop.stop_requested()) return ProcessResult{.cancelled = true};
  auto child = start(spec);
  if (!child) return pass_on(child);
  Watch watch(spec, std::move(*child));
  const std::stop_callback wake_up(stop, [&watch] { watch.wake(); });
  return watch.run(stop);
}

std::string describe_end(const ProcessResult& result) {
  char text[160];
  if (result.cancelled) return "cancelled";
  if (!result.over_limit.empty()) return "ended: " + result.over_limit;
  if (result.too_large) return "killed: its output is over the limit";
  if (result.timed_out) {
    std::snprintf(text, sizeof text, "timed out after %.1f s", result.wall_s);
  } else if (result.signal != 0) {
    std::snprintf(text, sizeof text, "signal %d (%s)", result.signal, strsignal(result.signal));
  } else {
    std::snprintf(text, sizeof text, "exit code %d", result.exit_code);
  }
  return text;
}

}  // namespace kernelgate
