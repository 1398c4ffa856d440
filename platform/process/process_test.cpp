// SPDX-License-Identifier: Apache-2.0
#include "platform/process/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace kernelgate {
namespace process_test {

using namespace std::chrono_literals;
using testing::HasSubstr;

ProcessSpec shell(const std::string& script) {
  return {.argv = {"sh", "-c", script}, .env = {"PATH=/usr/bin:/bin"}, .timeout = 60s};
}

ProcessResult run_ok(const ProcessSpec& spec, std::stop_token stop = {}) {
  auto result = run_process(spec, stop);
  if (!result) {
    ADD_FAILURE() << to_string(result.error());
    return {};
  }
  return *result;
}

bool gone(pid_t pid) {
  for (int i = 0; i < 300; ++i) {  // a killed orphan stays a zombie until init fetches it
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, state;
    if (!(stat >> number >> name >> state) || state == "Z") return true;
    std::this_thread::sleep_for(20ms);
  }
  return false;
}

TEST(Process, KeepsOutputErrorsAndExitCodeApart) {
  const auto result = run_ok(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err, "err\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(describe_end(result), "exit code 3");
}

TEST(Process, MergesStderrIntoStdoutOnRequest) {
  auto spec = shell("echo a; echo b >&2; echo c");
  spec.merge_stderr = true;
  EXPECT_EQ(run_ok(spec).out, "a\nb\nc\n");
}

TEST(Process, GivesExactlyTheEnvironmentFolderAndInput) {
  auto spec = shell("env | sort; pwd; cat");
  spec.env = {"PATH=/usr/bin:/bin", "PWD=/", "ONLY=this"};
  spec.cwd = "/usr";
  spec.stdin_text = std::string(300000, 'x');
  const auto out = run_ok(spec).out;
  EXPECT_THAT(out, HasSubstr("ONLY=this\n"));
  EXPECT_THAT(out, testing::Not(HasSubstr("HOME=")));
  EXPECT_THAT(out, HasSubstr("/usr\n" + spec.stdin_text));
}

TEST(Process, StdinIsEmptyUnlessGiven) { EXPECT_EQ(run_ok(shell("wc -c")).out, "0\n"); }

TEST(Process, ReportsTheSignal) {
  const auto result = run_ok(shell("kill -SEGV $$"));
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_EQ(result.exit_code, -1);
  EXPECT_EQ(describe_end(result), "signal 11 (Segmentation fault)");
}

TEST(Process, ResultsComeOverTheirOwnPipe) {
  auto spec = shell("echo noise; echo data > /dev/fd/3; ls /proc/self/fd | tr '\\n' ' '");
  spec.results_pipe = true;
  const auto result = run_ok(spec);
  EXPECT_EQ(result.results, "data\n");
  EXPECT_EQ(result.out, "noise\n0 1 2 3 4 ");  // 4 is ls reading the folder: nothing of ours leaked
}

TEST(Process, TooLargeResultsKillTheChild) {
  auto spec = shell("while :; do echo 0123456789; done > /dev/fd/3");
  spec.results_pipe = true;
  spec.results_max = Bytes{10000};
  EXPECT_TRUE(run_ok(spec).too_large);
}

TEST(Process, LongOutputKeepsBothEnds) {
  auto spec = shell("echo first; i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done; echo last");
  spec.output_max = Bytes{4000};
  const auto result = run_ok(spec);
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.out.rfind("first\n", 0), 0U);
  EXPECT_THAT(result.out, HasSubstr("bytes left out"));
  EXPECT_EQ(result.out.substr(result.out.size() - 5), "last\n");
  EXPECT_LT(result.out.size(), 4100U);
}

TEST(Process, EndlessOutputIsKilledOnRequest) {
  auto spec = shell("yes");
  spec.output_max = Bytes{100000};
  spec.kill_when_over = true;
  EXPECT_TRUE(run_ok(spec).too_large);
}

TEST(Process, TimeoutKillsTheWholeGroup) {
  auto spec = shell("sleep 1000 & echo $!; trap '' TERM; while :; do sleep 1000; done");
  spec.timeout = 300ms;
  spec.grace = 100ms;
  const auto result = run_ok(spec);
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_TRUE(gone(std::stoi(result.out)));
}

TEST(Process, AGrandchildThatHoldsThePipeCanNotHangUs) {
  const auto started = std::chrono::steady_clock::now();
  const auto result = run_ok(shell("sleep 1000 & echo $!"));
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(gone(std::stoi(result.out)));
  EXPECT_LT(std::chrono::steady_clock::now() - started, 50s);
}

TEST(Process, ASessionOfItsOwnDoesNotOutliveTheTimeout) {
  auto spec = shell("setsid sleep 1000 & echo $!; setsid sh -c 'setsid sleep 1000 & echo $!; wait' & sleep 1000");
  spec.timeout = 500ms;
  const auto result = run_ok(spec);
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.signal, SIGTERM);
  std::istringstream pids(result.out);
  int count = 0;
  for (pid_t pid = 0; pids >> pid; ++count) EXPECT_TRUE(gone(pid));
  EXPECT_EQ(count, 2);
}

TEST(Process, ADaemonIsGoneAfterANormalEnd) {
  const auto result =
      run_ok(shell("(setsid sh -c 'trap \"\" TERM HUP; echo $$; exec sleep 1000' &) ; sleep 0.3; exit 5"));
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_FALSE(result.killed_by_us());
  EXPECT_EQ(kill(std::stoi(result.out), 0), -1) << "not even a zombie is left when the call returns";
}

TEST(Process, AProgramThatLeavesItsGroupIsKilledAtTheTimeout) {
  auto spec = shell(R"(trap '' TERM; echo $$; exec perl -e 'setpgrp(0, getpgrp(getppid())); sleep 1000')");
  spec.timeout = 300ms;
  spec.grace = 100ms;
  const auto result = run_ok(spec);
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_EQ(kill(std::stoi(result.out), 0), -1);
}

TEST(Process, AProgramThatStopsOrKillsItsSupervisorDoesNotHangUs) {
  auto spec = shell("kill -STOP $PPID; sleep 1000");
  spec.timeout = 300ms;
  spec.grace = 100ms;
  EXPECT_TRUE(run_ok(spec).timed_out);
  const auto result = run_ok(shell("echo $$; kill -KILL $PPID; sleep 1000"));
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_TRUE(gone(std::stoi(result.out)));
}

TEST(Process, OnlyDescendantsOfTheProgramAreKilled) {
  const pid_t ours = fork();
  if (ours == 0) {
    execlp("sleep", "sleep", "1000", nullptr);
    _exit(127);
  }
  std::stop_source stop;
  ProcessResult other;
  std::jthread thread([&] { other = run_ok(shell("setsid sleep 1000 & wait $!; echo survived"), stop.get_token()); });
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(run_ok(shell("setsid sleep 1000 & sleep 0.05")).ok());
  EXPECT_EQ(waitpid(ours, nullptr, WNOHANG), 0) << "a child of another thread";
  stop.request_stop();
  thread.join();
  EXPECT_TRUE(other.cancelled);
  EXPECT_EQ(other.out, "") << "the other call's daemon lived until it was cancelled";
  kill(ours, SIGKILL);
  waitpid(ours, nullptr, 0);
}

TEST(Process, AStopRequestCancels) {
  std::stop_source source;
  std::jthread later([&source] {
    std::this_thread::sleep_for(100ms);
    source.request_stop();
  });
  const auto result = run_ok(shell("sleep 1000"), source.get_token());
  EXPECT_TRUE(result.cancelled);
  EXPECT_TRUE(run_ok(shell("echo never"), source.get_token()).cancelled);
}

TEST(Process, LimitsHold) {
  auto spec = shell("ulimit -c; ulimit -f; ulimit -n");
  spec.limits.file_size = Bytes{1024 * 512};
  spec.limits.open_files = 64;
  EXPECT_EQ(run_ok(spec).out, "0\n1024\n64\n");
  auto busy = shell("while :; do :; done");
  busy.limits.cpu = 1s;
  const auto result = run_ok(busy);
  EXPECT_TRUE(result.signal == SIGXCPU || result.signal == SIGKILL);
  EXPECT_GT(result.cpu_s, 0.5);
}

TEST(Process, PinsToTheGivenCpus) {
  auto spec = shell("grep Cpus_allowed_list /proc/self/status");
  spec.cpus = {0};
  EXPECT_EQ(run_ok(spec).out, "Cpus_allowed_list:\t0\n");
}

TEST(Process, CpusThatAreNotThereAreNamed) {
  EXPECT_TRUE(check_cpus({}));
  for (int cpu : {-1, 4000, 1 << 20}) {
    const auto checked = check_cpus({cpu});
    ASSERT_FALSE(checked) << cpu;
    EXPECT_EQ(checked.error().code, Errc::invalid);
    EXPECT_THAT(checked.error().what, HasSubstr("no processor " + std::to_string(cpu)));
  }
}

TEST(Process, WhatCanNotStartIsAnError) {
  const auto missing = run_process({.argv = {"no-such-program"}});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Errc::unsupported) << "the machine lacks it; nobody asked for the wrong thing";
  EXPECT_EQ(run_process({.argv = {"/no/such/file"}}).error().code, Errc::not_found);
  EXPECT_EQ(run_process({.argv = {}}).error().code, Errc::invalid);
  const auto folder = run_process({.argv = {"true"}, .cwd = "/no/such folder"});
  ASSERT_FALSE(folder);
  EXPECT_THAT(folder.error().what, HasSubstr("enter the working folder '/no/such folder'"));
}

TEST(Process, ManyThreadsMayRunAtOnce) {
  std::vector<std::jthread> threads;
  std::atomic<int> good = 0;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&good, t] {
      for (int i = 0; i < 10; ++i)
        if (run_ok(shell("echo " + std::to_string(t))).out == std::to_string(t) + "\n") ++good;
    });
  threads.clear();
  EXPECT_EQ(good, 80);
}

TEST(Process, DescendantsDieWithAKilledParent) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    const auto pipe_path = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(ends[1]);
    (void)run_process(shell("setsid sleep 1000 & echo $$ $! > " + pipe_path + "; sleep 1000"));
    _exit(0);
  }
  close(ends[1]);
  char text[32] = {};
  ASSERT_GT(read(ends[0], text, sizeof text - 1), 0);
  close(ends[0]);
  kill(parent, SIGKILL);
  std::istringstream pids(text);
  pid_t child = 0, daemon = 0;
  pids >> child >> daemon;
  EXPECT_TRUE(gone(child));
  EXPECT_TRUE(gone(daemon));
  EXPECT_TRUE(gone(parent));
}

}  // namespace process_test
}  // namespace kernelgate
