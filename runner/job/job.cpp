// SPDX-License-Identifier: Apache-2.0
#include "runner/job/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/decision/rule/stored.hpp"
#include "runner/code/ceilings.hpp"
#include "runner/job/fit_evidence.hpp"
#include "runner/job/resume.hpp"
#include "runner/job/run_bound.hpp"
#include "runner/job/suites.hpp"
#include "runner/source/base.hpp"

namespace kernelgate {
namespace {

class Job {
 public:
  Job(JobStage& stage, JobResult& result) : stage_(stage), request_(stage.request), result_(result) {}

  Status run() {
    auto base = resolve_base(git(), request_.head, request_.base);
    if (!base) return pass_on(base);
    base_ = base->commit;
    if (!base_) notice("there is no base: " + base->reason);
    if (auto skipped = skip_known_bad(); !skipped || is_over()) return skipped;
    if (auto settled = settle_base(); !settled || is_over()) return settled;
    if (auto built = build_both(); !built || is_over()) return built;
    const bool has_base = base_.has_value() && !alone_;
    result_.samples_key =
        samples_key(has_base ? &*base_build_ : nullptr, *head_build_, result_.manifest_text, stage_.machine.facts);
    return judge_suites(stage_, *effective_manifest_, {has_base ? &*base_build_ : nullptr, &*head_build_}, result_);
  }

 private:
  [[nodiscard]] const Git& git() const { return *request_.git; }
  [[nodiscard]] bool is_over() const { return over_; }
  void notice(std::string text) { result_.evidence.notices.push_back(std::move(text)); }
  Status end() {
    over_ = true;
    return {};
  }
  Status end_without_base(const std::string& why) {
    result_.evidence.infrastructure = "no commit can be base: " + why;
    return end();
  }

  // Head alone goes on against the stored baseline, whose commit's manifest is the effective manifest then. Nothing is
  // stored: the run is over.
  Status go_on_alone(const std::string& why) {
    result_.evidence.base_build = BuildEnd::failed;
    if (request_.sessions.empty()) return end_without_base(why);
    alone_ = why;
    const StoredSessions& stored = request_.sessions.front();
    const auto commit = CommitHash::parse(stored.commit);
    base_ = commit && git().has_commit(*commit) ? std::optional(*commit) : std::nullopt;
    notice(fmt::format("no commit can be base ({}): head alone is compared with the stored baseline {} ({})", why,
                       stored.baseline, stored.commit.substr(0, 10)));
    return {};
  }

  // The nearest good commit of base's line, else of a promoted baseline's.
  Result<GoodBase> search_base(const BaseJudge& judge) {
    if (request_.defines) {
      const auto bad = judge(*base_);
      if (!bad) return pass_on(bad);
      if (!*bad) return GoodBase{.commit = base_, .reason = {}};
      return GoodBase{.commit = std::nullopt, .reason = "the reference point: " + **bad};
    }
    auto good = find_good_base(git(), *base_, judge);
    if (!good || good->commit) return good;
    for (const std::string& text : request_.baselines) {
      const auto start = CommitHash::parse(text);
      if (!start || *start == request_.head || !git().has_commit(*start)) continue;
      auto instead = find_good_base(git(), *start, judge);
      if (!instead) return instead;
      if (!instead->commit) continue;
      instead->reason = good->reason + "; the stored baseline " + instead->commit->short_str() + " took its place";
      return instead;
    }
    return good;
  }

  Status replace_base(const GoodBase& good) {
    if (good.commit && *good.commit == *base_) return {};
    notice(good.reason);
    base_ = good.commit;
    return {};
  }

  // Commits that earlier runs found to be broken are passed over before anything is built.
  Status skip_known_bad() {
    if (!base_ || request_.bad_commits.empty()) return {};
    const auto& bad = request_.bad_commits;
    const BaseJudge known = [&bad](const CommitHash& commit) -> Result<std::optional<std::string>> {
      if (std::find(bad.begin(), bad.end(), commit.str()) == bad.end()) return std::nullopt;
      return std::optional<std::string>("was broken in an earlier run");
    };
    const auto good = search_base(known);
    if (!good) return pass_on(good);
    if (!good->commit) return go_on_alone(good->reason);
    return replace_base(*good);
  }

  // Manifest, report, and the question whether anything is left to measure.
  Status settle_base() {
    auto found = find_effective_manifest(request_, base_);
    if (!found) return pass_on(found);
    if (found->malformed) {
      result_.evidence.head_build = BuildEnd::failed;
      result_.evidence.base_build = BuildEnd::skipped;
      result_.evidence.has_base = base_.has_value();
      result_.evidence.build_text = found->malformed->text;
      return end();
    }
    effective_manifest_ = std::move(found->effective_manifest);
    if (request_.against) effective_manifest_->manifest.policy.against = *request_.against;
    result_.policy = effective_manifest_->manifest.policy;
    result_.manifest_text = effective_manifest_->text;
    result_.evidence.has_base = base_.has_value() || alone_;
    if (alone_ && !can_judge_any(request_.sessions, result_.policy))
      return end_without_base(*alone_ + "; the stored baseline has too few sessions to take its place");
    for (const auto& text : effective_manifest_->notices)
      if (std::find(result_.evidence.notices.begin(), result_.evidence.notices.end(), text) ==
          result_.evidence.notices.end())
        notice(text);
    auto reused = report_resolved();
    if (!reused) return pass_on(reused);
    result_.reused_from = *reused;
    if (result_.reused_from) return end();
    return compare_inputs();
  }

  Result<std::optional<std::int64_t>> report_resolved() {
    const auto head = git().facts(request_.head);
    if (!head) return pass_on(head);
    wire::Resolved& facts = result_.resolved;
    facts.head_tree = head->tree.str();
    facts.subject = head->subject;
    facts.author = head->author;
    facts.hypothesis = head->hypothesis;
    facts.patch_id.clear();
    facts.manifest_sha256 = effective_manifest_->manifest.text_sha256;
    facts.policy = canonical_text(result_.policy);
    facts.sandbox = stage_.machine.sandbox->mode() == SandboxMode::none ? "none" : "";
    facts.notices = result_.evidence.notices;
    if (base_) {
      const auto tree = git().tree_of(*base_);
      if (!tree) return pass_on(tree);
      facts.base_commit = base_->str();
      facts.base_tree = tree->str();
      // Without it only the ledger knows less.
      facts.patch_id = git().patch_id(*base_, request_.head).value_or("");
    }
    return stage_.resolved(facts);
  }

  Status compare_inputs() {
    if (!base_ || request_.calibration || request_.defines) return {};
    const BuildRecipe& recipe = effective_manifest_->manifest.build;
    Source source{*base_, {}, {}};
    if (!recipe.overlay.empty()) source = Source{*base_, request_.head, recipe.overlay};
    const auto base = list_source(git(), source);
    if (!base) return pass_on(base);
    const auto head = list_source(git(), Source{request_.head, {}, {}});
    if (!head) return pass_on(head);
    std::vector<std::string> inputs = recipe.inputs;
    for (const SuiteSpec& suite : effective_manifest_->manifest.suites)
      if (suite.data) inputs.insert(inputs.end(), suite.data->begin(), suite.data->end());
    if (hash_inputs(*base, inputs) != hash_inputs(*head, inputs)) return {};
    result_.evidence.inputs_unchanged = true;
    result_.evidence.base_build = result_.evidence.head_build = BuildEnd::not_needed;
    return end();
  }

  // Base first: nothing that head's build leaves behind can reach it.
  Status build_both() {
    if (auto met = meet_needs(stage_, *effective_manifest_); !met) return met;
    if (auto built = build_base(); !built || is_over()) return built;
    return build_head();
  }

  Status build_base() {
    if (alone_) return {};
    if (!base_) {
      result_.evidence.base_build = BuildEnd::not_needed;
      return {};
    }
    const CommitHash asked = *base_;
    const BaseJudge judge = [this](const CommitHash& commit) { return try_base(commit); };
    const auto good = search_base(judge);
    if (!good) return pass_on(good);
    if (!good->commit) {
      // A head that does not build is told so, whatever base does.
      if (auto built = build_head(); !built || is_over()) return built;
      if (auto alone = go_on_alone(good->reason); !alone || is_over()) return alone;
    } else {
      result_.evidence.base_build = base_build_->from_cache ? BuildEnd::cached : BuildEnd::built;
      if (*good->commit == asked) return {};
      if (auto replaced = replace_base(*good); !replaced) return replaced;
    }
    // Another base is another effective manifest, and may leave nothing to measure.
    return settle_base();
  }

  Status build_head() {
    if (auto met = meet_needs(stage_, *effective_manifest_); !met) return met;
    if (request_.trust != "trusted" && !request_.fork_fetch && !effective_manifest_->head_recipe.fetch.empty())
      notice("the fetch line is not run for a fork: its code has no network (runner --fork-fetch allows base's line)");
    auto build = build_commit(stage_, *effective_manifest_, request_.head, BuildRole::head);
    if (!build) return pass_on(build);
    if (build->tool_missing && request_.own_machine) return fail(Errc::unavailable, "head: " + failure_text(*build));
    head_build_ = std::move(*build);
    RunEvidence& evidence = result_.evidence;
    evidence.head_build = head_build_->from_cache ? BuildEnd::cached : BuildEnd::built;
    if (head_build_->ok) return compare_submodules();
    evidence.head_build = BuildEnd::failed;
    evidence.build_text = failure_text(*head_build_);
    return end();
  }

  // Sides of which one has more of its sources than the other are no pair.
  Status compare_submodules() {
    const auto& left_out = head_build_->left_out;
    if (base_build_ && base_build_->left_out != left_out)
      return fail(
          Errc::unavailable,
          fmt::format("a submodule could be reached for one side alone (base is without [{}], head without [{}])",
                      fmt::join(base_build_->left_out, ", "), fmt::join(left_out, ", ")));
    if (!left_out.empty())
      notice(fmt::format("submodules that cannot be reached were left out: {}", fmt::join(left_out, ", ")));
    return {};
  }

  Result<std::optional<std::string>> try_base(const CommitHash& commit) {
    using Answer = std::optional<std::string>;
    const auto& bad = request_.bad_commits;
    if (std::find(bad.begin(), bad.end(), commit.str()) != bad.end()) return Answer("was broken in an earlier run");
    auto found = find_effective_manifest(request_, commit);
    if (!found) return pass_on(found);
    if (!found->effective_manifest) return Answer("head's manifest cannot be read");
    auto build = build_commit(stage_, *found->effective_manifest, commit, BuildRole::base);
    if (!build) return pass_on(build);
    if (build->may_end_otherwise) return fail(Errc::unavailable, "base: " + failure_text(*build));
    if (!build->ok) return Answer("does not build");
    auto broken = why_broken(stage_, *found->effective_manifest, *build);
    if (!broken) return pass_on(broken);
    if (!broken->empty()) return Answer(std::move(*broken));
    base_build_ = std::move(*build);
    return Answer();
  }

  JobStage& stage_;
  const JobRequest& request_;
  JobResult& result_;
  std::optional<CommitHash> base_;
  std::optional<std::string> alone_;  // why no base is built: head is compared with stored sessions
  std::optional<EffectiveManifest> effective_manifest_;
  std::optional<Build> base_build_, head_build_;
  bool over_ = false;
};

}  // namespace

Result<JobResult> run_job(const JobMachine& machine, const JobRequest& request, JobReporter& reporter,
                          std::stop_token stop) {
  const auto started = std::chrono::steady_clock::now();
  RunBound bound(request.wall_max, stop);
  JobStage stage(machine, request, reporter, bound.token());
  JobResult result;
  result.evidence.ceilings = machine.ceilings;
  if (machine.facts.has_gpu && !machine.ceilings)
    result.evidence.notices.push_back(
        "the GPU's ceilings are not known, so no time is called impossible: " + std::string(gpu::kCeilingsProgram) +
        " is to lie beside kernelgate or in --probe-dir, or nvcc to be on PATH, which builds it");
  const auto done = Job(stage, result).run();
  stage.let_device_go();
  result.gpu_s_held = stage.held_s();
  result.device_trouble = machine.probe->trouble();
  if (stage.refusal()) return tl::unexpected<Error>(*stage.refusal());
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - started;
  result.wall_s = wall.count();
  if (stop.stop_requested() && !(done && request.own_machine)) {
    drop_unmeasured(result.evidence);
    result.stopped = request.own_machine && !result.evidence.suites.empty();
    if (result.stopped) return result;
    return fail(Errc::unavailable, "the run was stopped");
  }
  if (!done) result.evidence.infrastructure = to_string(done.error());
  if (!done && bound.was_reached()) end_for_time(result.evidence, request.wall_max, stage.head_s());
  fit_evidence(result.evidence);
  return result;
}

}  // namespace kernelgate
