// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/units/base64.hpp"
#include "core/units/digest.hpp"
#include "core/units/git_hash.hpp"
#include "core/units/hmac.hpp"
#include "core/units/result.hpp"
#include "core/units/role.hpp"

namespace kernelgate {
namespace units_test {

TEST(GitHash, PrefixesAreHexDigits) {
  for (const char* text : {"abcd", "0123456789"}) EXPECT_TRUE(is_git_hash_prefix(text)) << text;
  EXPECT_TRUE(is_git_hash_prefix(std::string(64, 'f')));
  for (const char* text : {"", "abc", "ABCD", "main", "abcd "}) EXPECT_FALSE(is_git_hash_prefix(text)) << text;
  EXPECT_FALSE(is_git_hash_prefix(std::string(65, 'f')));
}

TEST(Error, SaysWhereWhatAndHowToMend) {
  const Error error{Errc::invalid, "unknown key 'tolarate'", "kernelgate.toml:3:1", "did you mean 'tolerate'?"};
  EXPECT_EQ(to_string(error), "kernelgate.toml:3:1: unknown key 'tolarate' (did you mean 'tolerate'?)");
  EXPECT_EQ(to_string(Error{Errc::io, "disk full", "", ""}), "disk full");
}

TEST(GitHash, OnlyFullLowerCaseHexParses) {
  EXPECT_TRUE(CommitHash::parse(std::string(40, 'a')));
  EXPECT_TRUE(CommitHash::parse(std::string(64, '0')));
  for (const char* bad : {"", "abc", "HEAD", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                          "gggggggggggggggggggggggggggggggggggggggg", "--upload-pack=touch"})
    EXPECT_FALSE(CommitHash::parse(bad)) << bad;
}

TEST(Digest, MatchesTheStandardsExample) {
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_NE(Sha256().field("ab").field("c").hex(), Sha256().field("a").field("bc").hex());
}

TEST(Digest, RandomIdentifiersDiffer) {
  EXPECT_EQ(random_hex(16).size(), 32U);
  EXPECT_NE(random_hex(16), random_hex(16));
}

TEST(Role, AdminIncludesAllAndAllButBadgesRead) {
  for (const Role role : kRoles) {
    EXPECT_EQ(parse_role(to_string(role)), role);
    EXPECT_EQ(includes(role, Role::read), role != Role::badge);
    EXPECT_TRUE(includes(role, Role::badge));
    EXPECT_TRUE(includes(Role::admin, role));
  }
  EXPECT_FALSE(includes(Role::trigger, Role::runner));
  EXPECT_FALSE(includes(Role::runner, Role::trigger));
  EXPECT_FALSE(includes(Role::trigger, Role::admin));
  EXPECT_FALSE(parse_role("root"));
}

// RFC 4231, case 2.
TEST(Hmac, SignsAsOthersDo) {
  EXPECT_EQ(hmac_sha256_hex("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

// RFC 4231, case 6: a key longer than a block.
TEST(Hmac, HashesALongKeyFirst) {
  EXPECT_EQ(hmac_sha256_hex(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

// RFC 4648, section 10.
TEST(Base64, IsReadAsItIsWritten) {
  for (const auto& [bytes, text] : {std::pair<std::string, std::string>{"", ""},
                                    {"f", "Zg=="},
                                    {"fo", "Zm8="},
                                    {"foo", "Zm9v"},
                                    {"foob", "Zm9vYg=="},
                                    {std::string("\xfb\xff\0", 3), "+/8A"}}) {
    EXPECT_EQ(to_base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
    EXPECT_EQ(from_base64(text.substr(0, text.find('='))), bytes);
  }
  EXPECT_EQ(to_base64url("\xfb\xff"), "-_8");
  for (const char* bad : {"Z", "Zm9vY", "Zg===", "Z=g=", " Zg==", "Zm9v\n", "-_8"})
    EXPECT_FALSE(from_base64(bad)) << bad;
}

}  // namespace units_test
}  // namespace kernelgate
