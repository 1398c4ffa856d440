// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <iostream>

#include "commands/commands.hpp"
#include "core/decision/evidence/verdict.hpp"

// A result that could not be written is no result, whatever it said.
int main(int argc, char** argv) {
  const int code = kernelgate::cli::run(argc, argv);
  const bool written = std::cout.flush().good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (written) return code;
  std::fputs("kernelgate: the result could not be written to stdout\n", stderr);
  return kernelgate::exit_code(kernelgate::Conclusion::infrastructure);
}
