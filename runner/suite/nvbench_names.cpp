// SPDX-License-Identifier: Apache-2.0
#include "runner/suite/nvbench_names.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

#include "runner/suite/nvbench.hpp"

namespace kernelgate::suite {
namespace {

constexpr std::string_view kDevice = "Device";

std::string percent_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '/' || c == '%' || static_cast<unsigned char>(c) < ' ')
      out += fmt::format("%{:02X}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out;
}

std::string percent_unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const char* digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

NvbenchAxis axis_of(std::string_view part) {
  NvbenchAxis axis;
  const std::size_t equals = part.find('=');
  std::string_view key = part.substr(0, equals);
  if (equals != part.npos) axis.value = percent_unescaped(part.substr(equals + 1));
  if (const std::size_t open = key.find('['); open != key.npos && key.ends_with(']')) {
    axis.flags = percent_unescaped(key.substr(open + 1, key.size() - open - 2));
    key = key.substr(0, open);
  }
  axis.name = percent_unescaped(key);
  return axis;
}

// Lists and ranges are spelled with these, so a value that holds one cannot be given.
bool can_be_spelled(const NvbenchAxis& axis) { return axis.value.find_first_of(",:[]") == std::string::npos; }

}  // namespace

std::string name_of(const NvbenchState& state) {
  std::string out = percent_escaped(state.benchmark);
  if (state.device != 0) out += fmt::format("/{}={}", kDevice, state.device);
  for (const NvbenchAxis& axis : state.axes)
    out += "/" + percent_escaped(axis.name) + (axis.flags.empty() ? "" : "[" + percent_escaped(axis.flags) + "]") +
           "=" + percent_escaped(axis.value);
  return out;
}

NvbenchState state_of(std::string_view name) {
  NvbenchState out;
  std::size_t slash = name.find('/');
  out.benchmark = percent_unescaped(name.substr(0, slash));
  while (slash != name.npos) {
    const std::size_t next = name.find('/', slash + 1);
    const std::size_t length = next == name.npos ? name.npos : next - slash - 1;
    NvbenchAxis axis = axis_of(name.substr(slash + 1, length));
    if (axis.name == kDevice)
      out.device = std::atoi(axis.value.c_str());
    else
      out.axes.push_back(std::move(axis));
    slash = next;
  }
  return out;
}

std::vector<std::string> nvbench_selection(const std::vector<std::string>& benchmarks) {
  std::vector<std::string> flags;
  for (const std::string& name : benchmarks) {
    const NvbenchState state = state_of(name);
    flags.insert(flags.end(), {"-b", state.benchmark});
    if (state.device != 0) flags.insert(flags.end(), {"-d", std::to_string(state.device)});
    for (const NvbenchAxis& axis : state.axes) {
      if (!can_be_spelled(axis)) continue;
      flags.insert(flags.end(), {"-a", fmt::format("{}[{}]={}", axis.name, axis.flags, axis.value)});
    }
  }
  return flags;
}

}  // namespace kernelgate::suite
