// SPDX-License-Identifier: Apache-2.0
#include "runner/code/ceilings.hpp"

#include <fstream>

#include "core/units/digest.hpp"
#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"
#include "platform/process/process.hpp"
#include "runner/code/ceilings_program.hpp"
#include "runner/code/code.hpp"

namespace kernelgate::gpu {
namespace {

namespace fs = std::filesystem;

Result<Ceilings> measure(const CeilingsRequest& request, const std::stop_token& stop) {
  ProcessSpec spec;
  spec.argv = {request.program.string()};
  spec.env = {"PATH=/usr/local/bin:/usr/bin:/bin"};
  for (const auto& [name, value] : request.environment) spec.env.push_back(name + "=" + value);
  spec.timeout = limits::kProfileTimeout;
  const auto ended = run_process(spec, stop);
  if (!ended) return pass_on(ended);
  if (!ended->ok())
    return fail(Errc::unavailable,
                std::string(kCeilingsProgram) + ": " + describe_end(*ended) + ": " + ended->err.substr(0, 200));
  return wire::decode<Ceilings>(ended->out.substr(0, ended->out.find('\n')));
}

}  // namespace

Result<Ceilings> find_ceilings(const CeilingsRequest& request, DisturbanceProbe& probe,
                               const DisturbanceProbe::Say& say, const std::stop_token& stop) {
  const fs::path file = request.folder / ("ceilings-" + sha256_hex(wire::encode(request.testbed)).substr(0, 16));
  std::ifstream kept(file);
  if (const std::string text{std::istreambuf_iterator<char>(kept), {}}; !text.empty())
    if (auto known = wire::decode<Ceilings>(text)) return known;
  CeilingsRequest now = request;
  if (now.program.empty()) {
    if (say) say("building the probe of this GPU's ceilings, once");
    auto built = ceilings_program_in(request.folder, find_cuda_tool("nvcc", request.cuda_tools), "native", stop);
    if (!built)
      return fail(built.error().code, std::string(kCeilingsProgram) + " is not here: " + built.error().what,
                  built.error().where, "put it beside kernelgate or into --probe-dir, or nvcc on PATH");
    now.program = std::move(*built);
  }
  if (auto held = probe.hold(say, stop); !held) return pass_on(held);
  auto measured = measure(now, stop);
  probe.let_go();
  if (measured) std::ofstream(file) << wire::encode(*measured);  // unkept, they are only measured again
  return measured;
}

}  // namespace kernelgate::gpu
