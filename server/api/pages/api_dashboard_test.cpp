// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_dashboard_test {

using ::testing::HasSubstr;
using ::testing::Not;

class ApiDashboard : public ApiFixture {
 protected:
  void SetUp() override {
    Settings settings;
    settings.dashboard = assets::Files::embedded();
    start(settings);
  }
};

TEST_F(ApiDashboard, ItsPagesNeedNoTokenAndHoldNoData) {
  for (const char* target : {"/", "/runs", "/runs/1", "/runs/none", "/history", "/compare", "/benchmarks", "/baselines",
                             "/testbeds", "/attempts", "/bisections", "/bisections/1", "/roofline", "/admin"}) {
    const Reply page = ask("", "GET", target);
    EXPECT_EQ(page.status, 200) << target;
    EXPECT_THAT(page.body.get<std::string>(), HasSubstr("<div id=\"app\">"));
    EXPECT_EQ(page.headers.at("cache-control"), "no-cache");
  }
  EXPECT_EQ(ask("unknown", "GET", "/").status, 200);
}

TEST_F(ApiDashboard, ALinkToNowhereTellsPeopleWhatToDoAndProgramsWhatIsWrong) {
  struct Case {
    const char* target;
    int status;
  };
  for (const auto& [target, status] : {Case{"/history?b=%00", 400}, Case{"/runs/%00", 400}, Case{"/no%3Cb%3E", 404}}) {
    http::RawClient client(server_->port());
    const auto page = client.ask("GET", target, "Accept: text/html,*/*\r\n");
    ASSERT_TRUE(page) << target;
    EXPECT_EQ(page->status, status) << target;
    EXPECT_THAT(page->body, testing::AllOf(HasSubstr("What to do"), HasSubstr("href=\"/\""), Not(HasSubstr("<b>"))));
    EXPECT_THAT(page->headers.at("content-security-policy"), HasSubstr("default-src 'none'; style-src 'sha256-"));
    EXPECT_EQ(ask("", "GET", target).headers.at("content-type"), "application/problem+json") << target;
  }
}

TEST_F(ApiDashboard, ItsPolicyAllowsFilesOfTheServerOnly) {
  const std::string policy = ask("", "GET", "/").headers.at("content-security-policy");
  EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
  EXPECT_THAT(policy, HasSubstr("script-src 'self'; style-src 'self'"));
  EXPECT_THAT(policy, HasSubstr("require-trusted-types-for 'script'"));
  EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
}

TEST_F(ApiDashboard, FilesStayInTheBrowserForEverAndPagesAreAskedAgain) {
  for (const assets::EmbeddedFile& file : assets::embedded_files()) {
    if (file.name == "index.html") continue;
    const Reply reply = ask("", "GET", "/" + std::string(file.name));
    EXPECT_EQ(reply.status, 200) << file.name;
    EXPECT_THAT(reply.headers.at("cache-control"), HasSubstr("immutable"));
  }
  const std::string etag = ask("", "GET", "/").headers.at("etag");
  http::RawClient client(server_->port());
  const auto again = client.ask("GET", "/", "If-None-Match: " + etag + "\r\n");
  EXPECT_EQ(again->status, 304);
  EXPECT_EQ(again->body, "");
  const auto weak = client.ask("GET", "/", "If-None-Match: W/" + etag + "\r\n");
  EXPECT_EQ(weak->status, 304);
  EXPECT_EQ(ask("", "GET", "/assets/none.js").status, 404);
  EXPECT_EQ(ask("", "GET", "/assets/..%2Findex.html").status, 404);
}

TEST_F(ApiDashboard, FilesComePackedAsTheBuildPackedThem) {
  http::RawClient client(server_->port());
  for (const assets::EmbeddedFile& file : assets::embedded_files()) {
    if (file.name == "index.html" || file.text.size() < 1024) continue;
    const auto packed = client.ask("GET", "/" + std::string(file.name), "Accept-Encoding: gzip, zstd\r\n");
    EXPECT_EQ(packed->headers.at("content-encoding"), "gzip") << file.name;
    EXPECT_EQ(packed->headers.at("vary"), "Accept-Encoding");
    EXPECT_EQ(packed->headers.at("etag").substr(0, 3), "W/\"");
    EXPECT_EQ(packed->body, file.gzip) << file.name;
    EXPECT_EQ(client.ask("GET", "/" + std::string(file.name))->body, file.text) << file.name;
  }
}

}  // namespace api_dashboard_test
}  // namespace kernelgate::api
