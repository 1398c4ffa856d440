// SPDX-License-Identifier: Apache-2.0
// kg_generate ROOT [--check]: writes the pages that are printed from core/wire, or says which of them are stale.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "core/wire/contract/contract.hpp"

namespace {

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const std::string root = argv[1];
  const bool check = argc > 2 && std::string_view(argv[2]) == "--check";
  const std::string openapi = root + "/docs/openapi.yaml";
  const std::pair<std::string, std::string> pages[] = {
      {openapi, kernelgate::wire::openapi_page(read_file(openapi))},
      {root + "/docs/API.md", kernelgate::wire::api_page()},
      {root + "/dashboards/src/lib/wire.ts", kernelgate::wire::typescript_page()}};
  int stale = 0;
  for (const auto& [path, text] : pages) {
    if (read_file(path) == text) continue;
    ++stale;
    fmt::print("{} {}\n", check ? "stale:" : "wrote", path);
    if (!check && !(std::ofstream(path, std::ios::binary) << text).flush()) {
      fmt::print(stderr, "cannot write {}\n", path);
      return 1;
    }
  }
  if (check && stale > 0) fmt::print("refresh with: tools/generate\n");
  return check && stale > 0 ? 1 : 0;
}
