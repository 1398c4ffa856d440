// SPDX-License-Identifier: Apache-2.0
#include "kernels/device_clock/tally.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace kernels::device_clock {
namespace {

constexpr std::string_view kFirstLine = "kernelgate-device-clock 1\n";

struct Free {
  void operator()(char* text) const { std::free(text); }
};

std::string demangled(const std::string& name) {
  if (name.size() > kMangledMax) return name;
  int status = 0;
  const std::unique_ptr<char, Free> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status));
  return status == 0 && text ? std::string(text.get()) : name;
}

std::string key_of(const Launch& launch) {
  std::string key(1, static_cast<char>('0' + static_cast<int>(launch.work)));
  for (const auto* sizes : {&launch.grid, &launch.block})
    for (const std::int64_t size : *sizes) key += std::to_string(size) + ',';
  key += launch.name;
  return key;
}

std::string sizes_text(const std::array<std::int64_t, 3>& sizes) {
  return std::to_string(sizes[0]) + ',' + std::to_string(sizes[1]) + ',' + std::to_string(sizes[2]);
}

std::string_view word_of(Work work) {
  switch (work) {
    case Work::kernel: return "kernel";
    case Work::copy: return "copy";
    case Work::fill: return "fill";
  }
  return "kernel";
}

}  // namespace

std::string plain_name(std::string_view name) {
  std::string out(name.substr(0, kNameMax));
  for (char& c : out)
    if (c < ' ' || c > '~') c = '?';
  return out;
}

void Tally::add(const Launch& launch) {
  // A kernel that still runs when the program ends has no end.
  if (launch.end_ns == 0 || launch.start_ns == 0 || launch.end_ns < launch.start_ns) return;
  ++launches_;
  const std::string key = key_of(launch);
  auto place = places_.find(key);
  if (place == places_.end()) {
    if (entries_.size() >= kWorkMax) {
      ++lost_;
      return;
    }
    place = places_.emplace(key, entries_.size()).first;
    Entry entry;
    entry.work = launch.work;
    const std::string name(launch.name);
    entry.name = plain_name(launch.work == Work::kernel ? demangled(name) : name);
    entry.grid = launch.grid;
    entry.block = launch.block;
    entries_.push_back(std::move(entry));
  }
  Entry& entry = entries_[place->second];
  const std::uint64_t duration = launch.end_ns - launch.start_ns;
  entry.total_ns += duration;
  entry.in_graphs += launch.in_graph ? 1 : 0;
  keep(entry, duration);
  ++entry.launches;
}

void Tally::keep(Entry& entry, std::uint64_t duration_ns) {
  if (entry.launches % entry.stride != 0) return;
  if (entry.kept.size() == kKept) {
    std::size_t to = 0;
    for (std::size_t from = 0; from < entry.kept.size(); from += 2) entry.kept[to++] = entry.kept[from];
    entry.kept.resize(to);
    entry.stride *= 2;
    if (entry.launches % entry.stride != 0) return;
  }
  entry.kept.push_back(duration_ns);
}

std::string Tally::text(std::uint32_t cupti_version, bool ended) const {
  std::string out(kFirstLine);
  out += "cupti\t" + std::to_string(cupti_version) + '\n';
  for (const Entry& entry : entries_) {
    out += word_of(entry.work);
    out += '\t' + sizes_text(entry.grid) + '\t' + sizes_text(entry.block) + '\t' + std::to_string(entry.launches) +
           '\t' + std::to_string(entry.in_graphs) + '\t' + std::to_string(entry.total_ns) + '\t' +
           std::to_string(entry.stride) + '\t';
    for (std::size_t i = 0; i < entry.kept.size(); ++i) {
      if (i > 0) out += ' ';
      out += std::to_string(entry.kept[i]);
    }
    out += '\t' + entry.name + '\n';
  }
  out += "lost\t" + std::to_string(lost_) + '\n';
  out += ended ? "end\tended\n" : "end\trunning\n";
  return out;
}

std::string refusal_text(std::string_view reason) {
  return std::string(kFirstLine) + "refused\t" + plain_name(reason) + "\nend\tended\n";
}

}  // namespace kernels::device_clock
