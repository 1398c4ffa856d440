// SPDX-License-Identifier: Apache-2.0
#include "runner/code/ceilings_program.hpp"

#include <cstdlib>
#include <fstream>
#include <string_view>
#include <vector>

#include "core/units/digest.hpp"
#include "core/units/limits.hpp"
#include "platform/process/process.hpp"
#include "platform/process/scratch_folder.hpp"
#include "runner/code/ceilings.hpp"

namespace kernelgate::gpu {
namespace {

namespace fs = std::filesystem;

// Matrix rates need cuBLASLt: without it they are left out, as in a build of kernelgate.
constexpr std::string_view kMatrixRates = "kernels/probe/matrix_rates.cu";

Status write_sources(const fs::path& root) {
  for (const EmbeddedSource& source : ceilings_sources()) {
    const fs::path file = root / source.path;
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    std::ofstream out(file, std::ios::binary);
    if (!(out << source.text).flush()) return fail(Errc::io, "cannot write the probe's sources", file.string());
  }
  return {};
}

std::vector<std::string> command_line(const fs::path& root, const fs::path& nvcc, const std::string& architecture,
                                      bool matrix_rates, const fs::path& out) {
  std::vector<std::string> argv{nvcc.string(), "-std=c++20", "-O3", "-arch=" + architecture, "-I" + root.string()};
  for (const EmbeddedSource& source : ceilings_sources()) {
    const std::string_view path = source.path;
    const bool compiled = path.ends_with(".cu") || path.ends_with(".cpp");
    if (compiled && (matrix_rates || path != kMatrixRates)) argv.push_back((root / path).string());
  }
  if (matrix_rates) argv.insert(argv.end(), {"-DKG_HAS_CUBLASLT", "-lcublasLt"});
  argv.insert(argv.end(), {"-o", out.string()});
  return argv;
}

// It names all that could make another program of it.
std::string name_of(const fs::path& nvcc, const std::string& architecture) {
  Sha256 hash;
  hash.field(nvcc.string()).field(architecture);
  for (const EmbeddedSource& source : ceilings_sources()) hash.field(source.path).field(source.text);
  return std::string(kCeilingsProgram) + "-" + hash.hex().substr(0, 16);
}

}  // namespace

Result<fs::path> ceilings_program_in(const fs::path& folder, const fs::path& nvcc, const std::string& architecture,
                                     const std::stop_token& stop) {
  const fs::path program = folder / name_of(nvcc, architecture);
  std::error_code error;
  if (fs::exists(program, error)) return program;
  if (nvcc.empty()) return fail(Errc::not_found, "there is no nvcc to build it with");
  const ScratchFolder scratch("ceilings");
  if (scratch.path().empty()) return fail(Errc::io, "cannot make a temporary folder");
  if (auto written = write_sources(scratch.path()); !written) return pass_on(written);
  const fs::path made = program.string() + "." + random_hex(6);
  const char* path = std::getenv("PATH");
  ProcessSpec spec;
  spec.env = {std::string("PATH=") + (path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path), "TMPDIR=/tmp"};
  spec.timeout = limits::kBuildTimeout;
  std::string why;
  for (const bool matrix_rates : {true, false}) {
    spec.argv = command_line(scratch.path(), nvcc, architecture, matrix_rates, made);
    const auto ended = run_process(spec, stop);
    if (!ended) return pass_on(ended);
    if (ended->ok()) {
      fs::rename(made, program, error);
      if (error) return fail(Errc::io, "cannot keep the probe: " + error.message(), program.string());
      return program;
    }
    if (ended->cancelled) return fail(Errc::unavailable, "building the probe was stopped");
    why = describe_end(*ended) + ": " + ended->err.substr(0, 200);
  }
  return fail(Errc::unavailable, "nvcc does not build it: " + why);
}

}  // namespace kernelgate::gpu
