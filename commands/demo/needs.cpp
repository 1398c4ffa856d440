// SPDX-License-Identifier: Apache-2.0
#include "commands/demo/needs.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "runner/code/ceilings.hpp"
#include "runner/gpu/health.hpp"
#include "runner/sandbox/sandbox.hpp"
#include "runner/testbed/needs.hpp"

namespace kernelgate::demo {
namespace {

struct Need {
  const char* program;
  const char* package;
  bool on_gpu = true;  // also for replays on a GPU, whose script calls nvcc alone
};
constexpr std::array<Need, 5> kNeeds{{{"git", "git"},
                                      {"bwrap", "bubblewrap"},
                                      {"cmake", "cmake", false},
                                      {"ninja", "ninja-build", false},
                                      {"c++", "g++"}}};

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

// Where the replays' build.sh looks for it.
bool has_nvcc() { return on_path("nvcc") || access("/usr/local/cuda/bin/nvcc", X_OK) == 0; }

Result<std::uint16_t> parse_port(const std::string& text, const std::string& listen) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size())
    return fail(Errc::invalid, "no port from 0 to 65535: '" + text + "'", "--listen " + listen, "give ADDR:PORT");
  return port;
}

}  // namespace

Status check_programs(const std::string& replay) {
  for (const Need& need : kNeeds)
    if ((replay == "cpu" || need.on_gpu) && !on_path(need.program))
      return fail(Errc::unsupported, std::string("the demo needs the program ") + need.program, {},
                  std::string("apt-get install ") + need.package);
  if (replay != "cpu")
    if (Status gpu = check_gpu(replay, read_machine_facts("demo"), has_nvcc()); !gpu) return gpu;
  const SandboxProbe probe = Sandbox::probe({});
  if (!probe.works) return fail(Errc::unsupported, "the sandbox does not work here: " + probe.text);
  return {};
}

Status check_gpu(const std::string& replay, const MachineFacts& machine, bool has_nvcc) {
  SuiteSpec needs;
  needs.name = "the " + replay + " replay";
  needs.requires_gpu = true;
  if (replay == "cuda") needs.requires_compute = "9.0";
  if (auto unmet = unmet_needs(needs, machine); !unmet.empty())
    return fail(Errc::unsupported, std::move(unmet), {}, "play it on another machine, or --replay cpu here");
  if (!has_nvcc)
    return fail(Errc::unsupported, needs.name + " needs nvcc", {}, "install CUDA 13 and put its bin folder into PATH");
  // Its ninth step does no work, so it is faster than the GPU can be.
  const std::string ceilings(gpu::kCeilingsProgram);
  if (replay == "softmax" && gpu::find_probe(ceilings, {}).empty())
    return fail(Errc::unsupported, needs.name + " needs " + ceilings + " beside kernelgate", {},
                "build the preset cuda and copy build/cuda/kernels/probe/kg_probe_* there");
  return {};
}

Result<Address> free_address(const std::string& listen) {
  const std::size_t colon = listen.rfind(':');
  Address address{listen.substr(0, colon == listen.npos ? 0 : colon), 0};
  sockaddr_in wanted{};
  wanted.sin_family = AF_INET;
  if (inet_pton(AF_INET, address.host.c_str(), &wanted.sin_addr) != 1)
    return fail(Errc::invalid, "no IPv4 address and port", "--listen " + listen, "give ADDR:PORT, as 127.0.0.1:8080");
  const auto port = parse_port(listen.substr(colon + 1), listen);
  if (!port) return pass_on(port);
  wanted.sin_port = htons(*port);

  const int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  socklen_t size = sizeof wanted;
  const bool bound = bind(file, reinterpret_cast<const sockaddr*>(&wanted), sizeof wanted) == 0 &&
                     ::listen(file, 1) == 0 && getsockname(file, reinterpret_cast<sockaddr*>(&wanted), &size) == 0;
  const int error = errno;
  close(file);
  if (!bound)
    return fail(error == EADDRINUSE ? Errc::conflict : Errc::io, std::strerror(error), "--listen " + listen,
                "choose another port, or 0 for any free one");
  address.port = ntohs(wanted.sin_port);
  return address;
}

}  // namespace kernelgate::demo
