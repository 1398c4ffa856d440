// SPDX-License-Identifier: Apache-2.0
#include "service/runs/claim.hpp"

#include <gmock/gmock.h>

#include "db/repositories/repositories.hpp"
#include "db/runs/runs.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::service {
namespace claim_test {

using std::chrono_literals::operator""h;
using std::chrono_literals::operator""s;

// The wall clock of this machine may be set; the steady one goes on.
struct SetClock final : Clock {
  [[nodiscard]] Instant now() const override { return steady_now + wall_step; }
  [[nodiscard]] Instant steady() const override { return steady_now; }
  Instant steady_now = from_millis(1800000000000);
  std::chrono::seconds wall_step{0};
};

class ClaimTest : public testing::Test {
 protected:
  ClaimTest() : database_(db::Database::open(folder_ / "store.db").value()) {
    EXPECT_TRUE(database_->write([&](db::Connection& connection) -> Status {
      const auto id =
          db::add_repository(connection, {.name = "kernels", .url = "file:///k", .manifest = {}}, clock_.now());
      if (!id) return pass_on(id);
      db::NewRun run{.repository = *id, .commit = db::hash_of(1)};
      run.idempotency_key = "1";
      const auto added = db::add_run(connection, run, clock_.now());
      return added ? Status() : pass_on(added);
    }));
  }
  std::optional<Claimed> claim_one() {
    wire::ClaimRequest wanted;
    wanted.runner = wanted.testbed.name = "bed";
    auto claimed = claim(*database_, wanted, {.token = 1, .actor = "bed"}, clock_);
    EXPECT_TRUE(claimed) << to_string(claimed.error());
    return claimed ? std::move(*claimed) : std::nullopt;
  }
  db::Folder folder_;
  SetClock clock_;
  std::unique_ptr<db::Database> database_;
};

TEST_F(ClaimTest, AStepOfTheWallClockEndsNoLease) {
  ASSERT_TRUE(claim_one());
  for (const auto step : {1h, -1h}) {
    clock_.wall_step = step;
    const auto lost = expire_leases(*database_, clock_);
    ASSERT_TRUE(lost);
    EXPECT_TRUE(lost->empty());
  }
  clock_.steady_now += limits::kLeaseDuration + 1s;
  EXPECT_EQ(expire_leases(*database_, clock_)->size(), 1U);
}

}  // namespace claim_test
}  // namespace kernelgate::service
