// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profiles that people ask for: what a page sends, what a runner claims and sends back, what is shown. Plain structs;
// codec_profiles.cpp turns them into JSON and back.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/units/enum_words.hpp"
#include "core/units/time.hpp"

namespace kernelgate::wire {

using kernelgate::to_string;

struct ProfileRequest {
  std::string suite, benchmark;  // of the run's
};

// The kernel of a side that took longest, and what the profiler counted in it.
struct ProfiledKernel {
  std::string kernel;                        // demangled
  std::map<std::string, double> counters{};  // by the profiler's name of the metric, in its base unit
};

enum class ProfileState { queued, claimed, done, failed };
void spelled_as_named(ProfileState);

struct Profile {
  std::int64_t id = 0, run = 0;
  std::string suite, benchmark;
  ProfileState state = ProfileState::queued;
  std::string text;  // in a sentence: what is waited for, or why there is none
  std::string actor, runner;
  std::vector<std::string> changes;  // the counter that moved most first
  std::optional<ProfiledKernel> base, head;
  Instant created_at{};
  std::optional<Instant> finished_at;
};
struct ProfileList {
  std::vector<Profile> profiles;  // of one run, newest first
};

// kernelgate profile --format json
struct ProfileDocument {
  int schema = 1;
  std::string title;
  std::vector<std::string> changes;  // the counter that moved most first
  ProfiledKernel base, head;
};

// What a runner of the run's testbed is given.
struct ProfileClaim {
  std::int64_t profile = 0, run = 0;
  std::string lease;  // secret of this claim
  std::string url;
  std::string base, head;  // full hashes
  std::string manifest;    // registered on the server; empty: from the tree
  std::string suite, benchmark;
  bool fork = false;  // head is untrusted
};
// Ends it: both kernels, or why there are none.
struct ProfileEnd {
  std::string lease;
  bool again = false;  // the runner is stopping: back to the queue
  std::string text;
  std::optional<ProfiledKernel> base, head;
};

}  // namespace kernelgate::wire
