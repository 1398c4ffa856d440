// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <filesystem>
#include <memory>
#include <string>

#include "commands/commands.hpp"
#include "commands/demo/demo.hpp"

namespace kernelgate::cli::cmd_demo {
namespace {

struct Flags {
  demo::DemoOptions options;
  std::string format = "table";
  std::string make_repository;
};

int run_demo(Flags& flags) {
  if (!flags.make_repository.empty()) {
    const Status made = demo::make_repository(flags.options.replay, flags.make_repository);
    return made ? 0 : complain(made.error());
  }
  flags.options.program = std::filesystem::canonical("/proc/self/exe");
  flags.options.json = flags.format == "json";
  const Result<int> exit_code = demo::run_demo(flags.options);
  return exit_code ? *exit_code : complain(exit_code.error());
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("demo", "Watch a small git history being pushed, built, checked and judged");
  command->add_flag("--exit", flags->options.exit, "stop at the end instead of leaving the server up");
  command->add_option("--format", flags->format, "of the result on stdout: table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  command
      ->add_option("--replay", flags->options.replay,
                   "which history: cpu, cuda (needs a Hopper GPU and nvcc) or softmax (any CUDA GPU and nvcc)")
      ->check(CLI::IsMember({"cpu", "cuda", "softmax"}))
      ->capture_default_str();
  command->add_option("--work", flags->options.work, "new folder for all files (default: a temporary one)");
  command->add_flag("--keep", flags->options.keep, "keep the temporary folder");
  command->add_option("--listen", flags->options.listen, "address of the server; port 0: any free one")
      ->capture_default_str();
  command->add_option("--make-repository", flags->make_repository,
                      "only write the git repository to this new folder, and list its commits");
  command->callback([flags, &exit_code] { exit_code = run_demo(*flags); });
}

}  // namespace kernelgate::cli::cmd_demo
