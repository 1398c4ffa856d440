// SPDX-License-Identifier: Apache-2.0
#include "runner/code/code.hpp"

#include <algorithm>
#include <sstream>

#include "core/units/digest.hpp"
#include "core/units/limits.hpp"
#include "platform/files/foreign_file.hpp"
#include "platform/process/process.hpp"
#include "platform/process/scratch_folder.hpp"
#include "runner/build/elf.hpp"
#include "runner/code/disassembly.hpp"

namespace kernelgate::gpu {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInsideCubins = "/tmp/cubins";

class Reader {
 public:
  Reader(const CodeRequest& request, const std::stop_token& stop) : request_(request), stop_(stop) {}

  Result<std::string> dump(const char* flag, const fs::path& file) const { return run({flag}, file, {}); }

  // The hash of what each cubin of the file holds beside its code.
  [[nodiscard]] Result<std::string> data_of(const fs::path& file) const {
    const ScratchFolder folder("cubins");
    if (folder.path().empty()) return fail(Errc::io, "no temporary folder can be made");
    if (auto handed = request_.sandbox->hand_over(folder.path()); !handed) return pass_on(handed);
    if (auto extracted = run({"--extract-elf", "all"}, file, folder.path()); !extracted) return extracted;
    std::vector<fs::path> cubins;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder.path(), error))
      if (entry.is_regular_file() && !entry.is_symlink()) cubins.push_back(entry.path());
    std::sort(cubins.begin(), cubins.end());
    Sha256 digest;
    for (const auto& cubin : cubins) {
      const auto bytes = read_foreign_file(folder.path(), cubin.filename(), limits::kProgramMax);
      if (!bytes) return pass_on(bytes);
      const auto sections = elf_detail::loaded_sections(*bytes);
      if (!sections) return fail(sections.error().code, sections.error().what, cubin.filename().string());
      for (const auto& section : *sections)
        if (section.name.substr(0, 6) != ".text.")
          digest.field(section.name).field(std::to_string(section.size)).field(section.bytes);
    }
    return digest.hex();
  }

 private:
  [[nodiscard]] Result<std::string> run(const std::vector<std::string>& flags, const fs::path& file,
                                        const fs::path& writable) const {
    SandboxJob job;
    job.mounts = {{request_.build, std::string(kInsideBuild), false}};
    if (!writable.empty()) {
      job.mounts.push_back({writable, kInsideCubins, true});
      job.cwd = kInsideCubins;
    }
    const fs::path inside = request_.sandbox->locate(job.mounts, kInsideBuild);
    // It starts nvdisasm, which lies beside it.
    job.argv = {"/usr/bin/env", "PATH=" + request_.cuobjdump.parent_path().string() + ":/usr/bin:/bin",
                request_.cuobjdump.string()};
    job.argv.insert(job.argv.end(), flags.begin(), flags.end());
    job.argv.push_back((inside / file).string());
    ProcessSpec how;
    how.timeout = limits::kDisassembleTimeout;
    how.output_max = limits::kDisassemblyMax;
    how.kill_when_over = true;
    auto ended = request_.sandbox->run(job, how, stop_);
    if (!ended) return pass_on(ended);
    if (ended->too_large) return fail(Errc::too_large, "the disassembly of " + file.string() + " is too long");
    const bool nothing = ended->err.find("does not contain device code") != std::string::npos;
    if (!ended->ok() && !nothing)
      return fail(Errc::corrupt, "cuobjdump " + flags.front() + " of " + file.string() + ": " + describe_end(*ended) +
                                     ": " + ended->err.substr(0, 200));
    return std::move(ended->out);
  }

  const CodeRequest& request_;
  const std::stop_token& stop_;
};

// Names that demangle() leaves, by a process that may run out of memory and time: then they stay as they are.
void demangle_long_names(std::vector<KernelCode>& kernels, const std::stop_token& stop) {
  std::vector<KernelCode*> left;
  ProcessSpec how;
  for (KernelCode& code : kernels)
    if (code.kernel.substr(0, 2) == "_Z") {
      left.push_back(&code);
      how.stdin_text += code.kernel + "\n";
    }
  if (left.empty()) return;
  how.argv = {"c++filt"};
  how.env = {"PATH=/usr/local/bin:/usr/bin:/bin"};
  how.limits.address_space = limits::kDemangleMemoryMax;
  how.output_max = limits::kSuiteOutputMax;
  how.kill_when_over = true;
  how.timeout = limits::kDemangleTimeout;
  const auto ended = run_process(how, stop);
  if (!ended || !ended->ok()) return;
  std::istringstream lines(ended->out);
  for (std::string line; !left.empty() && std::getline(lines, line); left.erase(left.begin()))
    if (line.size() <= limits::kKernelNameMax) left.front()->kernel = std::move(line);
}

}  // namespace

Result<DeviceCode> read_device_code(const CodeRequest& request, const std::stop_token& stop) {
  const Reader reader(request, stop);
  DeviceCode out;
  Sha256 data;
  for (const fs::path& file : request.files) {
    const auto usage = reader.dump("--dump-resource-usage", file);
    if (!usage) return pass_on(usage);
    const auto sass = reader.dump("--dump-sass", file);
    if (!sass) return pass_on(sass);
    auto kernels = parse_device_code(*usage, *sass);
    if (!kernels) return pass_on(kernels);
    demangle_long_names(*kernels, stop);
    std::move(kernels->begin(), kernels->end(), std::back_inserter(out.kernels));
    const auto hash = reader.data_of(file);
    if (!hash) return pass_on(hash);
    data.field(*hash);
  }
  out.data_sha256 = data.hex();
  return out;
}

fs::path find_cuda_tool(std::string_view name, const fs::path& folder) {
  const auto usable = [name](const fs::path& where) -> fs::path {
    std::error_code error;
    const fs::path file = fs::canonical(where / name, error);
    return !error && access(file.c_str(), X_OK) == 0 ? file : fs::path();
  };
  if (!folder.empty()) return usable(folder);
  const char* variable = std::getenv("PATH");
  std::string_view path = variable == nullptr ? "" : variable;
  while (!path.empty()) {
    const auto end = std::min(path.find(':'), path.size());
    if (end > 0)
      if (auto found = usable(path.substr(0, end)); !found.empty()) return found;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return usable("/usr/local/cuda/bin");
}

}  // namespace kernelgate::gpu
