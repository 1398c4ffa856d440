// SPDX-License-Identifier: Apache-2.0
#include "service/baselines/verdicts.hpp"

#include "db/baselines/acknowledgements.hpp"
#include "service/baselines/acceptances.hpp"
#include "service/baselines/quarantines.hpp"
#include "service/store/named.hpp"

namespace kernelgate::service {
namespace {

db::Acceptance acceptance_of(const wire::AcceptRequest& request, RepositoryId repository, const std::string& actor,
                             Instant now) {
  db::Acceptance out{.repository = repository, .run = RunId{request.run}};
  out.match = request.match;
  out.actor = actor;
  out.reason = request.reason;
  if (request.expires_in_days > 0) out.expires_at = now + std::chrono::hours(24 * request.expires_in_days);
  return out;
}

Result<wire::AcknowledgementRecord> record_of(db::Connection& connection, db::AcknowledgementId id) {
  return db::get_acknowledgement(connection, id).map([](const auto& made) { return db::to_wire(made); });
}

Result<wire::QuarantineRecord> record_of(db::Connection& connection, db::QuarantineId id) {
  return db::get_quarantine(connection, id).map([](const auto& made) { return db::to_wire(made); });
}

template <class Record, class Rows>
Result<std::vector<Record>> records_of(const Rows& rows) {
  std::vector<Record> out;
  out.reserve(rows.size());
  for (const auto& one : rows) out.push_back(db::to_wire(one));
  return out;
}

}  // namespace

Result<std::vector<wire::AcknowledgementRecord>> list_acknowledgements(Store store, std::string_view repository,
                                                                       const Page& page) {
  return read_of(store, repository, [&](db::Connection& connection, RepositoryId id) {
    return records_of<wire::AcknowledgementRecord>(db::list_acknowledgements(connection, id, page));
  });
}

Result<wire::AcknowledgementRecord> accept(Store store, const wire::AcceptRequest& wanted, const std::string& actor,
                                           Instant now) {
  return write_of(store, wanted.repository,
                  [&](db::Connection& connection, RepositoryId id) -> Result<wire::AcknowledgementRecord> {
                    const auto made = accept_regressions(connection, acceptance_of(wanted, id, actor, now), now);
                    if (!made) return pass_on(made);
                    return record_of(connection, *made);
                  });
}

Result<wire::AcknowledgementRecord> revoke(Store store, std::int64_t acknowledgement,
                                           const wire::RevokeAcceptanceRequest& wanted, const std::string& actor,
                                           Instant now) {
  const db::AcknowledgementId which{acknowledgement};
  return write_of(store, wanted.repository,
                  [&](db::Connection& connection, RepositoryId id) -> Result<wire::AcknowledgementRecord> {
                    const db::Revocation back{.repository = id, .id = which, .actor = actor, .reason = wanted.reason};
                    if (const Status taken = revoke_acceptance(connection, back, now); !taken) return pass_on(taken);
                    return record_of(connection, which);
                  });
}

Result<std::vector<wire::QuarantineRecord>> list_quarantines(Store store, std::string_view repository, bool released,
                                                             const Page& page) {
  return read_of(store, repository, [&](db::Connection& connection, RepositoryId id) {
    const auto rows = db::list_quarantines(connection, id, released, page);
    auto out = records_of<wire::QuarantineRecord>(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) out->at(i).suggestion = suggestion_for(connection, rows[i]);
    return out;
  });
}

Result<wire::QuarantineRecord> quarantine(Store store, const wire::QuarantineRequest& wanted, const std::string& actor,
                                          Instant now) {
  return write_of(store, wanted.repository,
                  [&](db::Connection& connection, RepositoryId id) -> Result<wire::QuarantineRecord> {
                    const db::NewQuarantine one{.repository = id,
                                                .suite = wanted.suite,
                                                .benchmark = wanted.benchmark,
                                                .epoch = {},
                                                .actor = actor,
                                                .reason = wanted.reason};
                    const auto made = set_quarantine(connection, one, now);
                    if (!made) return pass_on(made);
                    return record_of(connection, *made);
                  });
}

Result<wire::QuarantineRecord> release_quarantine(Store store, std::int64_t quarantine,
                                                  const wire::ReleaseRequest& wanted, const std::string& actor,
                                                  Instant now) {
  const db::QuarantineId which{quarantine};
  return write_of(
      store, wanted.repository, [&](db::Connection& connection, RepositoryId id) -> Result<wire::QuarantineRecord> {
        const db::QuarantineRelease over{.repository = id, .id = which, .actor = actor, .reason = wanted.reason};
        if (const Status done = release_quarantine(connection, over, now); !done) return pass_on(done);
        return record_of(connection, which);
      });
}

}  // namespace kernelgate::service
