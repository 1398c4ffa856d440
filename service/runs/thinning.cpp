// SPDX-License-Identifier: Apache-2.0
#include "service/runs/thinning.hpp"

#include "core/stats/thinned.hpp"
#include "core/units/time.hpp"
#include "db/accounts/audit.hpp"
#include "db/runs/thinning.hpp"

namespace kernelgate::service {
namespace {

constexpr int kRunsAtOnce = 20;  // of one transaction: other writers wait for them

void log_thinning(db::Connection& connection, const std::string& actor, const Thinned& done, Instant before,
                  Instant now) {
  if (done.runs == 0) return;
  db::log_action(connection,
                 {.actor = actor,
                  .action = "store.thin",
                  .subject = "runs before " + to_iso8601(before).substr(0, 10),
                  .detail = std::to_string(done.runs) + " runs, " + std::to_string(done.bytes) + " bytes of samples"},
                 now);
}

}  // namespace

Thinned thin(db::Connection& connection, const ThinningWanted& wanted, const std::string& actor, Instant now) {
  Thinned out;
  for (const RunId run : db::old_runs(connection, wanted.before, wanted.runs_max)) {
    ++out.runs;
    for (db::SampleRow& one : db::samples_of(connection, run)) {
      std::vector<double> kept = stats::thinned(one.samples);
      if (kept.size() == one.samples.size()) continue;
      ++out.series;
      out.bytes += static_cast<std::int64_t>((one.samples.size() - kept.size()) * sizeof(double));
      one.samples = std::move(kept);
      if (!wanted.dry_run) db::put_samples(connection, one);
    }
    if (!wanted.dry_run) db::mark_thinned(connection, run, now);
  }
  if (!wanted.dry_run) log_thinning(connection, actor, out, wanted.before, now);
  return out;
}

Result<wire::PruneReply> thin_store(Store store, const ThinningWanted& wanted, const std::string& actor, Instant now) {
  ThinningWanted batch = wanted;
  if (!wanted.dry_run) batch.runs_max = kRunsAtOnce;
  const auto work = [&](db::Connection& connection) { return thin(connection, batch, actor, now); };
  wire::PruneReply out;
  out.dry_run = wanted.dry_run;
  for (bool more = true; more;) {
    const auto done = wanted.dry_run ? store.read(work) : store.write(work);
    if (!done) return pass_on(done);
    out.runs += done->runs;
    out.series += done->series;
    out.bytes += done->bytes;
    more = !wanted.dry_run && done->runs == kRunsAtOnce;
  }
  const Status counted = store.read([&](db::Connection& connection) {
    out.kept_runs = db::count_kept_runs(connection, wanted.before);
    out.free_bytes = db::free_bytes(connection);
    return Status();
  });
  if (!counted) return pass_on(counted);
  return out;
}

}  // namespace kernelgate::service
