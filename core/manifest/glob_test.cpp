// SPDX-License-Identifier: Apache-2.0
#include "core/manifest/glob.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/units/limits.hpp"

namespace kernelgate {
namespace glob_test {

struct Case {
  const char* pattern;
  const char* path;
  bool want;
};

TEST(Glob, MatchesAsGitDoes) {
  const Case cases[] = {
      {"**", "a", true},
      {"**", "a/b/c.cu", true},
      {"*", "a", true},
      {"*", "a/b", false},
      {"CMakeLists.txt", "CMakeLists.txt", true},
      {"CMakeLists.txt", "sub/CMakeLists.txt", false},
      {"**/CMakeLists.txt", "CMakeLists.txt", true},
      {"**/CMakeLists.txt", "a/b/CMakeLists.txt", true},
      {"**/CMakeLists.txt", "a/notCMakeLists.txt", false},
      {"kernels/**", "kernels/a.cu", true},
      {"kernels/**", "kernels/a/b.cu", true},
      {"kernels/**", "kernels", false},
      {"kernels/**", "other/kernels/a.cu", false},
      {"kernels/*.cu", "kernels/a.cu", true},
      {"kernels/*.cu", "kernels/x/a.cu", false},
      {"a/**/b", "a/b", true},
      {"a/**/b", "a/x/y/b", true},
      {"a/**/b", "a/xb", false},
      {"a**b", "axxb", true},
      {"a**b", "ax/xb", false},
      {"**x", "yx", true},
      {"**x", "y/x", false},
      {"?.cu", "a.cu", true},
      {"?.cu", "ab.cu", false},
      {"a?b", "a/b", false},
      {"?.cu", "\xc3\xb6.cu", true},
      {"[a-c].h", "b.h", true},
      {"[a-c].h", "d.h", false},
      {"[!a-c].h", "d.h", true},
      {"[^a-c].h", "b.h", false},
      {"a[!x]b", "a/b", false},
      {"[]x]", "]", true},
      {"[a-]", "-", true},
      {"\\*.h", "*.h", true},
      {"\\*.h", "a.h", false},
      {"with space/*", "with space/f", true},
      {"[a-", "a", false},
  };
  for (const Case& c : cases) EXPECT_EQ(glob_match(c.pattern, c.path), c.want) << c.pattern << " on " << c.path;
}

TEST(Glob, ManyStarsDoNotStallIt) {
  std::string pattern;
  for (int i = 0; i < 60; ++i) pattern += "**/*a*";
  EXPECT_FALSE(glob_match(pattern + "b", std::string(4000, 'a')));
}

TEST(Glob, RefusesWhatCannotMatch) {
  for (const char* bad : {"", "/abs", "../up", "a/../b", "./a", "a/./b", "dir/", "[a-z", "a\\"})
    EXPECT_FALSE(check_glob(bad)) << bad;
  EXPECT_FALSE(check_glob(std::string(limits::kGlobMax + 1, 'a')));
  EXPECT_FALSE(check_glob(std::string_view("a\0b", 3)));
  for (const char* good : {"**", "a", "..a", "a/..b/*", "[!x]", "\\["}) EXPECT_TRUE(check_glob(good)) << good;
}

}  // namespace glob_test
}  // namespace kernelgate
