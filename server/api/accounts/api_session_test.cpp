// SPDX-License-Identifier: Apache-2.0
// Logins of browsers: cookie, CSRF, their end, and how often one may try.
#include "db/accounts/audit.hpp"
#include "db/accounts/logins.hpp"
#include "db/accounts/tokens.hpp"
#include "server/api/accounts/browser.hpp"
#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_session_test {

using Json = nlohmann::json;

class ApiSession : public ApiFixture {
 protected:
  struct Browser {
    std::string cookie, csrf;  // whole header lines
  };
  Reply try_login(const std::string& token, const std::string& headers = {}) {
    return send(headers, "POST", "/api/v1/session", Json{{"token", token}}.dump());
  }
  Browser login(const std::string& role) {
    const Reply reply = try_login("kg_" + role);
    EXPECT_EQ(reply.status, 201) << reply.body;
    const std::string cookie = reply.headers.at("set-cookie");
    return {"Cookie: other=1; " + cookie.substr(0, cookie.find(';')) + "\r\n",
            "X-CSRF-Token: " + reply.body["csrf_token"].get<std::string>() + "\r\n"};
  }
  std::string origin() { return "Origin: " + server_->url() + "\r\n"; }
  int trigger_with(const std::string& headers) {
    return send(headers, "POST", "/api/v1/triggers", trigger_body('a').dump()).status;
  }
  std::vector<std::string> actions() {
    std::vector<std::string> out;
    const auto logged = database_->read([](db::Connection& connection) { return db::list_actions(connection); });
    for (const db::LoggedAction& one : *logged) out.push_back(one.action.action + " by " + one.action.actor);
    return out;
  }
};

TEST_F(ApiSession, ALoginIsACookieThatScriptsAndOtherSitesDoNotGet) {
  const Reply reply = try_login("kg_trigger");
  ASSERT_EQ(reply.status, 201);
  const std::string cookie = reply.headers.at("set-cookie");
  for (const char* part : {"kernelgate_login=", "; Path=/", "; HttpOnly", "; SameSite=Strict", "; Max-Age=604800"})
    EXPECT_NE(cookie.find(part), std::string::npos) << part << " in " << cookie;
  EXPECT_EQ(cookie.find("Secure"), std::string::npos);
  EXPECT_EQ(reply.headers.at("cache-control"), "no-store");
  EXPECT_EQ(reply.body["role"], "trigger");
  EXPECT_EQ(reply.body["by"], "login");
  EXPECT_EQ(actions(), std::vector<std::string>{"login.begin by trigger"});
}

TEST_F(ApiSession, ALongLoginIsRefusedBeforeItsBodyIsRead) {
  http::RawClient client(server_->port(), std::chrono::seconds(10));
  client.send("POST /api/v1/session HTTP/1.1\r\nHost: t\r\nContent-Length: 4097\r\n\r\n");
  const auto answer = client.read();
  ASSERT_TRUE(answer) << "it waits for the body";
  EXPECT_EQ(answer->status, 413);
}

TEST_F(ApiSession, OverTlsTheCookieIsSecureAndBoundToTheHost) {
  stop();
  start(Settings{.public_url = "https://gate.example/kernels"});
  const std::string cookie = try_login("kg_read").headers.at("set-cookie");
  EXPECT_EQ(cookie.rfind("__Host-kernelgate_login=", 0), 0U);
  EXPECT_NE(cookie.find("; Secure"), std::string::npos);
  EXPECT_EQ(cookie.find("Domain"), std::string::npos);
  const Browser admin = login("admin");
  const std::string proof = admin.cookie + admin.csrf + "Origin: https://gate.example\r\n";
  EXPECT_EQ(send(proof, "DELETE", "/api/v1/session").status, 204);
}

TEST_F(ApiSession, TheCookieReadsAndWhoAsksIsSaid) {
  const Browser browser = login("read");
  EXPECT_EQ(send(browser.cookie, "GET", "/api/v1/runs").status, 200);
  const Reply me = send(browser.cookie, "GET", "/api/v1/session");
  EXPECT_EQ(me.body["name"], "read");
  EXPECT_EQ("X-CSRF-Token: " + me.body["csrf_token"].get<std::string>() + "\r\n", browser.csrf);
  EXPECT_EQ(ask("runner", "GET", "/api/v1/session").body["by"], "token");
  EXPECT_EQ(ask("", "GET", "/api/v1/session").status, 401);
  EXPECT_EQ(send("Cookie: kernelgate_login=guess\r\n", "GET", "/api/v1/session").status, 401);
  stop();
  start(Settings{.public_read = true, .public_url = {}});
  EXPECT_EQ(ask("", "GET", "/api/v1/session").body["by"], "public");
  EXPECT_EQ(ask("", "DELETE", "/api/v1/session").status, 409);
}

TEST_F(ApiSession, AChangeNeedsTheCsrfTokenAndOurOriginAndABearerNeither) {
  add_repository();
  const Browser browser = login("trigger"), other = login("trigger");
  EXPECT_EQ(trigger_with(browser.cookie), 403);
  EXPECT_EQ(trigger_with(browser.cookie + browser.csrf), 403);
  EXPECT_EQ(trigger_with(browser.cookie + origin()), 403);
  EXPECT_EQ(trigger_with(browser.cookie + other.csrf + origin()), 403);
  for (const char* foreign : {"Origin: https://evil.example\r\n", "Origin: null\r\n", "Origin: http://test.evil\r\n"})
    EXPECT_EQ(trigger_with(browser.cookie + browser.csrf + foreign), 403) << foreign;
  EXPECT_EQ(trigger_with(browser.csrf + origin()), 401);                                    // no cookie
  EXPECT_EQ(trigger_with(browser.cookie + browser.csrf + "Origin: http://test\r\n"), 202);  // the Host that was asked
  EXPECT_EQ(trigger_with(browser.cookie + browser.csrf + origin()), 200);  // the public URL; known by now
  EXPECT_EQ(trigger_with(bearer("trigger") + browser.cookie + "Origin: https://evil.example\r\n"), 200);
}

TEST_F(ApiSession, ALoginHasTheRoleOfItsTokenAndNoMore) {
  const Browser browser = login("read");
  EXPECT_EQ(trigger_with(browser.cookie + browser.csrf + origin()), 403);
}

// What happens after the end of the login is told to nobody under it.
TEST_F(ApiSession, TheEventStreamEndsWithTheLoginOrTheToken) {
  add_repository();
  const Browser browser = login("read"), other = login("admin");
  http::RawClient gone(server_->port()), stays(server_->port()), revoked(server_->port());
  const auto open = [](http::RawClient& reader, const std::string& headers) {
    reader.send("GET /api/v1/events HTTP/1.1\r\nHost: test\r\n" + headers + "\r\n");
    reader.read_until("retry: 2000\n\n");
  };
  open(gone, browser.cookie);
  open(stays, other.cookie);
  open(revoked, bearer("runner"));
  EXPECT_EQ(send(browser.cookie + browser.csrf + origin(), "DELETE", "/api/v1/session").status, 204);
  ASSERT_TRUE(database_->write([&](db::Connection& c) { return db::revoke_token(c, "runner", clock_.now()); }));
  clock_.ms += 3600000;
  trigger('a');
  EXPECT_NE(stays.read_until("\n\n").find("event: run\n"), std::string::npos);
  EXPECT_EQ(gone.read_until("\n\n"), "");
  EXPECT_TRUE(gone.closed());
  EXPECT_EQ(revoked.read_until("\n\n"), "");
  EXPECT_TRUE(revoked.closed());
}

TEST_F(ApiSession, AStreamLeftOpenDoesNotKeepItsLoginAlive) {
  add_repository();
  const Browser browser = login("read");
  http::RawClient reader(server_->port());
  reader.send("GET /api/v1/events HTTP/1.1\r\nHost: test\r\n" + browser.cookie + "\r\n");
  reader.read_until("retry: 2000\n\n");
  clock_.ms += 11 * 3600000;
  trigger('a');
  EXPECT_NE(reader.read_until("\n\n").find("event: run\n"), std::string::npos);
  clock_.ms += 2 * 3600000;
  trigger('b');
  EXPECT_EQ(reader.read_until("\n\n"), "");
  EXPECT_TRUE(reader.closed());
}

TEST_F(ApiSession, LoggingOutEndsThisLoginAlone) {
  const Browser browser = login("admin"), other = login("admin");
  EXPECT_EQ(send(browser.cookie, "DELETE", "/api/v1/session").status, 403);
  const Reply out = send(browser.cookie + browser.csrf + origin(), "DELETE", "/api/v1/session");
  EXPECT_EQ(out.status, 204);
  EXPECT_NE(out.headers.at("set-cookie").find("Max-Age=0"), std::string::npos);
  EXPECT_EQ(send(browser.cookie, "GET", "/api/v1/runs").status, 401);
  EXPECT_EQ(send(other.cookie, "GET", "/api/v1/runs").status, 200);
  EXPECT_EQ(actions().front(), "login.end by admin");
  EXPECT_EQ(ask("admin", "DELETE", "/api/v1/session").status, 409);
}

TEST_F(ApiSession, ALoginDiesWithItsTokenWithItsAgeAndWhenIdle) {
  const Browser revoked = login("trigger");
  const auto done = database_->write(
      [&](db::Connection& connection) { return db::revoke_token(connection, "trigger", clock_.now()); });
  ASSERT_TRUE(done);
  EXPECT_EQ(send(revoked.cookie, "GET", "/api/v1/runs").status, 401);
  const Browser idle = login("read");
  clock_.ms += Millis(limits::kLoginIdleMax).count();
  EXPECT_EQ(send(idle.cookie, "GET", "/api/v1/runs").status, 401);
}

TEST_F(ApiSession, AUsedLoginStaysAwake) {
  const Browser browser = login("read");
  for (int i = 0; i < 3; ++i) {
    clock_.ms += Millis(limits::kLoginIdleMax).count() * 2 / 3;
    EXPECT_EQ(send(browser.cookie, "GET", "/api/v1/runs").status, 200);
    // The store hears of it behind the answer: wait for the writer.
    ASSERT_TRUE(database_->write([](db::Connection&) { return true; }));
  }
}

TEST_F(ApiSession, OnlyPeopleLogInAndOnlyFromOurPages) {
  EXPECT_EQ(try_login("kg_nobody").status, 401);
  EXPECT_EQ(try_login("kg_runner").status, 403);
  EXPECT_EQ(try_login("kg_badge").status, 403);
  EXPECT_EQ(try_login("kg_read", "Origin: https://evil.example\r\n").status, 403);
  EXPECT_EQ(try_login("kg_read", origin()).status, 201);
  EXPECT_EQ(try_login("").status, 400);
  EXPECT_EQ(try_login(std::string(1000, 'x')).body["where"], "/token");
}

TEST_F(ApiSession, FailedLoginsAreLimitedByAddress) {
  for (int i = 0; i < limits::kLoginFailuresMax; ++i) EXPECT_EQ(try_login("kg_guess").status, 401);
  const Reply limited = try_login("kg_read");
  EXPECT_EQ(limited.status, 429);
  EXPECT_EQ(limited.headers.at("retry-after"), "60");
  EXPECT_EQ(ask("read", "GET", "/api/v1/runs").status, 200);  // tokens themselves go on
  clock_.ms += Millis(limits::kLoginFailureWindow).count();
  EXPECT_EQ(try_login("kg_read").status, 201);
}

TEST(LoginThrottle, ForgetsTheOldestOfTooManyAddresses) {
  LoginThrottle throttle;
  const Instant now = from_millis(1'000'000'000);
  for (int i = 0; i < limits::kLoginFailuresMax; ++i) throttle.failed("first", now);
  EXPECT_FALSE(throttle.may_try("first", now));
  for (std::size_t i = 0; i < limits::kLoginPeersMax; ++i) throttle.failed(std::to_string(i), now + Millis{1});
  EXPECT_TRUE(throttle.may_try("first", now));
}

TEST(PublicUrl, LosesTheSlashThatPathsBring) {
  EXPECT_EQ(clean_public_url("https://gate.example//"), "https://gate.example");
  EXPECT_EQ(clean_public_url("http://gate.example:8080/perf/"), "http://gate.example:8080/perf");
  EXPECT_EQ(clean_public_url(""), "");
  for (const char* wrong : {"gate.example", "https://", "/", "ftp://gate.example", "https://gate.example/?a=1",
                            "https://gate.example/#/", "https://ada@gate.example", "https://gate example"})
    EXPECT_FALSE(clean_public_url(wrong)) << wrong;
}

}  // namespace api_session_test
}  // namespace kernelgate::api
