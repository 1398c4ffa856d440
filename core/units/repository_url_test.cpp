// SPDX-License-Identifier: Apache-2.0
#include "core/units/repository_url.hpp"

#include <gtest/gtest.h>

namespace kernelgate {
namespace repository_url_test {

TEST(RepositoryUrl, AllWaysToOneRepositoryAreOne) {
  const RepositoryUrl want{"github.com", "Acme/kernels"};
  for (const char* url :
       {"https://github.com/Acme/kernels", "https://github.com/Acme/kernels.git", "https://GitHub.com/Acme/kernels/",
        "https://ada:secret@github.com/Acme/kernels.git", "ssh://git@github.com/Acme/kernels.git",
        "ssh://git@github.com:22/Acme/kernels", "git@github.com:Acme/kernels.git", "http://github.com:80/Acme/kernels"})
    EXPECT_EQ(parse_repository_url(url), want) << url;
  EXPECT_EQ(parse_repository_url("https://gitlab.example/group/sub/name.git")->full_name, "group/sub/name");
}

TEST(RepositoryUrl, FilesAndOddTextsLiveNowhere) {
  for (const char* url : {"", "/srv/kernels.git", "file:///srv/a/kernels.git", "https://github.com", "https:///a/b",
                          "https://github.com/name", "git@github.com:../x", "https://host/a b/c", "host:", "ext::sh"})
    EXPECT_EQ(parse_repository_url(url), std::nullopt) << url;
}

TEST(RepositoryUrl, FullNamesCompareWithoutCase) {
  EXPECT_TRUE(same_full_name("Acme/Kernels", "acme/kernels"));
  EXPECT_FALSE(same_full_name("acme/kernels", "acme/kernels2"));
  EXPECT_FALSE(is_full_name("kernels"));
  EXPECT_FALSE(is_full_name("-a/b"));
  EXPECT_FALSE(is_full_name(std::string(300, 'a') + "/b"));
}

}  // namespace repository_url_test
}  // namespace kernelgate
