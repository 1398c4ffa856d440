// SPDX-License-Identifier: Apache-2.0
#include "commands/sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "commands/local_machine.hpp"
#include "runner/testbed/needs.hpp"
#include "service/ledger/attempts.hpp"

namespace kernelgate::local {
namespace {

constexpr const char* kStoredAs = "sweep";

Result<std::vector<Sweep>> wanted_sweeps(const SweepOptions& options, const Manifest& manifest) {
  std::vector<Sweep> out;
  if (!options.axes.empty()) {
    if (options.run.suite.empty()) return fail(Errc::invalid, "--axis needs a suite", "--suite");
    if (std::none_of(manifest.suites.begin(), manifest.suites.end(),
                     [&options](const SuiteSpec& suite) { return suite.name == options.run.suite; }))
      return fail(Errc::not_found, "no suite is named '" + options.run.suite + "'", "--suite");
    for (const auto& [axis, values] : options.axes)
      if (std::set<std::string>(values.begin(), values.end()).size() < values.size())
        return fail(Errc::invalid, "axis '" + axis + "' names a value twice", "--axis", "drop one");
    Sweep sweep{.suite = options.run.suite, .axes = {}};
    for (const auto& [axis, values] : options.axes) sweep.axes[axis].assign(values.begin(), values.end());
    out.push_back(std::move(sweep));
  } else {
    for (const Sweep& sweep : manifest.sweeps)
      if (options.run.suite.empty() || sweep.suite == options.run.suite) out.push_back(sweep);
  }
  if (out.empty())
    return fail(Errc::not_found,
                "the manifest has no [[sweep]]" + (options.run.suite.empty() ? "" : " of " + options.run.suite), {},
                "add one, or name values with --axis NAME=V1,V2");
  const std::string lines = manifest.build.configure + manifest.build.build;
  if (lines.find("{defines}") == std::string::npos)
    return fail(Errc::invalid, "neither the configure nor the build line has {defines}", "[build]",
                "put {defines} where a point's -DNAME=VALUE belong");
  for (const Sweep& sweep : out)
    if (points_of(sweep).size() > static_cast<std::size_t>(limits::kSweepPointsMax))
      return fail(Errc::too_large, fmt::format("the axes span more than {} points", limits::kSweepPointsMax));
  return out;
}

class Sweeper {
 public:
  Sweeper(const SweepOptions& options, const Subject& subject, const RunProgress& progress, std::stop_token stop)
      : options_(options), subject_(subject), progress_(progress), stop_(std::move(stop)) {}

  Result<SweepResult> run(const Sweep& sweep) {
    SweepResult out{.suite = sweep.suite, .commit = subject_.head.str(), .points = {}, .best = {}, .constraints = {}};
    const std::vector<Point> points = points_of(sweep);
    if (auto built = build_all(sweep, points); !built) return pass_on(built);
    const Point* reference = nullptr;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::string prefix = fmt::format("point {} of {} ({}): ", i + 1, points.size(), points[i].name());
      auto result = measure(sweep, reference == nullptr ? points[i] : *reference, points[i], prefix);
      if (!result) return pass_on(result);
      // Until one works, each is tried as the reference: against itself there is nothing to win.
      if (reference == nullptr && !result->failed && result->outcome != AttemptOutcome::not_measured) {
        reference = &points[i];
        result->outcome = AttemptOutcome::reference;
        result->ratio = 1;
      }
      out.points.push_back(std::move(*result));
    }
    conclude_sweep(out);
    return out;
  }

 private:
  // All at once, so that measuring finds every build in the cache. What fails is found again, and told, by its run.
  Status build_all(const Sweep& sweep, const std::vector<Point>& points) {
    const auto cores = std::max(1U, std::thread::hardware_concurrency());
    const auto workers = std::min<std::size_t>(cores, points.size());
    auto machine =
        open_machine(subject_.git, options_.run, progress_, stop_, std::max(1, static_cast<int>(cores / workers)));
    if (!machine) return pass_on(machine);
    for (const SuiteSpec& spec : subject_.manifest.suites)
      if (auto unmet = unmet_needs(spec, (*machine)->facts); spec.name == sweep.suite && !unmet.empty())
        return fail(Errc::unsupported, std::move(unmet), {}, "sweep on another machine");
    if (auto planned = plan(sweep, points, (*machine)->store); !planned) return planned;
    progress_(fmt::format("building {} points", points.size()));
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < points.size() && !stop_.stop_requested(); i = next++) {
        const BuildRequest request{.git = &subject_.git,
                                   .origin = {&(*machine)->mirrors, subject_.git.git_dir().string()},
                                   .source = Source{subject_.head, {}, {}},
                                   .recipe = at_point(subject_.manifest.build, points[i].defines())};
        (void)(*machine)->builds.build(request, stop_);
      }
    };
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < workers; ++i) threads.emplace_back(work);
    return {};
  }

  // So that the ledger knows of points that no run reached.
  [[nodiscard]] Status plan(const Sweep& sweep, const std::vector<Point>& points, service::Store store) const {
    std::vector<std::string> names;
    for (const Point& point : points) names.push_back(point.name());
    return service::plan_points(store, local_repository(subject_.git, kStoredAs), subject_.head.str(), sweep.suite,
                                names, SystemClock().now());
  }

  Result<PointResult> measure(const Sweep& sweep, const Point& reference, const Point& point,
                              const std::string& prefix) {
    RunOptions options = options_.run;
    options.head = options.base = subject_.head.str();
    options.suite = sweep.suite;
    options.defines = BuildDefines{reference.defines(), point.defines()};
    options.store_as = kStoredAs;
    const auto outcome = run_here(
        options, [&](const std::string& text) { progress_(prefix + text); }, stop_);
    if (!outcome && (stop_.stop_requested() || outcome.error().code == Errc::invalid)) return pass_on(outcome);
    if (!outcome) return PointResult{.point = point, .text = to_string(outcome.error())};
    PointResult out = judge_point(point, outcome->decision);
    out.run = outcome->run;
    return out;
  }

  const SweepOptions& options_;
  const Subject& subject_;
  const RunProgress& progress_;
  const std::stop_token stop_;
};

}  // namespace

Result<std::vector<SweepResult>> sweep_here(const SweepOptions& options, const RunProgress& progress,
                                            std::stop_token stop) {
  const auto subject = find_subject(options.run);
  if (!subject) return pass_on(subject);
  const auto sweeps = wanted_sweeps(options, subject->manifest);
  if (!sweeps) return pass_on(sweeps);
  Sweeper sweeper(options, *subject, progress, std::move(stop));
  std::vector<SweepResult> out;
  for (const Sweep& sweep : *sweeps) {
    auto result = sweeper.run(sweep);
    if (!result) return pass_on(result);
    out.push_back(std::move(*result));
  }
  return out;
}

}  // namespace kernelgate::local
