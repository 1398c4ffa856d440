// SPDX-License-Identifier: Apache-2.0
#include "commands/commands.hpp"

int main(int argc, char** argv) { return kernelgate::cli::run(argc, argv); }
