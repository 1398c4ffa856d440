// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "runner/source/mirror.hpp"

namespace kernelgate {
namespace url_test {

constexpr const char* kSsh = "ssh://git@good.example/kernels.git";
constexpr const char* kScp = "git@good.example:kernels.git";

struct Submodule {
  const char *parent, *url;
  bool allowed;
};

TEST(SubmoduleUrl, ComesByHttpsOrFromTheHostOfItsRepository) {
  const Submodule cases[] = {{kSsh, "https://anywhere.example/x", true},
                             {kSsh, "ssh://good.example/x", true},
                             {kSsh, "ssh://other@good.example:2222/x", true},
                             {kSsh, "git@good.example:x", true},
                             {kScp, "ssh://git@good.example/x", true},
                             {"https://good.example/a", "git@good.example:x", true},
                             {"https://me:secret@good.example:8443/a", "ssh://good.example/x", true},
                             {"/srv/a", "/srv/b", true},
                             {"/srv/a", "file:///srv/b", true},
                             {kSsh, "ssh://evil.example/x", false},
                             {kScp, "git@evil.example:x", false},
                             // What stands behind the host is no host.
                             {kSsh, "ssh://evil.example/x@good.example", false},
                             {kSsh, "ssh://git@evil.example/x@good.example", false},
                             {kSsh, "ssh://evil.example/@good.example/x", false},
                             {kSsh, "ssh://evil.example:22/x@good.example:y", false},
                             {kSsh, "git@evil.example:x@good.example:y", false},
                             {kScp, "ssh://evil.example/git@good.example:x", false},
                             // Nor what stands before it.
                             {kSsh, "ssh://good.example@evil.example/x", false},
                             {kSsh, "ssh://good.example:x@evil.example/x", false},
                             {kScp, "good.example@evil.example:x", false},
                             {"ssh://[::1]/a", "ssh://[::1]:22/x", true},
                             {"ssh://[::1]/a", "ssh://[::2]/x", false},
                             {kSsh, "ssh://good.example.evil.example/x", false},
                             {kSsh, "ssh://good.exampl/x", false},
                             {kSsh, "/srv/private", false},
                             {kSsh, "file:///srv/private", false},
                             {"/srv/a", kSsh, false},
                             {kSsh, "http://good.example/x", false},
                             {kSsh, "ext::sh -c id", false},
                             {kSsh, "ssh://-oProxyCommand=id/x", false},
                             {kSsh, "-u", false},
                             {kSsh, "", false},
                             {kSsh, "ssh://good.example/x\ny", false}};
  for (const auto& [parent, url, allowed] : cases) {
    EXPECT_EQ(check_submodule_url(parent, url).has_value(), allowed) << url << " in " << parent;
  }
}

struct Relative {
  const char *parent, *url, *wanted;
};

TEST(RelativeUrl, IsResolvedAsGitDoes) {
  const Relative cases[] = {{"https://h/g/a.git", "../b.git", "https://h/g/b.git"},
                            {"https://h/g/a.git///", "../b.git", "https://h/g/b.git"},
                            {"https://h/g/a", "./b", "https://h/g/a/b"},
                            {"https://h/g/a", "./../.././b", "https://h/b"},
                            {"git@h:g/a", "../b", "git@h:g/b"},
                            {"git@h:a", "../b", "git@h:b"},
                            {"/srv/g/a", "../../h/b", "/srv/h/b"},
                            {"/srv/a", "b/../c", "b/../c"},
                            {"/srv/a", "https://h/x", "https://h/x"}};
  for (const auto& [parent, url, wanted] : cases) {
    EXPECT_EQ(resolve_submodule_url(parent, url), wanted);
  }
}

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
