// SPDX-License-Identifier: Apache-2.0
#include "tests/support/api_fixture.hpp"

#include "core/units/digest.hpp"
#include "core/wire/codec.hpp"
#include "db/accounts/tokens.hpp"
#include "tests/support/contract.hpp"

namespace kernelgate::api {

using Json = nlohmann::json;

void ApiFixture::start(const Settings& settings, const db::DatabaseOptions& store) {
  folder_ = std::filesystem::temp_directory_path() / ("kernelgate-api-" + random_hex(8));
  std::filesystem::create_directory(folder_);
  auto database = db::Database::open(folder_ / "store.sqlite", store);
  ASSERT_TRUE(database) << to_string(database.error());
  database_ = std::move(*database);
  const auto made = database_->write([&](db::Connection& connection) -> Status {
    for (const char* name : {"badge", "read", "trigger", "runner", "runner2", "admin"}) {
      const std::string role = std::string(name) == "runner2" ? "runner" : name;
      const auto id =
          db::add_token(connection, name, sha256_hex(std::string("kg_") + name), *parse_role(role), clock_.now());
      if (!id) return pass_on(id);
    }
    return {};
  });
  ASSERT_TRUE(made) << to_string(made.error());
  service_ = std::make_unique<Service>(*database_, clock_, settings);
  http::ServerConfig config;
  config.stop_on_signals = false;
  auto server = http::Server::listen(config, service_->app());
  ASSERT_TRUE(server) << to_string(server.error());
  server_ = std::move(*server);
  service_->attach(*server_, std::chrono::milliseconds(10));
  thread_ = std::thread([this] { server_->run(); });
}

void ApiFixture::stop() {
  if (server_) server_->stop();
  if (thread_.joinable()) thread_.join();
  if (database_) database_->stop();
  server_.reset();
  service_.reset();
  database_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string ApiFixture::bearer(const std::string& role) {
  return role.empty() ? "" : "Authorization: Bearer kg_" + role + "\r\n";
}

Reply ApiFixture::ask(const std::string& role, const std::string& method, const std::string& target,
                      const std::string& body) {
  return send(bearer(role), method, target, body);
}

Reply ApiFixture::send(const std::string& headers, const std::string& method, const std::string& target,
                       const std::string& body) {
  http::RawClient client(server_->port(), std::chrono::seconds(60));
  const auto answer = client.ask(method, target, headers, body);
  if (!answer) {
    ADD_FAILURE() << "no answer to " << method << " " << target;
    return {};
  }
  Reply out{.status = answer->status, .body = nullptr, .headers = answer->headers};
  const auto type = answer->headers.find("content-type");
  const bool is_json = type != answer->headers.end() && type->second.find("json") != std::string::npos &&
                       type->second.find("ndjson") == std::string::npos;
  if (is_json && method != "HEAD")
    out.body = Json::parse(answer->body);
  else if (!answer->body.empty())
    out.body = answer->body;
  EXPECT_EQ(contract_breach(method, target, out.status, type == answer->headers.end() ? "" : type->second, out.body),
            "")
      << method << " " << target << " -> " << out.status << " " << answer->body.substr(0, 300);
  if (out.status >= 400 && out.body.is_object()) {
    EXPECT_FALSE(out.body.value("fix", "").empty()) << method << ' ' << target << ": " << answer->body;
  }
  return out;
}

void ApiFixture::add_repository(const std::string& name) {
  const Reply made = post("admin", "/api/v1/repositories", {{"name", name}, {"url", "/srv/git/kernels.git"}});
  ASSERT_EQ(made.status, 201) << made.body;
}

Json ApiFixture::trigger_body(char commit) const {
  return {{"repository", "kernels"},      {"commit", std::string(40, commit)},  {"branch", "main"},
          {"subject", "Change a kernel"}, {"base", {{"kind", "first_parent"}}}, {"source", "cli"}};
}

std::int64_t ApiFixture::trigger(char commit) {
  const Reply made = post("trigger", "/api/v1/triggers", trigger_body(commit));
  EXPECT_EQ(made.status, 202) << made.body;
  return made.body.value("run", 0);
}

Json ApiFixture::claim() {
  const Reply got =
      post("runner", "/api/v1/runner/claim", {{"runner", "r1"}, {"testbed", {{"name", "bench"}}}, {"wait_s", 20}});
  EXPECT_EQ(got.status, 200) << got.body;
  return got.body;
}

Reply ApiFixture::resolve(const Json& claim, char head_tree, char base_tree) {
  const bool root = base_tree == '0';
  return post("runner", "/api/v1/runner/runs/" + claim["run"].dump() + "/resolved",
              {{"lease", claim["lease"]},
               {"base_commit", root ? "" : std::string(40, 'e')},
               {"base_tree", root ? "" : std::string(40, base_tree)},
               {"head_tree", std::string(40, head_tree)},
               {"manifest_sha256", ""},
               {"policy", "tolerate=0.01"},
               {"notices", Json::array()}});
}

Reply ApiFixture::finish(const Json& claim, const Json& evidence) {
  return post("runner", "/api/v1/runner/runs/" + claim["run"].dump() + "/finish",
              {{"lease", claim["lease"]}, {"evidence", evidence}, {"policy_toml_manifest", ""}});
}

Json ApiFixture::evidence(const std::string& infrastructure) {
  RunEvidence out;
  out.has_base = false;
  out.infrastructure = infrastructure;
  return Json::parse(wire::encode(out));
}

Json ApiFixture::first_push() {
  RunEvidence out;
  out.has_base = false;
  SuiteEvidence suite;
  suite.name = "gemm";
  suite.has_base = false;
  suite.head_benchmarks = {"gemm/64"};
  suite.checks_ran = true;
  suite.checks_passed = true;
  out.suites.push_back(suite);
  return Json::parse(wire::encode(out));
}

}  // namespace kernelgate::api
