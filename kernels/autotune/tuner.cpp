// SPDX-License-Identifier: Apache-2.0
#include "kernels/autotune/tuner.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "kernels/autotune/cache.hpp"

namespace kernels::autotune {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

std::string cache_path_from_environment() {
  constexpr const char* kFile = "/kernelgate/tuner.jsonl";
  if (const std::string_view given = variable("KG_TUNER_CACHE"); !given.empty())
    return given == "off" ? std::string() : std::string(given);
  if (const std::string_view cache = variable("XDG_CACHE_HOME"); !cache.empty()) return std::string(cache) + kFile;
  if (const std::string_view home = variable("HOME"); !home.empty()) return std::string(home) + "/.cache" + kFile;
  return {};
}

}  // namespace

Settings settings_from_environment() {
  Settings settings{.cache_path = cache_path_from_environment(),
                    .warn = [](const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); },
                    .tell = {}};
  if (!variable("KG_TUNER_VERBOSE").empty())
    settings.tell = [](const Decision& decision) { std::fputs(to_text(decision).c_str(), stderr); };
  return settings;
}

Tuner::Tuner(const Key& environment, Settings settings)
    : environment_(environment.text()), settings_(std::move(settings)) {}

void Tuner::load_once() {
  if (std::exchange(loaded_, true) || settings_.cache_path.empty()) return;
  const Loaded loaded = load(settings_.cache_path, environment_);
  if (!loaded.warning.empty()) settings_.warn(loaded.warning);
  for (const auto& [problem, entry] : loaded.contents.mine) known_[problem] = {entry.configuration, entry.us, false};
}

Decision Tuner::choose(const Key& problem, const std::vector<Candidate>& candidates, const Prepare& prepare) {
  load_once();
  const auto known = known_.find(problem.text());
  const bool fits =
      known != known_.end() && std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& candidate) {
        return candidate.configuration == known->second.configuration;
      });
  Decision decision = fits ? Decision{.problem = problem.text(),
                                      .configuration = known->second.configuration,
                                      .source = Source::remembered,
                                      .us = known->second.us,
                                      .rows = {}}
                           : decide(problem.text(), candidates, prepare);
  if (settings_.tell && !(fits && known->second.told)) settings_.tell(decision);
  known_[problem.text()] = {decision.configuration, decision.us, true};
  if (fits) return decision;
  if (settings_.cache_path.empty() || store_failed_) return decision;
  const std::string trouble =
      store(settings_.cache_path, {environment_, problem.text(), decision.configuration, decision.us});
  store_failed_ = !trouble.empty();
  if (store_failed_) settings_.warn(trouble);
  return decision;
}

}  // namespace kernels::autotune
