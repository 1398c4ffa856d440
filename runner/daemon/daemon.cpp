// SPDX-License-Identifier: Apache-2.0
#include "runner/daemon/daemon.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "core/log/log.hpp"
#include "core/units/digest.hpp"
#include "core/units/limits.hpp"
#include "platform/process/file_lock.hpp"
#include "runner/code/ceilings.hpp"
#include "runner/daemon/profile_task.hpp"
#include "runner/daemon/session.hpp"
#include "runner/gpu/device_times.hpp"
#include "runner/gpu/health.hpp"
#include "runner/gpu/probe.hpp"
#include "runner/gpu/sanitizer.hpp"
#include "runner/job/epoch.hpp"
#include "runner/source/mirror.hpp"

namespace kernelgate {
namespace {

namespace fs = std::filesystem;

std::string host_name() {
  char name[256] = "";
  if (gethostname(name, sizeof name - 1) != 0) return "runner";
  return name;
}

void sleep_unless(const std::stop_token& stop, std::chrono::milliseconds length) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any().wait_for(lock, stop, length, [] { return false; });
}

constexpr const char* kStopping = "the runner is stopping";

class Runner {
 public:
  Runner(const RunnerConfig& config, Sandbox sandbox, MirrorPool mirrors, MirrorPool fork_mirrors, Client claims,
         MachineFacts machine, std::unique_ptr<DisturbanceProbe> probe)
      : config_(config),
        sandbox_(std::move(sandbox)),
        mirrors_(std::move(mirrors)),
        fork_mirrors_(std::move(fork_mirrors)),
        claims_(std::move(claims)),
        machine_(std::move(machine)),
        probe_(std::move(probe)) {}

  Status open_builds() {
    auto builds = BuildCache::open(
        {.root = config_.work / "builds", .tree_max = config_.tree_max, .testbed = machine_.testbed.toolkit}, sandbox_);
    if (!builds) return pass_on(builds);
    builds_.emplace(std::move(*builds));
    return {};
  }

  Status serve(const std::stop_token& stop) {
    bool away = false;
    auto pause = std::chrono::milliseconds(250);
    while (!stop.stop_requested()) {
      if (!device_is_well(stop)) continue;
      const BackgroundTask background_task = run_background_task(stop);
      if (background_task == BackgroundTask::done) continue;
      const auto claim = claims_.claim(request(), background_task != BackgroundTask::refused);
      if (!claim) {
        if (stop.stop_requested()) break;
        if (!is_away(claim.error())) return pass_on(claim);
        if (!away) log_warn("the server is away: " + to_string(claim.error()));
        away = true;
        sleep_unless(stop, pause);
        pause = std::min(pause * 2, std::chrono::milliseconds(10000));
        continue;
      }
      if (away) log_info("the server is back");
      away = false;
      pause = std::chrono::milliseconds(250);
      if (!*claim) continue;
      work(**claim, stop);
      if (config_.once) break;
    }
    return {};
  }

 private:
  // Nothing is claimed while the device is taken or unhealthy.
  [[nodiscard]] bool device_is_well(const std::stop_token& stop) {
    if (probe_->trouble().empty()) return true;
    if (!probe_->recovered(stop)) {
      sleep_unless(stop, limits::kRecoveryPause);
      return false;
    }
    log_info("the device can be measured on again");
    return true;
  }

  [[nodiscard]] wire::ClaimRequest request() const {
    wire::ClaimRequest out;
    out.runner = config_.name.empty() ? host_name() : config_.name;
    out.testbed = machine_.testbed;
    out.has_gpu = machine_.has_gpu;
    out.wait_s = static_cast<int>(config_.poll.count());
    return out;
  }

  [[nodiscard]] BackgroundTask run_background_task(const std::stop_token& stop) {
    auto reports = client_for(std::chrono::seconds(30), {});
    if (!reports) return BackgroundTask::refused;
    const auto make = [&](const wire::ProfileClaim& claim) { return profile(claim, stop); };
    return serve_profile(claims_, *reports, request(), make, stop);
  }

  void distrust(JobRequest& request) const {
    request.trust = "fork";
    request.fork_fetch = config_.fork_fetch;
    request.origin.only_hosts = config_.fork_submodule_hosts;
    request.origin.mirrors = &fork_mirrors_;  // what the runner's own keys fetched is not for a fork to name
  }

  Result<ProfiledPair> profile(const wire::ProfileClaim& claim, const std::stop_token& stop) {
    const auto head = CommitHash::parse(claim.head), base = CommitHash::parse(claim.base);
    if (!head) return pass_on(head);
    if (!base) return pass_on(base);
    const auto git = mirrors_.fetch(claim.url, *head, stop);
    if (!git) return pass_on(git);
    if (!git->has_commit(*base)) (void)mirrors_.try_fetch_commit(*git, claim.url, *base, stop);
    JobRequest request{.git = &*git,
                       .origin = {&mirrors_, claim.url},
                       .head = *head,
                       .base = {wire::BaseKind::explicit_commit, claim.base},
                       .registered_manifest = claim.manifest};
    if (claim.fork) distrust(request);
    request.only_suite = claim.suite;
    const JobMachine machine{&sandbox_, &*builds_, probe_.get(), machine_, config_.cpus, sanitizer_};
    return profile_pair(machine, request, *base, claim.benchmark, stop);
  }

  void work(const wire::Claim& claim, const std::stop_token& stop) {
    log_info(fmt::format("run {}: {} {}", claim.run, claim.repository, claim.commit.substr(0, 10)));
    std::stop_source job_stop;
    auto client = client_for(config_.away_max, job_stop.get_token());
    if (!client) return log_error(to_string(client.error()));
    JobSession session(std::move(*client), claim, {config_.heartbeat, config_.away_max}, job_stop, stop);
    const auto result = run_claim(claim, session);
    if (session.end() != SessionEnd::open) {
      log_warn(fmt::format("run {}: given up: {}", claim.run, to_string(session.end())));
      return;
    }
    if (stop.stop_requested()) {
      give_back(claim, session, kStopping);
      return;
    }
    if (!result) {
      log_warn(fmt::format("run {}: {}", claim.run, to_string(result.error())));
      return;
    }
    if (!result->device_trouble.empty()) {
      give_back(claim, session, result->device_trouble);
      return;
    }
    if (result->reused_from) {
      log_info(fmt::format("run {}: already judged as run {}", claim.run, *result->reused_from));
      return;
    }
    const auto reply = session.finish(*result);
    if (reply)
      log_info(fmt::format("run {}: {} ({:.1f} s)", claim.run, to_string(reply->decision.conclusion), result->wall_s));
    else if (stop.stop_requested())
      give_back(claim, session, kStopping);
    else
      log_warn(fmt::format("run {}: not finished: {}", claim.run, to_string(reply.error())));
  }

  [[nodiscard]] Result<Client> client_for(std::chrono::milliseconds retry_for, std::stop_token stop) const {
    ClientOptions options{.server = config_.server, .token = config_.token};
    options.retry_for = retry_for;
    options.stop = std::move(stop);
    return Client::create(std::move(options));
  }

  // Patience with an absent server is over: the lease expires by itself.
  void give_back(const wire::Claim& claim, JobSession& session, const std::string& reason) {
    log_warn(fmt::format("run {}: given back: {}", claim.run, reason));
    auto release_client = client_for(std::chrono::seconds(5), {});
    if (!release_client) return;
    const auto released = session.release(*release_client, reason);
    if (!released) log_warn(fmt::format("run {}: not given back: {}", claim.run, to_string(released.error())));
  }

  // What the source or this machine refuses is evidence too: the run ends as infrastructure.
  Result<JobResult> run_claim(const wire::Claim& claim, JobSession& session) {
    const auto stop = session.stop();
    if (auto told = session.state(RunState::building, "fetching"); !told) return pass_on(told);
    const auto infrastructure = [](const Error& error) {
      JobResult result;
      result.evidence.infrastructure = to_string(error);
      return result;
    };
    const auto head = CommitHash::parse(claim.commit);
    if (!head) return infrastructure(head.error());
    const auto git = fetch(claim, *head, stop);
    if (!git) return infrastructure(git.error());
    JobRequest request{.git = &*git,
                       .origin = {&mirrors_, claim.url},
                       .head = *head,
                       .base = claim.base,
                       .registered_manifest = claim.manifest,
                       .stored = claim.stored,
                       .bad_commits = claim.bad_commits,
                       .baselines = claim.baselines,
                       .sessions = claim.sessions,
                       .seed = claim.seed,
                       .protected_branch = claim.default_branch,
                       .wall_max = config_.run_max};
    JobMachine machine{&sandbox_, &*builds_, probe_.get(), machine_, config_.cpus, sanitizer_};
    machine.ceilings = ceilings(session, stop);
    if (machine_.has_gpu) machine.device_clock = gpu::find_probe(gpu::kDeviceClockLibrary, config_.probe_folder);
    auto entered = enter_epoch(machine, request, epoch_of(claim), session, stop);
    if (!entered) return pass_on(entered);
    if (claim.fork) distrust(request);  // from here on; what an epoch keeps is the trusted anchor's
    if (entered->is_new && !entered->upload.figures.empty()) session.open_epoch(std::move(entered->upload));
    auto result = run_job(machine, request, session, stop);
    if (!result) return result;
    result->gpu_s_held += entered->held_s;
    auto& notices = result->evidence.notices;
    notices.insert(notices.end(), entered->notices.begin(), entered->notices.end());
    return result;
  }

  [[nodiscard]] EpochRequest epoch_of(const wire::Claim& claim) const {
    EpochRequest out;
    out.file = config_.work / "epochs" / (sha256_hex(claim.url + "\n" + machine_.testbed.name).substr(0, 16) + ".json");
    out.control = config_.control;
    if (out.control.empty() && machine_.has_gpu)
      out.control = gpu::find_probe(gpu::kControlProgram, config_.probe_folder);
    out.anchor = claim.anchor;
    if (out.anchor.empty() && !claim.baselines.empty()) out.anchor = claim.baselines.front();
    return out;
  }

  // Without them nothing is compared with a roof.
  std::optional<Ceilings> ceilings(JobReporter& reporter, const std::stop_token& stop) {
    if (!machine_.has_gpu) return std::nullopt;
    const auto program = gpu::find_probe(gpu::kCeilingsProgram, config_.probe_folder);
    const auto say = [&reporter](const std::string& text) { (void)reporter.state(RunState::building, text); };
    const auto found =
        gpu::find_ceilings({machine_.testbed, program, config_.work, machine_.environment}, *probe_, say, stop);
    if (found) return *found;
    log_warn("the GPU's ceilings are not known: " + to_string(found.error()));
    return std::nullopt;
  }

  // A base that is named by a branch needs the branch as it is now.
  Result<Git> fetch(const wire::Claim& claim, const CommitHash& head, const std::stop_token& stop) {
    auto git = mirrors_.fetch(claim.url, head, stop);
    using enum wire::BaseKind;
    if (!git || claim.base.kind == first_parent || claim.base.kind == none) return git;
    const auto base = CommitHash::parse(claim.base.argument);
    if (!base) return mirrors_.refresh(claim.url, stop);
    // A tip before a force push may be gone: then resolving the base says so.
    if (!git->has_commit(*base)) (void)mirrors_.try_fetch_commit(*git, claim.url, *base, stop);
    return git;
  }

  const RunnerConfig& config_;
  Sandbox sandbox_;
  MirrorPool mirrors_;
  MirrorPool fork_mirrors_;  // of submodules that forks name
  Client claims_;
  MachineFacts machine_;
  std::optional<BuildCache> builds_;
  std::unique_ptr<DisturbanceProbe> probe_;
  const fs::path sanitizer_ = machine_.has_gpu ? gpu::find_sanitizer() : fs::path();
};

}  // namespace

Status run_daemon(const RunnerConfig& config, std::stop_token stop) {
  if (auto right = check_cpus(config.cpus); !right) return right;
  std::error_code error;
  fs::create_directories(config.work, error);
  if (error) return fail(Errc::io, "cannot make the work folder: " + error.message(), config.work.string());
  const auto lock = FileLock::try_acquire(config.work / "runner.lock", LockKind::exclusive);
  if (!lock)
    return fail(Errc::conflict, "another runner works in this folder", config.work.string(),
                "give each runner a folder of its own with --work");
  auto machine = read_machine_facts(config.testbed.empty() ? host_name() : config.testbed, config.gpu);
  if (config.gpu != 0 && !machine.has_gpu)
    return fail(Errc::not_found, "there is no GPU " + std::to_string(config.gpu), "--gpu", "count from 0");
  const char* home = std::getenv("HOME");
  auto toolchain = named_toolchain(config.toolchains, home == nullptr ? "" : home);
  if (!toolchain) return pass_on(toolchain);
  auto sandbox = Sandbox::open({.none = config.no_sandbox,
                                .env = machine.environment,
                                .memory_max = config.memory_max,
                                .cgroup = config.cgroup,
                                .toolchain = std::move(*toolchain)});
  if (!sandbox) return pass_on(sandbox);
  auto mirrors = MirrorPool::open(config.work / "mirrors", config.mirror_max);
  if (!mirrors) return pass_on(mirrors);
  auto fork_mirrors = MirrorPool::open(config.work / "fork-mirrors", config.mirror_max, UrlRewrites::ignored);
  if (!fork_mirrors) return pass_on(fork_mirrors);
  ClientOptions options{.server = config.server, .token = config.token};
  options.stop = stop;
  options.retry_for = std::chrono::milliseconds(0);  // the claim loop has its own patience
  auto claims = Client::create(options);
  if (!claims) return pass_on(claims);
  log_info("this machine: " + machine.text + "; " + std::string(to_string(sandbox->mode())));
  log_info("memory: " + sandbox->memory_wall());
  Runner runner(
      config, std::move(*sandbox), std::move(*mirrors), std::move(*fork_mirrors), std::move(*claims),
      std::move(machine),
      gpu::make_probe(config.gpu, {.probe_folder = config.probe_folder, .price_per_hour = config.price_per_hour}));
  if (auto opened = runner.open_builds(); !opened) return opened;
  return runner.serve(stop);
}

}  // namespace kernelgate
