// SPDX-License-Identifier: Apache-2.0
// A finished run as a file, over real sockets.
#include "db/runs/bundle_file.hpp"
#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_bundle_test {

class ApiBundle : public ApiFixture {
 protected:
  void SetUp() override {
    Settings settings;
    settings.program = "kernelgate 7 (test)";
    start(settings);
  }
};

TEST_F(ApiBundle, AFinishedRunIsGivenAsAFile) {
  add_repository();
  const auto run = trigger('a');
  const std::string target = "/api/v1/runs/" + std::to_string(run) + "/bundle";
  EXPECT_EQ(get("/api/v1/runs/99/bundle").status, 404);
  EXPECT_EQ(ask("", "GET", target).status, 401);
  EXPECT_EQ(get(target).status, 409) << "not finished";
  const auto claimed = claim();
  ASSERT_EQ(resolve(claimed, '1').status, 200);
  ASSERT_EQ(finish(claimed, first_push()).status, 200);
  const Reply reply = get(target);
  ASSERT_EQ(reply.status, 200);
  const auto bundle = db::unpack_bundle(reply.body.get<std::string>());
  ASSERT_TRUE(bundle) << to_string(bundle.error());
  EXPECT_EQ(bundle->run.id, run);
  EXPECT_EQ(bundle->run.repository, "kernels");
  EXPECT_EQ(bundle->program, "kernelgate 7 (test)");
  EXPECT_EQ(bundle->evidence.suites.size(), 1u);
  EXPECT_NE(bundle->decision.find("\"conclusion\""), std::string::npos);
}

}  // namespace api_bundle_test
}  // namespace kernelgate::api
