// SPDX-License-Identifier: Apache-2.0
#pragma once

// For the tests of this folder: a kernelgate server of a few lines that records triggers and gives each run the
// conclusion a test chose, and git repositories in a folder with spaces and a quote in its name.

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "commands/hook/install.hpp"
#include "core/decision/evidence/verdict.hpp"
#include "core/wire/codec.hpp"
#include "tests/support/scripted_server.hpp"
#include "tests/support/test_repository.hpp"

namespace kernelgate::hook {

class FakeGate {
 public:
  FakeGate() : server_([this](const std::string& request, int) { return answer(request); }) {}

  [[nodiscard]] std::string url() const { return server_.url(); }
  [[nodiscard]] std::vector<wire::Trigger> triggers() const {
    std::vector<wire::Trigger> out;
    for (const std::string& request : server_.requests())
      if (request.rfind("POST /api/v1/triggers", 0) == 0)
        out.push_back(wire::decode<wire::Trigger>(request.substr(request.find("\r\n\r\n") + 4)).value());
    return out;
  }

  std::atomic<Conclusion> conclusion{Conclusion::passed};
  std::atomic<int> trigger_status{202};
  std::atomic<bool> is_endless{false};  // its runs are never judged

 private:
  std::string answer(const std::string& request) {
    if (request.rfind("POST /api/v1/triggers", 0) == 0) {
      if (trigger_status != 202) return http_answer(trigger_status, "refused");
      return http_answer(202, wire::encode(wire::TriggerReply{7, RunState::queued, {}, url() + "/runs/7"}));
    }
    if (request.rfind("GET /api/v1/repositories/", 0) == 0)
      return http_answer(200, wire::encode(wire::Repository{1, "kernels", "file:///x", "main", ""}));
    wire::Run run;
    run.id = 7;
    run.repository = "kernels";
    run.commit = std::string(40, 'a');
    run.state = is_endless ? RunState::measuring : RunState::done;
    if (!is_endless) run.conclusion = conclusion;
    run.exit_code = exit_code(conclusion);
    run.summary = "what the summary says";
    return http_answer(200, wire::encode(run));
  }

  ScriptedServer server_;
};

// A port on which nobody listens: it was ours a moment ago.
inline std::string url_of_nobody() {
  return ScriptedServer([](const std::string&, int) { return std::string(); }).url();
}

class HookTest : public testing::Test {
 protected:
  HookTest() : folder("hook's test") {
    token_file = folder.path / "token file";
    std::ofstream(token_file) << "kg_" + std::string(64, 'b');
    std::filesystem::permissions(token_file, std::filesystem::perms::owner_read);
  }

  InstallRequest request_for(const std::filesystem::path& repository, const std::string& url,
                             std::vector<std::string> hooks) const {
    Settings settings;
    settings.server = url;
    settings.token_file = token_file;
    settings.repository = "kernels";
    settings.default_branch = "main";
    return {repository, std::filesystem::read_symlink("/proc/self/exe"), settings, std::move(hooks)};
  }

  TemporaryFolder folder;
  std::filesystem::path token_file;
};

}  // namespace kernelgate::hook
