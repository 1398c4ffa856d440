// SPDX-License-Identifier: Apache-2.0
#include "runner/job/epoch_shift.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace kernelgate {
namespace {

using Json = nlohmann::ordered_json;
using wire::EpochFigure;
using wire::TestbedFacts;

constexpr double kMoved = 0.01;    // of all: what the decision rule tolerates by default
constexpr double kOwnMove = 0.02;  // of one benchmark, beyond the environment's
constexpr std::size_t kNamed = 5;

constexpr std::array<std::pair<const char*, std::string TestbedFacts::*>, 7> kFacts{
    {{"GPU", &TestbedFacts::gpu_model},
     {"compute capability", &TestbedFacts::compute_capability},
     {"driver", &TestbedFacts::driver},
     {"toolkit", &TestbedFacts::toolkit},
     {"power limit", &TestbedFacts::power_limit},
     {"MIG mode", &TestbedFacts::mig_mode},
     {"host CPU", &TestbedFacts::host_cpu}}};

Json to_json(const std::vector<EpochFigure>& figures) {
  Json out = Json::array();
  for (const auto& one : figures) out.push_back({one.suite, one.benchmark, one.median_ns, one.processes});
  return out;
}

std::vector<EpochFigure> figures_of(const Json& json) {
  std::vector<EpochFigure> out;
  for (const auto& row : json)
    out.push_back(
        {row.at(0).get<std::string>(), row.at(1).get<std::string>(), row.at(2).get<double>(), row.at(3).get<int>()});
  return out;
}

// Now over before, for each benchmark that both have.
std::vector<BenchmarkShift> ratios(const std::vector<EpochFigure>& before, const std::vector<EpochFigure>& now) {
  std::vector<BenchmarkShift> out;
  for (const auto& one : now) {
    const auto old = std::find_if(before.begin(), before.end(), [&one](const EpochFigure& other) {
      return other.suite == one.suite && other.benchmark == one.benchmark;
    });
    if (old == before.end() || !(old->median_ns > 0) || !(one.median_ns > 0)) continue;
    out.push_back({.suite = one.suite, .benchmark = one.benchmark, .total = one.median_ns / old->median_ns});
  }
  return out;
}

std::optional<double> median_of(const std::vector<BenchmarkShift>& shifts) {
  std::vector<double> logs;
  for (const auto& shift : shifts) logs.push_back(std::log(shift.total));
  if (logs.empty()) return std::nullopt;
  std::sort(logs.begin(), logs.end());
  return std::exp((logs[(logs.size() - 1) / 2] + logs[logs.size() / 2]) / 2);
}

std::string percent(double ratio) { return fmt::format("{:+.1f} %", (ratio - 1) * 100); }

}  // namespace

std::string encode_figures(const EpochFigures& figures) {
  Json facts = Json::object();
  for (const auto& [name, member] : kFacts) facts[name] = figures.facts.*member;
  return Json{{"facts", facts},
              {"commit", figures.commit},
              {"build", figures.build},
              {"control", to_json(figures.control)},
              {"anchored", to_json(figures.anchored)}}
             .dump(1) +
         "\n";
}

Result<EpochFigures> decode_figures(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    EpochFigures out;
    for (const auto& [name, member] : kFacts) out.facts.*member = json.at("facts").at(name).get<std::string>();
    out.commit = json.at("commit").get<std::string>();
    out.build = json.at("build").get<std::string>();
    out.control = figures_of(json.at("control"));
    out.anchored = figures_of(json.at("anchored"));
    return out;
  } catch (const Json::exception& error) {
    return fail(Errc::corrupt, "the epoch's figures cannot be read: " + std::string(error.what()));
  }
}

bool same_facts(const TestbedFacts& a, const TestbedFacts& b) {
  return std::all_of(kFacts.begin(), kFacts.end(), [&](const auto& fact) { return a.*fact.second == b.*fact.second; });
}

std::string changed_facts(const TestbedFacts& before, const TestbedFacts& now) {
  const auto shown = [](const std::string& text) { return text.empty() ? std::string("none") : text; };
  std::string out;
  for (const auto& [name, member] : kFacts)
    if (before.*member != now.*member)
      out += fmt::format("{}{} {} -> {}", out.empty() ? "" : ", ", name, shown(before.*member), shown(now.*member));
  return out;
}

EpochShift compare_epochs(const EpochFigures& before, const EpochFigures& now, bool kept) {
  EpochShift out;
  out.changed = changed_facts(before.facts, now.facts);
  out.kept = kept;
  out.control = median_of(ratios(before.control, now.control));
  out.benchmarks = ratios(before.anchored, now.anchored);
  out.anchored = median_of(out.benchmarks);
  const double environment = out.control ? *out.control : out.anchored.value_or(1);
  for (auto& shift : out.benchmarks) {
    shift.environment = environment;
    shift.rest = shift.total / environment;
  }
  return out;
}

std::vector<std::string> describe(const EpochShift& shift) {
  const double environment = shift.control ? *shift.control : shift.anchored.value_or(1);
  const bool moved = std::abs(environment - 1) >= kMoved;
  std::string whole = fmt::format("a new epoch ({}): ", shift.changed);
  if (!shift.control && !shift.anchored) return {whole + "nothing was timed in both epochs, so its shift is not known"};
  whole += moved ? "the environment changed everything: " : "the environment changed little: ";
  if (shift.control) whole += fmt::format("{} on the control kernels", percent(*shift.control));
  if (shift.anchored)
    whole += fmt::format("{}{} on the anchored baseline's {} (median)", shift.control ? ", " : "",
                         percent(*shift.anchored), shift.kept ? "kept binaries" : "binaries, built anew");
  std::vector<std::string> out{whole};
  std::vector<BenchmarkShift> own;
  for (const auto& one : shift.benchmarks)
    if (std::abs(one.rest - 1) >= kOwnMove) own.push_back(one);
  std::sort(own.begin(), own.end(), [](const BenchmarkShift& a, const BenchmarkShift& b) {
    return std::abs(std::log(a.rest)) > std::abs(std::log(b.rest));
  });
  for (std::size_t i = 0; i < own.size() && i < kNamed; ++i)
    out.push_back(fmt::format(
        "{}: {} moved by {} at the new epoch: {} is the environment's, {} its own code's under it", own[i].suite,
        own[i].benchmark, percent(own[i].total), percent(own[i].environment), percent(own[i].rest)));
  if (own.size() > kNamed)
    out.push_back(fmt::format("{} more benchmarks moved on their own at the new epoch", own.size() - kNamed));
  return out;
}

}  // namespace kernelgate
