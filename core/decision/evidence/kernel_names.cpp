// SPDX-License-Identifier: Apache-2.0
#include "core/decision/evidence/kernel_names.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>

namespace kernelgate {
namespace {

constexpr std::size_t kDifferenceShown = 60;  // letters
constexpr std::string_view kAnonymous = "(anonymous namespace)::";

std::string without_anonymous(std::string name) {
  for (std::size_t at = name.find(kAnonymous); at != std::string::npos; at = name.find(kAnonymous, at))
    name.erase(at, kAnonymous.size());
  return name;
}

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

// "void cub::detail::DeviceReduceKernel<int, 4>(int*)" is DeviceReduceKernel.
std::string own_name(std::string_view name) {
  const std::string_view head = name.substr(0, name.find_first_of("<("));
  std::size_t begin = head.rfind("::");
  begin = begin == head.npos ? 0 : begin + 2;
  if (const std::size_t blank = head.rfind(' '); blank != head.npos && blank + 1 > begin && blank + 1 < head.size())
    begin = blank + 1;
  return std::string(head.substr(begin));
}

// What distinguishes `name` from the others of its group, at the ends of words.
std::string difference(const std::string& name, const std::vector<std::string>& group) {
  std::size_t front = name.size(), back = name.size();
  for (const std::string& other : group) {
    if (other == name) continue;
    const auto differ = std::mismatch(name.begin(), name.end(), other.begin(), other.end()).first;
    front = std::min(front, static_cast<std::size_t>(differ - name.begin()));
    const auto behind = std::mismatch(name.rbegin(), name.rend(), other.rbegin(), other.rend()).first;
    back = std::min(back, static_cast<std::size_t>(behind - name.rbegin()));
  }
  while (front > 0 && front < name.size() && is_word(name[front - 1]) && is_word(name[front])) --front;
  std::size_t end = std::max(front, name.size() - std::min(back, name.size()));
  while (end < name.size() && end > 0 && is_word(name[end - 1]) && is_word(name[end])) ++end;
  const std::string middle = name.substr(front, end - front);
  return middle.size() <= kDifferenceShown ? middle : middle.substr(0, kDifferenceShown) + "…";
}

}  // namespace

std::vector<std::string> short_kernel_names(std::span<const std::string> full_names) {
  std::map<std::string, std::vector<std::string>> groups;
  for (const std::string& full : full_names) {
    const std::string name = without_anonymous(full);
    std::vector<std::string>& group = groups[own_name(name)];
    if (std::find(group.begin(), group.end(), name) == group.end()) group.push_back(name);
  }
  std::vector<std::string> out;
  for (const std::string& full : full_names) {
    const std::string name = without_anonymous(full), own = own_name(name);
    const std::vector<std::string>& group = groups.at(own);
    const std::string differs = group.size() > 1 ? difference(name, group) : std::string();
    const std::string shown = own.empty() ? name.substr(0, kDifferenceShown) : own;
    out.push_back(differs.empty() ? shown : shown + " […" + differs + "…]");
  }
  return out;
}

}  // namespace kernelgate
