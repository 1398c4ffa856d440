// SPDX-License-Identifier: Apache-2.0
#include "service/baselines/baseline_file.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "db/accounts/audit.hpp"
#include "db/baselines/baselines.hpp"
#include "db/baselines/carried.hpp"
#include "db/baselines/sessions.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::service {
namespace baseline_file_test {

using namespace db;  // NOLINT(google-build-using-namespace): the store that the test fills

using testing::HasSubstr;

class BaselineFile : public StoreTest {
 protected:
  BaselineFile() : other(folder / "other.db") {
    other.script("PRAGMA synchronous = OFF");
    migrate(other);
    there = *add_repository(other, {.name = "elsewhere", .url = "file:///e", .manifest = {}}, at(0));
    const RunId run = measured("cli", "main", {9, 1, 5, 7, 3, 2, 4, 6, 8, 10});
    promoted =
        *promote(connection,
                 {.repository = repository, .run = run, .name = "v1", .actor = "ann", .reason = "out", .anchor = true},
                 at(2000));
    (void)measured(std::string(kSessionSource), "session", {4, 5, 6});
  }

  RunId measured(const std::string& source, const std::string& key, std::vector<double> samples) {
    NewRun wanted{.repository = repository, .commit = hash_of(1)};
    if (source == kSessionSource) wanted.base = {.kind = wire::BaseKind::none, .argument = "2"};
    wanted.source = source;
    wanted.idempotency_key = key;
    wanted.queued = false;
    const RunId run = add_run(connection, wanted, at(1))->id;
    EXPECT_TRUE(set_epoch(connection, run, epoch(), "local"));
    for (int pair = 0; pair < 2; ++pair) {
      Process one = process(key + std::to_string(pair), Side::head, pair, samples);
      one.state_json = R"({"during":{"sm_mhz":[1200,1980]}})";
      EXPECT_TRUE(put_process(connection, run, one, at(1)));
    }
    finish(run, Conclusion::passed, {comparison("b", Verdict::added)});
    return run;
  }
  std::string exported() {
    const auto text = export_baselines(connection, {.repository = repository, .program = "kernelgate test"});
    EXPECT_TRUE(text) << to_string(text.error());
    return text.value_or("");
  }
  Result<wire::ImportReply> import(const std::string& text, const std::string& testbed = {}) {
    Transaction transaction(other);  // as a Database work: an error leaves nothing
    auto done = import_baselines(other, {.repository = there, .testbed = testbed, .actor = "bob"}, text, at(5000));
    if (done) transaction.commit();
    return done;
  }
  std::int64_t count(const char* table) {
    Statement row = other.query(std::string("SELECT count(*) FROM ") + table);
    return row.step() ? row.integer(0) : -1;
  }

  Connection other;
  RepositoryId there;
  BaselineId promoted;
};

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const auto where = text.find(what);
  EXPECT_NE(where, std::string::npos) << what;
  return where == std::string::npos ? text : text.replace(where, what.size(), with);
}

TEST_F(BaselineFile, HoldsFiguresAndProvenanceAndNoSecrets) {
  const std::string text = exported();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  for (const char* part :
       {"\"format\":\"kernelgate-baselines\"", "\"program\":\"kernelgate test\"", "\"name\":\"v1\"", "\"anchor\":true",
        "\"driver\":\"1\"", "\"clock_low_mhz\":1200.0", "\"clock_high_mhz\":1980.0", "\"processes\":4",
        "\"samples\":10", "\"quantiles_ns\":[1.0,3.25,5.0,6.0,7.75,10.0]", "\"promoted\":true", "\"promoted\":false"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_EQ(text.find("file:///k"), std::string::npos);  // where the sources are
  EXPECT_EQ(export_baselines(connection, {.repository = repository, .name = "v2"}).error().code, Errc::not_found);
}

TEST_F(BaselineFile, ComesInWholeOnceAndServesAsStoredBaseline) {
  const auto first = import(exported());
  ASSERT_TRUE(first) << to_string(first.error());
  EXPECT_EQ(first->baselines, 1);
  EXPECT_EQ(first->runs, 2);
  const Baseline baseline = list_baselines(other, there).at(0);
  EXPECT_EQ(baseline.name, "v1");
  EXPECT_EQ(baseline.actor, "ann");
  EXPECT_TRUE(baseline.anchor);
  EXPECT_EQ(baseline.commit, hash_of(1));
  EXPECT_EQ(baseline.promoted_at, at(2000));
  EXPECT_EQ(baseline.sessions, 1);
  const auto benchmark = get_baseline(other, baseline.id)->benchmarks.at(0);
  EXPECT_DOUBLE_EQ(benchmark.median_ns, get_baseline(connection, promoted)->benchmarks.at(0).median_ns);
  EXPECT_EQ(benchmark.processes, 2);
  const auto sessions = stored_sessions(other, there, baseline.epoch);
  ASSERT_EQ(sessions.size(), 1U);
  EXPECT_EQ(sessions[0].sessions.at(0).size(), 2U);
  EXPECT_TRUE(get_run(other, baseline.run)->thinned_at);
  EXPECT_EQ(list_actions(other).at(0).action.action, "baseline.import");

  const auto again = import(exported());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->baselines + again->runs, 0);
  EXPECT_EQ(again->known, 1);
  EXPECT_EQ(count("runs"), 2);
  EXPECT_EQ(count("audit_log"), 1);
}

TEST_F(BaselineFile, WhatAGpuRecordedComesIn) {
  std::ifstream file(KG_BASELINES "/h200/suites.jsonl");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto done = import(text);
  ASSERT_TRUE(done) << to_string(done.error());
  const Baseline baseline = list_baselines(other, there).at(0);
  EXPECT_EQ(baseline.name, "h200");
  const auto benchmarks = get_baseline(other, baseline.id)->benchmarks;
  EXPECT_EQ(std::ssize(benchmarks) + 1, std::count(text.begin(), text.end(), '\n'));
  for (const auto& benchmark : benchmarks) EXPECT_GT(benchmark.median_ns, 0) << benchmark.benchmark;
  EXPECT_EQ(baseline.sessions, 1);
}

TEST_F(BaselineFile, ItsOwnStoreKnowsItAlready) {
  const auto text = exported();
  const auto done =
      import_baselines(connection, {.repository = repository, .testbed = {}, .actor = "bob"}, text, at(5000));
  ASSERT_TRUE(done) << to_string(done.error());
  EXPECT_EQ(done->baselines + done->runs, 0);
}

TEST_F(BaselineFile, ALaterFileAddsTheSessionsThatAreNew) {
  ASSERT_TRUE(import(exported()));
  (void)measured(std::string(kSessionSource), "third", {4, 5, 6});
  const auto more = import(exported());
  ASSERT_TRUE(more);
  EXPECT_EQ(more->runs, 1);
  EXPECT_EQ(list_baselines(other, there).at(0).sessions, 2);
}

TEST_F(BaselineFile, AnImportedBaselineGoesOutAsItCameIn) {
  const std::string text = exported();
  ASSERT_TRUE(import(text));
  const auto again = export_baselines(other, {.repository = there, .program = "kernelgate test"});
  ASSERT_TRUE(again);
  EXPECT_THAT(*again, HasSubstr("\"samples\":10"));
  EXPECT_THAT(*again, HasSubstr("\"quantiles_ns\":[1.0,3.25,5.0,6.0,7.75,10.0]"));
}

TEST_F(BaselineFile, AMalformedLineIsRefusedByNumberAndNothingComesIn) {
  const std::string good = exported();
  const auto end = good.find('\n');
  const std::string head = good.substr(0, end + 1), line = good.substr(end + 1);
  const struct {
    std::string text, where, what;
  } cases[] = {
      {"", "line 2", "holds no baseline"},
      {head, "line 2", "holds no baseline"},
      {line, "line 1", "member 'format' is missing"},
      {replaced(head, "kernelgate-baselines", "other") + line, "line 1, /format", "is no kernelgate-baselines"},
      {replaced(head, "\"version\":1", "\"version\":2") + line, "line 1, /format", "of version 1"},
      {head + line + "{\"name\":", "line 3", "not JSON"},
      {head + line + line, "line 3", "a second line of the same benchmark"},
      {head + line + replaced(line, "\"reason\":\"out\"", "\"reason\":\"in\""), "line 3", "says otherwise than line 2"},
      {replaced(head, "\"benchmarks\":1", "\"benchmarks\":2") + line, "line 1, /benchmarks", "2 lines follow"},
      {head + replaced(line, "\"name\":\"", "\"name\":\"\\n"), "line 2, /name", "one line of text"},
      {head + replaced(line, "\"suite\":\"", "\"suite\":\"\\u0007"), "line 2, /suite", "one line of text"},
      {head + replaced(line, "\"spread\":", "\"spread\":-1"), "line 2, /spread", "not below zero"},
      {head + replaced(line, "[1.0,3.25", "[4.0,3.25"), "line 2, /sessions/processes/quantiles_ns", "do not fall"},
      {head + replaced(line, "\"median_ns\":", "\"median_ns\":-"), "line 2, /median_ns", "above zero"},
      {head + replaced(line, hash_of(1), "main"), "line 2, /commit", "a full hash"},
      {head + replaced(line, "1970-01-01T00:33:20.000Z", "yesterday"), "line 2, /promoted_at", "not a time"},
      {head + replaced(line, "\"promoted\":true", "\"promoted\":false"), "line 2, /sessions", "the promoted run"},
      {head + replaced(line, "[1.0,3.25", "[-1.0,3.25"), "line 2, /sessions/processes/quantiles_ns", "above zero"},
      {head + replaced(line, "\"samples\":10", "\"samples\":0"), "line 2, /sessions/0/processes/0/samples", "0"},
      {head + replaced(line, "\"suite\":\"s\"", "\"suite\":7"), "line 2, /suite", "must be a string"},
  };
  for (const auto& one : cases) {
    const auto done = import(one.text);
    ASSERT_FALSE(done) << one.text;
    EXPECT_EQ(done.error().code, Errc::invalid) << one.where;
    EXPECT_EQ(done.error().where, one.where) << one.what;
    EXPECT_THAT(done.error().what, HasSubstr(one.what)) << one.where;
  }
  EXPECT_EQ(count("runs") + count("baselines") + count("testbeds") + count("benchmarks") + count("audit_log"), 0);
  EXPECT_EQ(import(std::string(limits::kImportMax.value + 1, 'x')).error().code, Errc::too_large);
}

TEST_F(BaselineFile, AnotherMachineOfTheSameNameIsRefusedUnlessItIsRenamed) {
  wire::TestbedFacts facts;
  facts.name = "bed";
  facts.driver = "99";
  (void)enter_epoch(other, facts, at(0));
  const auto refused = import(exported());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::conflict);
  EXPECT_THAT(refused.error().what, HasSubstr("testbed 'bed' is known here, and never had these facts"));
  EXPECT_EQ(count("runs"), 0);
  EXPECT_TRUE(import(exported(), "bed-of-ann"));
}

TEST_F(BaselineFile, WhatContradictsTheStoreIsRefused) {
  const std::string text = exported();
  ASSERT_TRUE(import(text));
  const struct {
    const char *from, *to, *what;
  } cases[] = {
      {"\"quantiles_ns\":[1.0,3.25,5.0,6.0", "\"quantiles_ns\":[1.0,3.25,5.0,7.0", "with other times"},
      {"\"samples\":10", "\"samples\":11", "with other times"},
      {"\"id\":\"main1\"", "\"id\":\"other\"", "without some of its processes"},
      {"\"reason\":\"out\"", "\"reason\":\"in\"", "by another person, reason or anchor"},
      {"\"anchor\":true", "\"anchor\":false", "by another person, reason or anchor"},
      {"\"suite\":\"s\"", "\"suite\":\"t\"", "of another repository, commit, epoch, suite or run"},
  };
  for (const auto& one : cases) {
    const auto done = import(replaced(text, one.from, one.to));
    ASSERT_FALSE(done) << one.to;
    EXPECT_EQ(done.error().code, Errc::conflict) << one.to;
    EXPECT_THAT(done.error().what, HasSubstr(one.what)) << one.to;
  }
  const auto elsewhere = import(text, "another-bed");
  ASSERT_FALSE(elsewhere);
  EXPECT_THAT(elsewhere.error().what, HasSubstr("epoch"));
  EXPECT_EQ(count("runs"), 2);
  EXPECT_EQ(count("testbeds"), 1);
}

TEST_F(BaselineFile, APromotionInNewWordsComesInAndReplacesTheOldOne) {
  ASSERT_TRUE(import(exported()));
  const RunId run = get_baseline(connection, promoted)->run;
  ASSERT_TRUE(promote(
      connection, {.repository = repository, .run = run, .name = "v1", .actor = "ann", .reason = "again"}, at(3000)));
  const auto done = import(exported());
  ASSERT_TRUE(done) << to_string(done.error());
  EXPECT_EQ(done->baselines, 1);
  EXPECT_EQ(done->runs, 0);
  const auto all = list_baselines(other, there);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].reason, "again");
  EXPECT_TRUE(all[1].replaced_at);
}

TEST_F(BaselineFile, ACarriedBaselineStaysWhereItWasMeasured) {
  const EpochId later = epoch("2");
  const std::vector<wire::EpochFigure> figures{{.suite = "s", .benchmark = "b", .median_ns = 7, .processes = 2}};
  const auto sources = carry_sources(connection, repository, hash_of(1), later);
  ASSERT_EQ(sources.size(), 1U);
  const BaselineId copy =
      copy_baseline(connection, {.source = sources[0].id, .to = later, .actor = "runner", .reason = "t"}, at(3000));
  ASSERT_EQ(copy_benchmarks(connection, sources[0].id, copy, figures), 1);
  const std::string text = exported();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_THAT(text, HasSubstr("\"driver\":\"1\""));
  EXPECT_EQ(text.find("\"driver\":\"2\""), std::string::npos);
}

TEST_F(BaselineFile, OnlyWhatIsListedComesIn) {
  ASSERT_TRUE(import(replaced(exported(), "\"name\":\"v1\"", "\"token\":\"kg_secret\",\"name\":\"v1\"")));
  (void)other.query("PRAGMA wal_checkpoint(TRUNCATE)").step();
  std::ifstream file(folder / "other.db", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(bytes.find(hash_of(1)), bytes.npos);
  EXPECT_EQ(bytes.find("kg_secret"), bytes.npos);
}

TEST_F(BaselineFile, ImportedRunsAnswerForNoEpochOfThisStore) {
  ASSERT_TRUE(import(exported()));
  EXPECT_TRUE(present_epochs(other, there).empty());
}

TEST_F(BaselineFile, AnOlderPromotionDoesNotReplaceANewerOne) {
  ASSERT_TRUE(import(exported()));
  std::string older = replaced(exported(), "1970-01-01T00:33:20.000Z", "1970-01-01T00:20:00.000Z");
  for (const char* process : {"main0", "main1", "session0", "session1"})
    older = replaced(older, "\"" + std::string(process) + "\"", "\"older-" + std::string(process) + "\"");
  ASSERT_TRUE(import(replaced(older, hash_of(1), hash_of(2)))) << "another commit's baseline of the same name";
  const auto all = list_baselines(other, there);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_TRUE(all[0].replaced_at);
  EXPECT_FALSE(all[1].replaced_at);
}

}  // namespace baseline_file_test
}  // namespace kernelgate::service
