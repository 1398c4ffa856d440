// SPDX-License-Identifier: Apache-2.0
#include "runner/gpu/device_times.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/units/limits.hpp"
#include "platform/files/foreign_file.hpp"

namespace kernelgate::gpu {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFirstLine = "kernelgate-device-clock 1";
constexpr std::string_view kInsideLibrary = "/work/libkernelgate_device_clock.so";
constexpr std::string_view kInsideFolder = "/work/device_clock";
constexpr std::size_t kColumns = 9;
constexpr std::uint64_t kCountMost = 1ull << 53;  // beyond, a double does not count any more

std::string_view cut(std::string_view& text, char at) {
  const std::size_t end = std::min(text.find(at), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(text.size(), end + 1));
  return part;
}

std::optional<double> number_of(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > kCountMost) return std::nullopt;
  return static_cast<double>(value);
}

bool is_shape(std::string_view text) {
  int numbers = 0;
  if (text.size() > static_cast<std::size_t>(limits::kDeviceShapeMax) || text.empty() || text.back() == ',')
    return false;
  while (!text.empty()) {
    if (!number_of(cut(text, ','))) return false;
    ++numbers;
  }
  return numbers == 3;
}

std::optional<std::vector<double>> durations_of(std::string_view text) {
  std::vector<double> out;
  while (!text.empty()) {
    const auto duration = number_of(cut(text, ' '));
    if (!duration || out.size() >= limits::kDeviceDurationsMax) return std::nullopt;
    out.push_back(*duration);
  }
  return out;
}

// The first quarter warms up: caches, clocks, and code that is loaded at its first launch.
void fill_times(KernelTime& out, const std::vector<double>& durations) {
  const std::size_t from = durations.size() / 4;
  const double count = static_cast<double>(durations.size() - from);
  if (count == 0) return;
  double sum = 0, squares = 0;
  for (std::size_t i = from; i < durations.size(); ++i) sum += durations[i];
  out.samples = count;
  out.mean_ns = sum / count;
  for (std::size_t i = from; i < durations.size(); ++i) squares += std::pow(durations[i] - out.mean_ns, 2);
  out.sd_ns = std::sqrt(squares / count);
}

// One line of work; nothing where it is none that this program knows.
std::optional<KernelTime> work_of(const std::array<std::string_view, kColumns>& columns, double iterations) {
  const auto launches = number_of(columns[3]), in_graphs = number_of(columns[4]), total = number_of(columns[5]),
             stride = number_of(columns[6]);
  const auto durations = durations_of(columns[7]);
  const std::string_view name = columns[8];
  if (!is_shape(columns[1]) || !is_shape(columns[2]) || !launches || !in_graphs || !total || !stride || !durations ||
      durations->empty() || static_cast<double>(durations->size()) > *launches ||
      name.size() > static_cast<std::size_t>(limits::kDeviceKernelNameMax) ||
      !std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~'; }))
    return std::nullopt;
  KernelTime out{.kernel = std::string(name), .grid = std::string(columns[1]), .block = std::string(columns[2])};
  if (columns[0] == "copy") out.kernel = "copy " + out.kernel;
  out.launches = *launches;
  out.per_iteration = *launches / iterations;
  fill_times(out, *durations);
  return out;
}

std::array<std::string_view, kColumns> columns_of(std::string_view line) {
  std::array<std::string_view, kColumns> out;
  for (std::size_t i = 0; i + 1 < kColumns; ++i) out[i] = cut(line, '\t');
  out[kColumns - 1] = line;
  return out;
}

bool is_work(std::string_view kind) { return kind == "kernel" || kind == "copy" || kind == "fill"; }

}  // namespace

void add_device_clock(const fs::path& library, const fs::path& folder, std::vector<Mount>& mounts,
                      std::vector<std::pair<std::string, std::string>>& env) {
  mounts.push_back({.host = library, .inside = std::string(kInsideLibrary)});
  mounts.push_back({.host = folder, .inside = std::string(kInsideFolder), .writable = true});
  env.emplace_back("CUDA_INJECTION64_PATH", kInsideLibrary);
  env.emplace_back("KERNELGATE_DEVICE_CLOCK", kInsideFolder);
}

Result<DeviceRecord> parse_device_times(std::string_view text, double iterations, const std::string& origin) {
  DeviceRecord out;
  if (cut(text, '\n') != kFirstLine)
    return fail(Errc::unsupported, "not a file of the device's clock that this program knows", origin);
  bool ended = false;
  for (int line = 2; !text.empty(); ++line) {
    const auto columns = columns_of(cut(text, '\n'));
    const std::string place = origin + ":" + std::to_string(line);
    if (columns[0] == "refused") out.refused = std::string(columns[1].substr(0, limits::kDeviceKernelNameMax));
    if (columns[0] == "lost" && columns[1] != "0")
      return fail(Errc::too_large, "more kernels than are recorded, or records were lost", place);
    ended = ended || (columns[0] == "end" && columns[1] == "ended");
    if (!is_work(columns[0])) continue;
    auto work = work_of(columns, iterations);
    if (!work) return fail(Errc::corrupt, "a line of the device's clock is damaged", place);
    if (out.kernels.size() >= static_cast<std::size_t>(limits::kDeviceKernelsMax))
      return fail(Errc::too_large, "more than " + std::to_string(limits::kDeviceKernelsMax) + " kernels", place);
    const bool by_host = columns[0] == "copy" && columns[8] != "on the device";
    if (!by_host) out.kernels.push_back(std::move(*work));
  }
  if (!ended) return fail(Errc::corrupt, "the program did not end by itself: its record is cut short", origin);
  return out;
}

Result<DeviceRecord> read_device_times(const fs::path& folder, double iterations) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".txt") continue;
    names.push_back(entry.path().filename().string());
    if (names.size() > limits::kDeviceClockFilesMax)
      return fail(Errc::too_large,
                  "more than " + std::to_string(limits::kDeviceClockFilesMax) + " processes used the GPU");
  }
  if (error) return fail(Errc::io, error.message(), folder.string());
  std::sort(names.begin(), names.end());
  DeviceRecord out;
  for (const std::string& name : names) {
    const auto text = read_foreign_file(folder, name, limits::kDeviceClockFileMax);
    if (!text) return pass_on(text);
    auto record = parse_device_times(*text, iterations, name);
    if (!record) return pass_on(record);
    if (!record->refused.empty()) return record;
    for (KernelTime& kernel : record->kernels) {
      const bool again = std::any_of(out.kernels.begin(), out.kernels.end(), [&](const KernelTime& seen) {
        return seen.kernel == kernel.kernel && seen.grid == kernel.grid && seen.block == kernel.block;
      });
      if (again) return fail(Errc::unsupported, "two processes of one benchmark launch the same kernel", name);
      out.kernels.push_back(std::move(kernel));
    }
  }
  if (out.kernels.size() > static_cast<std::size_t>(limits::kDeviceKernelsMax))
    return fail(Errc::too_large, "more than " + std::to_string(limits::kDeviceKernelsMax) + " kernels");
  return out;
}

}  // namespace kernelgate::gpu
