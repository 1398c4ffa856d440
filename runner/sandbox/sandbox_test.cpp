// SPDX-License-Identifier: Apache-2.0
#include "runner/sandbox/sandbox.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "platform/process/command_line.hpp"
#include "runner/sandbox/ownership.hpp"
#include "runner/sandbox/system_calls.hpp"

namespace kernelgate {
namespace sandbox_test {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class SandboxTest : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = Sandbox::open({});
    ASSERT_TRUE(opened) << to_string(opened.error());
    sandbox = std::make_unique<Sandbox>(*opened);
    // A parent that only we may enter: the mounts must work all the same.
    fs::create_directories(root / "source");
    fs::create_directories(root / "build");
    fs::permissions(root, fs::perms::owner_all);
    std::ofstream(root / "source" / "file") << "content";
    ASSERT_TRUE(sandbox->hand_over(root / "build"));
  }
  void TearDown() override { (void)remove_tree(root); }

  std::vector<Mount> mounts() const {
    return {{root / "source", std::string(kInsideSource), false}, {root / "build", std::string(kInsideBuild), true}};
  }
  ProcessResult sh(const std::string& script, ProcessSpec how = {}, std::stop_token stop = {}) const {
    auto result = sandbox->run({.argv = shell_argv(script), .mounts = mounts()}, how, stop);
    if (!result) {
      ADD_FAILURE() << to_string(result.error());
      return {};
    }
    return *result;
  }

  fs::path root = fs::temp_directory_path() / ("kg sandbox " + std::to_string(getpid()));
  std::unique_ptr<Sandbox> sandbox;
};

TEST_F(SandboxTest, FoldersMadeUnderAStrictUmaskWorkOnceHandedOver) {
  const auto private_only = fs::perms::owner_all;
  fs::permissions(root / "source", private_only);
  fs::permissions(root / "source" / "file", fs::perms::owner_read);
  fs::permissions(root / "build", private_only);
  ASSERT_TRUE(sandbox->hand_over(root / "source"));
  ASSERT_TRUE(sandbox->hand_over(root / "build"));
  EXPECT_EQ(sh("cat ../source/file && echo made >made").out, "content");
  EXPECT_TRUE(fs::exists(root / "build" / "made"));
}

TEST_F(SandboxTest, TheProgramIsAPlainUserWithoutCapabilities) {
  const auto result = sh("id -u; grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status");
  EXPECT_THAT(result.out, HasSubstr(std::to_string(geteuid() == 0 ? 64000 : geteuid()) + "\n"));
  EXPECT_THAT(result.out, HasSubstr("CapEff:\t0000000000000000"));
  EXPECT_THAT(result.out, HasSubstr("NoNewPrivs:\t1"));
}

TEST_F(SandboxTest, SourceIsReadOnlyAndBuildIsWritable) {
  EXPECT_EQ(sh("cat /work/source/file").out, "content");
  EXPECT_FALSE(sh("echo x > /work/source/new").ok());
  EXPECT_TRUE(sh("echo x > /work/build/new && echo y > /tmp/y && echo z > $HOME/z && echo s > /dev/shm/s").ok());
  EXPECT_TRUE(fs::exists(root / "build" / "new"));
  for (const char* path : {"/x", "/usr/x", "/etc/x", "/work/x", "/proc/sys/kernel/hostname"})
    EXPECT_FALSE(sh(std::string("echo x > ") + path).ok()) << path;
}

TEST_F(SandboxTest, AMountBelowFoldersThatAreNotThereCanBeReached) {
  const std::vector<Mount> deep{{root / "source", "/opt/vendor/tool", false}};
  fs::permissions(root / "source", fs::perms::others_exec | fs::perms::others_read, fs::perm_options::add);
  const auto result = sandbox->run({.argv = {"cat", "/opt/vendor/tool/file"}, .cwd = "/tmp", .mounts = deep}, {});
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_EQ(result->out, "content") << result->err;
}

TEST_F(SandboxTest, SecretsAndOtherFoldersAreNotThere) {
  EXPECT_FALSE(sh("cat /etc/shadow").ok());
  for (const char* path : {"/root", "/home", "/var", "/run", "/etc/ssl/private"})
    EXPECT_FALSE(sh(std::string("ls ") + path).ok()) << path;
  EXPECT_FALSE(sh("ls '" + root.string() + "'").ok());
}

TEST_F(SandboxTest, ASymbolicLinkDoesNotLeadOut) {
  std::ofstream(root / "outside") << "secret";
  EXPECT_FALSE(sh("ln -s '" + (root / "outside").string() + "' /work/build/link; cat /work/build/link").ok());
  EXPECT_FALSE(sh("cat /work/build/../../outside /work/source/../../../etc/shadow").ok());
  EXPECT_TRUE(fs::is_symlink(root / "build" / "link"));
}

TEST_F(SandboxTest, ThereIsNoNetwork) {
  const auto result = sh("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '");
  EXPECT_EQ(result.out, "lo\n");
}

TEST_F(SandboxTest, TheFetchStageHasTheHostsNetwork) {
  const auto result =
      sandbox->run({.argv = shell_argv("readlink /proc/self/ns/net"), .cwd = "/tmp", .network = true}, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->out, fs::read_symlink("/proc/self/ns/net").string() + "\n");
}

TEST_F(SandboxTest, TheEnvironmentIsSmallAndKnown) {
  setenv("KG_TEST_SECRET", "hunter2", 1);
  const auto out = sh("env").out;
  unsetenv("KG_TEST_SECRET");
  EXPECT_THAT(out, Not(HasSubstr("hunter2")));
  std::vector<std::string> names;
  std::istringstream lines(out);
  for (std::string line; std::getline(lines, line);) names.push_back(line.substr(0, line.find('=')));
  EXPECT_THAT(names, testing::UnorderedElementsAre("PATH", "HOME", "TMPDIR", "LANG", "TERM", "PWD"));
}

TEST_F(SandboxTest, NamespacesMountsAndKeysAreRefused) {
  EXPECT_FALSE(sh("unshare -Ur true").ok());
  EXPECT_FALSE(sh("unshare -Urm mount -t tmpfs none /mnt").ok());
  EXPECT_FALSE(sh("mount -t tmpfs none /tmp").ok());
  const auto calls =
      sh("python3 -c 'import ctypes; c = ctypes.CDLL(None, use_errno=True); "
         "print(c.syscall(272, 0x10000000), c.syscall(250, 0, 0, 0), c.syscall(321, 0, 0, 0))'");
  EXPECT_EQ(calls.out, "-1 -1 -1\n");  // unshare, keyctl, bpf
  EXPECT_TRUE(sh("python3 -c 'import threading; t = threading.Thread(target=print); t.start(); t.join()'").ok());
}

TEST_F(SandboxTest, ForksFilesAndMemoryFileSystemsHaveLimits) {
  const std::string set = sh("grep -E '^Max (processes|file size)' /proc/self/limits | tr -s ' '").out;
  EXPECT_THAT(set, HasSubstr("Max processes " + std::to_string(limits::kSandboxProcessesMax)));
  EXPECT_THAT(set, HasSubstr("Max file size " + std::to_string(limits::kSandboxFileMax.value)));
  const auto megabytes = [this](const std::string& folder) {
    return std::stol(sh("df -m --output=size " + folder + " | tail -1").out);
  };
  EXPECT_EQ(megabytes("/tmp"), static_cast<long>(limits::kSandboxTmpMax.value >> 20));
  EXPECT_EQ(megabytes("/dev/shm"), static_cast<long>(limits::kSandboxSharedMemoryMax.value >> 20));
}

// Two that hold 150 MiB each: by the kernel's count where control groups can be made, else by ours.
TEST_F(SandboxTest, MemoryOfAProgramAndWhatItStartsHasALimit) {
  const std::string script =
      "python3 -c 'import os, time; pid = os.fork(); held = bytearray(150 << 20); time.sleep(3); pid and os.wait()'";
  const auto run = [&](Bytes most) {
    auto walled = Sandbox::open({.memory_max = most});
    auto result = walled->run({.argv = shell_argv(script), .cwd = "/tmp"}, {});
    return result ? std::move(*result) : ProcessResult{};
  };
  const ProcessResult over = run(Bytes{200u << 20});
  EXPECT_THAT(over.over_limit, testing::MatchesRegex("out of memory: it used [0-9]+ MiB, and 200 MiB at most"));
  EXPECT_FALSE(over.ok());
  EXPECT_TRUE(run(Bytes{600u << 20}).ok());
}

TEST_F(SandboxTest, OtherProcessesAreNotSeen) {
  EXPECT_EQ(sh("test -d /proc/" + std::to_string(getpid()) + " && echo seen").out, "");
}

TEST_F(SandboxTest, ResultsPassThrough) {
  ProcessSpec how;
  how.results_pipe = true;
  const auto result = sh("echo data > /dev/fd/3; echo more >&3; echo noise", how);
  EXPECT_EQ(result.results, "data\nmore\n");
  EXPECT_EQ(result.out, "noise\n");
}

TEST_F(SandboxTest, ExitCodesAndSignalsAreToldApart) {
  EXPECT_EQ(sh("exit 3").exit_code, 3);
  EXPECT_EQ(sh("sh -c 'kill -SEGV $$'").signal, SIGSEGV);
  EXPECT_EQ(sh("kill -ABRT $$").signal, SIGABRT);
  EXPECT_EQ(sh("echo 'bwrap: pretends' >&2; exit 1").exit_code, 1);
}

TEST_F(SandboxTest, ASandboxThatCanNotStartIsAnErrorNotAnExitCode) {
  const auto result = sandbox->run({.argv = {"true"}, .mounts = {{root / "missing", "/work/build", true}}}, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::unavailable);
  EXPECT_THAT(result.error().what, HasSubstr("missing"));
}

TEST_F(SandboxTest, ATimeoutEndsTheWholeTree) {
  ProcessSpec how;
  how.timeout = std::chrono::milliseconds(500);
  how.grace = std::chrono::milliseconds(100);
  const auto result =
      sh("trap '' TERM; setsid sh -c 'while :; do date > /work/build/alive; sleep 0.05; done' & sleep 1000", how);
  EXPECT_TRUE(result.timed_out);
  const auto alive = root / "build" / "alive";
  bool quiet = false;
  for (int i = 0; i < 20 && !quiet; ++i) {
    fs::remove(alive);
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    quiet = !fs::exists(alive);
  }
  EXPECT_TRUE(quiet);
}

TEST_F(SandboxTest, AnOrdinaryUserNeedsNoRoot) {
  if (geteuid() != 0) return;  // then all other tests ran that way
  const auto filter = system_call_filter();
  ASSERT_TRUE(filter);
  ProcessSpec how{.env = {"PATH=/usr/bin:/bin"}, .status_pipe = true, .filter = filter->get()};
  how.argv = {"setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--"};
  const auto argv =
      bubblewrap_argv({}, SandboxMode::user_namespace,
                      {.argv = shell_argv("id -u; echo x > /x; echo y > /tmp/y && echo fine"), .cwd = "/tmp"});
  how.argv.insert(how.argv.end(), argv.begin(), argv.end());
  const auto result = run_process(how);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->out, "65534\nfine\n") << result->err;
}

TEST(NoSandbox, OnlyWhenAskedForAndMountsBecomePlainFolders) {
  auto none = Sandbox::open({.none = true});
  ASSERT_TRUE(none);
  EXPECT_EQ(none->mode(), SandboxMode::none);
  const std::vector<Mount> mounts{{"/tmp", std::string(kInsideBuild), true}};
  EXPECT_EQ(none->locate(mounts, "/work/build/x"), "/tmp/x");
  EXPECT_EQ(none->locate(mounts, "/work/builder"), "/work/builder");
  const auto result = none->run({.argv = shell_argv("pwd; kill -9 $$"), .mounts = mounts}, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->out, "/tmp\n");
  EXPECT_EQ(result->signal, 9);
}

TEST(NoSandbox, KeepsTheCallersEnvironmentButGits) {
  setenv("KG_SANDBOX_TEST", "mine", 1);
  setenv("GIT_DIR", "/somewhere", 1);
  const auto none = Sandbox::open({.none = true});
  ASSERT_TRUE(none);
  SandboxJob job{.argv = shell_argv("echo $KG_SANDBOX_TEST $GIT_DIR $LANG"), .cwd = "/tmp"};
  job.env = {{"LANG", "job's"}};
  const auto result = none->run(job, {});
  unsetenv("KG_SANDBOX_TEST");
  unsetenv("GIT_DIR");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->out, "mine job's\n");
}

}  // namespace sandbox_test
}  // namespace kernelgate
