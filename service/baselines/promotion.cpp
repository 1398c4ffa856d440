// SPDX-License-Identifier: Apache-2.0
#include "service/baselines/promotion.hpp"

#include <algorithm>
#include <cctype>

#include "db/accounts/audit.hpp"
#include "db/baselines/sessions.hpp"
#include "db/repositories/testbeds.hpp"
#include "db/runs/runs.hpp"

namespace kernelgate::service {
namespace {

tl::unexpected<Error> refuse_promotion(RunId run, const std::string& why) {
  return fail(Errc::conflict, "run " + std::to_string(run.value) + " cannot become a baseline: " + why, "run",
              "promote a run that passed undisturbed in the present epoch");
}

Status check_measurements(db::Connection& connection, RunId run) {
  if (const auto bad = db::unfit_comparison(connection, run))
    return refuse_promotion(run, bad->suite + ": " + bad->benchmark + " is " + bad->verdict);
  if (const auto bad = db::find_disturbance(connection, run))
    return refuse_promotion(run, bad->suite + ", pair " + std::to_string(bad->pair) + " was disturbed: " + bad->what);
  if (!db::has_history(connection, run)) return refuse_promotion(run, "it timed nothing");
  return {};
}

Status check_run(db::Connection& connection, const db::Promotion& promotion, const db::Run& run) {
  const auto refuse = [&](const std::string& why) { return refuse_promotion(run.id, why); };
  if (run.repository_id != promotion.repository) return refuse("it belongs to another repository");
  if (run.state != RunState::done) return refuse("it is " + std::string(to_string(run.state)));
  if (run.conclusion != Conclusion::passed)
    return refuse(run.conclusion ? "it concluded " + std::string(to_string(*run.conclusion)) : "no conclusion");
  if (run.reused_from)
    return refuse("it measured nothing itself; run " + std::to_string(run.reused_from->value) + " did");
  if (!run.epoch) return refuse("it has no epoch");
  if (run.source == db::kSessionSource) return refuse("it is a session of a baseline, judged against nothing");
  if (db::is_over(connection, *run.epoch)) return refuse("its epoch is over: the testbed has changed since");
  return check_measurements(connection, run.id);
}

}  // namespace

Result<BaselineId> promote_run(db::Connection& connection, const db::Promotion& promotion, Instant now) {
  if (promotion.name.empty()) return fail(Errc::invalid, "a baseline needs a name", "name");
  if (std::any_of(promotion.name.begin(), promotion.name.end(),
                  [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; }))
    return fail(Errc::invalid, "a baseline's name is one line of text", "name", "main, release-1.2 …");
  if (promotion.reason.empty()) return fail(Errc::invalid, "a promotion needs a reason", "reason", "say why");
  const auto run = db::get_run(connection, promotion.run);
  if (!run) return pass_on(run);
  if (const Status fit = check_run(connection, promotion, *run); !fit) return pass_on(fit);
  const std::string name = "run " + std::to_string(promotion.run.value);
  const auto present = db::find_baseline(connection, promotion.repository, promotion.name, *run->epoch);
  if (present && present->run == promotion.run && present->anchor == promotion.anchor &&
      present->reason == promotion.reason)
    return fail(Errc::conflict,
                name + " is " + promotion.name + " already: promoted by " + present->actor + ": " + present->reason,
                "name", "nothing to do; another reason replaces the promotion");
  auto id = db::promote(connection, promotion, now);
  if (!id) return pass_on(id);
  db::log_action(connection,
                 {.actor = promotion.actor,
                  .action = "baseline.promote",
                  .subject = name,
                  .detail = promotion.name + (promotion.anchor ? " (anchor): " : ": ") + promotion.reason},
                 now);
  return id;
}

}  // namespace kernelgate::service
