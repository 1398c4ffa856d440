// SPDX-License-Identifier: Apache-2.0
#include "commands/doctor/machine.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "core/units/limits.hpp"
#include "runner/sandbox/namespaces.hpp"

namespace kernelgate::doctor {
namespace {

namespace fs = std::filesystem;

constexpr double kGiB = 1024.0 * 1024 * 1024;
constexpr double kDiskLeastGiB = 2;       // one build of a CUDA repository and its log
constexpr double kMemoryLeastGiB = 2;     // two compilers and the suite
constexpr double kLoadPerCoreMost = 0.5;  // above it a CPU testbed measures its neighbours

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string first_word(const std::string& text) {
  std::string word;
  std::istringstream(text) >> word;
  return word;
}

// KiB of a line such as "MemTotal:  16314924 kB"; 0 where it is absent.
double meminfo_kib(const std::string& text, const std::string& name) {
  const std::size_t at = text.find(name + ":");
  return at == std::string::npos ? 0 : std::strtod(text.c_str() + at + name.size() + 1, nullptr);
}

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(std::thread::hardware_concurrency());
}

}  // namespace

Finding find_cores(const fs::path& root) {
  Finding out{.topic = "cores", .text = fmt::format("{} usable", usable_cores())};
  const std::string info = text_of(root / "proc/cpuinfo");
  const std::size_t at = info.find("model name");
  if (at != std::string::npos) {
    const std::size_t from = info.find(": ", at), to = info.find('\n', at);
    if (from < to) out.text += ", " + info.substr(from + 2, to - from - 2);
  }
  if (usable_cores() < 2) {
    out.grade = Grade::warning;
    out.fix = "two cores at least: one measures, one serves the runner and the system";
  }
  return out;
}

Finding find_load(const fs::path& root, int cores) {
  const double load = std::strtod(text_of(root / "proc/loadavg").c_str(), nullptr);
  Finding out{.topic = "load", .text = fmt::format("{:.2f} over the last minute", load)};
  if (load > kLoadPerCoreMost * cores) {
    out.grade = Grade::warning;
    out.fix = "other programs are at work: times of a CPU testbed will spread, verdicts need more pairs";
  }
  return out;
}

Finding find_memory(const fs::path& root) {
  const std::string info = text_of(root / "proc/meminfo");
  const double total = meminfo_kib(info, "MemTotal") * 1024 / kGiB;
  const double available = meminfo_kib(info, "MemAvailable") * 1024 / kGiB;
  Finding out{.topic = "memory", .text = fmt::format("{:.1f} GiB, {:.1f} GiB available", total, available)};
  if (available < kMemoryLeastGiB) {
    out.grade = Grade::warning;
    out.fix = "builds may be killed: free some, or build with fewer jobs";
  }
  return out;
}

Finding find_clock_source(const fs::path& root) {
  const fs::path folder = root / "sys/devices/system/clocksource/clocksource0";
  const std::string current = first_word(text_of(folder / "current_clocksource"));
  Finding out{.topic = "clock source", .text = current.empty() ? "unknown" : current};
  const bool fast =
      current == "tsc" || current == "kvm-clock" || current == "arch_sys_counter" || current.starts_with("hyperv");
  if (!fast) {
    out.grade = Grade::warning;
    out.fix = "reading the clock costs a system call here: prefer tsc, or longer samples (sample_ms)";
  }
  return out;
}

Finding find_governor(const fs::path& root) {
  const std::string governor = first_word(text_of(root / "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
  Finding out{.topic = "cpu governor", .text = governor.empty() ? "not under this system's control" : governor};
  if (!governor.empty() && governor != "performance") {
    out.grade = Grade::warning;
    out.fix = "times of a CPU testbed spread less under: cpupower frequency-set -g performance";
  }
  return out;
}

Finding find_namespaces(const fs::path& root) {
  const auto obstacle = namespaces_obstacle(root);
  if (!obstacle) return {.topic = "user namespaces", .text = "allowed"};
  // A profile of its own may let bubblewrap make them nevertheless: whether the sandbox works says so.
  return {.topic = "user namespaces", .grade = Grade::warning, .text = obstacle->what, .fix = obstacle->fix};
}

Finding find_disk(const std::string& topic, const fs::path& folder) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  if (error)
    return {.topic = topic, .grade = Grade::warning, .text = error.message(), .fix = "name a folder that exists"};
  const double free = static_cast<double>(space.available) / kGiB;
  const double cache = static_cast<double>(limits::kBuildCacheDefault.value) / kGiB;
  Finding out{.topic = topic, .text = fmt::format("{:.1f} GiB free", free)};
  if (free < kDiskLeastGiB) {
    out.grade = Grade::missing;
    out.fix = fmt::format("{:.0f} GiB at least, {:.0f} GiB for the whole build cache", kDiskLeastGiB, cache);
  } else if (free < cache) {
    out.grade = Grade::warning;
    out.fix = fmt::format("the build cache may grow to {:.0f} GiB", cache);
  }
  return out;
}

}  // namespace kernelgate::doctor
