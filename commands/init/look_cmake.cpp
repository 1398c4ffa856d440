// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "commands/init/cmake_text.hpp"
#include "commands/init/look.hpp"

namespace kernelgate::init {
namespace {

constexpr const char* kLists = "CMakeLists.txt";

std::string joined(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + "/" + name;
}

std::optional<SuiteFormat> format_of_library(const std::string& library) {
  static const std::map<std::string, SuiteFormat> kLibraries{
      {"benchmark::benchmark", SuiteFormat::google_benchmark},
      {"benchmark::benchmark_main", SuiteFormat::google_benchmark},
      {"benchmark", SuiteFormat::google_benchmark},
      {"benchmark_main", SuiteFormat::google_benchmark},
      {"nvbench::nvbench", SuiteFormat::nvbench},
      {"nvbench::main", SuiteFormat::nvbench},
      {"nvbench", SuiteFormat::nvbench}};
  const auto found = kLibraries.find(library);
  return found == kLibraries.end() ? std::nullopt : std::optional(found->second);
}

struct Program {
  std::string name;
  std::string binary;  // below the build folder
  std::string where;
};

// All that the lists below one top folder say.
class Tree {
 public:
  explicit Tree(const std::vector<SourceFile>& files) {
    for (const SourceFile& file : files)
      if (file.path == kLists || file.path.ends_with(std::string("/") + kLists)) lists_[folder_of(file.path)] = &file;
    if (lists_.empty()) return;
    top_ = std::min_element(lists_.begin(), lists_.end(), [](const auto& a, const auto& b) {
             const auto depth = [](const std::string& folder) {
               return folder.empty() ? 0 : 1 + std::count(folder.begin(), folder.end(), '/');
             };
             return depth(a.first) < depth(b.first);
           })->first;
    read(top_, "", {});
  }

  [[nodiscard]] Found found() {
    Found out;
    out.uses_cuda = uses_cuda_;
    for (const Program& program : programs_) {
      const auto format = format_of(program.name, {});
      if (format) {
        if (program.name.find('$') != std::string::npos)
          out.notes.push_back(
              fmt::format("{}: a benchmark program, but its name, {}, is known to CMake alone: add a "
                          "[[suite]] for each",
                          program.where, program.name));
        else
          out.suites.push_back({program.name, *format, "{build}/" + program.binary, program.name, program.where});
      } else if (program.name.find("check") != std::string::npos || program.name.find("test") != std::string::npos) {
        out.checks.push_back("{build}/" + program.binary);
      }
    }
    write_lines(out);
    return out;
  }

 private:
  // What the program links, and what those link.
  [[nodiscard]] std::optional<SuiteFormat> format_of(const std::string& target, std::set<std::string> seen) const {
    if (!seen.insert(target).second) return std::nullopt;
    const auto linked = links_.find(target);
    if (linked == links_.end()) return std::nullopt;
    for (const std::string& library : linked->second) {
      if (const auto format = format_of_library(library)) return format;
      if (const auto format = format_of(library, seen)) return format;
    }
    return std::nullopt;
  }

  void read(const std::string& folder, const std::string& below, CMakeVariables variables) {
    const auto file = lists_.find(folder);
    if (file == lists_.end() || !seen_.insert(folder).second) return;
    variables["CMAKE_CURRENT_BINARY_DIR"] = below.empty() ? "{build}" : "{build}/" + below;
    variables["CMAKE_BINARY_DIR"] = variables["PROJECT_BINARY_DIR"] = "{build}";
    std::vector<CMakeCall> subfolders;
    for (const CMakeCall& call : read_cmake(file->second->text, variables)) {
      if (call.words.empty()) continue;
      if (call.name == "add_subdirectory")
        subfolders.push_back(call);
      else
        take(call, file->second->path, below, variables);
    }
    for (const CMakeCall& call : subfolders)
      read(joined(folder, call.words[0]),
           call.words.size() > 1 && call.words[1] != "EXCLUDE_FROM_ALL" ? call.words[1] : joined(below, call.words[0]),
           variables);
  }

  void take(const CMakeCall& call, const std::string& path, const std::string& below, const CMakeVariables& known) {
    const std::vector<std::string>& words = call.words;
    const auto has = [&words](const char* word) { return std::find(words.begin(), words.end(), word) != words.end(); };
    if (call.name == "add_executable" || call.name == "cuda_add_executable") {
      std::string binary = joined(below, words[0]);
      if (const auto set = known.find("CMAKE_RUNTIME_OUTPUT_DIRECTORY");
          set != known.end() && set->second.rfind("{build}", 0) == 0)
        binary = joined(set->second.size() > 8 ? set->second.substr(8) : "", words[0]);
      if (!has("ALIAS") && !has("IMPORTED"))
        programs_.push_back({words[0], binary, fmt::format("{}:{}", path, call.line)});
    } else if (call.name == "target_link_libraries") {
      links_[words[0]].insert(words.begin() + 1, words.end());
    } else if (call.name == "option" && words.back() == "OFF" && words[0].find("BENCH") != std::string::npos) {
      switches_.push_back(words[0]);
    } else if (call.name.rfind("fetchcontent_", 0) == 0 || call.name == "cpmaddpackage") {
      downloads_ = true;
    } else if ((call.name == "project" || call.name == "enable_language") && has("CUDA")) {
      uses_cuda_ = true;
    }
  }

  void write_lines(Found& out) const {
    if (out.suites.empty()) return;
    out.configure = "cmake -S {source}" + (top_.empty() ? "" : "/" + top_) + " -B {build} -DCMAKE_BUILD_TYPE=Release";
    for (const std::string& name : switches_) out.configure += " -D" + name + "=ON";
    out.build = "cmake --build {build} --parallel --target";
    for (const FoundSuite& suite : out.suites) out.build += " " + suite.target;
    if (!downloads_) return;
    out.fetch = out.configure;
    out.configure += " -DFETCHCONTENT_FULLY_DISCONNECTED=ON";
  }

  std::map<std::string, const SourceFile*> lists_;  // by folder
  std::string top_;
  std::set<std::string> seen_;
  std::vector<Program> programs_;
  std::map<std::string, std::set<std::string>> links_;
  std::vector<std::string> switches_;
  bool downloads_ = false, uses_cuda_ = false;
};

}  // namespace

Found look_at_cmake(const std::vector<SourceFile>& files) { return Tree(files).found(); }

}  // namespace kernelgate::init
