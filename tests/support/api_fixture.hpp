// SPDX-License-Identifier: Apache-2.0
#pragma once

// The whole API over a real store and real sockets, with a clock that tests set and a token of each
// role. Every answer is compared with docs/openapi.yaml.

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "server/api/service.hpp"
#include "tests/support/raw_client.hpp"

namespace kernelgate::api {

struct TestClock final : Clock {
  std::atomic<std::int64_t> ms{1795257666123};
  [[nodiscard]] Instant now() const override { return from_millis(ms); }
};

struct Reply {
  int status = 0;
  nlohmann::json body;  // null where there is none, a string where it is not JSON
  std::map<std::string, std::string> headers;
};

class ApiFixture : public ::testing::Test {
 protected:
  void SetUp() override { start(Settings{}); }
  void TearDown() override { stop(); }
  void start(const Settings& settings, const db::DatabaseOptions& store = {});
  void stop();

  // `role`: badge, read, trigger, runner, runner2, admin; empty: no token; else sent as the token itself.
  Reply ask(const std::string& role, const std::string& method, const std::string& target,
            const std::string& body = {});
  // The same with header lines of one's own, each with its line end.
  Reply send(const std::string& headers, const std::string& method, const std::string& target,
             const std::string& body = {});
  Reply get(const std::string& target) { return ask("read", "GET", target); }
  Reply post(const std::string& role, const std::string& target, const nlohmann::json& body) {
    return ask(role, "POST", target, body.dump());
  }
  std::string bearer(const std::string& role);

  void add_repository(const std::string& name = "kernels");
  nlohmann::json trigger_body(char commit) const;
  std::int64_t trigger(char commit);  // a run of the commit aaaa…, bbbb…
  nlohmann::json claim();             // by runner; fails the test if there is no job
  Reply resolve(const nlohmann::json& claim, char head_tree, char base_tree = '0');
  Reply finish(const nlohmann::json& claim, const nlohmann::json& evidence);
  // Root commit whose head was built and that has nothing timed.
  static nlohmann::json evidence(const std::string& infrastructure = {});
  // One suite with one benchmark, timed in no pair: `added`.
  static nlohmann::json first_push();

  TestClock clock_;
  std::filesystem::path folder_;
  std::unique_ptr<db::Database> database_;
  std::unique_ptr<Service> service_;
  std::unique_ptr<http::Server> server_;
  std::thread thread_;
};

}  // namespace kernelgate::api
