// SPDX-License-Identifier: Apache-2.0
#include "runner/check/check_lines.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/units/digest.hpp"
#include "core/units/limits.hpp"
#include "runner/suite/bare_words.hpp"
#include "runner/suite/limit_checks.hpp"

namespace kernelgate {
namespace {

using nlohmann::json;

std::string text_of(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return {};
  std::string out = found->is_string() ? found->get<std::string>() : found->dump();
  if (out.size() > limits::kSaidTextMax) out.resize(limits::kSaidTextMax);
  return out;
}

// null stands for a bare NaN or Infinity.
double number_of(const json& object, const char* key, double otherwise) {
  const auto found = object.find(key);
  if (found == object.end()) return otherwise;
  if (found->is_number()) return found->get<double>();
  return std::nan("");
}

// One word for all that is no number, whatever its sign.
double finite_or_nan(double value) { return std::isfinite(value) ? value : std::nan(""); }

std::int64_t index_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : -1;
}

// A program that asks `error > bound` finds nothing wrong with NaN.
bool hides_a_failure(const CheckCase& one) {
  return one.passed && !(std::isfinite(one.rel_err) && std::isfinite(one.max_abs_err));
}

std::optional<CheckCase> read_case(std::string_view line) {
  if (!suite::check_json(line, {})) return std::nullopt;
  const auto cleaned = suite::without_bare_words(line);
  const json object = json::parse(cleaned ? std::string_view(*cleaned) : line, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  const auto passed = object.find("passed");
  CheckCase out;
  out.name = text_of(object, "name");
  if (out.name.empty() || out.name.size() > limits::kBenchmarkNameMax || passed == object.end() ||
      !passed->is_boolean())
    return std::nullopt;
  out.shape = text_of(object, "shape");
  out.passed = passed->get<bool>();
  out.seed = text_of(object, "seed");
  out.text = text_of(object, "text");
  out.bound = finite_or_nan(number_of(object, "bound", 0));
  out.rel_err = finite_or_nan(number_of(object, "rel_err", 0));
  out.max_abs_err = finite_or_nan(number_of(object, "max_abs_err", 0));
  out.first_bad = index_of(object, "first_bad");
  const bool hidden = hides_a_failure(out);
  if (hidden) out.passed = false;
  if (out.passed) return out;
  const bool finite = std::isfinite(out.rel_err) && std::isfinite(out.max_abs_err);
  out.error_class = text_of(object, "error_class");
  if (out.error_class.empty()) out.error_class = finite ? "wrong_value" : "not_finite";
  out.error_value = finite_or_nan(number_of(object, "error_value", out.rel_err));
  if (hidden) out.text = "not_finite: the program says that this case passed, but its error is no number";
  out.fingerprint = fingerprint_of(out.name, out.error_class, out.error_value);
  if (out.text.empty())
    out.text = fmt::format("{}: error {:.6g}, bound {:.6g}", out.error_class, out.error_value, out.bound);
  return out;
}

}  // namespace

std::string fingerprint_of(std::string_view name, std::string_view error_class, double error_value) {
  const std::string value = fmt::format("{:.6g}", error_value);
  const std::string hash = Sha256().field(name).field(error_class).field(value).hex();
  return fmt::format("{} {} {} {}", hash.substr(0, 8), name, error_class, value);
}

CheckLines read_check_lines(std::string_view text) {
  CheckLines out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    const std::size_t start = line.find_first_not_of(" \t\r");
    if (start == line.npos || line[start] != '{') continue;
    if (auto one = read_case(line.substr(start))) {
      ++out.count;
      out.a_case_failed = out.a_case_failed || !one->passed;
      if (out.cases.size() < limits::kCheckCasesMax) out.cases.push_back(std::move(*one));
    } else if (out.unreadable++ == 0) {
      out.first_unreadable = line.substr(start, 200);
    }
  }
  return out;
}

}  // namespace kernelgate
