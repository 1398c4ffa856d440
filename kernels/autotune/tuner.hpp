// SPDX-License-Identifier: Apache-2.0
#pragma once

// Keeps what was chosen, in memory and in the cache file, and measures what is asked for first. Not thread-safe.

#include <functional>
#include <map>
#include <string>

#include "kernels/autotune/decide.hpp"
#include "kernels/autotune/key.hpp"

namespace kernels::autotune {

struct Settings {
  std::string cache_path;                              // empty: choices are kept in memory alone
  std::function<void(const std::string& text)> warn;   // one line, without its end
  std::function<void(const Decision& decision)> tell;  // each choice once; may be empty
};

// Cache file: KG_TUNER_CACHE, "off" for none, else kernelgate/tuner.jsonl in XDG_CACHE_HOME or HOME's .cache. Warnings
// go to stderr, and decisions where KG_TUNER_VERBOSE is set and not empty.
[[nodiscard]] Settings settings_from_environment();

class Tuner {
 public:
  Tuner(const Key& environment, Settings settings);

  // Remembered where the choice is known and still a candidate, else measured and kept. Throws where every candidate
  // fails; trouble with the file only warns.
  [[nodiscard]] Decision choose(const Key& problem, const std::vector<Candidate>& candidates, const Prepare& prepare);

 private:
  struct Known {
    std::string configuration;
    double us;
    bool told = false;
  };
  void load_once();

  std::string environment_;
  Settings settings_;
  bool loaded_ = false, store_failed_ = false;
  std::map<std::string, Known> known_;  // by problem
};

}  // namespace kernels::autotune
