// SPDX-License-Identifier: Apache-2.0
#include "commands/init/look.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace kernelgate::init {
namespace {

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

bool is_makefile(const std::string& path) {
  const std::string name = file_name(path);
  return name == "Makefile" || name == "makefile" || name == "GNUmakefile";
}

bool is_python_test(const std::string& path) {
  const std::string name = file_name(path);
  if (!name.ends_with(".py")) return false;
  return name.rfind("test_", 0) == 0 || name.ends_with("_test.py") || name.rfind("bench", 0) == 0 ||
         name.ends_with("_bench.py") || name.ends_with("_benchmark.py");
}

// The targets of "a b: …"; none of a line that is no rule of that kind.
std::vector<std::string> targets_of(const std::string& line) {
  const std::size_t colon = line.find(':');
  if (line.empty() || line[0] == '\t' || line[0] == '#' || line[0] == '.' || colon == line.npos) return {};
  if (line.compare(colon, 2, ":=") == 0 || line.find_first_of("=%$") < colon) return {};
  std::istringstream words(line.substr(0, colon));
  std::vector<std::string> out;
  for (std::string word; words >> word;) out.push_back(word);
  return out;
}

bool links_benchmark(const std::string& line) {
  for (std::size_t at = line.find("-lbenchmark"); at != line.npos; at = line.find("-lbenchmark", at + 1)) {
    const std::string rest = line.substr(at + 11);
    if (rest.empty() || rest[0] == ' ' || rest.rfind("_main", 0) == 0) return true;
  }
  return false;
}

// Programs of one Makefile that link Google Benchmark: by their recipe, or by a variable of the file and their name.
void read_makefile(const SourceFile& file, Found& out) {
  std::istringstream lines(file.text);
  std::vector<std::string> targets;
  std::set<std::string> taken;
  std::vector<FoundSuite> by_name;
  bool variable = false;
  int number = 0;
  const auto suite_of = [&](const std::string& name) {
    return FoundSuite{name, SuiteFormat::google_benchmark, "{build}/" + name, name,
                      fmt::format("{}:{}", file.path, number)};
  };
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const bool recipe = !line.empty() && line[0] == '\t';
    if (!recipe && !line.empty()) targets = targets_of(line);
    variable = variable || (!recipe && targets.empty() && line[0] != '#' && links_benchmark(line));
    if (!recipe)
      for (const std::string& name : targets)
        if (name.find("bench") != name.npos && name.find('.') == name.npos) by_name.push_back(suite_of(name));
    if (recipe && links_benchmark(line))
      for (const std::string& name : targets)
        if (taken.insert(name).second) out.suites.push_back(suite_of(name));
  }
  if (!variable) return;
  for (FoundSuite& suite : by_name)
    if (taken.insert(suite.name).second) out.suites.push_back(std::move(suite));
}

bool uses_benchmark_fixture(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t open = line.find('(');
    const std::size_t def = line.find("def test_");
    if (def == line.npos || open == line.npos) continue;
    std::string rest = line.substr(open + 1);
    std::replace_if(
        rest.begin(), rest.end(), [](char c) { return c == ',' || c == ')' || c == ':'; }, ' ');
    std::istringstream words(rest);
    for (std::string word; words >> word;)
      if (word == "benchmark") return true;
  }
  return false;
}

// The line of a program that imports kernelgate_suite; 0: it does not.
int imports_our_suite(const std::string& text) {
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.rfind("from kernelgate_suite import", 0) == 0 || line.rfind("import kernelgate_suite", 0) == 0)
      return number;
  }
  return 0;
}

FoundSuite suite_of_samples(const SourceFile& file, int line) {
  const std::string name = file_name(file.path);
  FoundSuite out;
  out.name = name.substr(0, name.rfind('.'));
  out.format = SuiteFormat::samples;
  out.run = "python3 {source}/" + file.path;
  out.where = fmt::format("{}:{}", file.path, line);
  if (file.text.find("check=") != file.text.npos) out.check = out.run + " --check";
  return out;
}

}  // namespace

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? "" : path.substr(0, slash);
}

bool is_of_interest(const std::string& path) {
  const std::string name = file_name(path);
  return name == "CMakeLists.txt" || is_makefile(path) || is_python_test(path) || name == "Cargo.toml";
}

Found look_at_make(const std::vector<SourceFile>& files) {
  std::map<std::size_t, const SourceFile*> by_length;  // the one nearest to the root
  for (const SourceFile& file : files)
    if (is_makefile(file.path)) by_length.emplace(file.path.size(), &file);
  Found out;
  for (const auto& [length, file] : by_length) {
    read_makefile(*file, out);
    if (out.suites.empty()) continue;
    const std::string folder = folder_of(file->path);
    out.build =
        fmt::format("cp -r {{source}}/. {{build}} && make -C {{build}}{} -j", folder.empty() ? "" : "/" + folder);
    for (FoundSuite& suite : out.suites) {
      out.build += " " + suite.target;
      suite.run = "{build}/" + (folder.empty() ? "" : folder + "/") + suite.target;
    }
    break;
  }
  return out;
}

Found look_at_python(const std::vector<SourceFile>& files) {
  std::map<std::string, FoundSuite> by_folder;
  Found out;
  for (const SourceFile& file : files) {
    if (const int line = is_python_test(file.path) ? imports_our_suite(file.text) : 0; line != 0) {
      out.suites.push_back(suite_of_samples(file, line));
      continue;
    }
    if (!is_python_test(file.path) || !uses_benchmark_fixture(file.text)) continue;
    const std::string folder = folder_of(file.path);
    FoundSuite& suite = by_folder[folder];
    if (suite.run.empty()) {
      suite.name = folder.empty() ? "pytest" : file_name(folder);
      suite.format = SuiteFormat::pytest_benchmark;
      suite.run = fmt::format("cd {{source}}{} && python3 -m pytest", folder.empty() ? "" : "/" + folder);
      suite.where = file.path + ":1";
    }
    suite.run += " " + file_name(file.path);
  }
  for (auto& [folder, suite] : by_folder) out.suites.push_back(std::move(suite));
  return out;
}

Found look_at(const std::vector<SourceFile>& files) {
  Found out = look_at_cmake(files);
  if (out.suites.empty()) {
    std::vector<std::string> notes = std::move(out.notes);
    out = look_at_make(files);
    out.notes.insert(out.notes.begin(), notes.begin(), notes.end());
  }
  const Found python = look_at_python(files);
  out.suites.insert(out.suites.end(), python.suites.begin(), python.suites.end());
  for (const SourceFile& file : files)
    if (file_name(file.path) == "Cargo.toml" && file.text.find("criterion") != file.text.npos)
      out.notes.push_back(file.path + ": criterion's benchmarks are not read; a program of Google Benchmark is");
  return out;
}

}  // namespace kernelgate::init
