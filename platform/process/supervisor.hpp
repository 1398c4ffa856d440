// SPDX-License-Identifier: Apache-2.0
#pragma once

// The process between us and a child. Orphaned descendants of the child fall to it (PR_SET_CHILD_SUBREAPER), sessions
// of their own or not, so that it can end them all, and nothing but them: it signals only its own children, whose
// numbers cannot be given to others before it has fetched them. Ends when the child and all its descendants have, or
// when some do not die in ten seconds. Runs after a fork of a program with threads: async-signal-safe calls alone.
// Private to runner/process.

#include <signal.h>

#include "platform/process/child.hpp"

namespace kernelgate::process_detail {

// What it is told by: SIGTERM asks the child's group to end, this kills the child and its group.
inline constexpr int kKillSignal = SIGUSR1;

// At its end the child's status, as of waitpid, is in plan.report.
[[noreturn]] void run_supervisor(ChildPlan& plan);

}  // namespace kernelgate::process_detail
