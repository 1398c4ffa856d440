// SPDX-License-Identifier: Apache-2.0
#include "commands/hook/blocked.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/decision/evidence/verdict.hpp"
#include "core/report/text.hpp"
#include "platform/process/command_line.hpp"

namespace kernelgate::hook {
namespace {

constexpr std::size_t kNamed = 3;

bool fails(const Comparison& one, Conclusion conclusion) {
  if (conclusion == Conclusion::regressed) return one.verdict == Verdict::regressed && one.acknowledged.empty();
  return one.verdict == Verdict::broken || one.verdict == Verdict::crashed || one.verdict == Verdict::timed_out ||
         one.verdict == Verdict::invalid;
}

// The worst first.
std::vector<const Comparison*> culprits(const wire::Run& run) {
  std::vector<const Comparison*> out;
  for (const Comparison& one : run.comparisons)
    if (fails(one, *run.conclusion)) out.push_back(&one);
  std::stable_sort(out.begin(), out.end(), [](const Comparison* a, const Comparison* b) {
    return a->ratio.value_or(0) > b->ratio.value_or(0);
  });
  return out;
}

std::string percent(double ratio) { return fmt::format("{:+.1f} %", 100 * (ratio - 1)); }

std::string line_of(const Comparison& one) {
  std::string out = report::harmless(one.benchmark) + ": ";
  if (one.verdict != Verdict::regressed || !one.ratio)
    return out + std::string(to_string(one.verdict)) + (one.reason.empty() ? "" : ": " + report::harmless(one.reason));
  out += percent(*one.ratio);
  if (one.ratio_low && one.ratio_high && std::isfinite(*one.ratio_low) && std::isfinite(*one.ratio_high))
    out += fmt::format(" ({} to {})", percent(*one.ratio_low), percent(*one.ratio_high));
  return out;
}

// A regular expression that matches this name alone.
std::string exactly(const std::string& name) {
  std::string out = "^";
  for (const char c : name) {
    if (std::string_view(R"(\^$.|?*+()[]{})").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out + "$";
}

}  // namespace

std::string blocked_text(const wire::Run& run, const Settings& settings, const Around& around) {
  const Conclusion conclusion = *run.conclusion;
  const std::vector<const Comparison*> found = culprits(run);
  std::string out = fmt::format("the push is blocked: {}", to_string(conclusion));
  for (std::size_t i = 0; i < std::min(found.size(), kNamed); ++i) out += "\n" + line_of(*found[i]);
  if (found.size() > kNamed) out += fmt::format("\nand {} more", found.size() - kNamed);
  if (!around.url.empty()) out += "\n" + around.url;
  const std::string server = "--server " + shell_word(settings.server);
  const std::string token = " --token-file " + shell_word(settings.token_file.string());
  out += fmt::format("\n\nsee        kernelgate runs show {} {}{}", run.id, server, token);
  if (run.base_commit.empty()) return out + "\npush anyway, unjudged: git push --no-verify";
  const std::string base = run.base_commit.substr(0, 10), head = run.commit.substr(0, 10);
  out += fmt::format("\nreproduce  kernelgate run --base {} --head {}", base, head);
  if (!found.empty()) {
    const std::string& name = found.front()->benchmark;
    const std::string suite = " --suite " + shell_word(found.front()->suite);
    out += suite + " --filter " + shell_word(exactly(name));
    if (around.commits != 1)
      out += fmt::format("\nbisect     kernelgate bisect --good {} --bad {}{} --benchmark {}{}", base, head, suite,
                         shell_word(name), conclusion == Conclusion::regressed ? "" : " --until broken");
    if (conclusion == Conclusion::regressed)
      out += fmt::format(
          "\naccept     kernelgate baseline accept --run {} --benchmark {} --reason 'why it is worth it' {} "
          "--repository {} --token-file {}",
          run.id, shell_word(exactly(name)), server, shell_word(settings.repository),
          around.admin_token.empty() ? "FILE (of role admin)" : shell_word(around.admin_token));
  }
  return out + "\npush anyway, unjudged: git push --no-verify";
}

}  // namespace kernelgate::hook
