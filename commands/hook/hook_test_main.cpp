// SPDX-License-Identifier: Apache-2.0
// The test program is also the program that installed hooks start, "… hook run <name> -- <arguments>", and the server
// and runner that `kernelgate up` starts.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string_view>

#include "commands/commands.hpp"
#include "commands/hook/run_hook.hpp"

int main(int argc, char** argv) {
  if (argc >= 4 && std::string_view(argv[1]) == "hook" && std::string_view(argv[2]) == "run") {
    const bool fail_closed = argc > 4 && std::string_view(argv[4]) == "--fail-closed";
    const int remote = fail_closed ? 6 : 5;
    kernelgate::hook::HookCall call{argv[3], argc > remote ? argv[remote] : "", "", ".", fail_closed};
    if (const char* folder = std::getenv("GIT_DIR")) call.repository = folder;
    if (call.name != "post-commit") call.input.assign(std::istreambuf_iterator<char>(std::cin), {});
    return kernelgate::hook::run_hook(call, stderr);
  }
  if (argc >= 2 && (std::string_view(argv[1]) == "server" || std::string_view(argv[1]) == "runner"))
    return kernelgate::cli::run(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
