// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests of subcommands that act on a store: a local store in a folder of its own, and what the program says of it.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "commands/commands.hpp"
#include "commands/run/run.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::cli {

class StoreCommand : public db::StoreTest {
 protected:
  StoreCommand() {
    repository =
        *db::add_repository(connection, {.name = local::kRepositoryName, .url = "/k", .manifest = {}}, db::at(0));
  }

  // The exit code; what was said is in out_ and err_.
  int call(std::vector<std::string> words) {
    words.insert(words.begin(), "kernelgate");
    words.insert(words.end(), {"--db", folder / "store.db"});
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    const int code = run(static_cast<int>(argv.size()), argv.data());
    out_ = testing::internal::GetCapturedStdout();
    err_ = testing::internal::GetCapturedStderr();
    return code;
  }

  // A finished run that timed benchmark b of suite s.
  RunId ended(int commit, Conclusion conclusion, Verdict verdict, const std::string& disturbance = {}) {
    const RunId id = working_run(commit);
    if (verdict != Verdict::identical) {
      Process head = process("p" + std::to_string(commit), Side::head, 0, {10, 11, 12, 10, 11, 12, 10, 11, 12});
      head.disturbed = !disturbance.empty();
      head.disturbance = disturbance;
      EXPECT_TRUE(db::put_process(connection, id, head, db::at(commit)));
    }
    Comparison timed = comparison("b", verdict);
    timed.ratio = 1.05;
    timed.head_median_ns = 11;
    finish(id, conclusion, {timed});
    return id;
  }

  std::string out_, err_;
};

}  // namespace kernelgate::cli
