// SPDX-License-Identifier: Apache-2.0
// tests/golden/forge holds what a pull request's report sends, request by request. KG_WRITE_GOLDEN=1 writes them anew.
#include "server/forge/requests.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace kernelgate::forge {
namespace requests_test {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

RunReport story_in(const std::string& state) {
  RunReport report;
  report.run.id = 7;
  report.run.repository = "kernels";
  report.run.commit = std::string(40, 'a');
  report.run.base_commit = std::string(40, 'b');
  report.run.created_at = *parse_iso8601("2026-11-21T09:59:00.000Z");
  report.run.subject = "Unroll @octocat's loop, fixes #1";
  report.run.state = *parse_run_state(state);
  report.run.commit_status = "pending";
  report.run.pull_request.emplace().number = 12;
  report.phase = phase_of(report.run.state);
  report.name = "octo/kernels";
  report.url = "https://gate.example/runs/7";
  return report;
}

RunReport finished(const std::string& conclusion, std::vector<Comparison> comparisons) {
  RunReport report = story_in("done");
  report.run.conclusion = parse_conclusion(conclusion);
  report.run.commit_status = commit_status(*report.run.conclusion);
  report.run.started_at = parse_iso8601("2026-11-21T10:00:00.000Z");
  report.run.finished_at = parse_iso8601("2026-11-21T10:05:00.000Z");
  report.run.comparisons = std::move(comparisons);
  report.run.summary = std::to_string(report.run.comparisons.size()) + " benchmarks";
  return report;
}

Comparison comparison(const std::string& name, Verdict verdict, std::string reason = {}) {
  Comparison out;
  out.suite = "gemm";
  out.benchmark = name;
  out.verdict = verdict;
  out.severity = verdict == Verdict::regressed ? Severity::full : Severity::none;
  out.reason = std::move(reason);
  out.pairs = 4;
  out.ratio = verdict == Verdict::regressed ? 1.125 : 1.0;
  out.ratio_low = *out.ratio - 0.0625;
  out.ratio_high = *out.ratio + 0.0625;
  out.base_median_ns = 1000;
  out.head_median_ns = 1000 * *out.ratio;
  return out;
}

std::string crash() {
  return "CUDA error: an illegal memory access | memcheck: Invalid __global__ read of size 4 bytes in gemm(float *) at "
         "kernels/gemm.cu:41 by thread (3,0,0) in block (0,0,0): Address 0x7f is out of bounds";
}

void expect_golden(const std::string& name, const ForgeRequest& request) {
  const std::string file = std::string(KG_GOLDEN_FORGE) + "/" + name + ".txt";
  const std::string text = request.method + " " + request.path + "\n" + Json::parse(request.body).dump(2) + "\n";
  if (std::getenv("KG_WRITE_GOLDEN")) std::ofstream(file) << text;
  std::stringstream golden;
  golden << std::ifstream(file).rdbuf();
  EXPECT_EQ(text, golden.str()) << name;
}

// A fork's pull request: held, approved, measured, regressed, crashed, fixed by a push that supersedes, passed.
TEST(PullRequestStory, SendsWhatTheGoldenFilesHold) {
  const GithubConfig config;
  const RunReport regressed = finished(
      "regressed", {comparison("gemm/64", Verdict::unchanged), comparison("a|b `@team` #7 <b>", Verdict::regressed)});
  const RunReport broken = finished("broken", {comparison("gemm/64", Verdict::crashed, crash())});
  RunReport superseded = story_in("cancelled");
  superseded.run.reason = "superseded by run 9";
  superseded.run.commit_status = "error";
  superseded.run.finished_at = parse_iso8601("2026-11-21T10:05:00.000Z");
  const std::vector<std::pair<std::string, RunReport>> steps{
      {"1-held", story_in("held")},         {"2-queued", story_in("queued")},
      {"3-building", story_in("building")}, {"4-measuring", story_in("measuring")},
      {"5-regressed", regressed},           {"6-broken", broken},
      {"7-superseded", superseded},         {"8-passed", finished("passed", {comparison("x", Verdict::unchanged)})}};
  for (const auto& [name, report] : steps) {
    const bool first = name == "1-held";
    expect_golden(name + "-status", github_status(config, report));
    expect_golden(name + "-check", github_check(config, report, first ? "" : "501"));
    if (name != "3-building" && name != "4-measuring")
      expect_golden(name + "-comment", github_comment(config, report, first ? "" : "601"));
    expect_golden(name + "-gitlab", gitlab_status({}, report));
  }
  expect_golden("5-regressed-webhook", {"POST", "", webhook_body(regressed, "d1")});
  expect_golden("5-regressed-chat", {"POST", "", chat_body(regressed)});
}

// DESIGN's table, by rows.
TEST(Requests, SayEachConclusionAsTheTableDoes) {
  struct Row {
    const char *conclusion, *status, *check, *gitlab;
  };
  for (const Row& row :
       {Row{"passed", "success", "success", "success"}, Row{"regressed", "failure", "failure", "failed"},
        Row{"broken", "failure", "failure", "failed"}, Row{"build_failed", "failure", "failure", "failed"},
        Row{"undecided", "success", "neutral", "success"}, Row{"infrastructure", "error", "neutral", "canceled"}}) {
    const RunReport report = finished(row.conclusion, {});
    EXPECT_EQ(Json::parse(github_status({}, report).body)["state"], row.status);
    EXPECT_EQ(Json::parse(github_check({}, report, "1").body)["conclusion"], row.check);
    EXPECT_EQ(Json::parse(gitlab_status({}, report).body)["state"], row.gitlab);
    EXPECT_THAT(status_text(report), HasSubstr(row.conclusion));
  }
}

TEST(Requests, ForeignTextCallsNobodyAndLinksNothing) {
  RunReport report = finished("regressed", {comparison("@all fixes #9 GH-4 http://x <!channel>", Verdict::regressed)});
  report.run.summary = "@everyone <@U1> #5";
  for (const std::string& text : {report_text(report), github_comment({}, report, "").body}) {
    EXPECT_THAT(text, Not(HasSubstr("@all")));
    EXPECT_THAT(text, Not(HasSubstr("#9")));
    EXPECT_THAT(text, Not(HasSubstr("GH-4")));
    EXPECT_THAT(text, Not(HasSubstr("http://x")));
  }
  EXPECT_THAT(chat_body(report), Not(HasSubstr("<@U1>")));
}

TEST(Requests, StayWithinTheForgesLimits) {
  RunReport report = finished("regressed", {});
  for (int i = 0; i < 300; ++i)
    report.run.comparisons.push_back(
        comparison("k" + std::to_string(i) + std::string(400, 'x'), Verdict::regressed, crash()));
  report.run.summary = std::string(500, 'y');
  EXPECT_LE(report_text(report).size(), 65535U);
  EXPECT_THAT(report_text(report), HasSubstr("The rest stands on the page of [run 7](https://gate.example/runs/7)"));
  const Json check = Json::parse(github_check({}, report, "").body);
  EXPECT_LE(check["output"]["title"].get<std::string>().size(), 150U);
  for (Comparison& c : report.run.comparisons) c.verdict = Verdict::crashed;
  EXPECT_EQ(Json::parse(github_check({}, report, "").body)["output"]["annotations"].size(), 50U);
  for (const Json& action : check["actions"]) {
    EXPECT_LE(action["label"].get<std::string>().size(), 20U);
    EXPECT_LE(action["description"].get<std::string>().size(), 40U);
  }
}

TEST(Annotations, NameThePlaceThatASanitizerNamed) {
  struct Case {
    const char *reason, *path;
    int line;
  };
  for (const Case& one :
       {Case{"memcheck: x in k at gemm.cu:41 by thread", "gemm.cu", 41},
        Case{"wrong at index 3; memcheck: x in k at a/b.cu:7; 2 errors in all", "a/b.cu", 7},
        Case{"x at /usr/include/cuda.h:9 by thread", nullptr, 0}, Case{"x at 12:30 by thread", nullptr, 0},
        Case{"x at a.cu:", nullptr, 0}, Case{"", nullptr, 0}}) {
    wire::Run run;
    run.comparisons = {comparison("b", Verdict::broken, one.reason)};
    const auto found = annotations_of(run);
    ASSERT_EQ(found.size(), one.path ? 1U : 0U) << one.reason;
    if (!one.path) continue;
    EXPECT_EQ(found[0].path, one.path);
    EXPECT_EQ(found[0].line, one.line);
  }
}

TEST(Searches, FindOnlyWhatIsOurs) {
  const RunReport report = story_in("queued");
  std::size_t rows = 0;
  EXPECT_EQ(find_check(R"({"check_runs":[{"id":1,"external_id":"6"},{"id":2,"external_id":"7"}]})", report, rows), "2");
  EXPECT_EQ(rows, 2U);
  EXPECT_EQ(find_check("[]", report, rows), "");
  const GithubConfig config;
  const std::string mark = "<!-- kernelgate:kernelgate -->";
  const Json page = {{{"id", 1}, {"body", mark}, {"user", {{"login", "mallory"}}}},
                     {{"id", 2}, {"body", "see " + mark}, {"user", {{"login", "gate"}}}},
                     {{"id", 3}, {"body", mark + "\nold"}, {"user", {{"login", "gate"}}}},
                     {{"id", 4}, {"body", nullptr}, {"user", nullptr}}};
  EXPECT_EQ(find_comment(page.dump(), config, "gate", rows), "3");
  EXPECT_EQ(find_comment(page.dump(), config, "other", rows), "");
  EXPECT_EQ(rows, 4U);
  EXPECT_EQ(find_comment("{}", config, "gate", rows), "");
}

TEST(ForgeComment, ShowsThePlotWhereReadersMayLoadIt) {
  const GithubConfig config;
  const auto body_of = [&](const RunReport& report) {
    return Json::parse(github_comment(config, report, {}).body)["body"].get<std::string>();
  };
  RunReport report = finished("regressed", {comparison("gemm/64", Verdict::regressed)});
  EXPECT_THAT(body_of(report), Not(HasSubstr("![")));
  report.plot = "https://gate.example/plot/runs/7.svg";
  const std::string image = "[![Each benchmark's ratio with its interval](https://gate.example/plot/runs/7.svg)]";
  EXPECT_THAT(body_of(report), HasSubstr(image + "(https://gate.example/runs/7)"));
  report.run.comparisons.clear();
  EXPECT_THAT(body_of(report), Not(HasSubstr("!["))) << "nothing was timed";
  RunReport early = story_in("measuring");
  early.plot = report.plot;
  EXPECT_THAT(body_of(early), Not(HasSubstr("![")));
}

}  // namespace requests_test
}  // namespace kernelgate::forge
