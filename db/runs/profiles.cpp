// SPDX-License-Identifier: Apache-2.0
#include "db/runs/profiles.hpp"

#include "core/decision/explain/counters.hpp"
#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

constexpr std::string_view kSelectProfiles =
    "SELECT p.id, p.run_id, b.suite, b.name, p.state, p.text, p.actor, p.runner, p.base, p.head, p.created_at, "
    "p.finished_at FROM profiles p JOIN benchmarks b ON b.id = p.benchmark_id ";

std::optional<wire::ProfiledKernel> kernel_of(const std::string& column) {
  if (column.empty()) return std::nullopt;
  auto kernel = wire::decode<wire::ProfiledKernel>(column);
  if (!kernel) throw_corrupt("a profile");
  return std::move(*kernel);
}

KernelProfile side_of(const wire::ProfiledKernel& kernel) {
  return {.benchmark = {}, .side = {}, .kernel = kernel.kernel, .counters = kernel.counters};
}

wire::Profile read_profile(const Statement& row) {
  wire::Profile out;
  out.id = row.integer(0);
  out.run = row.integer(1);
  out.suite = row.text(2);
  out.benchmark = row.text(3);
  out.state = known(parse_word<wire::ProfileState>(row.text(4)), row.text(4));
  out.text = row.text(5);
  out.actor = row.text(6);
  out.runner = row.text(7);
  out.base = kernel_of(row.text(8));
  out.head = kernel_of(row.text(9));
  if (out.base && out.head) out.changes = counter_changes(side_of(*out.base), side_of(*out.head));
  out.created_at = row.instant(10);
  out.finished_at = row.maybe_instant(11);
  return out;
}

// Those that fit a runner: queued, or of a runner that is lost.
constexpr std::string_view kWaiting =
    "FROM profiles p JOIN runs r ON r.id = p.run_id JOIN epochs e ON e.id = r.epoch_id JOIN testbeds t ON t.id = "
    "e.testbed_id WHERE p.finished_at IS NULL AND t.name = ?1 AND (p.lease_sha256 IS NULL OR p.expires_at <= ?2)";

}  // namespace

std::optional<std::int64_t> compared_benchmark(Connection& connection, RunId run, const std::string& suite,
                                               const std::string& benchmark) {
  Statement row = connection.query(
      "SELECT b.id FROM comparisons c JOIN benchmarks b ON b.id = c.benchmark_id WHERE c.run_id = ? AND b.suite = ? "
      "AND b.name = ?",
      run, suite, benchmark);
  if (!row.step()) return std::nullopt;
  return row.integer(0);
}

WaitingProfiles waiting_profiles(Connection& connection, const Run& run, std::int64_t benchmark) {
  Statement row = connection.query(
      "SELECT count(*), coalesce(sum(p.run_id = ? AND p.benchmark_id = ?), 0) FROM profiles p JOIN runs r ON r.id = "
      "p.run_id WHERE r.repository_id = ? AND p.finished_at IS NULL",
      run.id, benchmark, run.repository_id);
  if (!row.step()) return {};
  return {.of_repository = row.integer(0), .of_benchmark = row.integer(1)};
}

ProfileId add_profile(Connection& connection, RunId run, std::int64_t benchmark, const std::string& actor,
                      const std::string& text, Instant now) {
  connection.run(
      "INSERT INTO profiles (run_id, benchmark_id, actor, state, text, created_at) VALUES (?, ?, ?, 'queued', ?, ?)",
      run, benchmark, actor, text, now);
  return ProfileId{connection.last_insert_id()};
}

std::vector<Counted> counters_of(Connection& connection, RunId run) {
  Statement row = connection.query(
      "SELECT json_extract(s.value, '$.name'), p.value FROM run_documents d, json_each(d.evidence, '$.suites') s, "
      "json_each(s.value, '$.profiles') p WHERE d.run_id = ? AND json_valid(d.evidence)",
      run);
  std::vector<Counted> out;
  while (row.step()) out.push_back({.suite = std::string(row.text(0)), .profile = std::string(row.text(1))});
  return out;
}

Result<wire::Profile> get_profile(Connection& connection, ProfileId id) {
  Statement row = connection.query(std::string(kSelectProfiles) + "WHERE p.id = ?", id);
  if (!row.step()) return fail(Errc::not_found, "no profile " + std::to_string(id.value), "path");
  return read_profile(row);
}

wire::ProfileList list_profiles(Connection& connection, RunId run) {
  wire::ProfileList out;
  Statement row =
      connection.query(std::string(kSelectProfiles) + "WHERE p.run_id = ? ORDER BY p.id DESC LIMIT 100", run);
  while (row.step()) out.profiles.push_back(read_profile(row));
  return out;
}

bool profile_waits(Connection& connection, const std::string& testbed, Instant now) {
  Statement row = connection.query("SELECT 1 " + std::string(kWaiting) + " LIMIT 1", testbed, now);
  return row.step();
}

std::optional<ProfileId> next_profile(Connection& connection, const std::string& testbed, Instant now) {
  Statement row = connection.query("SELECT p.id " + std::string(kWaiting) + " ORDER BY p.id LIMIT 1", testbed, now);
  if (!row.step()) return std::nullopt;
  return row.id<ProfileId>(0);
}

std::vector<wire::Profile> lost_profiles(Connection& connection, Instant now) {
  Statement row = connection.query(
      std::string(kSelectProfiles) + "WHERE p.finished_at IS NULL AND p.claims >= ? AND p.expires_at <= ?",
      limits::kProfileClaimsMax, now);
  std::vector<wire::Profile> out;
  while (row.step()) out.push_back(read_profile(row));
  return out;
}

void put_claim(Connection& connection, ProfileId id, const ProfileLease& lease, const std::string& text) {
  connection.run(
      "UPDATE profiles SET state = 'claimed', text = ?, runner = ?, lease_sha256 = ?, expires_at = ?, claims = claims "
      "+ 1 WHERE id = ?",
      text, lease.runner, lease.sha256, lease.expires_at, id);
}

bool holds_profile(Connection& connection, ProfileId id, const std::string& lease_sha256) {
  Statement row = connection.query("SELECT 1 FROM profiles WHERE id = ? AND lease_sha256 = ?", id, lease_sha256);
  return row.step();
}

void queue_again(Connection& connection, ProfileId id, const std::string& text) {
  connection.run(
      "UPDATE profiles SET state = 'queued', text = ?, lease_sha256 = NULL, expires_at = NULL, claims = claims - 1 "
      "WHERE id = ?",
      text, id);
}

void put_profile_end(Connection& connection, ProfileId id, wire::ProfileState state, const wire::ProfileEnd& end,
                     Instant now) {
  const auto text_of = [](const std::optional<wire::ProfiledKernel>& one) { return one ? wire::encode(*one) : ""; };
  connection.run(
      "UPDATE profiles SET state = ?, text = ?, base = ?, head = ?, lease_sha256 = NULL, expires_at = NULL, "
      "finished_at = ? WHERE id = ?",
      to_string(state), end.text, text_of(end.base), text_of(end.head), now, id);
}

}  // namespace kernelgate::db
