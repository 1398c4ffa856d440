// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "runner/source/mirror.hpp"

namespace kernelgate {
namespace url_test {

struct Submodule {
  const char *parent, *url;
  bool allowed;
};
class SubmoduleUrl : public testing::TestWithParam<Submodule> {};

TEST_P(SubmoduleUrl, ComesByHttpsOrFromTheHostOfItsRepository) {
  const auto& [parent, url, allowed] = GetParam();
  EXPECT_EQ(check_submodule_url(parent, url).has_value(), allowed) << url << " in " << parent;
}

constexpr const char* kSsh = "ssh://git@good.example/kernels.git";
constexpr const char* kScp = "git@good.example:kernels.git";

INSTANTIATE_TEST_SUITE_P(
    Table, SubmoduleUrl,
    testing::Values(Submodule{kSsh, "https://anywhere.example/x", true}, Submodule{kSsh, "ssh://good.example/x", true},
                    Submodule{kSsh, "ssh://other@good.example:2222/x", true},
                    Submodule{kSsh, "git@good.example:x", true}, Submodule{kScp, "ssh://git@good.example/x", true},
                    Submodule{"https://good.example/a", "git@good.example:x", true},
                    Submodule{"https://me:secret@good.example:8443/a", "ssh://good.example/x", true},
                    Submodule{"/srv/a", "/srv/b", true}, Submodule{"/srv/a", "file:///srv/b", true},
                    Submodule{kSsh, "ssh://evil.example/x", false}, Submodule{kScp, "git@evil.example:x", false},
                    // What stands behind the host is no host.
                    Submodule{kSsh, "ssh://evil.example/x@good.example", false},
                    Submodule{kSsh, "ssh://git@evil.example/x@good.example", false},
                    Submodule{kSsh, "ssh://evil.example/@good.example/x", false},
                    Submodule{kSsh, "ssh://evil.example:22/x@good.example:y", false},
                    Submodule{kSsh, "git@evil.example:x@good.example:y", false},
                    Submodule{kScp, "ssh://evil.example/git@good.example:x", false},
                    // Nor what stands before it.
                    Submodule{kSsh, "ssh://good.example@evil.example/x", false},
                    Submodule{kSsh, "ssh://good.example:x@evil.example/x", false},
                    Submodule{kScp, "good.example@evil.example:x", false},
                    Submodule{"ssh://[::1]/a", "ssh://[::1]:22/x", true},
                    Submodule{"ssh://[::1]/a", "ssh://[::2]/x", false},
                    Submodule{kSsh, "ssh://good.example.evil.example/x", false},
                    Submodule{kSsh, "ssh://good.exampl/x", false}, Submodule{kSsh, "/srv/private", false},
                    Submodule{kSsh, "file:///srv/private", false}, Submodule{"/srv/a", kSsh, false},
                    Submodule{kSsh, "http://good.example/x", false}, Submodule{kSsh, "ext::sh -c id", false},
                    Submodule{kSsh, "ssh://-oProxyCommand=id/x", false}, Submodule{kSsh, "-u", false},
                    Submodule{kSsh, "", false}, Submodule{kSsh, "ssh://good.example/x\ny", false}));

struct Relative {
  const char *parent, *url, *wanted;
};
class RelativeUrl : public testing::TestWithParam<Relative> {};

TEST_P(RelativeUrl, IsResolvedAsGitDoes) {
  const auto& [parent, url, wanted] = GetParam();
  EXPECT_EQ(resolve_submodule_url(parent, url), wanted);
}

INSTANTIATE_TEST_SUITE_P(
    Table, RelativeUrl,
    testing::Values(Relative{"https://h/g/a.git", "../b.git", "https://h/g/b.git"},
                    Relative{"https://h/g/a.git///", "../b.git", "https://h/g/b.git"},
                    Relative{"https://h/g/a", "./b", "https://h/g/a/b"},
                    Relative{"https://h/g/a", "./../.././b", "https://h/b"}, Relative{"git@h:g/a", "../b", "git@h:g/b"},
                    Relative{"git@h:a", "../b", "git@h:b"}, Relative{"/srv/g/a", "../../h/b", "/srv/h/b"},
                    Relative{"/srv/a", "b/../c", "b/../c"}, Relative{"/srv/a", "https://h/x", "https://h/x"}));

// However far a relative URL climbs, no other host comes of it.
TEST(RelativeUrl, NeverNamesAnotherHost) {
  for (const std::string parent : {"ssh://git@good.example/g/a", "git@good.example:g/a"}) {
    std::string up;
    for (int i = 0; i < 8; ++i) {
      up += "../";
      for (const char* target : {"evil.example/x", "/evil.example/x", "git@evil.example:x", "@evil.example/x"}) {
        const std::string url = resolve_submodule_url(parent, up + target);
        const bool kept = url.rfind("ssh://git@good.example/", 0) == 0 || url.rfind("git@good.example:", 0) == 0;
        EXPECT_TRUE(kept || !check_submodule_url(parent, url)) << up << target << " is " << url;
      }
    }
  }
}

TEST(UntrustedSubmodule, ComesFromListedHostsByHttpsAlone) {
  const std::vector<std::string> hosts{"github.com", "gitlab.example"};
  for (const char* good : {"https://github.com/a/b", "https://gitlab.example/x@y"})
    EXPECT_TRUE(check_untrusted_submodule_url(hosts, good)) << good;
  for (const char* bad :
       {"https://evil.example/a", "https://github.com:444/a", "https://me@github.com/a",
        "https://github.com@evil.example/", "https://evil.example/@github.com/a", "https://GitHub.com.evil.example/a",
        "https://github.com\\@evil.example/a", "ssh://github.com/a", "git@github.com:a", "/srv/a", "https://",
        "https:///a", "http://github.com/a", ""})
    EXPECT_FALSE(check_untrusted_submodule_url(hosts, bad)) << bad;
  EXPECT_FALSE(check_untrusted_submodule_url({}, "https://github.com/a"));
}

}  // namespace url_test
}  // namespace kernelgate
