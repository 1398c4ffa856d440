// SPDX-License-Identifier: Apache-2.0
#include "platform/process/control_group.hpp"

#include <signal.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

namespace kernelgate {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSelf = "kernelgate.self";
constexpr const char* kProgram = "kernelgate.program-";
constexpr const char* kHow =
    "start kernelgate by 'systemd-run --scope -p Delegate=yes' (a plain user adds --user), set Delegate=yes in its "
    "unit, or name a group with --cgroup";

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

Status put(const fs::path& file, const std::string& text) {
  const Descriptor out(open(file.c_str(), O_WRONLY | O_CLOEXEC));
  if (out.valid() && write(out.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size())) return {};
  return fail(Errc::unsupported, std::string("cannot write '") + text + "' there: " + std::strerror(errno),
              file.string(), kHow);
}

bool has_word(const std::string& text, const std::string& word) {
  std::istringstream words(text);
  for (std::string one; words >> one;)
    if (one == word) return true;
  return false;
}

// "0::/user.slice/…": the group that this process is in, as its own namespace names it.
std::string own_path() {
  std::istringstream lines(text_of("/proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("0::", 0) == 0) return line.substr(3);
  return {};
}

// Where cgroup v2 is mounted: "/sys/fs/cgroup", unless the machine is an old one.
fs::path mount_point() {
  std::istringstream lines(text_of("/proc/self/mountinfo"));
  for (std::string line; std::getline(lines, line);) {
    if (line.find(" - cgroup2 ") == std::string::npos) continue;
    std::istringstream words(line);
    std::string id, parent, device, root, where;
    words >> id >> parent >> device >> root >> where;
    return where;
  }
  return {};
}

bool is_delegated(const fs::path& group) {
  char value = 0;
  for (const char* name : {"trusted.delegate", "user.delegate"})  // systemd sets them
    if (getxattr(group.c_str(), name, &value, 1) == 1 && value == '1') return true;
  return false;
}

// What lets groups below have limits; not of a group that holds processes, unless it is the machine's root.
Status enable_controllers(const fs::path& group) {
  const std::string there = text_of(group / "cgroup.controllers");
  for (const char* name : {"memory", "pids"})
    if (!has_word(there, name))
      return fail(Errc::unsupported, std::string("the controller '") + name + "' of cgroup v2 is not to be had",
                  group.string(), kHow);
  if (auto done = put(group / "cgroup.subtree_control", "+memory +pids"); !done) return done;
  if (has_word(there, "cpu")) (void)put(group / "cgroup.subtree_control", "+cpu");
  return {};
}

Status move_processes(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directory(to, error);
  if (error) return fail(Errc::unsupported, "cannot make a group: " + error.message(), to.string(), kHow);
  std::istringstream ids(text_of(from / "cgroup.procs"));
  for (std::string id; ids >> id;)
    if (auto moved = put(to / "cgroup.procs", id); !moved && kill(std::stoi(id), 0) == 0) return moved;
  return {};
}

// Those of runners that were killed.
void sweep(const fs::path& parent) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind(kProgram, 0) != 0) continue;
    pid_t owner = 0;
    const char* digits = name.c_str() + std::strlen(kProgram);
    std::from_chars(digits, name.c_str() + name.size(), owner);
    if (owner > 0 && kill(owner, 0) != 0 && errno == ESRCH) rmdir(entry.path().c_str());
  }
}

Result<fs::path> find_parent() {
  const fs::path mount = mount_point();
  if (mount.empty()) return fail(Errc::unsupported, "cgroup v2 is not mounted", {}, "mount it, or boot with it");
  const std::string path = own_path();
  fs::path own = mount / fs::path(path).relative_path();
  if (own.filename() == kSelf) return own.parent_path();
  std::error_code error;
  const bool is_machines_root = !fs::exists(mount / "cgroup.type", error);
  if (is_delegated(own) || (path == "/" && !is_machines_root)) {
    if (auto moved = move_processes(own, own / kSelf); !moved) return pass_on(moved);
    return own;
  }
  if (geteuid() != 0 || !is_machines_root)
    return fail(Errc::unsupported, "the group that this process is in is not delegated to it", own.string(), kHow);
  if (auto enabled = enable_controllers(mount); !enabled) return pass_on(enabled);
  fs::create_directory(mount / "kernelgate", error);
  if (error) return fail(Errc::unsupported, "cannot make a group: " + error.message(), mount.string(), kHow);
  return mount / "kernelgate";
}

}  // namespace

Result<ControlGroups> ControlGroups::open(const fs::path& asked) {
  auto parent = asked.empty() ? find_parent() : Result<fs::path>(asked);
  if (!parent) return pass_on(parent);
  if (auto enabled = enable_controllers(*parent); !enabled) return pass_on(enabled);
  sweep(*parent);
  ControlGroups groups(std::move(*parent));
  if (auto tried = groups.make({.memory = Bytes{64u << 20}}); !tried) return pass_on(tried);
  return groups;
}

Result<ControlGroup> ControlGroups::make(const GroupLimits& limits) const {
  static std::atomic<unsigned> made{0};
  ControlGroup group(folder_ / (kProgram + std::to_string(getpid()) + "-" + std::to_string(++made)));
  if (mkdir(group.folder_.c_str(), 0755) != 0) {
    auto failed = fail(Errc::unavailable, std::string("cannot make a control group: ") + std::strerror(errno),
                       group.folder_.string(), kHow);
    group.folder_.clear();
    return failed;
  }
  const auto memory = std::to_string(limits.memory.value);
  for (const auto& [file, text] :
       {std::pair<const char*, std::string>{"memory.max", memory}, {"pids.max", std::to_string(limits.processes)}})
    if (auto done = put(group.folder_ / file, text); !done) return pass_on(done);
  // Absent where the machine has no swap, an old kernel or no controller for processors; the rest holds all the same.
  (void)put(group.folder_ / "memory.swap.max", "0");
  (void)put(group.folder_ / "memory.oom.group", "1");
  (void)put(group.folder_ / "cpu.weight", std::to_string(limits.cpu_weight));
  group.entry_ = Descriptor(::open((group.folder_ / "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
  group.entry_.raise();
  if (!group.entry_.valid())
    return fail(Errc::unavailable, std::string("cannot open a control group: ") + std::strerror(errno),
                group.folder_.string());
  return group;
}

GroupFacts ControlGroup::facts() const {
  GroupFacts out;
  std::istringstream events(text_of(folder_ / "memory.events"));
  std::string name;
  for (std::uint64_t value = 0; events >> name >> value;) {
    if (name == "oom") out.limit_hits = value;
    if (name == "oom_kill") out.killed = value;
  }
  std::istringstream(text_of(folder_ / "memory.peak")) >> out.peak.value;
  return out;
}

ControlGroup::~ControlGroup() {
  if (folder_.empty()) return;
  entry_.reset();
  // The dead leave it only once they are fetched, which their parents do within moments.
  for (int i = 0; rmdir(folder_.c_str()) != 0 && errno == EBUSY && i < 100; ++i) {
    (void)put(folder_ / "cgroup.kill", "1");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace kernelgate
