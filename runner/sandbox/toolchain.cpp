// SPDX-License-Identifier: Apache-2.0
#include "runner/sandbox/toolchain.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>

#include "core/units/limits.hpp"

namespace kernelgate {
namespace {

namespace fs = std::filesystem;

constexpr std::array kSystem = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};
// The sandbox has its own, or they hold what is not for programs.
constexpr std::array kNeverBelow = {"/proc", "/sys", "/dev", "/etc", "/run", "/boot", "/work"};
constexpr std::array kNeverWhole = {"/",        "/home", "/root", "/var", "/tmp",
                                    "/var/tmp", "/opt",  "/srv",  "/mnt", "/media"};
constexpr std::array kSecrets = {
    ".ssh",     ".gnupg", ".aws",    ".azure",       ".config", ".docker", ".kube",     ".password-store",
    ".mozilla", ".netrc", ".gcloud", ".thunderbird", ".git",    ".pki",    ".keyrings", "keyrings"};
// Those whose real place is shown too, where PATH names a link to it.
constexpr std::array kTools = {"cc",     "c++",   "gcc",   "g++",   "gfortran", "clang",  "clang++", "nvcc",    "ld",
                               "mold",   "cmake", "ctest", "ninja", "make",     "meson",  "python",  "python3", "pip",
                               "pytest", "cargo", "rustc", "go",    "julia",    "ccache", "bazel"};
constexpr std::array kFolderVariables = {"VIRTUAL_ENV", "CONDA_PREFIX", "CUDA_HOME", "CUDA_PATH"};
constexpr std::array kModuleLists = {"LIBRARY_PATH",       "CPATH",           "C_INCLUDE_PATH",
                                     "CPLUS_INCLUDE_PATH", "PKG_CONFIG_PATH", "CMAKE_PREFIX_PATH",
                                     "PYTHONPATH"};

bool is_at_or_below(const fs::path& path, const fs::path& folder) {
  const auto ends = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return ends.first == folder.end();
}

template <class Names>
bool is_one_of(const fs::path& path, const Names& names) {
  return std::find(names.begin(), names.end(), path.string()) != names.end();
}

fs::path normal(const fs::path& path) {
  fs::path out = path.lexically_normal();
  return out.has_filename() ? out : out.parent_path();
}

bool any_user_may_write(const fs::path& folder) {
  struct stat facts {};
  return stat(folder.c_str(), &facts) == 0 && (facts.st_mode & S_IWOTH) != 0;
}

// Why a folder is never shown; empty: it may be.
std::string why_hidden(const fs::path& folder, const fs::path& home) {
  const auto below = [&folder](const char* root) { return is_at_or_below(folder, root); };
  if (is_one_of(folder, kNeverWhole)) return "it holds more than tools";
  if (std::any_of(kNeverBelow.begin(), kNeverBelow.end(), below)) return "the sandbox has one of its own";
  if (!home.empty() && is_at_or_below(home, folder)) return "it holds the home folder";
  for (const fs::path& part : folder)
    if (is_one_of(part, kSecrets)) return "keys and passwords lie in such folders";
  if (any_user_may_write(folder)) return "any user may write in it";
  return {};
}

// The installation that a folder of programs or libraries belongs to; the folder itself where it stands alone, or where
// the folder above may hold what is no part of it.
fs::path installation_of(const fs::path& folder, const fs::path& home) {
  constexpr std::array kParts = {"bin", "sbin", "lib", "lib64", "condabin"};
  if (!is_one_of(folder.filename(), kParts)) return folder;
  const fs::path above = folder.parent_path();
  const bool hidden_in_home =
      above.parent_path() == home && above.filename().string().starts_with('.') && !fs::exists(above / "pyvenv.cfg");
  if (hidden_in_home || !why_hidden(above, home).empty()) return folder;
  for (const char* part : {"lib", "lib64", "libexec", "include", "share", "pyvenv.cfg", "conda-meta"})
    if (fs::exists(above / part)) return above;
  return folder;
}

class Finder {
 public:
  Finder(Toolchain& out, fs::path home) : out_(out), home_(std::move(home)) {}

  // False: it is not shown. A folder that is a link is shown at both paths.
  bool show(const fs::path& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) return false;
    const fs::path real = fs::canonical(folder, error);
    for (const fs::path& one : {folder, real})
      if (const std::string why = is_system_folder(one) ? "" : why_hidden(one, home_); !why.empty())
        return leave_out(folder, why);
    for (const fs::path& one : {folder, real}) {
      if (is_system_folder(one)) continue;
      const auto shown = [&one](const fs::path& known) { return is_at_or_below(one, known); };
      if (std::any_of(out_.folders.begin(), out_.folders.end(), shown)) continue;
      if (out_.folders.size() >= limits::kToolchainFoldersMax)
        return leave_out(folder, std::to_string(limits::kToolchainFoldersMax) + " folders are shown at most");
      std::erase_if(out_.folders, [&one](const fs::path& known) { return is_at_or_below(known, one); });
      out_.folders.push_back(one);
    }
    if (looked_.insert(folder).second) show_interpreter(folder);
    return true;
  }

  // A folder of PATH or of a list of libraries, with the installation that it belongs to.
  bool show_part(const fs::path& folder) {
    if (is_system_folder(folder)) return fs::is_directory(folder);
    return show(installation_of(folder, home_));
  }

  void add_path(const fs::path& folder) {
    const std::string text = normal(folder).string();
    if (!folder.is_absolute() || text.find(':') != std::string::npos) return;
    if (std::find(out_.path.begin(), out_.path.end(), text) != out_.path.end() || !show_part(text)) return;
    out_.path.push_back(text);
    for (const char* tool : kTools) show_real_tool(fs::path(text) / tool);
  }

  // "/a:/b" with those left that are shown.
  void add_list(const std::string& name, const std::string& value) {
    std::string kept;
    for (std::size_t at = 0; at <= value.size();) {
      const std::size_t end = std::min(value.find(':', at), value.size());
      const fs::path folder = value.substr(at, end - at);
      at = end + 1;
      if (folder.is_absolute() && show_part(normal(folder))) kept += (kept.empty() ? "" : ":") + folder.string();
    }
    if (!kept.empty()) out_.env.emplace_back(name, kept);
  }

  void add_folder(const std::string& name, const std::string& value) {
    const fs::path folder = value;
    if (!folder.is_absolute() || !fs::is_directory(folder)) return;
    if (is_system_folder(normal(folder)) || show(normal(folder))) out_.env.emplace_back(name, value);
  }

 private:
  bool leave_out(const fs::path& folder, const std::string& why) {
    const std::string line = folder.string() + ": " + why;
    if (std::find(out_.left_out.begin(), out_.left_out.end(), line) == out_.left_out.end())
      out_.left_out.push_back(line);
    return false;
  }

  // A virtual environment holds links to an interpreter elsewhere; its file says where.
  void show_interpreter(const fs::path& folder) {
    std::ifstream file(folder / "pyvenv.cfg");
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with("home")) continue;
      const std::size_t equals = line.find('=');
      const std::size_t begin = line.find_first_not_of(" \t", equals == line.npos ? equals : equals + 1);
      if (begin == line.npos) continue;
      const fs::path home = line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
      if (home.is_absolute()) (void)show_part(normal(home));
    }
    for (const char* name : {"bin/python", "bin/python3"}) show_real_tool(folder / name);
  }

  void show_real_tool(const fs::path& tool) {
    std::error_code error;
    if (!fs::is_symlink(tool, error)) return;
    const fs::path real = fs::canonical(tool, error);
    if (!error && !is_system_folder(real)) (void)show_part(real.parent_path());
  }

  Toolchain& out_;
  const fs::path home_;
  std::set<fs::path> looked_;  // for an interpreter
};

// EasyBuild's and Spack's modules name where a package lies.
bool names_a_package(const std::string& name) {
  if (name.starts_with("XDG_")) return false;
  return name.starts_with("EBROOT") || name.ends_with("_ROOT") || name.ends_with("_HOME") || name.ends_with("_DIR");
}

std::string value_of(const Environment& environment, const std::string& name) {
  const auto found = environment.find(name);
  return found == environment.end() ? std::string() : found->second;
}

}  // namespace

bool is_system_folder(const fs::path& folder) {
  return std::any_of(kSystem.begin(), kSystem.end(), [&](const char* root) { return is_at_or_below(folder, root); });
}

Environment environment_of_this_process() {
  Environment out;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (const auto equals = text.find('='); equals != text.npos)
      out.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return out;
}

Result<Toolchain> named_toolchain(const std::vector<fs::path>& folders, const fs::path& home) {
  Toolchain out;
  Finder finder(out, normal(home));
  for (const fs::path& named : folders) {
    std::error_code error;
    const fs::path folder = normal(fs::absolute(named, error));
    if (!fs::is_directory(folder, error))
      return fail(Errc::invalid, "is not a folder", named.string(), "see --toolchain");
    if (is_system_folder(folder)) continue;
    if (!finder.show(folder)) {
      const std::string& line = out.left_out.back();
      return fail(Errc::invalid, "is not shown in the sandbox: " + line.substr(line.rfind(": ") + 2), folder.string(),
                  "name the folder of the tools alone");
    }
    finder.add_path(fs::is_directory(folder / "bin", error) ? folder / "bin" : folder);
    if (fs::exists(folder / "pyvenv.cfg", error)) finder.add_folder("VIRTUAL_ENV", folder.string());
    if (fs::exists(folder / "conda-meta", error)) finder.add_folder("CONDA_PREFIX", folder.string());
  }
  out.left_out.clear();
  return out;
}

Result<Toolchain> local_toolchain(const std::vector<fs::path>& folders, const Environment& environment) {
  const std::string home = value_of(environment, "HOME");
  auto out = named_toolchain(folders, home);
  if (!out) return out;
  Finder finder(*out, normal(home));
  const auto is_set = [&out](const std::string& name) {
    return std::any_of(out->env.begin(), out->env.end(), [&](const auto& one) { return one.first == name; });
  };
  for (const char* name : kFolderVariables)
    if (!is_set(name)) finder.add_folder(name, value_of(environment, name));
  const std::string path = value_of(environment, "PATH");
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    finder.add_path(path.substr(at, end - at));
    at = end + 1;
  }
  finder.add_list("LD_LIBRARY_PATH", value_of(environment, "LD_LIBRARY_PATH"));
  if (value_of(environment, "LOADEDMODULES").empty()) return out;
  for (const char* name : kModuleLists) finder.add_list(name, value_of(environment, name));
  for (const auto& [name, value] : environment)
    if (names_a_package(name) && !is_set(name)) finder.add_folder(name, value);
  return out;
}

}  // namespace kernelgate
