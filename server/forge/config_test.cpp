// SPDX-License-Identifier: Apache-2.0
#include "server/forge/config.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

#include "core/units/digest.hpp"

namespace kernelgate::forge {
namespace config_test {

using testing::HasSubstr;

TEST(Config, ReadsEverySection) {
  const auto config = parse_config(R"(schema = 1
[github]
api_url = "https://git.example/api/v3/"
app_id = 12
app_key_file = "app.pem"
webhook_secret_file = "/etc/secret"
context = "gpu"
comments = false
[gitlab]
token_file = "gitlab.token"
[[webhook]]
name = "ci"
url = "http://ci.internal/hook"
secret_file = "ci.secret"
[[chat]]
name = "room"
url_file = "room.url"
conclusions = ["infrastructure"]
[delivery]
timeout_s = 0.5
give_up_s = 7200
)",
                                   "kg.toml", "/etc/kg");
  ASSERT_TRUE(config) << to_string(config.error());
  ASSERT_TRUE(config->github && config->gitlab);
  EXPECT_EQ(config->github->api_url, "https://git.example/api/v3");
  EXPECT_EQ(config->github->app_key.file, "/etc/kg/app.pem");
  EXPECT_EQ(config->github->webhook_secret.file, "/etc/secret");
  EXPECT_TRUE(config->github->is_app() && config->github->statuses && !config->github->comments);
  EXPECT_EQ(config->gitlab->api_url, "https://gitlab.com/api/v4");
  EXPECT_EQ(config->webhooks.at(0).conclusions.size(), 7U);
  EXPECT_EQ(config->chats.at(0).conclusions, std::vector{Conclusion::infrastructure});
  EXPECT_EQ(config->delivery.timeout, std::chrono::milliseconds(500));
  EXPECT_EQ(config->delivery.give_up, std::chrono::hours(2));
}

TEST(Config, NamesSoManyReceiversAndNoMore) {
  std::string text = "schema = 1\n";
  for (int i = 0; i < limits::kReceiversMax; ++i)
    text += "[[chat]]\nname = 'room" + std::to_string(i) + "'\nurl_file = 'a'\n";
  EXPECT_TRUE(parse_config(text, "kg.toml", "/"));
  const auto more =
      parse_config(text + "[[webhook]]\nname = 'ci'\nurl = 'https://ci'\nsecret_file = 's'\n", "kg.toml", "/");
  ASSERT_FALSE(more);
  EXPECT_THAT(to_string(more.error()), HasSubstr("33"));
}

struct Malformed {
  const char* text;
  const char* said;
};

class ConfigRefuses : public testing::TestWithParam<Malformed> {};

TEST_P(ConfigRefuses, WithPlaceAndCure) {
  const auto config = parse_config(std::string("schema = 1\n") + GetParam().text, "kg.toml", "/");
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().code, Errc::invalid);
  EXPECT_THAT(to_string(config.error()), HasSubstr(GetParam().said));
}

INSTANTIATE_TEST_SUITE_P(
    All, ConfigRefuses,
    testing::Values(
        Malformed{"[github", "kg.toml:2:8: not TOML"}, Malformed{"[githab]\n", "did you mean 'github'"},
        Malformed{"[github]\n", "'token_file' of [github] is missing"},
        Malformed{"[github]\ntoken_file = 'a'\napp_id = 1\n", "kg.toml:4:10: 'app_id' of [github] and 'app_key_file'"},
        Malformed{"[github]\ntoken_file = 'a'\napp_id = 1\napp_key_file = 'k'\n", "stands beside an App"},
        Malformed{"[github]\ntoken_file = 'a'\napi_url = 'http://git.example'\n",
                  "kg.toml:4:11: 'api_url' of [github]"},
        Malformed{"[github]\ntoken_file = 'a'\napi_url = 'http://127.0.0.1.evil.example'\n",
                  "http only to this machine"},
        Malformed{"[github]\ntoken_file = 3\n", "must be a string"},
        Malformed{"[github]\ntoken_file = 'a'\ncontext = ''\n", "'context' of [github] is empty"},
        Malformed{"[gitlab]\n", "'token_file'"},
        Malformed{"[[webhook]]\nname = 'a b'\nurl = 'https://x'\nsecret_file = 's'\n", "is not a plain name"},
        Malformed{"[[webhook]]\nname = 'a'\nurl = 'ftp://x'\nsecret_file = 's'\n", "is no web address"},
        Malformed{"[[webhook]]\nname = 'a'\nurl = 'https://x'\n", "'secret_file'"},
        Malformed{"[[chat]]\nname = 'a'\nurl_file = 'u'\nconclusions = ['red']\n", "has 'red'"},
        Malformed{"[[chat]]\nname = 'a'\nurl_file = 'u'\n[[chat]]\nname = 'a'\nurl_file = 'u'\n", "'a' is taken"},
        Malformed{"[delivery]\ntimeout_s = 0\n", "'timeout_s' of [delivery]"}));

TEST(Config, OfAnotherSchemaIsRefused) {
  EXPECT_FALSE(parse_config("", "kg.toml", "/"));
  EXPECT_FALSE(parse_config("schema = 2", "kg.toml", "/"));
}

TEST(Config, SecretsAreReadFromFilesOfOurOwnAlone) {
  const auto folder = std::filesystem::temp_directory_path() / ("kg config " + random_hex(8));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "kg.toml") << "schema = 1\n[github]\ntoken_file = 'token'\n";
  std::ofstream(folder / "token") << "ghp_secret\n";
  ::chmod((folder / "token").c_str(), 0644);
  const auto open_to_all = read_config(folder / "kg.toml");
  ASSERT_FALSE(open_to_all);
  EXPECT_THAT(to_string(open_to_all.error()), HasSubstr("chmod 600"));
  EXPECT_THAT(to_string(open_to_all.error()), testing::Not(HasSubstr("ghp_secret")));
  ::chmod((folder / "token").c_str(), 0600);
  const auto config = read_config(folder / "kg.toml");
  ASSERT_TRUE(config) << to_string(config.error());
  EXPECT_EQ(config->github->token.text, "ghp_secret");
  std::filesystem::remove_all(folder);
}

}  // namespace config_test
}  // namespace kernelgate::forge
