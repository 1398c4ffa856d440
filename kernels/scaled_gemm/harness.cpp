// SPDX-License-Identifier: Apache-2.0
#include "kernels/scaled_gemm/harness.hpp"

#include <charconv>
#include <string_view>

#include "kernels/scaled_gemm/stages.hpp"

namespace kernels::scaled {
namespace {

constexpr int kSizesMax = 4;

std::optional<int> positive(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1) return std::nullopt;
  return number;
}

// Numbers with an x between them; empty if it is not that.
std::vector<int> sizes_of(std::string_view text) {
  std::vector<int> sizes;
  while (true) {
    const std::size_t end = text.find('x');
    const auto size = positive(text.substr(0, end));
    if (!size || sizes.size() == kSizesMax) return {};
    sizes.push_back(*size);
    if (end == text.npos) return sizes;
    text.remove_prefix(end + 1);
  }
}

// An error, or nothing.
std::string take_shapes(const std::string& value, HarnessOptions& options) {
  for (std::size_t from = 0; from <= value.size();) {
    const std::size_t end = std::min(value.find(',', from), value.size());
    const auto shape = parse_shape(value.substr(from, end - from));
    if (!shape) return "--shapes: " + value + " is not MxNxK or MxNxKxL, with commas between several";
    if (const char* reason = shape_refusal(*shape)) return "--shapes: " + value + ": " + reason;
    options.shapes.push_back(*shape);
    from = end + 1;
  }
  return {};
}

std::string take_tile(const std::string& value, HarnessOptions& options) {
  const std::vector<int> sizes = sizes_of(value);
  if (sizes.size() != 2) return "--tile: " + value + " is not ROWSxCOLUMNS, such as 256x128";
  options.rows = sizes[0];
  options.columns = sizes[1];
  return {};
}

std::string take_baseline(const std::string& value, HarnessOptions& options) {
  if (value != "per_tensor" && value != "blocks") return "--baseline: " + value + " is neither per_tensor nor blocks";
  options.baseline = value;
  return {};
}

std::string take(const std::string& name, const std::string& value, HarnessOptions& options) {
  if (name == "--shapes") return take_shapes(value, options);
  if (name == "--tile") return take_tile(value, options);
  if (name == "--baseline") return take_baseline(value, options);
  const auto number = positive(value);
  if (!number) return name + ": " + value + " is not a number from 1 on";
  (name == "--cluster" ? options.cluster : options.stages) = *number;
  return {};
}

bool has_value(const std::string& name) {
  return name == "--shapes" || name == "--tile" || name == "--baseline" || name == "--cluster" || name == "--stages";
}

}  // namespace

std::optional<Shape> parse_shape(const std::string& text) {
  const std::vector<int> sizes = sizes_of(text);
  if (sizes.size() < 3) return std::nullopt;
  return Shape{.m = sizes[0], .n = sizes[1], .k = sizes[2], .matrices = sizes.size() == 4 ? sizes[3] : 1};
}

HarnessArguments parse_harness(std::vector<std::string>& arguments) {
  HarnessArguments parsed;
  HarnessOptions& options = parsed.options;
  std::vector<std::string> others;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    if (argument == "--skip-check" || argument == "--cold") {
      (argument == "--cold" ? options.cold : options.skip_check) = true;
    } else if (!has_value(name)) {
      others.push_back(argument);
    } else if (equals == argument.npos && i + 1 == arguments.size()) {
      parsed.error = name + " needs a value";
    } else {
      parsed.error = take(name, equals == argument.npos ? arguments[++i] : argument.substr(equals + 1), options);
    }
    if (!parsed.error.empty()) return parsed;
  }
  if (options.shapes.empty()) parsed.error = "--shapes MxNxK[xL][,…] is needed";
  arguments = std::move(others);
  return parsed;
}

std::string configuration_of(const HarnessOptions& options, std::string& error) {
  std::string name = "wide/" + std::to_string(options.rows);
  name.append("x").append(std::to_string(options.columns)).append("x").append(std::to_string(options.cluster));
  const int most = plan_stages(options.rows, options.columns).stages;
  if (options.stages > most)
    error = "--stages: " + std::to_string(options.stages) + " do not fit beside the epilogue; " + std::to_string(most) +
            " do:\n" + stages_table(options.rows, options.columns);
  return options.stages == 0 || options.stages == most ? name : name.append("s").append(std::to_string(options.stages));
}

std::string stages_table(int rows, int columns) {
  std::string table;
  for (int stages = 2; stages <= plan_stages(rows, columns).stages; ++stages) {
    const StagePlan plan = plan_stages(rows, columns, stages);
    table.append(std::to_string(stages))
        .append(" stages of ")
        .append(std::to_string(plan.stage_bytes + plan.scale_bytes));
    table.append(" bytes, ").append(std::to_string(plan.buffers)).append(" buffers of the epilogue of ");
    table.append(std::to_string(consumers_of(rows) * plan.buffer_bytes)).append(": ");
    table.append(std::to_string(plan.shared_bytes)).append(" of ").append(std::to_string(kSharedMax)).append("\n");
  }
  return table;
}

}  // namespace kernels::scaled
