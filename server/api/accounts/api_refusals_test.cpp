// SPDX-License-Identifier: Apache-2.0
// What each endpoint refuses, and what it says of it: wrong methods, bodies too large, numbers and pages out of range,
// unknown repositories, states that do not allow it, hostile strings.
#include "server/api/endpoints.hpp"
#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_refusals_test {

using Json = nlohmann::json;

std::string with_parameters(std::string_view pattern, const std::string& id) {
  std::string out(pattern);
  for (auto begin = out.find('{'); begin != std::string::npos; begin = out.find('{', begin)) {
    const auto end = out.find('}', begin);
    const std::string value = out.substr(begin, end - begin + 1) == "{id}" ? id : "nothing";
    out.replace(begin, end - begin + 1, value);
    begin += value.size();
  }
  return out;
}

void expect_problem(const Reply& reply, int status, const std::string& about) {
  ASSERT_EQ(reply.status, status) << about << " -> " << reply.body;
  ASSERT_TRUE(reply.body.is_object()) << about;
  EXPECT_EQ(reply.headers.at("content-type").substr(0, 24), "application/problem+json") << about;
  EXPECT_EQ(reply.body["status"], status) << about;
}

using ApiRefusals = ApiFixture;

TEST_F(ApiRefusals, AMethodThatAPathHasNotIsRefusedWithThoseThatItHas) {
  std::map<std::string, std::set<std::string>> served;
  for (const http::Route& route : routes()) {
    auto& methods = served[with_parameters(route.pattern, "1")];
    methods.insert(std::string(to_string(route.method)));
    if (route.method == http::Method::get) methods.insert("HEAD");
  }
  for (const auto& [path, methods] : served) {
    for (const char* method : {"GET", "POST", "PUT", "PATCH", "DELETE"}) {
      if (methods.count(method) > 0) continue;
      if (path.find("/baselines/") != std::string::npos && method == std::string("GET")) continue;  // {id} takes it
      const Reply reply = ask("admin", method, path);
      expect_problem(reply, 405, std::string(method) + " " + path);
      const std::string allowed = reply.headers.count("allow") > 0 ? reply.headers.at("allow") : "";
      for (const std::string& one : methods) EXPECT_NE(allowed.find(one), std::string::npos) << path << ": " << allowed;
      EXPECT_EQ(allowed.find(method), std::string::npos) << path << ": " << allowed;
    }
  }
}

TEST_F(ApiRefusals, ABodyOverTheLimitIsRefusedByItsLengthAlone) {
  for (const http::Route& route : routes()) {
    if (route.method == http::Method::get || route.pattern.substr(0, 9) == "/webhooks") continue;
    http::RawClient client(server_->port(), std::chrono::seconds(60));
    client.send(std::string(to_string(route.method)) + " " + with_parameters(route.pattern, "1") +
                " HTTP/1.1\r\nHost: t\r\n" + bearer("admin") + "Content-Length: 9000000000\r\n\r\n");
    const auto answer = client.read();
    ASSERT_TRUE(answer) << route.pattern;
    EXPECT_EQ(answer->status, 413) << route.pattern;
  }
}

TEST_F(ApiRefusals, ANumberThatIsNoneNamesNothing) {
  for (const http::Route& route : routes()) {
    if (route.pattern.find("{id}") == std::string_view::npos || route.pattern.substr(0, 5) == "/runs" ||
        route.pattern.substr(0, 11) == "/bisections")
      continue;  // the dashboard's pages are the same for all
    for (const char* id : {"0", "-1", "+1", "1.0", "1e0", "0x1", "%201", "1%20", "9223372036854775808", "%D9%A1"}) {
      const Reply reply = ask("admin", std::string(to_string(route.method)), with_parameters(route.pattern, id));
      if (route.method == http::Method::get)
        expect_problem(reply, 404, std::string(route.pattern) + " " + id);
      else
        EXPECT_TRUE(reply.status == 404 || reply.status == 400) << route.pattern << " " << id << " " << reply.body;
    }
  }
}

// A list, what else it must be asked with, and the member that holds it.
struct List {
  const char* name;
  const char* path;
  const char* query;
  const char* member;
};
const List kLists[] = {
    {"Repositories", "/api/v1/repositories", "", "repositories"},
    {"Runs", "/api/v1/runs", "", "runs"},
    {"Comparisons", "/api/v1/runs/1/comparisons", "", "comparisons"},
    {"Processes", "/api/v1/runs/1/processes", "", "processes"},
    {"Checks", "/api/v1/runs/1/checks", "", "checks"},
    {"Benchmarks", "/api/v1/benchmarks", "&repository=kernels", "benchmarks"},
    {"Series", "/api/v1/series", "&repository=kernels&suite=s&benchmark=b", "points"},
    {"Epochs", "/api/v1/epochs", "", "epochs"},
    {"Baselines", "/api/v1/baselines", "&repository=kernels", "baselines"},
    {"Acknowledgements", "/api/v1/acknowledgements", "&repository=kernels", "acknowledgements"},
    {"Deliveries", "/api/v1/deliveries", "", "deliveries"},
    {"Outbox", "/api/v1/outbox", "", "messages"},
    {"Attempts", "/api/v1/attempts", "&repository=kernels", "attempts"},
    {"Quarantines", "/api/v1/quarantines", "&repository=kernels", "quarantines"},
    {"Audit", "/api/v1/audit", "", "actions"},
    {"Tokens", "/api/v1/tokens", "", "tokens"},
    {"Bisections", "/api/v1/bisections", "&repository=kernels", "bisections"},
};
class ApiLists : public ApiFixture, public testing::WithParamInterface<List> {};
INSTANTIATE_TEST_SUITE_P(Api, ApiLists, testing::ValuesIn(kLists),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_P(ApiLists, PagesHaveALeastAndALargestSize) {
  add_repository();
  trigger('a');
  const List& list = GetParam();
  const auto page = [&](const std::string& query) {
    return ask("admin", "GET", list.path + std::string("?") + query + list.query);
  };
  for (const char* wrong : {"limit=0", "limit=501", "limit=-1", "limit=", "limit=1x", "limit=99999999999999999999",
                            "before=-1", "before=x", "before=9223372036854775808"}) {
    const Reply reply = page(wrong);
    expect_problem(reply, 400, std::string(list.path) + "?" + wrong);
    const std::string name(wrong, std::string_view(wrong).find('='));
    EXPECT_EQ(reply.body.is_object() ? reply.body.value("where", "") : "", "query parameter " + name) << wrong;
  }
  for (const char* right : {"limit=1", "limit=500", "before=1000000000", "before=0"}) {
    const Reply reply = page(right);
    EXPECT_EQ(reply.status, 200) << right << reply.body;
    EXPECT_TRUE(reply.body[list.member].is_array()) << right;
  }
}

TEST_P(ApiLists, AnUnknownRepositoryIsSaid) {
  const List& list = GetParam();
  const std::string query(list.query);
  if (query.find("repository=") == std::string::npos) return;
  expect_problem(ask("admin", "GET", std::string(list.path) + "?x=1" + query), 404, list.path);
}

TEST_F(ApiRefusals, PagesFollowEachOtherWithoutGapsOrRepeats) {
  for (const char* name : {"a", "b", "c"}) add_repository(name);
  const auto names = [&](const std::string& path, const char* member, const char* key) {
    std::vector<std::string> out;
    std::string before;
    do {
      const Json page = ask("admin", "GET", path + "?limit=2" + before).body;
      for (const Json& one : page[member])
        out.push_back(one[key].is_string() ? one[key].get<std::string>() : one[key].dump());
      before = page["next"].is_null() ? "" : "&before=" + page["next"].get<std::string>();
    } while (!before.empty() && out.size() < 100);
    return out;
  };
  EXPECT_EQ(names("/api/v1/repositories", "repositories", "name"), (std::vector<std::string>{"c", "b", "a"}));
  EXPECT_EQ(names("/api/v1/tokens", "tokens", "name"),
            (std::vector<std::string>{"admin", "runner2", "runner", "trigger", "read", "badge"}));
  EXPECT_EQ(names("/api/v1/audit", "actions", "id"), (std::vector<std::string>{"3", "2", "1"}));
}

// A request of an admin on a store with the repository "kernels", run 1 queued and run 2 cancelled.
struct Refused {
  const char* method;
  std::string target, body;
  int status;
  std::string where;  // part of it
};
const std::string kNone = R"("repository":"none")", kOurs = R"("repository":"kernels")";
const std::string kTwo = "[\"" + std::string(40, 'a') + "\",\"" + std::string(40, 'c') + "\"]";

const Refused kRefused[] = {
    // unknown repositories
    {"POST", "/api/v1/quarantines", "{" + kNone + R"(,"suite":"s","benchmark":"b","reason":"r"})", 404, "repository"},
    {"POST", "/api/v1/quarantines/1/release", "{" + kNone + R"(,"reason":"r"})", 404, ""},
    {"POST", "/api/v1/acknowledgements", "{" + kNone + R"(,"run":1,"match":"m","reason":"r"})", 404, "repository"},
    {"POST", "/api/v1/acknowledgements/1/revoke", "{" + kNone + R"(,"reason":"r"})", 404, ""},
    {"POST", "/api/v1/baselines", "{" + kNone + R"(,"run":1,"name":"n","reason":"r"})", 404, "repository"},
    {"POST", "/api/v1/baselines/remeasure", "{" + kNone + "}", 404, "repository"},
    {"POST", "/api/v1/baselines/import?repository=none", "x", 404, "repository"},
    {"POST", "/api/v1/baselines/import", "x", 400, "query parameter repository"},
    {"POST", "/api/v1/attempts", "{" + kNone + R"(,"branch":"b","hypothesis":"h"})", 404, "repository"},
    {"POST", "/api/v1/bisections", "{" + kNone + R"(,"benchmark":"b","commits":)" + kTwo + "}", 404, "repository"},
    {"POST", "/api/v1/backfills", "{" + kNone + R"(,"commits":)" + kTwo + "}", 404, "repository"},
    {"GET", "/api/v1/baselines/export?repository=none", "", 404, "repository"},
    {"GET", "/api/v1/calibration?repository=none&epoch=1", "", 404, "repository"},
    {"GET", "/api/v1/failures?repository=none&fingerprint=f", "", 404, "repository"},
    {"GET", "/api/v1/history?repository=none&suite=s&benchmark=b", "", 404, "repository"},
    {"GET", "/badge/none.svg", "", 404, "repository"},
    // states that do not allow it
    {"POST", "/api/v1/runs/2/cancel", "", 409, ""},
    {"POST", "/api/v1/runs/1/retry", "", 409, ""},
    {"POST", "/api/v1/runs/1/approve", "", 409, ""},
    {"POST", "/api/v1/runs/1/refuse", R"({"reason":"r"})", 409, ""},
    {"GET", "/api/v1/runs/1/bundle", "", 409, ""},
    {"POST", "/api/v1/baselines", "{" + kOurs + R"(,"run":1,"name":"n","reason":"r"})", 409, ""},
    {"POST", "/api/v1/acknowledgements", "{" + kOurs + R"(,"run":1,"match":"m","reason":"r"})", 409, ""},
    {"POST", "/api/v1/tokens/admin/revoke", R"({"reason":"r"})", 409, "token admin"},
    // things that are not there
    {"POST", "/api/v1/quarantines", "{" + kOurs + R"(,"suite":"s","benchmark":"b","reason":"r"})", 404, ""},
    {"POST", "/api/v1/quarantines/1/release", "{" + kOurs + R"(,"reason":"r"})", 404, ""},
    {"POST", "/api/v1/acknowledgements/1/revoke", "{" + kOurs + R"(,"reason":"r"})", 404, ""},
    {"POST", "/api/v1/tokens/nobody/revoke", R"({"reason":"r"})", 404, "name"},
    {"POST", "/api/v1/attempts", "{" + kOurs + R"(,"run":99,"hypothesis":"h"})", 404, ""},
    {"PATCH", "/api/v1/attempts/1", R"({"lesson":"l"})", 404, ""},
    {"GET", "/api/v1/runs/1/logs/none", "", 404, ""},
    {"GET", "/api/v1/runs/1/logs/..%2F..%2Fetc%2Fpasswd", "", 404, ""},
    {"GET", "/assets/..%2Fstore.sqlite", "", 404, ""},
    // members that are empty, too long or of other words
    {"POST", "/api/v1/runs/1/refuse", R"({"reason":""})", 400, "/reason"},
    {"POST", "/api/v1/tokens/read/revoke", R"({"reason":""})", 400, "/reason"},
    {"POST", "/api/v1/runner/claim", R"({"runner":"","testbed":{"name":"b"}})", 400, "/runner"},
    {"POST", "/api/v1/runner/claim", R"({"runner":"r","testbed":{"name":""}})", 400, "/testbed/name"},
    {"POST", "/api/v1/runner/runs/1/heartbeat", R"({"lease":"l","state":"queued","progress":""})", 400, "/state"},
    {"POST", "/api/v1/runner/runs/1/heartbeat", R"({"lease":"l","state":"done","progress":""})", 400, "/state"},
    {"POST", "/api/v1/runner/runs/1/release", R"({"lease":"guess","reason":"r"})", 409, ""},
    {"PATCH", "/api/v1/attempts/1", "[]", 400, ""},
    {"PATCH", "/api/v1/attempts/1", R"({"lesson":7})", 400, "/lesson"},
    {"POST", "/api/v1/repositories", R"({"name":"n","url":"/x","full_name":"one two"})", 400, "/full_name"},
    {"POST", "/api/v1/repositories", R"({"name":"n","url":"/x","default_branch":"--upload-pack=x"})", 400,
     "/default_branch"},
    {"POST", "/api/v1/repositories", R"({"name":"n","url":"/x","default_branch":"a\nb"})", 400, "/default_branch"},
    {"POST", "/api/v1/prune", R"({"older_than_days":-1})", 400, ""},
    {"POST", "/api/v1/bisections", "{" + kOurs + R"(,"benchmark":"b","commits":["HEAD"]})", 400, "/commits"},
    {"POST", "/api/v1/bisections", "{" + kOurs + R"(,"benchmark":"b","until":"fixed","commits":[]})", 400, "/until"},
    {"POST", "/api/v1/backfills", "{" + kOurs + R"(,"commits":["-x","HEAD"]})", 400, "/commits"},
    // query parameters
    {"GET", "/api/v1/runs?pull_request=0", "", 400, "pull_request"},
    {"GET", "/api/v1/overview?since_ms=-1", "", 400, "since_ms"},
    {"GET", "/api/v1/audit?since_ms=x", "", 400, "since_ms"},
    {"GET", "/api/v1/failures?repository=kernels&fingerprint=", "", 400, "query"},
    {"GET", "/api/v1/failures?repository=kernels&fingerprint=f&limit=0", "", 400, "limit"},
    {"GET", "/api/v1/deliveries?outcome=lost", "", 400, "outcome"},
    {"GET", "/api/v1/outbox?status=lost", "", 400, "status"},
    {"GET", "/api/v1/reports/tuning?repository=kernels&format=pdf", "", 400, "format"},
    {"GET", "/api/v1/history?repository=kernels&suite=s", "", 400, "benchmark"},
    {"GET", "/api/v1/history?repository=kernels&suite=&benchmark=b", "", 400, "suite"},
    {"GET", "/api/v1/history/columns?repository=kernels&suite=s&benchmark=b&epoch=x", "", 400, "epoch"},
    {"GET", "/plot/runs/1.svg?theme=pink", "", 400, "theme"},
    {"GET", "/plot/history.svg?repository=kernels&suite=s&benchmark=b&theme=pink", "", 400, "theme"},
    {"GET", "/api/v1/runs/1/pairs?suite=s", "", 400, "query"},
    {"GET", "/api/v1/runs/1/pairs?suite=s&benchmark=b", "", 404, ""},
};

TEST_F(ApiRefusals, EachIsTheProblemThatItIsAndSaysWhere) {
  add_repository();
  trigger('a');
  ASSERT_EQ(trigger('b'), 2);
  ASSERT_EQ(ask("admin", "POST", "/api/v1/runs/2/cancel").status, 200);
  const auto acts = [&] { return ask("admin", "GET", "/api/v1/audit?limit=500").body["actions"].size(); };
  const auto before = acts();
  for (const Refused& one : kRefused) {
    const std::string about = std::string(one.method) + " " + one.target + " " + one.body;
    const Reply reply = ask("admin", one.method, one.target, one.body);
    expect_problem(reply, one.status, about);
    if (!reply.body.is_object()) continue;
    EXPECT_NE(reply.body.value("where", "").find(one.where), std::string::npos) << about << " -> " << reply.body;
  }
  EXPECT_EQ(acts(), before) << "what was refused was not done, nor logged as done";
  EXPECT_EQ(get("/api/v1/runs").body["runs"].size(), 2U);
}

// Depth that would end a parser which recurses; every endpoint reads JSON by the same limits.
TEST_F(ApiRefusals, BodiesThatNestWithoutEndAreRefused) {
  const std::string nested = "{\"repository\":" + std::string(200000, '[');
  for (const http::Route& route : routes()) {
    if (route.method == http::Method::get || route.access == http::Access::open) continue;
    const Reply reply = ask("admin", std::string(to_string(route.method)), with_parameters(route.pattern, "1"), nested);
    EXPECT_TRUE(reply.status >= 400 && reply.status < 500) << route.pattern << " -> " << reply.status;
  }
  EXPECT_EQ(ask("", "GET", "/healthz").status, 200);
}

}  // namespace api_refusals_test
}  // namespace kernelgate::api
