// SPDX-License-Identifier: Apache-2.0
#include "server/forge/sender.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <future>
#include <thread>

#include "core/units/digest.hpp"
#include "core/units/hmac.hpp"
#include "db/repositories/repositories.hpp"
#include "db/runs/jobs.hpp"
#include "db/runs/runs.hpp"
#include "tests/support/scripted_server.hpp"

namespace kernelgate::forge {
namespace sender_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using namespace std::chrono_literals;

struct TestClock final : Clock {
  std::atomic<std::int64_t> ms{1795257666000};
  [[nodiscard]] Instant now() const override { return from_millis(ms); }
};

// A store with one repository, and a GitHub that a table of answers stands for.
class SenderTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("kg sender " + random_hex(8));
    std::filesystem::create_directories(folder_);
    database_ = std::move(*db::Database::open(folder_ / "store"));
    const auto added = database_->write([](db::Connection& connection) -> Result<RepositoryId> {
      const db::NewRepository kernels{.name = "kernels", .url = "/srv/k.git", .manifest = {}, .full_name = "o/r"};
      return db::add_repository(connection, kernels, from_millis(0));
    });
    repository_ = *added;
    config_.github.emplace();
    config_.github->api_url = forge_.url();
    config_.github->comments = false;
    config_.delivery.timeout = 5s;
    restart();
  }
  void TearDown() override {
    sender_.reset();
    database_->stop();
    std::filesystem::remove_all(folder_);
  }

  void restart() {
    sender_.reset();
    github_.emplace(*config_.github, clock_);
    sender_.emplace(*database_, clock_, config_, &*github_, "https://gate.example");
  }
  RunId queue(const std::string& key, bool pull_request = false) {
    return *database_->write([&](db::Connection& connection) -> Result<RunId> {
      db::NewRun run{.repository = repository_, .commit = std::string(40, 'a')};
      run.source = "webhook";
      run.idempotency_key = key;
      if (pull_request) run.pull_request.emplace().number = 3;
      const auto added = db::add_run(connection, run, clock_.now());
      if (!added) return pass_on(added);
      return added->id;
    });
  }
  void cancel(RunId run) {
    ASSERT_TRUE(database_->write(
        [&](db::Connection& connection) { return db::cancel_run(connection, run, "no longer wanted", clock_.now()); }));
  }
  void step(std::chrono::milliseconds later = 0ms) {
    clock_.ms += later.count();
    const Status done = sender_->step();
    EXPECT_TRUE(done) << to_string(done.error());
  }
  template <class Condition>
  static bool comes_true(const Condition& condition) {
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (!condition() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(5ms);
    return condition();
  }
  std::vector<std::string> stored() {
    return *database_->read([](db::Connection& connection) {
      std::vector<std::string> out;
      for (const db::Message& one : db::list_messages(connection, "", {})) out.push_back(one.phase + " " + one.status);
      return out;
    });
  }
  // "POST …/statuses/…: pending"
  std::vector<std::string> heard() {
    std::vector<std::string> out;
    for (const std::string& request : forge_.requests()) {
      const std::string line = request.substr(0, request.find(" HTTP"));
      const std::size_t at = request.find("\"state\":\"");
      out.push_back(at == request.npos ? line : request.substr(at + 9, request.find('"', at + 9) - at - 9));
    }
    return out;
  }
  std::string last_heard() {
    const std::vector<std::string> all = heard();
    return all.empty() ? "" : all.back();
  }

  std::function<std::string(const std::string&, int)> answer_ = [](const std::string&, int) {
    return http_answer(201, R"({"id":1})");
  };
  ScriptedServer forge_{[this](const std::string& request, int number) { return answer_(request, number); }};
  TestClock clock_;
  std::filesystem::path folder_;
  std::unique_ptr<db::Database> database_;
  RepositoryId repository_;
  Config config_;
  std::optional<Github> github_;
  std::optional<Sender> sender_;
};

TEST_F(SenderTest, TellsPendingAtOnceAndTheEnd) {
  const RunId run = queue("a");
  step();
  cancel(run);
  step();
  step(1h);
  EXPECT_THAT(heard(), ElementsAre("pending", "error"));
  EXPECT_THAT(stored(), ElementsAre("finished delivered", "queued delivered"));
  EXPECT_THAT(forge_.requests().at(1), HasSubstr("https://gate.example/runs/1"));
}

TEST_F(SenderTest, WhatWasNotSentInTimeIsNeverSent) {
  answer_ = [](const std::string&, int number) {
    return number == 0 ? http_answer(429, "", "Retry-After: 30\r\n") : http_answer(201, "{}");
  };
  const RunId run = queue("a");
  step();
  cancel(run);
  step(29s);
  EXPECT_THAT(heard(), ElementsAre("pending"));
  step(2s);
  EXPECT_THAT(heard(), ElementsAre("pending", "error"));
  EXPECT_THAT(stored(), ElementsAre("finished delivered", "queued obsolete"));
}

TEST_F(SenderTest, AForgeThatIsAwayIsAskedSeldomAndLosesNothing) {
  answer_ = [](const std::string&, int number) { return number < 12 ? http_answer(502, "") : http_answer(201, "{}"); };
  cancel(queue("a"));
  for (int i = 0; i < 40; ++i) step(1s);
  EXPECT_LT(heard().size(), 9U);
  restart();
  for (int i = 0; i < 40; ++i) step(20min);
  EXPECT_THAT(stored(), ElementsAre("finished delivered"));
  EXPECT_EQ(heard().size(), 13U);
}

TEST_F(SenderTest, GivesUpAtItsLimitAndSaysSo) {
  answer_ = [](const std::string&, int) { return http_answer(422, R"({"message":"No commit found"})"); };
  queue("a");
  step();
  step(5h);
  EXPECT_THAT(stored(), ElementsAre("queued pending"));
  step(2h);
  EXPECT_THAT(stored(), ElementsAre("queued gave_up"));
  const auto message = database_->read([](db::Connection& connection) { return db::get_message(connection, 1); });
  EXPECT_EQ(message->error, R"(answered 422: {"message":"No commit found"})");
  EXPECT_EQ(message->attempts, 3);
}

// The forge took the first request and answers no more: it may yet carry it out, after the one that overtook it.
TEST_F(SenderTest, AnEndIsSaidAgainAfterAnExchangeThatBrokeOff) {
  answer_ = [](const std::string&, int number) { return number == 0 ? "" : http_answer(201, "{}"); };
  const RunId run = queue("a");
  step();
  cancel(run);
  step(1s);
  EXPECT_THAT(heard(), ElementsAre("pending", "error"));
  EXPECT_THAT(stored(), ElementsAre("finished pending", "queued obsolete"));
  step(1s);
  EXPECT_EQ(heard().size(), 2U);
  step(15s);
  EXPECT_THAT(heard(), ElementsAre("pending", "error", "error"));
  EXPECT_THAT(stored(), ElementsAre("finished delivered", "queued obsolete"));
}

TEST_F(SenderTest, ACommentIsFoundAgainAndEdited) {
  config_.github->statuses = false;
  config_.github->comments = true;
  restart();
  bool lost = true;
  int made = 0;
  answer_ = [&](const std::string& request, int) -> std::string {
    if (request.starts_with("GET /user ")) return http_answer(200, R"({"login":"gate"})");
    if (request.starts_with("GET ") && made == 0) return http_answer(200, "[]");
    if (request.starts_with("GET "))
      return http_answer(200, R"([{"id":77,"user":{"login":"gate"},"body":"<!-- kernelgate:kernelgate -->\nx"}])");
    if (request.starts_with("POST ")) ++made;
    return std::exchange(lost, false) ? "" : http_answer(200, R"({"id":77})");
  };
  const RunId run = queue("a", true);
  step();    // made, and the answer was lost
  step(2s);  // too early to look for it
  EXPECT_EQ(made, 1);
  step(15s);
  cancel(run);
  step(15s);
  EXPECT_EQ(made, 1);
  EXPECT_THAT(heard(),
              ElementsAre("GET /user", "GET /repos/o/r/issues/3/comments?per_page=100&page=1",
                          "POST /repos/o/r/issues/3/comments", "GET /repos/o/r/issues/3/comments?per_page=100&page=1",
                          "PATCH /repos/o/r/issues/comments/77", "PATCH /repos/o/r/issues/comments/77"));
}

TEST_F(SenderTest, ProgramsGetSignedBodiesAndRoomsALine) {
  config_.webhooks = {
      {.name = "ci", .url = forge_.url() + "/hook", .secret = {{}, "key"}, .conclusions = {Conclusion::cancelled}}};
  config_.chats = {{.name = "room", .url = {{}, forge_.url() + "/T0/secret"}, .conclusions = {Conclusion::cancelled}}};
  config_.github->statuses = false;
  restart();
  cancel(queue("a"));
  step();
  ASSERT_EQ(forge_.requests().size(), 2U);
  const std::string hook = forge_.requests()[0];
  const std::string body = hook.substr(hook.find("\r\n\r\n") + 4);
  EXPECT_THAT(hook, HasSubstr("X-Kernelgate-Event: run.finished\r\n"));
  EXPECT_THAT(hook, HasSubstr("X-Kernelgate-Signature-256: sha256=" + hmac_sha256_hex("key", body) + "\r\n"));
  EXPECT_THAT(body, HasSubstr(R"("url":"https://gate.example/runs/1")"));
  EXPECT_THAT(forge_.requests()[1], HasSubstr("cancelled: no longer wanted"));
}

// The hanging program holds its answer back until the test is over.
TEST_F(SenderTest, AReceiverThatHangsDelaysNobodyElse) {
  std::promise<void> over;
  const std::shared_future<void> wait = over.get_future().share();
  ScriptedServer hanging([wait](const std::string&, int) {
    wait.wait();
    return std::string();
  });
  config_.delivery.timeout = 120s;
  config_.webhooks = {
      {.name = "ci", .url = hanging.url(), .secret = {{}, "key"}, .conclusions = {Conclusion::cancelled}}};
  config_.chats = {{.name = "room", .url = {{}, forge_.url() + "/room"}, .conclusions = {Conclusion::cancelled}}};
  restart();
  sender_->start();
  cancel(queue("a"));
  EXPECT_TRUE(comes_true([&] { return hanging.requests().size() == 1; }));
  const RunId run = queue("b");
  EXPECT_TRUE(comes_true([&] { return last_heard() == "pending"; }));
  cancel(run);
  const auto delivered = [&](const std::string& target) {
    return *database_->read([&](db::Connection& connection) {
      const auto all = db::list_messages(connection, "delivered", {});
      return std::count_if(all.begin(), all.end(), [&](const db::Message& one) {
        return one.target == target && one.phase == db::kFinishedPhase;
      });
    });
  };
  EXPECT_TRUE(comes_true([&] { return delivered("chat:room") == 2; }));
  EXPECT_TRUE(comes_true([&] { return last_heard() == "error" || last_heard() == "POST /room"; }));
  EXPECT_EQ(hanging.requests().size(), 1U);  // one at a time, in order
  EXPECT_EQ(delivered("webhook:ci"), 0);
  sender_->stop();  // breaks the exchange off; what it was about stays
  over.set_value();
  const auto left = database_->read([](db::Connection& connection) {
    return db::due_messages(connection, "webhook:ci", from_millis(1795257666000), 10).size();
  });
  EXPECT_EQ(*left, 2U);
}

TEST_F(SenderTest, WhatIsNoLongerConfiguredIsDropped) {
  answer_ = [](const std::string&, int) { return http_answer(503, ""); };
  queue("a");
  step();
  config_.github->statuses = false;
  restart();
  step(1h);
  EXPECT_THAT(stored(), ElementsAre("queued obsolete"));
}

}  // namespace sender_test
}  // namespace kernelgate::forge
