// SPDX-License-Identifier: Apache-2.0
#include "commands/login/login.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "commands/commands.hpp"
#include "commands/login/config.hpp"
#include "core/wire/accounts.hpp"
#include "core/wire/codec.hpp"
#include "tests/support/scripted_server.hpp"
#include "tests/support/test_repository.hpp"

namespace kernelgate::login {
namespace login_test {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const std::string kGood = "kg_" + std::string(64, 'a'), kRunners = "kg_" + std::string(64, 'b');

// Knows two tokens; notes what it was asked.
std::string answer(const std::string& request) {
  const auto caller = [](const char* name, Role role) {
    return http_answer(
        200, wire::encode(wire::Caller{.name = name, .role = role, .by = "token", .csrf_token = {}, .expires_at = {}}));
  };
  if (request.find(kGood) != request.npos)
    return request.rfind("GET /api/v1/session", 0) == 0 ? caller("ada", Role::admin)
                                                        : http_answer(200, wire::encode(wire::ActionPage{}));
  if (request.find(kRunners) != request.npos) return caller("box", Role::runner);
  return http_answer(401, R"({"title":"unknown token","status":401})");
}

class Login : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"XDG_CONFIG_HOME", "KERNELGATE_SERVER", "KERNELGATE_TOKEN_FILE"}) {
      const char* value = std::getenv(name);
      if (value) before_[name] = value;
      unsetenv(name);
    }
    setenv("XDG_CONFIG_HOME", folder.path.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XDG_CONFIG_HOME");
    for (const auto& [name, value] : before_) setenv(name.c_str(), value.c_str(), 1);
  }

  fs::path token_file(const std::string& name, const std::string& text) const {
    const fs::path file = folder.path / name;
    std::ofstream(file) << text << '\n';
    fs::permissions(file, fs::perms::owner_read);
    return file;
  }
  int call(std::vector<std::string> words) {
    words.insert(words.begin(), "kernelgate");
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = cli::run(static_cast<int>(argv.size()), argv.data());
    said = testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
    return code;
  }
  fs::path config() const { return folder.path / "kernelgate/config.toml"; }

  TemporaryFolder folder{"login"};
  ScriptedServer server{[](const std::string& request, int) { return answer(request); }};
  std::string said;

 private:
  std::map<std::string, std::string> before_;
};

TEST_F(Login, ALinkIsEnoughAndNobodyElseMayReadWhatIsKept) {
  ASSERT_EQ(call({"login", server.url() + "/#token=" + kGood}), 0) << said;
  EXPECT_THAT(said, HasSubstr("logged in to " + server.url() + " as ada (admin)"));
  EXPECT_THAT(said, Not(HasSubstr(kGood)));
  for (const fs::path& file : {config(), folder.path / "kernelgate/token"}) {
    struct stat facts {};
    ASSERT_EQ(stat(file.c_str(), &facts), 0) << file;
    EXPECT_EQ(facts.st_mode & 0777, 0600U) << file;
  }
  const auto kept = read_config();
  ASSERT_TRUE(kept && *kept);
  EXPECT_EQ((*kept)->server, server.url());
  EXPECT_EQ(call({"audit", "--server", server.url()}), 0) << said;
}

TEST_F(Login, ATokenOfAFileOrOfALineIsTakenToo) {
  const fs::path file = token_file("mine", kGood);
  ASSERT_TRUE(log_in({.url = server.url() + "/", .token_file = file}));
  EXPECT_EQ((*read_config())->token_file, file) << "not copied";
  std::FILE* in = std::tmpfile();
  std::fputs((kGood + "\n").c_str(), in);
  std::rewind(in);
  ASSERT_TRUE(log_in({.url = server.url(), .token_file = {}, .in = in}));
  std::fclose(in);
  EXPECT_EQ((*read_config())->token_file, folder.path / "kernelgate/token");
}

TEST_F(Login, WhatTheServerRefusesIsNotKept) {
  EXPECT_EQ(call({"login", server.url() + "/#token=kg_" + std::string(64, 'c')}), 2) << said;
  EXPECT_EQ(call({"login", server.url() + "/#token=" + kRunners}), 2);
  EXPECT_THAT(said, HasSubstr("a token of role runner is not a person's"));
  EXPECT_EQ(call({"login"}), 2);
  EXPECT_FALSE(fs::exists(config()));
}

TEST_F(Login, ForgetTakesItAway) {
  EXPECT_EQ(call({"login", "--forget"}), 0);
  EXPECT_EQ(said, "nothing was kept\n");
  ASSERT_EQ(call({"login", server.url() + "/#token=" + kGood}), 0);
  EXPECT_EQ(call({"login", "--forget"}), 0);
  EXPECT_FALSE(fs::exists(config()));
  EXPECT_FALSE(fs::exists(folder.path / "kernelgate/token"));
}

TEST_F(Login, FlagsWinOverTheEnvironmentAndThatOverTheConfiguration) {
  ASSERT_TRUE(write_config({.server = "http://kept:1", .token_file = "/kept"}));
  struct Case {
    const char *flag, *flag_token;  // as given
    std::string server, token;      // as completed; no server: an error
  };
  const std::vector<Case> cases{{"", "", "http://kept:1", "/kept"},
                                {"", "/flag", "http://kept:1", "/flag"},
                                {"http://flag:1", "/flag", "http://flag:1", "/flag"},
                                {"http://kept:1/", "", "http://kept:1/", "/kept"},
                                {"http://flag:1", "", "", ""}};
  for (const Case& one : cases) {
    std::string url = one.flag, token = one.flag_token;
    const Status done = complete(url, token);
    ASSERT_EQ(done.has_value(), !one.server.empty()) << one.flag;
    if (!done) {
      EXPECT_THAT(to_string(done.error()), HasSubstr("no token for http://flag:1"))
          << "it goes to its own server alone";
      continue;
    }
    EXPECT_EQ(url, one.server);
    EXPECT_EQ(token, one.token);
  }
}

TEST_F(Login, CommandsThatNeedAServerTakeItFromTheConfiguration) {
  EXPECT_EQ(call({"outbox"}), 2);
  EXPECT_EQ(call({"trigger", "--repository", "kernels"}), 2);
  EXPECT_THAT(said, HasSubstr("no server is named"));
  EXPECT_THAT(said, HasSubstr("'kernelgate login URL' once"));
  ASSERT_EQ(call({"login", server.url() + "/#token=" + kGood}), 0);
  const std::size_t asked = server.requests().size();
  (void)call({"repository", "webhook-secret", "--name", "kernels"});
  (void)call({"trigger", "--repository", "kernels", "--repo", folder.path});
  (void)call({"runs", "approve", "3"});
  ASSERT_GE(server.requests().size(), asked + 2);
  for (const std::string& request : server.requests()) EXPECT_THAT(request, HasSubstr("Bearer " + kGood));
  setenv("KERNELGATE_SERVER", "http://127.0.0.1:1", 1);
  EXPECT_EQ(call({"runs", "approve", "3"}), 2) << "the environment names another server, which has no token";
  EXPECT_THAT(said, HasSubstr("no token for http://127.0.0.1:1"));
  EXPECT_EQ(call({"runs", "approve", "--help"}), 0);
}

TEST_F(Login, LookingUpPrefersTheRepositorysOwnStore) {
  ASSERT_EQ(call({"login", server.url() + "/#token=" + kGood}), 0);
  const TestRepository repository(folder.path / "repository");
  const std::size_t asked = server.requests().size();
  (void)call({"audit", "--repo", repository.path});
  EXPECT_EQ(server.requests().size(), asked + 1) << "there is no store here: the server is asked";
  fs::create_directories(repository.path / ".git/kernelgate");
  std::ofstream(repository.path / ".git/kernelgate/local.db") << "";
  (void)call({"audit", "--repo", repository.path});
  (void)call({"audit", "--db", folder.path / "none.db"});
  EXPECT_EQ(server.requests().size(), asked + 1);
}

TEST_F(Login, AConfigurationThatIsWrongOrOpenToOthersIsSaid) {
  fs::create_directories(config().parent_path());
  const auto written = [this](const std::string& text, fs::perms perms) {
    fs::remove(config());
    std::ofstream(config()) << text;
    fs::permissions(config(), perms);
    const auto read = read_config();
    return read ? std::string("no error") : to_string(read.error());
  };
  const fs::perms ours = fs::perms::owner_read | fs::perms::owner_write;
  EXPECT_THAT(written("server = \"http://h:1\"\n", ours | fs::perms::others_read), HasSubstr("chmod 600"));
  EXPECT_THAT(written("server = ", ours), HasSubstr("not TOML"));
  EXPECT_THAT(written("sever = \"http://h:1\"\n", ours), HasSubstr("did you mean 'server'"));
  EXPECT_EQ(written("server = \"http://h:1/\"\ntoken_file = \"t\"\n", ours), "no error");
  EXPECT_EQ((*read_config())->server, "http://h:1");
  EXPECT_EQ((*read_config())->token_file, config().parent_path() / "t");
  setenv("XDG_CONFIG_HOME", "relative", 1);
  EXPECT_THAT(config_folder().string(), Not(HasSubstr("relative"))) << "as the specification of XDG says";
}

}  // namespace login_test
}  // namespace kernelgate::login
