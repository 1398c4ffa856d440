// SPDX-License-Identifier: Apache-2.0
#include "commands/run/run.hpp"

#include <algorithm>
#include <fstream>
#include <memory>
#include <random>
#include <regex>

#include "commands/branch.hpp"
#include "commands/local_machine.hpp"
#include "commands/run/stopped_run.hpp"
#include "commands/run/store_reporter.hpp"
#include "core/decision/decide.hpp"
#include "core/ledger/constraints.hpp"
#include "core/log/log.hpp"
#include "core/units/limits.hpp"
#include "core/units/time.hpp"
#include "platform/process/process.hpp"
#include "service/runs/actions.hpp"
#include "service/runs/finish.hpp"
#include "service/runs/local.hpp"
#include "service/runs/queries.hpp"

namespace kernelgate::local {
namespace {

namespace fs = std::filesystem;

// What the caller asked for, resolved to commits. Everything wrong with it is found here.
struct Asked {
  Git git;
  CommitHash head;
  wire::BaseRequest base;
  std::string manifest_text;
};

Result<std::string> read_manifest(const fs::path& file) {
  std::error_code error;
  if (fs::is_directory(file, error)) return fail(Errc::invalid, "is a folder, not a manifest", file.string());
  std::ifstream in(file, std::ios::binary);
  if (!in) return fail(Errc::not_found, "the manifest cannot be opened", file.string());
  // Never more than a byte over the limit: a device has no end.
  std::string text(limits::kManifestMax.value + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > limits::kManifestMax.value) return fail(Errc::too_large, "the manifest is too long", file.string());
  return text;
}

// The manifests that head's tree and base's bring. Without one of the caller's, there must be one.
Result<std::vector<Manifest>> tree_manifests(const Git& git, const CommitHash& head, const std::string& base) {
  std::vector<Manifest> out;
  const auto own = git.show_file(head, kManifestName);
  if (!own) return pass_on(own);
  if (*own) {
    auto parsed = parse_manifest(**own, std::string(kManifestName));
    if (!parsed) return pass_on(parsed);
    out.push_back(std::move(*parsed));
  }
  const auto commit = base.empty() ? git.resolve(head.str() + "^") : git.resolve(base);
  const auto its = commit ? git.show_file(*commit, kManifestName) : Result<std::optional<std::string>>();
  const bool in_base = its && *its;
  if (!*own && !in_base)
    return fail(Errc::not_found, "there is no " + std::string(kManifestName) + " in " + head.short_str(),
                git.git_dir().string(), "add one, or name one with --manifest");
  // One that base has wrong is the job's to report.
  if (in_base)
    if (auto parsed = parse_manifest(**its, std::string(kManifestName))) out.push_back(std::move(*parsed));
  return out;
}

Status check_suite(const std::string& name, const std::vector<Manifest>& manifests) {
  std::string known;
  for (const auto& manifest : manifests) {
    for (const auto& suite : manifest.suites) {
      if (suite.name == name) return {};
      if (known.find("'" + suite.name + "'") == std::string::npos)
        known += (known.empty() ? "'" : ", '") + suite.name + "'";
    }
  }
  if (known.empty()) return {};
  return fail(Errc::not_found, "no suite is named '" + name + "'", "--suite", "the manifest has " + known);
}

Result<Asked> understand(const RunOptions& options) {
  auto git = Git::open(options.repository, GitConfig::users);
  if (!git) return pass_on(git);
  auto head = options.work_tree ? snapshot_work_tree(*git) : git->resolve(options.head);
  if (!head) return pass_on(head);
  wire::BaseRequest base;
  if (options.session > 0) {
    base = {wire::BaseKind::none, std::to_string(options.session)};
  } else if (!options.base.empty()) {
    const auto commit = git->resolve(options.base);
    if (!commit) return pass_on(commit);
    base = {wire::BaseKind::explicit_commit, commit->str()};
  }
  if (auto right = check_filter(options.filter); !right) return pass_on(right);
  if (auto right = check_cpus(options.cpus); !right) return pass_on(right);
  Asked asked{std::move(*git), std::move(*head), std::move(base), {}};
  std::vector<Manifest> manifests;
  if (options.manifest.empty()) {
    auto found = tree_manifests(asked.git, asked.head, options.base);
    if (!found) return pass_on(found);
    manifests = std::move(*found);
  } else {
    auto text = read_manifest(options.manifest);
    if (!text) return pass_on(text);
    auto parsed = parse_manifest(*text, options.manifest.string());
    if (!parsed) return pass_on(parsed);
    asked.manifest_text = std::move(*text);
    manifests.push_back(std::move(*parsed));
  }
  if (options.suite.empty()) return asked;
  if (auto right = check_suite(options.suite, manifests); !right) return pass_on(right);
  return asked;
}

// Everything was listed, and the filter left nothing of it.
bool filter_left_nothing(const RunEvidence& evidence) {
  if (!evidence.infrastructure.empty() || evidence.suites.empty()) return false;
  return std::all_of(evidence.suites.begin(), evidence.suites.end(), [](const SuiteEvidence& suite) {
    return suite.checks_passed && suite.base_benchmarks.empty() && suite.head_benchmarks.empty() &&
           suite.failures.empty() && suite.processes.empty();
  });
}

class LocalRun {
 public:
  LocalRun(const RunOptions& options, Asked asked, LocalMachine& machine)
      : options_(options), asked_(std::move(asked)), machine_(machine) {}

  Result<RunOutcome> run(const RunProgress& progress, const std::stop_token& stop) {
    JobRequest request{.git = &asked_.git,
                       .origin = {&machine_.mirrors, asked_.git.git_dir().string()},
                       .head = asked_.head,
                       .base = asked_.base,
                       .registered_manifest = asked_.manifest_text,
                       .registered_origin = options_.manifest.string()};
    request.only_suite = options_.suite;
    request.filter = options_.filter;
    request.seed = std::random_device()();
    request.against = options_.against;
    request.own_machine = true;
    request.protected_branch = default_branch_of(asked_.git);
    if (auto entered = enter(request); !entered) return pass_on(entered);
    const bool whole = options_.suite.empty() && options_.filter.empty() && !options_.defines;
    request.defines = options_.defines;
    StoreReporter reporter(machine_.store, run_, whole, progress);
    const JobMachine machine = machine_.job_machine(options_.cpus);
    if (!options_.force) request.kept = load_stopped(stopped_file());
    auto result = run_job(machine, request, reporter, stop);
    if (!result) {
      cancel(to_string(result.error()));
      return pass_on(result);
    }
    if (!options_.filter.empty() && !result->reused_from && filter_left_nothing(result->evidence)) {
      auto nothing = fail(Errc::not_found, "no benchmark matches '" + options_.filter + "'", "--filter");
      cancel(to_string(nothing.value()));
      return nothing;
    }
    if (result->stopped) return partial(std::move(*result), request.stored);
    if (result->samples_key == request.kept.key) {
      std::error_code ignored;
      fs::remove(stopped_file(), ignored);
    }
    return result->reused_from ? reused(*result) : judged(std::move(*result));
  }

 private:
  // The run's row, and what earlier runs of this repository and machine left behind.
  Status enter(JobRequest& request) {
    service::LocalRun wanted{
        .repository = local_repository(asked_.git, options_.store_as),
        .testbed = machine_.facts.testbed,
        .commit = asked_.head.str(),
        .branch = options_.defines ? options_.defines->head : branch_of(asked_.git, options_.head, asked_.head),
        .source = source(),
        .base = asked_.base,
        .seed = request.seed,
        .force = options_.force};
    if (options_.defines)
      wanted.point = service::SweepPoint{.suite = options_.suite,
                                         .point = ledger::point_name(ledger::parse_point(options_.defines->head)),
                                         .is_reference = options_.defines->base == options_.defines->head};
    auto begun = service::begin_local(machine_.store, wanted, SystemClock().now());
    if (!begun) return pass_on(begun);
    run_ = begun->run;
    request.stored = std::move(begun->stored);
    request.sessions = std::move(begun->sessions);
    request.baselines = std::move(begun->baselines);
    request.bad_commits = std::move(begun->bad_commits);
    return {};
  }

  // What is no commit of a branch is no part of a history.
  [[nodiscard]] std::string source() const {
    if (options_.session > 0) return std::string(service::kSessionSource);
    if (options_.defines) return "sweep";
    return options_.work_tree ? "work-tree" : "cli";
  }

  void cancel(const std::string& reason) {
    const auto done = service::cancel_local(machine_.store, run_, reason, SystemClock().now());
    if (!done) log_warn("the local store: " + to_string(done.error()));
  }

  [[nodiscard]] std::string title(const JobResult& result) const {
    const std::string head = options_.work_tree ? "the work tree" : asked_.head.short_str();
    const std::string& base = result.resolved.base_commit;
    return base.empty() ? head : head + " against " + base.substr(0, 10);
  }

  [[nodiscard]] fs::path stopped_file() const { return asked_.git.git_dir() / "kernelgate" / "stopped.jsonl"; }

  // What is known by now, marked as such. No verdict is kept; the samples are, for the next run.
  Result<RunOutcome> partial(JobResult result, const std::vector<StoredVariance>& stored) {
    cancel("stopped by a signal");
    KeptSamples samples{result.samples_key, {}};
    for (const SuiteEvidence& suite : result.evidence.suites)
      samples.processes.insert(samples.processes.end(), suite.processes.begin(), suite.processes.end());
    std::string next = "run it again to go on from here";
    if (samples.key.empty() || samples.processes.empty())
      next = "the next run begins anew";
    else if (const auto saved = save_stopped(stopped_file(), samples); !saved)
      next = to_string(saved.error());
    RunOutcome out;
    out.decision = decide_run(result.evidence, result.policy, stored);
    out.decision.notices.insert(out.decision.notices.begin(),
                                "partial: the run was stopped, and what is not proven by now is undecided; " + next);
    out.decision.conclusion = Conclusion::infrastructure;
    out.decision.reason = "stopped";
    out.decision.summary = "partial, stopped: " + out.decision.summary;
    out.title = title(result) + " (partial)";
    out.run = run_.value;
    out.cost.used_s = result.gpu_s_used;
    out.cost.held_s = result.gpu_s_held;
    out.wall_s = result.wall_s;
    out.base = result.resolved.base_commit;
    out.stopped = true;
    return out;
  }

  Result<RunOutcome> reused(const JobResult& result) {
    const std::int64_t earlier = *result.reused_from;
    auto decision = service::reused_decision(machine_.store, run_);
    if (!decision) return pass_on(decision);
    decision->notices.push_back("judged before, as run " + std::to_string(earlier) +
                                " of the local store: --force measures anew");
    return RunOutcome{.decision = std::move(*decision),
                      .title = title(result),
                      .run = run_.value,
                      .reused_from = earlier,
                      .failure_log = {},
                      .cost = {},
                      .wall_s = result.wall_s,
                      .base = result.resolved.base_commit};
  }

  Result<RunOutcome> judged(JobResult result) {
    std::string failure_log = result.evidence.build_text;
    service::FinishedWork work{.evidence = std::move(result.evidence),
                               .manifest = result.manifest_text,
                               .program = options_.program,
                               .against = options_.against,
                               .gpu_s_held = result.gpu_s_held,
                               .gpu_s_used = result.gpu_s_used,
                               .wall_s = result.wall_s};
    auto finished = service::finish(machine_.store, run_, std::move(work), {}, SystemClock());
    if (!finished) return pass_on(finished);
    RunCost cost = finished->cost;
    if (options_.price_per_hour > 0) cost.price_per_hour = options_.price_per_hour;
    return RunOutcome{.decision = std::move(finished->decision),
                      .title = title(result),
                      .run = run_.value,
                      .reused_from = {},
                      .failure_log = std::move(failure_log),
                      .cost = cost,
                      .wall_s = result.wall_s,
                      .base = result.resolved.base_commit};
  }

  const RunOptions& options_;
  Asked asked_;
  LocalMachine& machine_;
  RunId run_;
};

}  // namespace

Status check_filter(const std::string& filter) {
  try {
    const std::regex tried(filter);
    return {};
  } catch (const std::regex_error& error) {
    return fail(Errc::invalid, "--filter is no regular expression: " + std::string(error.what()));
  }
}

Result<Subject> find_subject(const RunOptions& options) {
  auto asked = understand(options);
  if (!asked) return pass_on(asked);
  std::string text = asked->manifest_text, origin = options.manifest.string();
  if (text.empty()) {
    auto own = asked->git.show_file(asked->head, kManifestName);
    if (!own) return pass_on(own);
    if (!*own) return fail(Errc::not_found, "there is no " + std::string(kManifestName) + " in " + options.head);
    text = std::move(**own);
    origin = std::string(kManifestName);
  }
  auto manifest = parse_manifest(text, origin);
  if (!manifest) return pass_on(manifest);
  return Subject{std::move(asked->git), std::move(asked->head), std::move(*manifest)};
}

Result<fs::path> local_store(const fs::path& repository) {
  const auto git = Git::open(repository, GitConfig::users);
  if (!git) return pass_on(git);
  return git->git_dir() / "kernelgate" / "local.db";
}

bool leaves_out_changes(const RunOptions& options) {
  if (options.work_tree || options.head != "HEAD") return false;
  const auto git = Git::open(options.repository, GitConfig::users);
  const auto root = git ? git->work_tree() : pass_on(git);
  if (!root) return false;
  const auto changed = git->call({.args = {"-C", root->string(), "status", "--porcelain", "--untracked-files=no"}});
  return changed && !changed->empty();
}

Result<RunOutcome> run_here(const RunOptions& options, const RunProgress& progress, const std::stop_token& stop) {
  auto asked = understand(options);
  if (!asked) return pass_on(asked);
  auto machine = open_machine(asked->git, options, progress, stop);
  if (!machine) return pass_on(machine);
  LocalRun run(options, std::move(*asked), **machine);
  return run.run(progress, stop);
}

}  // namespace kernelgate::local
