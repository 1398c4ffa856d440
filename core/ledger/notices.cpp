// SPDX-License-Identifier: Apache-2.0
#include "core/ledger/notices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/decision/explain/reason.hpp"
#include "core/ledger/outcome.hpp"
#include "core/units/limits.hpp"

namespace kernelgate::ledger {
namespace {

std::string outcome_words(const wire::AlikeAttempt& one) {
  std::string out = words(one.outcome);
  if (one.ratio) out += ", " + percent(*one.ratio);
  return out;
}

std::string tried_before(const std::vector<const wire::AlikeAttempt*>& same, const char* what) {
  std::string out = fmt::format("you tried this before: the same {} as attempt", what);
  out += same.size() == 1 ? "" : "s";
  const std::size_t named = std::min<std::size_t>(same.size(), limits::kAlikeNamedMax);
  for (std::size_t i = 0; i < named; ++i)
    out += fmt::format("{} #{} ({}: {})", i == 0 ? "" : ",", same[i]->attempt, same[i]->name, outcome_words(*same[i]));
  return named == same.size() ? out : out + fmt::format(" and {} more", same.size() - named);
}

}  // namespace

std::string numbers_of(const std::vector<std::int64_t>& attempts) {
  const std::size_t named = std::min<std::size_t>(attempts.size(), limits::kAlikeNamedMax);
  std::string out;
  for (std::size_t i = 0; i < named; ++i) {
    const bool last = i + 1 == attempts.size() && i > 0;
    out += (i == 0 ? "#" : last ? " and #" : ", #") + std::to_string(attempts[i]);
  }
  return named == attempts.size() ? out : out + fmt::format(" and {} more", attempts.size() - named);
}

std::vector<std::string> notices_of(const std::vector<wire::AlikeAttempt>& alike) {
  std::map<std::string, std::vector<std::int64_t>> failures;
  std::vector<const wire::AlikeAttempt*> patch, code;
  for (const wire::AlikeAttempt& one : alike) {
    if (one.how == wire::Likeness::failure) failures[one.failure].push_back(one.attempt);
    if (one.how == wire::Likeness::patch) patch.push_back(&one);
    if (one.how == wire::Likeness::code) code.push_back(&one);
  }
  std::vector<std::string> out;
  if (!patch.empty()) out.push_back(tried_before(patch, "change"));
  if (!code.empty()) out.push_back(tried_before(code, "machine code"));
  for (const auto& [failure, attempts] : failures)
    out.push_back(fmt::format("the same failure as attempt{} {}: {}", attempts.size() == 1 ? "" : "s",
                              numbers_of(attempts), failure));
  return out;
}

}  // namespace kernelgate::ledger
