// SPDX-License-Identifier: Apache-2.0
#include "db/runs/bundles.hpp"

#include "core/decision/decide.hpp"
#include "core/wire/codec.hpp"
#include "db/runs/bundle_file.hpp"
#include "db/runs/claims.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace bundles_test {

class Bundles : public StoreTest {
 protected:
  // A finished run with one process of an earlier lease and two of the one that finished.
  RunId finished_run() {
    const RunId run = working_run(1);
    const std::vector<StoredVariance> stored{{"s", "b", 0.1, 20, 0.04}};
    put_claim(connection, run, 1, stored);
    EXPECT_TRUE(put_process(connection, run, process("old", Side::base, 0, {9.0}), at(1)));
    connection.run("UPDATE processes SET superseded = 1");
    EXPECT_TRUE(put_process(connection, run, process("p1", Side::base, 0, {1.5, 1.0 / 3}), at(1)));
    EXPECT_TRUE(put_process(connection, run, process("p2", Side::head, 0, {2.5}), at(1)));
    RunEvidence evidence;
    evidence.suites.emplace_back().name = "s";
    FinishedRun done;
    done.decision.conclusion = Conclusion::passed;
    done.evidence = evidence;
    EXPECT_TRUE(finish_run(connection, run, done, at(1000)));
    return run;
  }
};

TEST_F(Bundles, HoldsEverythingTheDecisionWasMadeOf) {
  const RunId run = finished_run();
  put_judged_by(connection, run, {.manifest = "schema = 1", .program = "kernelgate 1"});
  const auto made = make_bundle(connection, run);
  ASSERT_TRUE(made) << to_string(made.error());
  const auto bundle = unpack_bundle(pack_bundle(*made).value());
  ASSERT_TRUE(bundle) << to_string(bundle.error());
  EXPECT_EQ(bundle->program, "kernelgate 1");
  EXPECT_EQ(bundle->rule_version, kRuleVersion);
  EXPECT_EQ(bundle->manifest, "schema = 1");
  EXPECT_EQ(wire::decode<RunDecision>(bundle->decision)->conclusion, Conclusion::passed);
  EXPECT_EQ(bundle->run.commit, hash_of(1));
  EXPECT_EQ(bundle->run.testbed.at("name"), "bed");
  ASSERT_EQ(bundle->stored.size(), 1u);
  EXPECT_EQ(bundle->stored[0].detectable, 0.04);
  const auto& processes = bundle->evidence.suites.at(0).processes;
  ASSERT_EQ(processes.size(), 2u) << "those of a lost lease decide nothing";
  EXPECT_EQ(processes[0].id, "p1");
  EXPECT_EQ(processes[0].series.at(0).samples_ns, (std::vector<double>{1.5, 1.0 / 3}));
}

TEST_F(Bundles, TheSameRunGivesTheSameBytes) {
  const RunId run = finished_run();
  put_judged_by(connection, run, {.manifest = {}, .program = "p"});
  EXPECT_EQ(pack_bundle(make_bundle(connection, run).value()).value(),
            pack_bundle(make_bundle(connection, run).value()).value());
}

TEST_F(Bundles, RunsWithoutAVerdictHaveNone) {
  EXPECT_EQ(make_bundle(connection, RunId{99}).error().code, Errc::not_found);
  const RunId open = working_run(2);
  EXPECT_EQ(make_bundle(connection, open).error().code, Errc::conflict);
  ASSERT_TRUE(cancel_run(connection, open, "why", at(3)));
  EXPECT_EQ(make_bundle(connection, open).error().code, Errc::conflict);
  const auto old = make_bundle(connection, finished_run());
  EXPECT_EQ(old.error().code, Errc::unsupported) << "finished by a program that kept no manifest";
}

}  // namespace bundles_test
}  // namespace kernelgate::db
