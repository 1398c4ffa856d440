// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "runner/source/mirror.hpp"

namespace kernelgate {
namespace {

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

// git@host:path
bool is_scp_like(std::string_view url) {
  const auto colon = url.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == url.size()) return false;
  const auto host = url.substr(0, colon);
  return host.find('/') == std::string_view::npos && host.find('@') != std::string_view::npos && url[colon + 1] != ':';
}

// An '@' of the path names no host: ssh://host/path@other comes from host.
std::string_view host_of(std::string_view url) {
  const auto scheme = url.find("://");
  if (scheme != std::string_view::npos) {
    url.remove_prefix(scheme + 3);
    url = url.substr(0, url.find('/'));
    url.remove_prefix(url.rfind('@') + 1);  // npos + 1 is 0
    const bool is_ip6 = starts_with(url, "[");
    return url.substr(0, is_ip6 ? url.find(']') : url.find(':'));
  }
  url = url.substr(0, url.find(':'));
  return url.substr(url.rfind('@') + 1);
}

}  // namespace

bool is_local_git_url(std::string_view url) { return starts_with(url, "/") || starts_with(url, "file:///"); }

Status check_git_url(std::string_view url) {
  const bool control = std::any_of(url.begin(), url.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  const bool known =
      is_local_git_url(url) || starts_with(url, "https://") || starts_with(url, "ssh://") || is_scp_like(url);
  if (!url.empty() && url[0] != '-' && !control && known && url.find("://-") == std::string_view::npos) return {};
  return fail(Errc::invalid, "this git URL is not allowed: '" + std::string(url.substr(0, 200)) + "'", {},
              "use https://, ssh://, user@host:path, file:/// or an absolute path");
}

Status check_submodule_url(std::string_view parent, std::string_view url) {
  if (auto allowed = check_git_url(url); !allowed) return allowed;
  if (starts_with(url, "https://") || (is_local_git_url(url) && is_local_git_url(parent))) return {};
  if (!is_local_git_url(url) && !is_local_git_url(parent) && host_of(url) == host_of(parent)) return {};
  return fail(Errc::invalid, "a submodule may not come from '" + std::string(url.substr(0, 200)) + "'", {},
              "use https://, or the host of the repository itself");
}

Status check_untrusted_submodule_url(const std::vector<std::string>& hosts, std::string_view url) {
  if (auto allowed = check_git_url(url); !allowed) return allowed;
  constexpr std::string_view kHttps = "https://";
  const auto authority = url.substr(std::min(kHttps.size(), url.size()));
  const std::string host(authority.substr(0, authority.find('/')));  // a user or a port is part of it: on no list
  if (starts_with(url, kHttps) && std::find(hosts.begin(), hosts.end(), host) != hosts.end()) return {};
  return fail(Errc::invalid, "a fork's submodule may not come from '" + std::string(url.substr(0, 200)) + "'", {},
              "use https:// and a host that the runner allows: --fork-submodule-host");
}

std::string resolve_submodule_url(std::string_view parent, std::string_view url) {
  if (!starts_with(url, "./") && !starts_with(url, "../")) return std::string(url);
  while (!parent.empty() && parent.back() == '/') parent.remove_suffix(1);
  char separator = '/';
  for (bool more = true; more;) {
    more = false;
    if (starts_with(url, "./")) {
      url.remove_prefix(2);
      more = true;
    } else if (starts_with(url, "../")) {
      url.remove_prefix(3);
      const auto cut = parent.find_last_of("/:");
      if (cut == std::string_view::npos) break;
      separator = parent[cut];
      parent = parent.substr(0, cut);
      more = true;
    }
  }
  return std::string(parent) + separator + std::string(url);
}

}  // namespace kernelgate
