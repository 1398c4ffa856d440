// SPDX-License-Identifier: Apache-2.0
#include "commands/demo/scenario.hpp"

#include <nlohmann/json.hpp>

#include <fstream>

#include "commands/demo/git_call.hpp"
#include "commands/demo/replay_files.hpp"

namespace kernelgate::demo {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kOwnFiles = "repository/";  // of the replay: they lie at the root of the made repository

Step step_of(const nlohmann::json& json, int number) {
  Step step;
  step.number = number;
  step.branch = json.at("branch");
  step.title = json.at("title");
  step.hypothesis = json.at("hypothesis");
  step.expected = json.at("expected");
  step.same_failure_as = json.value("same_failure_as", 0);
  step.add = json.value("add", std::vector<std::string>{});
  step.patch = json.value("patch", "");
  return step;
}

Status write_file(const fs::path& path, std::string_view text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) return fail(Errc::io, "cannot write the file", path);
  return {};
}

Status add_files(const Scenario& scenario, const Step& step, const fs::path& folder) {
  if (step.number == 1)
    for (const auto& [replay, path, text] : replay::files())
      if (replay == scenario.replay && path.starts_with(kOwnFiles))
        if (auto written = write_file(folder / path.substr(kOwnFiles.size()), text); !written) return written;
  for (const std::string& path : step.add) {
    const auto text = replay::find(scenario.replay, path);
    if (!text) return fail(Errc::corrupt, "the replay has no file " + path);
    if (auto written = write_file(folder / path, *text); !written) return written;
  }
  return {};
}

Status apply_patch(const Scenario& scenario, const Step& step, const fs::path& folder) {
  if (step.patch.empty()) return {};
  const auto patch = replay::find(scenario.replay, "steps/" + step.patch);
  if (!patch) return fail(Errc::corrupt, "the replay has no patch " + step.patch);
  const auto applied = git({.folder = folder, .args = {"apply", "-"}, .stdin_text = std::string(*patch)});
  if (!applied) return pass_on(applied);
  return {};
}

std::vector<std::string> identity(const Scenario& scenario, const Step& step) {
  const std::size_t address = scenario.author.find(" <");
  const std::string name = scenario.author.substr(0, address);
  const std::string email = scenario.author.substr(address + 2, scenario.author.size() - address - 3);
  const std::string date =
      std::to_string(scenario.first_commit_at + scenario.seconds_between * (step.number - 1)) + " +0000";
  return {"GIT_AUTHOR_NAME=" + name,    "GIT_AUTHOR_EMAIL=" + email,    "GIT_AUTHOR_DATE=" + date,
          "GIT_COMMITTER_NAME=" + name, "GIT_COMMITTER_EMAIL=" + email, "GIT_COMMITTER_DATE=" + date};
}

Result<CommitHash> commit_step(const Scenario& scenario, const Step& step, const fs::path& folder) {
  if (step.number > 1) {
    std::vector<std::string> args{"checkout", "--quiet"};
    if (step.branch != "main") args.insert(args.end(), {"-b", step.branch});
    args.emplace_back("main");
    if (const auto there = git({.folder = folder, .args = std::move(args)}); !there) return pass_on(there);
  }
  if (auto added = add_files(scenario, step, folder); !added) return pass_on(added);
  if (auto applied = apply_patch(scenario, step, folder); !applied) return pass_on(applied);
  if (const auto staged = git({.folder = folder, .args = {"add", "--all"}}); !staged) return pass_on(staged);
  const auto committed = git({.folder = folder,
                              .args = {"commit", "--quiet", "-m", step.title, "-m", "Hypothesis: " + step.hypothesis},
                              .env = identity(scenario, step)});
  if (!committed) return pass_on(committed);
  const auto hash = git({.folder = folder, .args = {"rev-parse", "HEAD"}});
  if (!hash) return pass_on(hash);
  return CommitHash::parse(hash->substr(0, hash->find('\n')));
}

}  // namespace

Result<Scenario> load_scenario(const std::string& replay) {
  const auto text = replay::find(replay, "steps.json");
  if (!text) return fail(Errc::invalid, "there is no replay of this name", replay, "name cpu, cuda or softmax");
  try {
    const auto json = nlohmann::json::parse(*text);
    Scenario scenario{replay, json.at("author"), json.at("first_commit_at"), json.at("seconds_between"), {}};
    for (const auto& step : json.at("steps"))
      scenario.steps.push_back(step_of(step, static_cast<int>(scenario.steps.size()) + 1));
    return scenario;
  } catch (const nlohmann::json::exception& error) {
    return fail(Errc::corrupt, error.what(), "steps.json");
  }
}

Result<std::vector<CommitHash>> write_scenario(const Scenario& scenario, const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_empty(folder, error))
    return fail(Errc::conflict, error ? error.message() : "the folder is not empty", folder, "name a new folder");
  const auto made = git({.folder = folder, .args = {"init", "--quiet", "--initial-branch=main"}});
  if (!made) return pass_on(made);
  std::vector<CommitHash> commits;
  for (const Step& step : scenario.steps) {
    auto commit = commit_step(scenario, step, folder);
    if (!commit) return pass_on(commit);
    commits.push_back(*commit);
  }
  if (const auto back = git({.folder = folder, .args = {"checkout", "--quiet", "main"}}); !back) return pass_on(back);
  return commits;
}

}  // namespace kernelgate::demo
