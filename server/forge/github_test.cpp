// SPDX-License-Identifier: Apache-2.0
#include "server/forge/github.hpp"

#include <gmock/gmock.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <atomic>
#include <nlohmann/json.hpp>

#include "core/units/base64.hpp"
#include "server/forge/jwt.hpp"
#include "tests/support/scripted_server.hpp"

namespace kernelgate::forge {
namespace github_test {

using testing::ElementsAre;
using testing::HasSubstr;

struct TestClock final : Clock {
  std::atomic<std::int64_t> ms{1795257666000};  // 2026-11-21T10:41:06Z
  [[nodiscard]] Instant now() const override { return from_millis(ms); }
};

std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> make_key() { return {EVP_RSA_gen(2048), EVP_PKEY_free}; }

std::string pem_of(EVP_PKEY* key) {
  BIO* bio = BIO_new(BIO_s_mem());
  PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr);
  char* bytes = nullptr;
  const auto length = static_cast<std::size_t>(BIO_get_mem_data(bio, &bytes));
  std::string out(bytes, length);
  BIO_free(bio);
  return out;
}

std::string from_base64url(std::string text) {
  for (char& c : text) c = c == '-' ? '+' : c == '_' ? '/' : c;
  return from_base64(text).value();
}

TEST(AppJwt, IsSignedByTheKeyAndNamesTheApp) {
  const auto key = make_key();
  const auto jwt = app_jwt(pem_of(key.get()), 77, from_millis(1795257666000));
  ASSERT_TRUE(jwt) << to_string(jwt.error());
  const std::size_t first = jwt->find('.'), last = jwt->rfind('.');
  EXPECT_EQ(from_base64url(jwt->substr(0, first)), R"({"alg":"RS256","typ":"JWT"})");
  EXPECT_EQ(from_base64url(jwt->substr(first + 1, last - first - 1)),
            R"({"iat":1795257606,"exp":1795258206,"iss":"77"})");
  const std::string text = jwt->substr(0, last), signature = from_base64url(jwt->substr(last + 1));
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get());
  EXPECT_EQ(EVP_DigestVerify(context.get(), reinterpret_cast<const unsigned char*>(signature.data()), signature.size(),
                             reinterpret_cast<const unsigned char*>(text.data()), text.size()),
            1);
}

TEST(AppJwt, RefusesWhatIsNoKey) {
  for (const char* pem : {"", "ghp_token", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"}) {
    const auto jwt = app_jwt(pem, 1, from_millis(0));
    ASSERT_FALSE(jwt);
    EXPECT_THAT(jwt.error().fix, HasSubstr(".pem"));
  }
}

std::vector<std::string> first_lines(const ScriptedServer& server) {
  std::vector<std::string> out;
  for (const std::string& request : server.requests()) out.push_back(request.substr(0, request.find(" HTTP")));
  return out;
}

TEST(Github, KnowsWhatACollaboratorMayDo) {
  const std::vector<std::pair<std::string, Permission>> kCases{
      {http_answer(200, R"({"permission":"admin"})"), Permission::admin},
      {http_answer(200, R"({"permission":"write","role_name":"maintain"})"), Permission::write},
      {http_answer(200, R"({"permission":"read"})"), Permission::read},
      {http_answer(404, R"({"message":"Not Found"})"), Permission::none}};
  ScriptedServer server([&](const std::string&, int number) { return kCases.at(number).first; });
  GithubConfig config;
  config.api_url = server.url();
  config.token.text = "ghp_x";
  const TestClock clock;
  Github github(config, clock);
  for (const auto& [answer, want] : kCases) EXPECT_EQ(github.permission("o/r", "a b").value(), want);
  EXPECT_EQ(first_lines(server).at(0), "GET /repos/o/r/collaborators/a%20b/permission");
  EXPECT_THAT(server.requests().at(0), HasSubstr("Authorization: Bearer ghp_x\r\n"));
}

TEST(Github, DoesNotTakeAFailureForAnAnswer) {
  const std::vector<std::string> kAnswers{http_answer(403, R"({"message":"Must have push access"})"),
                                          http_answer(500, ""), http_answer(200, "[]"),
                                          http_answer(200, R"({"permission":"owner"})"), ""};
  ScriptedServer server([&](const std::string&, int number) { return kAnswers.at(number); });
  GithubConfig config;
  config.api_url = server.url();
  const TestClock clock;
  Github github(config, clock);
  for (std::size_t i = 0; i < kAnswers.size(); ++i) {
    const auto permission = github.permission("o/r", "u");
    ASSERT_FALSE(permission) << i;
    if (i == 0) {
      EXPECT_THAT(permission.error().what, HasSubstr("403 Must have push access"));
    }
  }
}

TEST(Github, AnAppsTokenIsKeptAndRenewedBeforeItEnds) {
  int made = 0;
  ScriptedServer server([&](const std::string& request, int) {
    if (request.find("/installation HTTP") != request.npos) return http_answer(200, R"({"id":5})");
    if (request.find("/access_tokens") != request.npos)
      return http_answer(201,
                         R"({"token":"ghs_)" + std::to_string(++made) + R"(","expires_at":"2026-11-21T11:41:06Z"})");
    if (made == 3 || request.find("ghs_2") == request.npos) return http_answer(200, R"({"permission":"read"})");
    return http_answer(401, R"({"message":"Bad credentials"})");
  });
  const auto key = make_key();
  GithubConfig config;
  config.api_url = server.url();
  config.app_id = 77;
  config.app_key.text = pem_of(key.get());
  TestClock clock;
  Github github(config, clock);
  EXPECT_TRUE(github.permission("o/r", "u"));
  EXPECT_TRUE(github.permission("o/r", "u"));
  EXPECT_EQ(made, 1);
  clock.ms += 56 * 60 * 1000;  // four minutes before its end: renewed, refused, renewed again
  EXPECT_TRUE(github.permission("o/r", "u"));
  EXPECT_EQ(made, 3);
  const std::string ask = "GET /repos/o/r/collaborators/u/permission";
  const std::string find = "GET /repos/o/r/installation", make = "POST /app/installations/5/access_tokens";
  EXPECT_THAT(first_lines(server), ElementsAre(find, make, ask, ask, find, make, ask, find, make, ask));
}

TEST(Github, FollowsARepositoryThatMovedWithinTheForge) {
  std::string url;
  ScriptedServer server([&](const std::string& request, int) {
    if (request.find("/repos/") != request.npos)
      return http_answer(301, "{}", "Location: " + url + "/repositories/9\r\n");
    if (request.find("/repositories/9") != request.npos) return http_answer(200, R"({"permission":"write"})");
    return http_answer(200, "{}", "Location: https://elsewhere.example/\r\n");
  });
  url = server.url();
  GithubConfig config;
  config.api_url = url;
  const TestClock clock;
  Github github(config, clock);
  EXPECT_EQ(github.permission("o/r", "u").value(), Permission::write);
  url = "https://elsewhere.example";
  EXPECT_FALSE(github.permission("o/r", "u"));
}

}  // namespace github_test
}  // namespace kernelgate::forge
