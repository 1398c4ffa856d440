// SPDX-License-Identifier: Apache-2.0
#include "commands/up/up.hpp"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include "client/client.hpp"
#include "client/token_file.hpp"
#include "commands/demo/needs.hpp"
#include "commands/hook/install.hpp"
#include "commands/up/state.hpp"
#include "core/manifest/manifest.hpp"
#include "core/units/limits.hpp"
#include "platform/process/file_lock.hpp"
#include "runner/sandbox/sandbox.hpp"

namespace kernelgate::up {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAnyPort = "127.0.0.1:0";
constexpr const char* kRunnerWorks = "memory: ";  // the last that a runner logs before it asks for work
constexpr std::size_t kLastWords = 800;
constexpr std::chrono::milliseconds kReadyLookEvery{50};
constexpr std::chrono::seconds kPatience{20};  // a runner gives its job back before it ends

struct Ground {
  Git git;
  fs::path root;
  bool committed;  // HEAD has a manifest
};

// What must hold before anything is started.
Result<Ground> look(const Request& request) {
  auto git = Git::open(request.repository, GitConfig::users);
  if (!git) return pass_on(git);
  const auto root = git->work_tree();
  if (!root) return pass_on(root);
  const fs::path file = *root / kManifestName;
  std::ifstream in(file, std::ios::binary);
  if (!in)
    return fail(Errc::not_found, "there is no manifest", file.string(),
                "'kernelgate init' writes one; commit it, then try again");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (const auto manifest = parse_manifest(text, file.string()); !manifest) return pass_on(manifest);
  if (!request.no_sandbox)
    if (const SandboxProbe walls = Sandbox::probe({}); !walls.works)
      return fail(Errc::unsupported, walls.text, {},
                  "or 'kernelgate up --no-sandbox', which runs commits with all rights of this user");
  const auto head = git->resolve("HEAD");
  const auto committed = head ? git->show_file(*head, kManifestName) : Result<std::optional<std::string>>();
  return Ground{std::move(*git), *root, committed && committed->has_value()};
}

std::string last_words(const Background& part) {
  const std::string text = part.log_text();
  return text.size() <= kLastWords ? text : text.substr(text.size() - kLastWords);
}

// Until `ready`; an end or kDemoStartMax before that is an error with the last words.
template <class Ready>
Status wait_for(const Background& part, const Ready& ready) {
  const auto deadline = std::chrono::steady_clock::now() + limits::kDemoStartMax;
  while (!ready()) {
    if (part.running() == 0)
      return fail(Errc::unavailable, "the " + part.name() + " ended at once: " + last_words(part), part.log().string());
    if (std::chrono::steady_clock::now() > deadline)
      return fail(Errc::timed_out, "the " + part.name() + " is not ready: " + last_words(part), part.log().string());
    std::this_thread::sleep_for(kReadyLookEvery);
  }
  return {};
}

Result<Client> client_of(const std::string& url, const fs::path& token_file) {
  return open_client({.server = url, .retry_for = std::chrono::seconds(2)}, token_file);
}

// Where the server listens, or is to.
Result<std::string> address_of(const Request& request, const State& state) {
  const std::string before = state.address();
  if (state.server.running() != 0) {
    if (request.listen.empty() || request.listen == before) return before;
    return fail(Errc::conflict, "the server of this repository runs already, at " + before, "--listen",
                "'kernelgate down' ends it");
  }
  const std::string wanted = !request.listen.empty() ? request.listen : before.empty() ? kAnyPort : before;
  const auto free = demo::free_address(wanted);
  if (free) return free->text();
  if (free.error().code != Errc::conflict) return pass_on(free);
  return fail(Errc::conflict, "another program listens at " + wanted, {},
              std::string("'kernelgate up --listen ") + kAnyPort + "' takes a free port");
}

Result<Part> start_server(const Request& request, const State& state, const std::string& address,
                          const fs::path& token_file) {
  Part part{"server", state.server.running(), false, state.server.log()};
  if (part.pid != 0) return part;
  const Status started = state.server.start(
      {request.program.string(), "server", "--listen", address, "--data", state.data.string(), "--no-access-log"});
  if (!started) return pass_on(started);
  auto client = client_of("http://" + address, token_file);
  if (!client) return pass_on(client);
  const auto answers = [&client] { return client->health().has_value(); };
  if (const Status ready = wait_for(state.server, answers); !ready) return pass_on(ready);
  part.pid = state.server.running();
  part.started = true;
  return part;
}

Result<Part> start_runner(const Request& request, const State& state, const std::string& url,
                          const fs::path& token_file) {
  Part part{"runner", state.runner.running(), false, state.runner.log()};
  if (part.pid != 0) return part;
  std::vector<std::string> argv{request.program.string(), "runner", "--server",         url, "--token-file",
                                token_file.string(),      "--work", state.work.string()};
  if (request.no_sandbox) argv.emplace_back("--no-sandbox");
  // As of `kernelgate run`: the runner's sandbox shows what this environment names.
  if (const auto tools = local_toolchain({}, environment_of_this_process()); tools && !request.no_sandbox)
    for (const fs::path& folder : tools->folders) argv.push_back("--toolchain=" + folder.string());
  for (const int cpu : request.cpus) argv.push_back("--cpus=" + std::to_string(cpu));
  if (const Status started = state.runner.start(argv); !started) return pass_on(started);
  const auto works = [&state] { return state.runner.log_text().find(kRunnerWorks) != std::string::npos; };
  if (const Status ready = wait_for(state.runner, works); !ready) return pass_on(ready);
  part.pid = state.runner.running();
  part.started = true;
  return part;
}

std::string name_of(const Request& request, const fs::path& root) {
  return request.name.empty() ? root.filename().string() : request.name;
}

// Known under this name, and fetched from this folder.
Status register_repository(Client& client, const Ground& ground, const std::string& name, std::string& branch) {
  if (const auto known = client.repository(name)) {
    branch = known->default_branch;
    if (known->url == ground.root.string()) return {};
    return fail(Errc::conflict, "'" + name + "' is another repository on this server: " + known->url, "--name",
                "give another name");
  }
  branch = hook::guessed_default_branch(ground.git, false);
  const auto added =
      client.add_repository({.name = name, .url = ground.root.string(), .default_branch = branch, .manifest = {}});
  if (!added) return pass_on(added);
  return {};
}

Status install_hook(const Request& request, const Ground& ground, const State& state, Running& out,
                    const std::string& branch) {
  const auto token_file = state.token(Role::trigger);
  if (!token_file) return pass_on(token_file);
  hook::InstallRequest wanted{.repository = ground.root, .program = request.program, .settings = {}, .hooks = {}};
  wanted.settings.server = out.url;
  wanted.settings.token_file = *token_file;
  wanted.settings.repository = out.repository;
  wanted.settings.default_branch = branch;
  const auto said = hook::install(std::move(wanted));
  if (!said) return pass_on(said);
  out.notes.push_back(said->front());
  return {};
}

}  // namespace

Result<Running> bring_up(const Request& request) {
  const auto ground = look(request);
  if (!ground) return pass_on(ground);
  const auto state = State::open(ground->git);
  if (!state) return pass_on(state);
  const auto alone = FileLock::acquire(state->folder / "lock", LockKind::exclusive);
  if (!alone) return pass_on(alone);
  const auto address = address_of(request, *state);
  if (!address) return pass_on(address);
  if (const Status kept = state->keep_address(*address); !kept) return pass_on(kept);
  const auto admin = state->token(Role::admin);
  if (!admin) return pass_on(admin);
  const auto runner_token = state->token(Role::runner);
  if (!runner_token) return pass_on(runner_token);
  Running out{.url = "http://" + *address, .repository = name_of(request, ground->root), .admin_token = *admin};
  auto server = start_server(request, *state, *address, *admin);
  if (!server) return pass_on(server);
  out.parts.push_back(std::move(*server));
  auto client = client_of(out.url, *admin);
  if (!client) return pass_on(client);
  std::string branch;
  if (const Status known = register_repository(*client, *ground, out.repository, branch); !known) return pass_on(known);
  auto runner = start_runner(request, *state, out.url, *runner_token);
  if (!runner) return pass_on(runner);
  out.parts.push_back(std::move(*runner));
  if (request.hook)
    if (const Status hooked = install_hook(request, *ground, *state, out, branch); !hooked) return pass_on(hooked);
  const auto secret = read_token_file(*admin);
  if (!secret) return pass_on(secret);
  out.login_url = out.url + "/#token=" + *secret;
  if (!ground->committed)
    out.notes.push_back("kernelgate.toml is not committed yet: commit it, or no commit is judged");
  return out;
}

Result<std::vector<std::string>> take_down(const fs::path& repository) {
  const auto git = Git::open(repository, GitConfig::users);
  if (!git) return pass_on(git);
  const auto state = State::open(*git);
  if (!state) return pass_on(state);
  const auto alone = FileLock::acquire(state->folder / "lock", LockKind::exclusive);
  if (!alone) return pass_on(alone);
  std::vector<std::string> said;
  for (const Background* part : {&state->runner, &state->server}) {
    const pid_t pid = part->running();
    said.push_back(part->stop(kPatience) ? fmt::format("the {} (pid {}) has ended", part->name(), pid)
                                         : fmt::format("the {} did not run", part->name()));
  }
  const auto settings = hook::read_settings(*git);
  if (!settings) return pass_on(settings);
  if (*settings && (*settings)->server == "http://" + state->address()) {
    const auto removed = hook::uninstall(repository);
    if (!removed) return pass_on(removed);
    said.insert(said.end(), removed->begin(), removed->end());
  }
  said.push_back("runs and samples stay in " + state->data.string() + "; 'kernelgate up' goes on with them");
  return said;
}

std::string describe(const Running& running) {
  std::string out;
  for (const Part& part : running.parts)
    out += fmt::format("{}  {}, pid {}, log {}\n", part.name, part.started ? "started" : "runs already", part.pid,
                       part.log.string());
  for (const std::string& note : running.notes) out += note + "\n";
  out += fmt::format("\nLog in (the link holds a secret: it is for you alone):\n  {}\n\n", running.login_url);
  out += fmt::format("Repository '{}'. For other commands: --server {} --token-file {}\n", running.repository,
                     running.url, running.admin_token.string());
  return out + "'git push' is judged before it leaves; 'kernelgate down' ends all of it.\n";
}

}  // namespace kernelgate::up
