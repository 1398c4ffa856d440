// SPDX-License-Identifier: Apache-2.0
#include "core/units/repository_url.hpp"

#include <algorithm>

#include "core/units/limits.hpp"

namespace kernelgate {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_plain(char c) {
  const char l = lower(c);
  return (l >= 'a' && l <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

std::optional<RepositoryUrl> make(std::string_view host, std::string_view path) {
  host.remove_prefix(host.rfind('@') + 1);  // npos + 1 is 0
  host = host.substr(0, host.find(':'));
  while (!path.empty() && path.front() == '/') path.remove_prefix(1);
  while (!path.empty() && path.back() == '/') path.remove_suffix(1);
  if (path.ends_with(".git")) path.remove_suffix(4);
  if (host.empty() || !is_full_name(path)) return std::nullopt;
  RepositoryUrl out{std::string(host), std::string(path)};
  std::transform(out.host.begin(), out.host.end(), out.host.begin(), lower);
  return out;
}

}  // namespace

std::optional<RepositoryUrl> parse_repository_url(std::string_view url) {
  for (const std::string_view scheme : {"https://", "http://", "ssh://"}) {
    if (!url.starts_with(scheme)) continue;
    url.remove_prefix(scheme.size());
    const auto slash = url.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    return make(url.substr(0, slash), url.substr(slash));
  }
  const auto colon = url.find(':');
  if (url.find("://") != std::string_view::npos || colon == std::string_view::npos || url.find('/') < colon)
    return std::nullopt;
  return make(url.substr(0, colon), url.substr(colon + 1));
}

bool same_full_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

bool is_full_name(std::string_view text) {
  if (text.size() > limits::kFullNameMax || text.find('/') == std::string_view::npos) return false;
  for (std::string_view rest = text;;) {
    const std::string_view part = rest.substr(0, rest.find('/'));
    if (part.empty() || part == "." || part == ".." || part.front() == '-') return false;
    if (!std::all_of(part.begin(), part.end(), is_plain)) return false;
    if (part.size() == rest.size()) return true;
    rest.remove_prefix(part.size() + 1);
  }
}

}  // namespace kernelgate
