// SPDX-License-Identifier: Apache-2.0
// The golden signatures were made by @octokit/webhooks-methods, GitHub's own; see make_golden.mjs beside them.
#include "server/webhooks/signature.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace kernelgate::webhooks {
namespace signature_test {

constexpr const char* kSecret = "It's a Secret to Everybody";

std::string read(const std::string& name) {
  std::ifstream in(std::string(KG_GOLDEN_WEBHOOKS) + "/" + name, std::ios::binary);
  EXPECT_TRUE(in) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Signature, IsGithubs) {
  // Of GitHub's page "Validating webhook deliveries".
  EXPECT_EQ(signature_of(kSecret, "Hello, World!"),
            "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17");
  std::ifstream list(std::string(KG_GOLDEN_WEBHOOKS) + "/signatures.txt");
  int files = 0;
  for (std::string name, signature; list >> name >> signature; ++files)
    EXPECT_EQ(signature_of(kSecret, read(name + ".json")), signature) << name;
  EXPECT_GT(files, 20);
}

TEST(Signature, AnythingElseIsRefused) {
  const std::string body = read("push.json");
  const std::string good = signature_of(kSecret, body);
  EXPECT_TRUE(is_signed(kSecret, body, good));
  EXPECT_FALSE(is_signed(kSecret, body + " ", good));
  EXPECT_FALSE(is_signed("another", body, good));
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = bad[at] == '0' ? '1' : '0';
    EXPECT_FALSE(is_signed(kSecret, body, bad)) << at;
  }
  EXPECT_FALSE(is_signed(kSecret, body, ""));
  EXPECT_FALSE(is_signed(kSecret, body, good.substr(0, 70)));
  EXPECT_FALSE(is_signed(kSecret, body, good + "0"));
  EXPECT_FALSE(is_signed(kSecret, body, good.substr(7)));
  EXPECT_FALSE(is_signed("", body, signature_of("", body)));  // no secret is no proof
}

}  // namespace signature_test
}  // namespace kernelgate::webhooks
