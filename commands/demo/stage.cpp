// SPDX-License-Identifier: Apache-2.0
#include "commands/demo/stage.hpp"

#include <unistd.h>

#include <cstdlib>
#include <thread>
#include <utility>

#include "commands/demo/git_call.hpp"
#include "core/units/digest.hpp"
#include "core/units/limits.hpp"
#include "core/units/time.hpp"
#include "platform/files/secret_file.hpp"
#include "platform/process/process.hpp"
#include "service/accounts/tokens.hpp"

namespace kernelgate::demo {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::seconds kAwayFor{2};  // then we look whether the server has ended

struct Tokens {
  std::string admin;         // ours
  fs::path runner, trigger;  // files
};

// One token per role, as `kernelgate token` makes them.
Result<Tokens> make_tokens(const fs::path& database, const fs::path& folder) {
  Tokens tokens{"kg_" + random_hex(32), folder / "runner.token", folder / "hook.token"};
  const std::string runner = "kg_" + random_hex(32), trigger = "kg_" + random_hex(32);
  if (auto written = write_secret_file(tokens.runner, runner); !written) return pass_on(written);
  if (auto written = write_secret_file(tokens.trigger, trigger); !written) return pass_on(written);
  const auto store = service::OpenStore::open(database);
  if (!store) return pass_on(store);
  struct Kept {
    const char* name;
    const std::string& secret;
    Role role;
  };
  for (const Kept& one : {Kept{"demo", tokens.admin, Role::admin}, Kept{"runner", runner, Role::runner},
                          Kept{"hook", trigger, Role::trigger}}) {
    const auto kept = service::add_token(*store, one.name, sha256_hex(one.secret), one.role, {}, SystemClock{}.now());
    if (!kept) return pass_on(kept);
  }
  return tokens;
}

Status make_repositories(Stage& stage, const Scenario& scenario) {
  auto commits = write_scenario(scenario, stage.source);
  if (!commits) return pass_on(commits);
  stage.commits = std::move(*commits);
  const auto made = git(
      {.folder = stage.source, .args = {"init", "--quiet", "--bare", "--initial-branch=main", stage.remote.string()}});
  if (!made) return pass_on(made);
  const auto named = git({.folder = stage.source, .args = {"remote", "add", "origin", stage.remote.string()}});
  if (!named) return pass_on(named);
  return {};
}

Status wait_until_healthy(Stage& stage) {
  const auto deadline = std::chrono::steady_clock::now() + limits::kDemoStartMax;
  while (!stage.api->health()) {
    if (auto alive = stage.children_alive(); !alive) return alive;
    if (std::chrono::steady_clock::now() > deadline)
      return fail(Errc::timed_out, "the server does not answer: " + stage.server->last_words(), stage.address.url());
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return {};
}

Status install_hook(const DemoOptions& options, const Stage& stage, const fs::path& token_file) {
  ProcessSpec spec;
  spec.argv = {options.program.string(), "hook",         "install",           "--repo",
               stage.remote.string(),    "--server",     stage.address.url(), "--token-file",
               token_file.string(),      "--repository", kRepository,         "post-receive"};
  const char* path = std::getenv("PATH");
  spec.env = {std::string("PATH=") + (path ? path : "/usr/local/bin:/usr/bin:/bin"), "HOME=/nonexistent",
              "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null"};
  spec.merge_stderr = true;
  const auto done = run_process(spec);
  if (!done) return pass_on(done);
  if (!done->ok()) return fail(Errc::io, "the hook cannot be installed: " + describe_end(*done) + ": " + done->out);
  return {};
}

Status start_server(const DemoOptions& options, Stage& stage, const fs::path& folder, const std::string& token) {
  auto server = Child::start("server",
                             {options.program.string(), "server", "--listen", stage.address.text(), "--db",
                              (folder / "kernelgate.db").string(), "--data", (folder / "server").string(),
                              "--public-read"},  // its pages hold nothing but the demo's own kernels
                             folder / "server.log");
  if (!server) return pass_on(server);
  stage.server.emplace(std::move(*server));
  ClientOptions client;
  client.server = stage.address.url();
  client.token = token;
  client.retry_for = kAwayFor;
  auto api = Client::create(std::move(client));
  if (!api) return pass_on(api);
  stage.api.emplace(std::move(*api));
  return wait_until_healthy(stage);
}

Status start_runner(const DemoOptions& options, Stage& stage, const fs::path& folder, const fs::path& token_file) {
  auto runner = Child::start("runner",
                             {options.program.string(), "runner", "--server", stage.address.url(), "--token-file",
                              token_file.string(), "--work", (folder / "runner").string(), "--name", "demo"},
                             folder / "runner.log");
  if (!runner) return pass_on(runner);
  stage.runner.emplace(std::move(*runner));
  return {};
}

}  // namespace

Result<WorkFolder> WorkFolder::open(const DemoOptions& options) {
  std::error_code error;
  if (options.work.empty()) {
    std::string name = (fs::temp_directory_path(error) / "kernelgate-demo-XXXXXX").string();
    if (error || mkdtemp(name.data()) == nullptr) return fail(Errc::io, "cannot make a temporary folder", name);
    return WorkFolder(name, !options.keep);
  }
  fs::create_directories(options.work, error);
  if (error) return fail(Errc::io, error.message(), options.work);
  if (!fs::is_empty(options.work, error))
    return fail(Errc::conflict, "the folder is not empty", options.work, "name a new folder");
  return WorkFolder(fs::canonical(options.work), false);
}

WorkFolder::WorkFolder(WorkFolder&& other) noexcept
    : path_(std::move(other.path_)), remove_(std::exchange(other.remove_, false)) {}

WorkFolder::~WorkFolder() {
  if (!remove_) return;
  // The runner seals its builds: what is read-only must become writable before it can go.
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(path_, error); at != fs::end(at); at.increment(error))
    if (!at->is_symlink(error) && at->is_directory(error))
      fs::permissions(at->path(), fs::perms::owner_all, fs::perm_options::add, error);
  fs::remove_all(path_, error);
}

Status Stage::push(const Step& step) const {
  const std::string commit = commits.at(static_cast<std::size_t>(step.number) - 1).str();
  const std::string what = commit + ":refs/heads/" + step.branch;
  const auto pushed = git({.folder = source, .args = {"push", "--quiet", "origin", what}});
  if (!pushed) return pass_on(pushed);
  return {};
}

Status Stage::children_alive() {
  for (std::optional<Child>* child : {&server, &runner})
    if (*child && !(*child)->running())
      return fail(Errc::unavailable, "the " + (*child)->name() + " has ended: " + (*child)->last_words());
  return {};
}

void Stage::stop() {
  if (runner) runner->stop();
  if (server) server->stop();
}

Result<Stage> set_stage(const DemoOptions& options, const Scenario& scenario, const fs::path& folder) {
  const auto address = free_address(options.listen);
  if (!address) return pass_on(address);
  Stage stage{*address, folder / "source", folder / "remote.git", {}, {}, {}, {}};
  if (auto made = make_repositories(stage, scenario); !made) return pass_on(made);
  const auto tokens = make_tokens(folder / "kernelgate.db", folder);
  if (!tokens) return pass_on(tokens);
  if (auto up = start_server(options, stage, folder, tokens->admin); !up) return pass_on(up);
  wire::RepositoryRequest repository;
  repository.name = kRepository;
  repository.url = stage.remote.string();
  repository.default_branch = "main";
  if (const auto known = stage.api->add_repository(repository); !known) return pass_on(known);
  if (auto hooked = install_hook(options, stage, tokens->trigger); !hooked) return pass_on(hooked);
  if (auto up = start_runner(options, stage, folder, tokens->runner); !up) return pass_on(up);
  return stage;
}

}  // namespace kernelgate::demo
