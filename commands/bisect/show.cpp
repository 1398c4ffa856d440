// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "commands/bisect/bisect.hpp"
#include "core/decision/evidence/verdict.hpp"

namespace kernelgate::local {
namespace {

constexpr std::size_t kShortHash = 10;

std::string short_of(const std::string& commit) { return commit.substr(0, kShortHash); }

// "+11.8 %", "the same", or why nothing came of it.
std::string result_of(const wire::BisectionStep& step) {
  if (step.ratio) return fmt::format("{:+.1f} %", (*step.ratio - 1) * 100);
  if (!step.reading) return "under way";
  if (*step.reading == bisect::ReadingKind::same) return "the same";
  return std::string(to_string(*step.reading)) + ": " + step.why.substr(0, step.why.find('\n'));
}

}  // namespace

std::string bisection_table(const wire::Bisection& bisection) {
  std::string out;
  for (const wire::BisectionStep& step : bisection.steps)
    out += fmt::format("{:>3}  {} against {}  {}{}\n", step.number, short_of(step.head), short_of(step.base),
                       result_of(step), step.confirming ? "  (confirmation)" : "");
  out += fmt::format("{}{}: {}\n", bisection.id > 0 ? fmt::format("bisection {}, ", bisection.id) : std::string(),
                     bisection.ending ? to_string(*bisection.ending) : to_string(bisection.state), bisection.text);
  out += fmt::format("{} commits, {} runs, {} of them comparisons\n", bisection.commits, bisection.steps.size(),
                     bisection.comparisons);
  if (bisection.culprit) out += "git show " + *bisection.culprit + "\n";
  for (const std::string& suspect : bisection.suspects) out += "git show " + suspect + "\n";
  return out;
}

std::string bisections_table(const wire::BisectionPage& page) {
  std::string out;
  for (const wire::Bisection& one : page.bisections)
    out += fmt::format("{:>5}  {:<9}  {}  {}\n", one.id, to_string(one.state), one.benchmark, one.text);
  return out.empty() ? "no bisection\n" : out;
}

std::string backfill_table(const wire::BackfillReply& reply) {
  std::string out;
  for (const wire::Backfilled& one : reply.runs)
    out += fmt::format("{} against {}: run {}\n", short_of(one.commit), short_of(one.base), one.run);
  return out + fmt::format("{} runs, {} commits measured before, {} left for another time\n", reply.runs.size(),
                           reply.known, reply.left);
}

int exit_code(const wire::Bisection& bisection) {
  using bisect::Ending;
  if (bisection.state == wire::BisectionState::running) return 0;
  const auto& end = bisection.ending;
  if (!end || *end == Ending::unusable_end) return kernelgate::exit_code(Conclusion::infrastructure);
  const bool found = *end == Ending::culprit || *end == Ending::range;
  return kernelgate::exit_code(found ? Conclusion::passed : Conclusion::undecided);
}

}  // namespace kernelgate::local
