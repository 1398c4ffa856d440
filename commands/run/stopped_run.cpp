// SPDX-License-Identifier: Apache-2.0
#include "commands/run/stopped_run.hpp"

#include <fstream>

#include "core/wire/codec.hpp"

namespace kernelgate::local {

KeptSamples load_stopped(const std::filesystem::path& file) {
  KeptSamples out;
  std::ifstream in(file, std::ios::binary);
  if (!std::getline(in, out.key)) return {};
  for (std::string line; std::getline(in, line);) {
    if (line == "end") return out;  // written last: a file cut short is none
    auto process = wire::decode<Process>(line);
    if (!process) return {};
    out.processes.push_back(std::move(*process));
  }
  return {};
}

Status save_stopped(const std::filesystem::path& file, const KeptSamples& samples) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << samples.key << '\n';
  for (const Process& process : samples.processes) out << wire::encode(process) << '\n';
  out << "end\n";
  if (out.flush()) return {};
  return fail(Errc::io, "what was measured cannot be kept for the next run: the disk may be full", file.string());
}

}  // namespace kernelgate::local
