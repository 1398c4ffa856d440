// SPDX-License-Identifier: Apache-2.0
#include "commands/demo/demo.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "commands/demo/attempts.hpp"
#include "commands/demo/stage.hpp"
#include "core/units/limits.hpp"

namespace kernelgate::demo {
namespace {

constexpr std::chrono::seconds kAsk{1};  // so that an interrupt is heard soon

volatile std::sig_atomic_t interrupted = 0;

// SIGINT and SIGTERM set a flag while one lives.
class Signals {
 public:
  Signals() {
    interrupted = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = 1; };
    sigaction(SIGINT, &action, &old_int_);
    sigaction(SIGTERM, &action, &old_term_);
  }
  ~Signals() {
    sigaction(SIGINT, &old_int_, nullptr);
    sigaction(SIGTERM, &old_term_, nullptr);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

 private:
  struct sigaction old_int_ {
  }, old_term_{};
};

Status not_interrupted() {
  if (interrupted) return fail(Errc::unavailable, "interrupted");
  return {};
}

// On a terminal: what the run is at, overwritten in place.
void show_progress(const Step& step, const wire::Run& run) {
  static const bool kTerminal = isatty(STDERR_FILENO) == 1;
  if (kTerminal)
    fmt::print(stderr, "\r\x1B[K{:>2}  {}  {} {}", step.number, step.title, to_string(run.state), run.progress);
}
void clear_progress() {
  if (isatty(STDERR_FILENO) == 1) fmt::print(stderr, "\r\x1B[K");
}

Result<std::int64_t> wait_for_trigger(Stage& stage, const std::string& commit) {
  const auto deadline = std::chrono::steady_clock::now() + limits::kDemoTriggerMax;
  while (std::chrono::steady_clock::now() < deadline) {
    RunQuery query;
    query.repository = kRepository;
    query.commit = commit;
    const auto page = stage.api->runs(query);
    if (!page) return pass_on(page);
    if (!page->runs.empty()) return page->runs.front().id;
    if (auto alive = stage.children_alive(); !alive) return pass_on(alive);
    if (auto go_on = not_interrupted(); !go_on) return pass_on(go_on);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return fail(Errc::timed_out, "the push of " + commit + " triggered no run");
}

Result<wire::Run> wait_for_verdict(Stage& stage, const Step& step, std::int64_t id) {
  const auto deadline = std::chrono::steady_clock::now() + limits::kDemoRunMax;
  while (std::chrono::steady_clock::now() < deadline) {
    auto run = stage.api->run(id, kAsk);
    if (!run) return run;
    if (is_finished(run->state)) return run;
    show_progress(step, *run);
    if (auto alive = stage.children_alive(); !alive) return pass_on(alive);
    if (auto go_on = not_interrupted(); !go_on) return pass_on(go_on);
  }
  return fail(Errc::timed_out, "run " + std::to_string(id) + " does not end: " + stage.runner->last_words());
}

Result<std::vector<Attempt>> play(Stage& stage, const Scenario& scenario, std::FILE* out) {
  std::vector<Attempt> attempts;
  for (const Step& step : scenario.steps) {
    if (auto pushed = stage.push(step); !pushed) return pass_on(pushed);
    const auto id = wait_for_trigger(stage, stage.commits.at(attempts.size()).str());
    if (!id) return pass_on(id);
    auto run = wait_for_verdict(stage, step, *id);
    clear_progress();
    if (!run) return pass_on(run);
    attempts.push_back(make_attempt(step, std::move(*run), attempts));
    fmt::print(out, "{}", verdict_line(attempts.back()));
    std::fflush(out);
  }
  return attempts;
}

Status leave_up(Stage& stage, std::FILE* out) {
  fmt::print(out, "\nThe server stays up at {} until Ctrl-C.\n", stage.address.url());
  std::fflush(out);
  while (!interrupted) {
    if (auto alive = stage.children_alive(); !alive) return alive;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  return {};
}

}  // namespace

Result<int> run_demo(const DemoOptions& options) {
  if (auto there = check_programs(options.replay); !there) return pass_on(there);
  const auto scenario = load_scenario(options.replay);
  if (!scenario) return pass_on(scenario);
  const auto folder = WorkFolder::open(options);
  if (!folder) return pass_on(folder);
  std::FILE* out = options.json ? stderr : stdout;
  const Signals signals;
  const auto start = std::chrono::steady_clock::now();
  auto stage = set_stage(options, *scenario, folder->path());
  if (!stage) return pass_on(stage);
  fmt::print(out, "Server {}, files in {}. Pushing {} commits:\n\n", stage->address.url(), folder->path().string(),
             scenario->steps.size());
  std::fflush(out);

  const auto attempts = play(*stage, *scenario, out);
  if (!attempts) return pass_on(attempts);
  const bool good = all_as_expected(*attempts);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  fmt::print(out, "\n{}\n{} in {:.0f} s.\n", to_table(*attempts, report::style_of(out)),
             good ? "Every outcome is the expected one" : "Not every outcome is the expected one", took.count());
  if (options.json) {
    fmt::print("{}", to_json(*attempts));
    std::fflush(stdout);
  }
  if (!options.exit)
    if (auto left = leave_up(*stage, out); !left) return pass_on(left);
  stage->stop();
  return good ? 0 : 1;
}

Status make_repository(const std::string& replay, const std::filesystem::path& folder) {
  const auto scenario = load_scenario(replay);
  if (!scenario) return pass_on(scenario);
  const auto commits = write_scenario(*scenario, folder);
  if (!commits) return pass_on(commits);
  for (const Step& step : scenario->steps)
    fmt::print("{}  {}  {}\n", commits->at(static_cast<std::size_t>(step.number) - 1).str(), step.branch, step.title);
  return {};
}

}  // namespace kernelgate::demo
