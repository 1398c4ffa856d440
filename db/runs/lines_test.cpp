// SPDX-License-Identifier: Apache-2.0
#include "db/runs/lines.hpp"

#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace lines_test {

class Lines : public StoreTest {
 protected:
  RunId push(int commit, const std::string& branch, std::optional<std::int64_t> pull_request = {}, bool fork = false,
             const std::string& source = "webhook") {
    NewRun run{.repository = repository, .commit = hash_of(commit)};
    run.branch = branch;
    run.source = source;
    run.base = {wire::BaseKind::merge_base, "main"};
    run.idempotency_key = std::to_string(++keys_);
    run.held = fork;
    run.pushed_at = at(commit);
    if (pull_request)
      run.pull_request = wire::PullRequest{.number = *pull_request,
                                           .target = "main",
                                           .head_repository = fork ? "ada/kernels" : "acme/kernels",
                                           .fork = fork,
                                           .sender = "ada"};
    return add_run(connection, run, at(commit))->id;
  }
  Line branch(const std::string& name) { return {.repository = repository, .branch = name}; }

 private:
  int keys_ = 0;
};

TEST_F(Lines, WhoComesLateIsKnown) {
  const RunId newest = push(9, "topic");
  EXPECT_EQ(newer_on(connection, branch("topic"), at(8)), newest);
  EXPECT_EQ(newer_on(connection, branch("topic"), at(9)), std::nullopt);
  EXPECT_EQ(newer_on(connection, branch("other"), at(8)), std::nullopt);
}

TEST_F(Lines, ATwinIsFoundAndLearnsItsPullRequest) {
  const wire::BaseRequest base{wire::BaseKind::merge_base, "main"};
  const RunId pushed = push(1, "topic");
  EXPECT_EQ(unfinished_twin(connection, repository, hash_of(1), base, 7), pushed);
  EXPECT_EQ(unfinished_twin(connection, repository, hash_of(1), {wire::BaseKind::merge_base, "next"}, 7), std::nullopt);
  EXPECT_EQ(unfinished_twin(connection, repository, hash_of(2), base, 7), std::nullopt);
  const wire::PullRequest seven{
      .number = 7, .target = "main", .head_repository = "a/k", .fork = false, .sender = "ada"};
  ASSERT_TRUE(set_pull_request(connection, pushed, seven));
  EXPECT_EQ(get_run(connection, pushed)->pull_request->number, 7);
  EXPECT_EQ(unfinished_twin(connection, repository, hash_of(1), base, 8), std::nullopt);
  EXPECT_EQ(unfinished_twin(connection, repository, hash_of(1), base, std::nullopt), pushed);
  ASSERT_TRUE(cancel_run(connection, pushed, "x", at(2)));
  EXPECT_EQ(set_pull_request(connection, pushed, seven).error().code, Errc::conflict);
  (void)push(3, "topic", 9, true);
  EXPECT_EQ(unfinished_twin(connection, repository, hash_of(3), base, 9), std::nullopt);
}

}  // namespace lines_test
}  // namespace kernelgate::db
