// SPDX-License-Identifier: Apache-2.0
#include "commands/simulate/recorded.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/tool_documents.hpp"

namespace kernelgate::local {
namespace {

using simulation::RecordedCase;
using simulation::RecordedProcess;
using simulation::RecordedScore;

constexpr std::size_t kTimesMin = kSeriesWarmUps + 20;  // what the hungriest rule takes of a process

tl::unexpected<Error> bad(const std::string& name, int line, const std::string& what) {
  return fail(Errc::invalid, what, fmt::format("{}:{}", name, line),
              "one object a line: {\"kernel\":…,\"variant\":…,\"round\":1,\"us\":[…]}");
}

Result<RecordedProcess> parse_line(const std::string& text, const std::string& name, int line) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  const auto is_text = [&](const char* member) { return json.contains(member) && json[member].is_string(); };
  if (!json.is_object() || !is_text("kernel") || !is_text("variant")) return bad(name, line, "no recorded process");
  if (!json.contains("round") || !json["round"].is_number_integer()) return bad(name, line, "no round");
  if (!json.contains("us") || !json["us"].is_array() || json["us"].size() < kTimesMin)
    return bad(name, line, fmt::format("fewer than {} times", kTimesMin));
  RecordedProcess out{json["kernel"], json["variant"], json["round"], {}};
  for (std::size_t i = kSeriesWarmUps; i < json["us"].size(); ++i) {
    const auto& time = json["us"][i];
    if (!time.is_number() || !(time.get<double>() > 0)) return bad(name, line, "a time that is no positive number");
    out.log_times.push_back(std::log(time.get<double>()));
  }
  return out;
}

std::string share(int count, int trials) {
  return trials == 0 ? "–" : fmt::format("{:.1f} ({} of {})", 100.0 * count / trials, count, trials);
}

// "12 unchanged", "7 slower, 5 undecided"
std::string words(const RecordedCase& one) {
  std::string out;
  const auto add = [&](int count, const char* word) {
    if (count > 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, word);
  };
  add(one.slower, "regressed");
  add(one.faster, "improved");
  add(one.trials - one.slower - one.faster - one.undecided, "unchanged");
  add(one.undecided, "undecided");
  return out;
}

}  // namespace

Result<std::vector<RecordedProcess>> parse_series(std::string_view text, const std::string& name) {
  std::istringstream lines{std::string(text)};
  std::vector<RecordedProcess> out;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    number += 1;
    if (line.empty()) continue;
    auto process = parse_line(line, name, number);
    if (!process) return pass_on(process);
    out.push_back(std::move(*process));
  }
  if (out.empty()) return fail(Errc::invalid, "no recorded process", name, "give a file as baselines/ has them");
  return out;
}

Result<std::string> read_series(const std::string& path) {
  std::ifstream file;
  if (path != "-") file.open(path, std::ios::binary);
  std::istream& in = path == "-" ? std::cin : file;
  std::string out;
  for (char block[1 << 16]; in.read(block, sizeof block), in.gcount() > 0;) {
    out.append(block, static_cast<std::size_t>(in.gcount()));
    if (out.size() > limits::kCompareFileMax.value)
      return fail(Errc::too_large, "the file is too large", path,
                  fmt::format("{} bytes", limits::kCompareFileMax.value));
  }
  if (path != "-" && !file.is_open()) return fail(Errc::not_found, "no such file", path);
  return out;
}

std::string recorded_table(const std::vector<RecordedCase>& cases, const Policy& policy) {
  const double tolerate = 100 * policy.tolerate, most = 100 * policy.catch_limit;
  std::string out = fmt::format(
      "| rule, alarms in % | up to ±{:.3g} % | between | from ±{:.3g} % on | undecided | "
      "new processes |\n|---|---|---|---|---|---|\n",
      tolerate, most);
  for (const RecordedScore& score : score_recorded(cases, policy))
    fmt::format_to(std::back_inserter(out), "| {} | {} | {} | {} | {} | {:.1f} |\n", score.rule,
                   share(score.false_alarms, score.same), share(score.between_alarms, score.between),
                   share(score.caught, score.moved), share(score.undecided, score.same + score.between + score.moved),
                   score.processes);
  out += "\n| ours | measured % | verdicts | processes |\n|---|---|---|---|\n";
  for (const RecordedCase& one : cases)
    if (one.rule == "ours")
      fmt::format_to(std::back_inserter(out), "| {} {} | {:+.2f} | {} | {:.1f} |\n", one.kernel, one.variant,
                     100 * (one.ratio - 1), words(one), one.processes);
  return out;
}

std::string recorded_json(const std::vector<RecordedCase>& cases, const Policy& policy) {
  wire::RecordedDocument out;
  for (const RecordedScore& score : score_recorded(cases, policy))
    out.scores.push_back({.rule = score.rule,
                          .same = score.same,
                          .false_alarms = score.false_alarms,
                          .between = score.between,
                          .between_alarms = score.between_alarms,
                          .moved = score.moved,
                          .caught = score.caught,
                          .undecided = score.undecided,
                          .processes = score.processes});
  for (const RecordedCase& one : cases)
    out.cases.push_back({.rule = one.rule,
                         .kernel = one.kernel,
                         .variant = one.variant,
                         .ratio = one.ratio,
                         .trials = one.trials,
                         .regressed = one.slower,
                         .improved = one.faster,
                         .undecided = one.undecided,
                         .processes = one.processes});
  return wire::print(out);
}

}  // namespace kernelgate::local
