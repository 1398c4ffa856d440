// SPDX-License-Identifier: Apache-2.0
#include "core/manifest/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "core/units/limits.hpp"

namespace kernelgate::manifest {
namespace {

bool is_word(std::string_view text, std::string_view more) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || more.find(c) != more.npos;
  });
}

void read_seconds(TableReader& reader, std::string_view key, std::chrono::seconds most, std::chrono::seconds& out) {
  if (const auto seconds = reader.integer(key, 1, most.count())) out = std::chrono::seconds{*seconds};
}

// check_from = "base" and the files of head that base's check program then runs against.
void read_check_from(TableReader& reader, SuiteSpec& out) {
  const bool from_base = reader.word("check_from", {"head", "base"}) == "base";
  const toml::array* list = reader.array("check_library");
  const auto files = reader.texts("check_library");
  if (!from_base && list) reader.wrong("check_library", "is given without check_from", "add 'check_from = \"base\"'");
  if (from_base && out.check.empty()) reader.wrong("check_from", "is given without a check", "name the check program");
  if (from_base && files.empty())
    reader.wrong("check_from", "is 'base' without a check_library",
                 "name the files of the build folder that head's are taken of: check_library = [\"libkernels.so\"]");
  if (files.size() > limits::kGlobsMax)
    reader.wrong("check_library", fmt::format("has {} files", files.size()),
                 fmt::format("{} at most", limits::kGlobsMax));
  for (const std::string& file : files) {
    const std::filesystem::path path(file);
    const bool inside = !file.empty() && path.is_relative() && path == path.lexically_normal() && *path.begin() != "..";
    if (!inside || file.size() > limits::kGlobMax)
      reader.wrong("check_library", fmt::format("has '{}'", file.substr(0, 60)),
                   "give paths of files below the build folder");
  }
  out.check_library = files;
}

void read_requires(TableReader& suite, SuiteSpec& out) {
  const toml::table* table = suite.table("requires");
  if (!table) return;
  TableReader reader(*table, "requires", suite.problems());
  out.requires_gpu = reader.flag("gpu").value_or(false);
  if (const auto compute = reader.text("compute")) {
    const std::size_t dot = compute->find('.');
    const bool good = dot != std::string::npos && compute->size() <= 6 &&
                      is_word(std::string_view(*compute).substr(0, dot), "") &&
                      is_word(std::string_view(*compute).substr(dot + 1), "") &&
                      compute->find_first_not_of("0123456789.") == std::string::npos;
    if (!good)
      reader.wrong("compute", fmt::format("is '{}'", compute->substr(0, 60)),
                   "give a compute capability such as \"9.0\"");
    else if (!out.requires_gpu)
      reader.wrong("compute", "is given without a GPU", "add 'gpu = true'");
    else
      out.requires_compute = *compute;
  }
  reader.refuse_unknown();
}

// Axis values become compiler defines, so they are plain words and numbers.
std::optional<AxisValue> read_axis_value(TableReader& axes, const std::string& axis, const toml::node& node) {
  if (const auto* integer = node.as_integer()) return integer->get();
  const auto* fraction = node.as_floating_point();
  if (fraction && std::isfinite(fraction->get())) return fraction->get();
  const auto* text = node.as_string();
  if (text && text->get().size() <= limits::kManifestNameMax && is_word(text->get(), "_.+-")) return text->get();
  axes.problems().add(position_of(node), fmt::format("axis '{}' holds a value that cannot be a define", axis),
                      "give numbers, or words of letters, digits and '_.+-'");
  return std::nullopt;
}

void read_axis(TableReader& axes, const std::string& axis, Sweep& out) {
  const toml::array* list = axes.array(axis);
  if (!list) return;
  if (!is_word(axis, "_") || std::isdigit(static_cast<unsigned char>(axis[0])))
    axes.wrong(axis, "cannot be the name of a define", "use letters, digits and '_'");
  if (list->empty()) axes.wrong(axis, "has no values", "give at least one");
  std::vector<AxisValue>& values = out.axes[axis];
  for (const toml::node& node : *list) {
    const auto value = read_axis_value(axes, axis, node);
    if (!value) continue;
    if (std::find(values.begin(), values.end(), *value) != values.end())
      axes.problems().add(position_of(node), fmt::format("axis '{}' names a value twice", axis), "drop one");
    values.push_back(*value);
  }
}

// One value for each axis, of those that the axis has.
void read_reference(const toml::table& table, Sweep& out, Problems& problems) {
  TableReader reader(table, "reference", problems);
  for (const auto& [axis, values] : out.axes) {
    reader.require(axis, "give a value of each axis");
    const toml::node* node = reader.any(axis);
    if (node == nullptr) continue;
    const auto value = read_axis_value(reader, axis, *node);
    if (!value) continue;
    if (std::find(values.begin(), values.end(), *value) == values.end())
      reader.wrong(axis, "is not a value of its axis", "give one of the axis's values");
    out.reference[axis] = *value;
  }
  reader.refuse_unknown();
}

}  // namespace

void read_command(TableReader& reader, std::string_view key, std::string& out) {
  const auto line = reader.text(key);
  if (!line) return;
  if (line->size() > limits::kCommandMax) {
    reader.wrong(key, fmt::format("has {} bytes", line->size()),
                 fmt::format("{} at most; put it into a script", limits::kCommandMax));
    return;
  }
  if (const auto expanded = expand(*line, "s", "b"); !expanded) {
    reader.wrong(key, "has an " + expanded.error().what, expanded.error().fix);
    return;
  }
  out = *line;
}

void read_build(const toml::table& table, BuildRecipe& out, std::optional<std::vector<std::string>>& data,
                Problems& problems) {
  TableReader reader(table, "[build]", problems);
  read_command(reader, "fetch", out.fetch);
  read_command(reader, "configure", out.configure);
  reader.require("build", "give the command that builds, or \"\" if nothing is to be built");
  read_command(reader, "build", out.build);
  read_globs(reader, "inputs", out.inputs);
  if (const toml::array* inputs = reader.array("inputs"); inputs && inputs->empty())
    reader.wrong("inputs", "is empty", "name what the build reads, or leave it out for the whole tree");
  read_globs(reader, "overlay", out.overlay);
  read_globs(reader, "data", data);
  read_setting(reader, out.setting);
  read_submodules(reader, out.submodules);
  read_seconds(reader, "timeout_s", limits::kBuildTimeoutMax, out.timeout);
  reader.refuse_unknown();
}

void read_format(TableReader& reader, SuiteSpec& out) {
  std::vector<std::string> words;
  for (const SuiteFormat format : kSuiteFormats) words.emplace_back(to_string(format));
  if (const auto word = reader.word("format", words)) out.format = parse_suite_format(*word).value_or(out.format);
}

void read_clock(TableReader& reader, SuiteSpec& out) {
  constexpr std::array kClocks{SuiteClock::automatic, SuiteClock::host, SuiteClock::device, SuiteClock::both};
  std::vector<std::string> words;
  for (const SuiteClock clock : kClocks) words.emplace_back(to_string(clock));
  const auto word = reader.word("clock", words);
  for (const SuiteClock clock : kClocks)
    if (word && *word == to_string(clock)) out.clock = clock;
  if (out.format == SuiteFormat::nvbench && (out.clock == SuiteClock::device || out.clock == SuiteClock::both))
    reader.wrong("clock", "asks for the device's clock, which NVBench reads itself", "leave it out");
}

void read_suite(const toml::table& table, SuiteSpec& out, Problems& problems) {
  TableReader reader(table, "[[suite]]", problems);
  reader.require("name", "give the suite a name");
  if (const auto name = reader.text("name")) {
    const bool begins_well = !name->empty() && name->front() != '.' && name->front() != '-';
    const bool good = begins_well && name->size() <= limits::kManifestNameMax && is_word(*name, "_.-");
    if (good)
      out.name = *name;
    else
      reader.wrong("name", name->empty() ? "is empty" : fmt::format("is '{}'", name->substr(0, 60)),
                   fmt::format("use 1 to {} letters, digits and '_.-', beginning with neither '.' nor '-'",
                               limits::kManifestNameMax));
  }
  read_format(reader, out);
  reader.require("run", "give the command line that starts the suite");
  read_command(reader, "run", out.run);
  if (const auto run = reader.text("run"); run && run->find_first_not_of(" \t\r\n") == std::string::npos)
    reader.wrong("run", "is empty", "give the command line that starts the suite");
  read_command(reader, "check", out.check);
  read_check_from(reader, out);
  read_setting(reader, out.setting);
  read_globs(reader, "data", out.data);
  if (const auto time = reader.word("time", {"real", "cpu"}))
    out.time = *time == "cpu" ? TimeSource::cpu : TimeSource::real;
  if (out.time == TimeSource::cpu && out.format != SuiteFormat::google_benchmark)
    reader.wrong("time", fmt::format("is 'cpu', and {} keeps samples of one time only", to_string(out.format)),
                 "leave it out");
  read_clock(reader, out);
  out.sample_ms = reader.number("sample_ms", kSampleMsLeast, kSampleMsMost).value_or(out.sample_ms);
  read_seconds(reader, "timeout_s", limits::kSuiteTimeoutMax, out.timeout);
  read_requires(reader, out);
  reader.refuse_unknown();
}

void read_sanitizer(const toml::table& table, SanitizerSpec& out, Problems& problems) {
  TableReader reader(table, "[sanitizer]", problems);
  out.memcheck = reader.flag("memcheck").value_or(out.memcheck);
  out.racecheck = reader.flag("racecheck").value_or(out.racecheck);
  reader.refuse_unknown();
}

void read_sweep(const toml::table& table, const std::vector<SuiteSpec>& suites, Sweep& out, Problems& problems) {
  TableReader reader(table, "[[sweep]]", problems);
  reader.require("suite", "name the suite to sweep");
  if (const auto suite = reader.text("suite")) {
    std::vector<std::string> names;
    for (const SuiteSpec& known : suites) names.push_back(known.name);
    if (std::find(names.begin(), names.end(), *suite) == names.end())
      reader.wrong("suite", fmt::format("is '{}', and no suite has this name", suite->substr(0, 60)),
                   names.empty() ? "declare the suite" : "give " + one_of(names));
    out.suite = *suite;
  }
  reader.require("axes", "give the values to try, such as axes = { BLOCK_M = [64, 128] }");
  if (const toml::table* axes_table = reader.table("axes")) {
    TableReader axes(*axes_table, "axes", problems);
    if (axes_table->empty()) reader.wrong("axes", "is empty", "give at least one axis");
    double points = 1;
    for (const auto& [axis, node] : *axes_table) {
      read_axis(axes, std::string(axis.str()), out);
      if (const auto* list = node.as_array()) points *= std::max<double>(1, static_cast<double>(list->size()));
    }
    if (points > limits::kSweepPointsMax)
      reader.wrong("axes", fmt::format("span {} points", points), fmt::format("{} at most", limits::kSweepPointsMax));
  }
  if (const toml::table* reference = reader.table("reference")) read_reference(*reference, out, problems);
  reader.refuse_unknown();
}

}  // namespace kernelgate::manifest
