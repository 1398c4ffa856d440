// SPDX-License-Identifier: Apache-2.0
#include "runner/job/fit_evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "core/wire/codec.hpp"

namespace kernelgate {
namespace {

void cut(std::string& text, std::size_t most) {
  if (text.size() > most) text.resize(most);
}

void shorten_texts(RunEvidence& evidence) {
  cut(evidence.infrastructure, limits::kFailureTextMax);
  cut(evidence.build_text, limits::kFailureTextMax);
  const std::size_t notices = evidence.notices.size();
  if (notices > limits::kNoticesMax) {
    evidence.notices.resize(limits::kNoticesMax - 1);
    evidence.notices.push_back(fmt::format("{} more notices are left out", notices - limits::kNoticesMax + 1));
  }
  for (std::string& notice : evidence.notices) cut(notice, limits::kSaidTextMax);
  for (SuiteEvidence& suite : evidence.suites)
    for (CaseFailure& failure : suite.failures) cut(failure.text, limits::kSaidTextMax);
}

// Of the JSON without processes and stored sessions, which are not sent.
std::size_t size_of(SuiteEvidence& suite) {
  auto processes = std::exchange(suite.processes, {});
  auto stored = std::exchange(suite.stored, {});
  const std::size_t out = wire::encode(suite).size();
  suite.processes = std::move(processes);
  suite.stored = std::move(stored);
  return out;
}

class Fitting {
 public:
  Fitting(RunEvidence& evidence, Bytes most) : evidence_(evidence), most_(most.value) {
    auto suites = std::exchange(evidence.suites, {});
    rest_ = wire::encode(evidence).size();
    evidence.suites = std::move(suites);
    for (SuiteEvidence& suite : evidence.suites) sizes_.push_back(size_of(suite));
  }

  [[nodiscard]] bool fits() const {
    return std::accumulate(sizes_.begin(), sizes_.end(), rest_ + sizes_.size()) <= most_;
  }

  // `shorten` takes a suite and returns what to say of it; the largest first, until all fit.
  template <class Shorten>
  void until_it_fits(Shorten shorten) {
    std::vector<std::size_t> order(sizes_.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) { return sizes_[a] > sizes_[b]; });
    for (const std::size_t i : order) {
      if (fits()) return;
      const std::string notice = shorten(evidence_.suites[i]);
      sizes_[i] = size_of(evidence_.suites[i]);
      if (notice.empty()) continue;
      evidence_.notices.push_back(evidence_.suites[i].name + ": " + notice);
      rest_ += 2 * evidence_.notices.back().size() + 3;
    }
  }

 private:
  RunEvidence& evidence_;
  std::size_t most_, rest_ = 0;
  std::vector<std::size_t> sizes_;
};

std::string drop_explanations(SuiteEvidence& suite) {
  if (suite.base_code.empty() && suite.head_code.empty() && suite.profiles.empty()) return {};
  suite.base_code.clear();
  suite.head_code.clear();
  suite.profiles.clear();
  return "device code and counters are left out: the run's evidence was too long";
}

// Cases that may show a growth of the error stay, on both sides.
std::string drop_quiet_cases(SuiteEvidence& suite) {
  using Key = std::pair<std::string, std::string>;  // name and shape
  std::map<Key, double> base;
  std::map<Key, bool> grew;
  for (const CheckCase& one : suite.checks)
    if (one.passed && one.side == Side::base) {
      double& error = base.try_emplace({one.name, one.shape}, 0).first->second;
      error = std::max(error, one.rel_err);
    }
  for (const CheckCase& one : suite.checks) {
    const auto known = base.find({one.name, one.shape});
    if (one.passed && one.side == Side::head && known != base.end() && one.rel_err > known->second)
      grew[known->first] = true;
  }
  const auto dropped = std::erase_if(suite.checks, [&](const CheckCase& one) {
    return one.passed && !grew.contains({one.name, one.shape});
  });
  if (dropped == 0) return {};
  return fmt::format("{} cases that passed are left out: the run's evidence was too long", dropped);
}

std::size_t bytes_of(const SuiteEvidence& suite, Side side) {
  std::size_t out = 0;
  for (const std::string& name : side == Side::base ? suite.base_benchmarks : suite.head_benchmarks) out += name.size();
  for (const CheckCase& one : suite.checks)
    if (one.side == side) out += one.name.size() + one.shape.size() + one.seed.size() + one.text.size();
  for (const CaseFailure& one : suite.failures)
    if (one.side == side) out += one.benchmark.size() + one.text.size();
  return out;
}

}  // namespace

void fit_evidence(RunEvidence& evidence, Bytes most) {
  shorten_texts(evidence);
  Fitting fitting(evidence, most);
  fitting.until_it_fits(drop_explanations);
  fitting.until_it_fits(drop_quiet_cases);
  fitting.until_it_fits([&](SuiteEvidence& suite) {
    const std::string text = fmt::format(
        "the names of its benchmarks and cases, with what they say, take more than the {} MB that are kept of a run",
        most.value >> 20);
    const Side side = bytes_of(suite, Side::head) >= bytes_of(suite, Side::base) ? Side::head : Side::base;
    if (side == Side::base) evidence.infrastructure = "suite " + suite.name + " of base: " + text;
    suite.base_benchmarks.clear();
    suite.head_benchmarks.clear();
    suite.checks.clear();
    suite.failures.clear();
    suite.pinned.clear();
    if (side == Side::head) {
      suite.checks_passed = false;
      suite.failures.push_back({.benchmark = suite.name, .verdict = Verdict::broken, .text = text, .fingerprint = {}});
    }
    return std::string();
  });
}

}  // namespace kernelgate
