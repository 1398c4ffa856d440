// SPDX-License-Identifier: Apache-2.0
#include "tests/support/table_repository.hpp"

#include <stdlib.h>

#include <fstream>
#include <stdexcept>

namespace kernelgate {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
}

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

template <class T>
T need(Result<T> result) {
  if (!result) throw std::runtime_error(to_string(result.error()));
  return std::move(*result);
}

}  // namespace

Status RecordingReporter::state(RunState state, const std::string&) {
  states.push_back(state);
  if (refuse_state) return fail(Errc::conflict, "the lease is lost");
  return {};
}

Result<std::optional<std::int64_t>> RecordingReporter::resolved(const wire::Resolved& facts) {
  resolved_facts.push_back(facts);
  return reuse;
}

Status RecordingReporter::process(const Process& process) {
  processes.push_back(process);
  return {};
}

Status RecordingReporter::log(const std::string& name, const std::string& text) {
  logs[name] = text;
  return {};
}

TableRepository::TableRepository(const SandboxConfig& sandbox) {
  std::string pattern = (fs::temp_directory_path() / "kg_job_XXXXXX").string();
  root_ = mkdtemp(pattern.data());
  repository_ = root_ / "a repository";
  fs::create_directories(repository_);
  git({"init", "-q", "-b", "main"});
  sandbox_.emplace(need(Sandbox::open(sandbox)));
  builds_.emplace(need(BuildCache::open({.root = root_ / "builds", .jobs = 1, .ccache = false}, *sandbox_)));
  git_.emplace(need(Git::open(repository_, GitConfig::isolated)));
}

TableRepository::~TableRepository() {
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(root_, ignored))
    if (entry.is_directory() && !entry.is_symlink())
      fs::permissions(entry.path(), fs::perms::owner_all, fs::perm_options::add, ignored);
  fs::remove_all(root_, ignored);
}

std::string TableRepository::manifest(const std::string& policy, const std::string& suite) {
  return "schema = 1\n[build]\nbuild = \"sh {source}/build.sh {source} {build}\"\n"
         "inputs = [\"times\", \"*.sh\", \"*.c\"]\n"
         "[[suite]]\nname = \"Table\"\nrun = \"{build}/suite\"\ncheck = \"sh {build}/check.sh\"\n"
         "time = \"cpu\"\ntimeout_s = 5\n" +
         suite + "[policy]\nmax_pairs = 4\n" + policy;
}

std::string TableRepository::copying_build() {
  return "cp \"$1/table.sh\" \"$2/suite\" && cp \"$1/times\" \"$1/check.sh\" \"$2/\"\n";
}

std::string TableRepository::compiling_build() {
  return "cc -O1 -o \"$2/suite\" \"$1/suite.c\" && cp \"$1/check.sh\" \"$2/\"\n";
}

std::string TableRepository::passing_check() {
  return R"(echo '{"name":"square","shape":"4x4","passed":true,"bound":1e-5,"rel_err":1e-8}')"
         "\n";
}

std::string TableRepository::failing_check(const std::string& rel_err) {
  return R"(echo '{"name":"square","shape":"4x4","passed":false,"bound":1e-5,"rel_err":)" + rel_err + "}'; exit 1\n";
}

CommitHash TableRepository::commit(const std::map<std::string, std::string>& files) {
  std::map<std::string, std::string> all;
  if (commits_ == 0)
    all = {{"kernelgate.toml", manifest("")},
           {"table.sh", read(KG_TABLE_SUITE)},
           {"build.sh", copying_build()},
           {"check.sh", passing_check()},
           {"times", "a\t100\n"}};
  for (const auto& [name, text] : files) all[name] = text;
  for (const auto& [name, text] : all) write(repository_ / name, text);
  if (commits_ == 0)
    fs::permissions(repository_ / "table.sh", fs::perms::others_exec | fs::perms::group_exec | fs::perms::owner_exec,
                    fs::perm_options::add);
  git({"add", "-A"});
  git({"-c", "user.name=A Person", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m",
       "Change " + std::to_string(++commits_)});
  return need(git_->resolve("HEAD"));
}

void TableRepository::remove(const std::string& file) { fs::remove(repository_ / file); }

JobRequest TableRepository::request_for(const CommitHash& head, std::optional<CommitHash> base) {
  wire::BaseRequest asked;
  if (base) asked = {wire::BaseKind::explicit_commit, base->str()};
  return {.git = &*git_, .origin = {nullptr, repository_.string()}, .head = head, .base = asked};
}

Result<JobResult> TableRepository::run(const JobRequest& request, std::stop_token stop) {
  reporter.processes.clear();
  const JobMachine job_machine{&*sandbox_, &*builds_, probe != nullptr ? probe : &probe_, machine, {},
                               sanitizer,  cuda_tools};
  return run_job(job_machine, request, reporter, stop);
}

Result<ProfiledPair> TableRepository::profile(const JobRequest& request, const CommitHash& base,
                                              const std::string& benchmark) {
  const JobMachine job_machine{&*sandbox_, &*builds_, probe != nullptr ? probe : &probe_, machine, {},
                               sanitizer,  cuda_tools};
  return profile_pair(job_machine, request, base, benchmark, {});
}

Result<EpochEntered> TableRepository::enter(const JobRequest& request, const EpochRequest& epoch) {
  const JobMachine job_machine{&*sandbox_, &*builds_, probe != nullptr ? probe : &probe_, machine, {}, sanitizer};
  return enter_epoch(job_machine, request, epoch, reporter, {});
}

RunDecision TableRepository::judge(const JobRequest& request) {
  last = need(run(request));
  return decide_run(last.evidence, last.policy, request.stored);
}

void TableRepository::git(const std::vector<std::string>& args) const {
  ProcessSpec spec;
  spec.argv = {"git", "-C", repository_.string()};
  spec.argv.insert(spec.argv.end(), args.begin(), args.end());
  spec.env = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + root_.string(), "GIT_CONFIG_NOSYSTEM=1"};
  const auto done = need(run_process(spec));
  if (!done.ok()) throw std::runtime_error(describe_end(done) + ": " + done.err);
}

}  // namespace kernelgate
