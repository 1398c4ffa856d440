// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <functional>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "commands/version.hpp"
#include "core/units/limits.hpp"

namespace kernelgate::cli {
namespace cli_test {

using testing::HasSubstr;

struct Outcome {
  int exit_code;
  std::string out, err;
};

Outcome run_with(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "kernelgate");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int exit_code = run(static_cast<int>(arguments.size()), arguments.data());
  return {exit_code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

TEST(Program, BadInputIsExitCodeTwoWithAHint) {
  for (const std::vector<const char*>& arguments :
       {std::vector<const char*>{}, {"no-such-command"}, {"--no-such-flag"}, {"--log-level", "loud"}}) {
    const Outcome outcome = run_with(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << testing::PrintToString(arguments);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("Try 'kernelgate --help'"));
  }
}

TEST(Program, AMistypedWordIsNamedWithTheOneThatWasMeant) {
  struct Case {
    std::vector<const char*> words;
    const char* said;
  };
  const std::vector<Case> cases{
      {{"rnu"}, "kernelgate: no command 'rnu' (did you mean 'run'?)\nTry 'kernelgate --help'."},
      {{"run", "--bsae", "x"}, "kernelgate: no flag '--bsae' (did you mean '--base'?)\nTry 'kernelgate run --help'."},
      {{"run", "--bsae=x"}, "no flag '--bsae' (did you mean '--base'?)"},
      {{"hook", "instal"}, "no command 'instal' (did you mean 'install'?)\nTry 'kernelgate hook --help'."},
      {{"--lgo-level", "info", "run"}, "no flag '--lgo-level' (did you mean '--log-level'?)"},
      {{"quite-something-else"}, "kernelgate: no command 'quite-something-else'\n"}};
  for (const Case& one : cases) {
    const Outcome outcome = run_with(one.words);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(one.said));
  }
}

TEST(Program, HelpListsTheExitCodes) {
  const Outcome outcome = run_with({"--help"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("3  undecided"));
  EXPECT_EQ(outcome.err, "");
}

TEST(Program, VersionNamesTheRevision) {
  const Outcome outcome = run_with({"--version"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, version_line() + "\n");
  EXPECT_THAT(outcome.out, testing::MatchesRegex("kernelgate [0-9.]+ \\([0-9a-z-]+\\)\n"));
}

TEST(Program, ErrorsOfTheCallerAndOfTheMachineDiffer) {
  const std::pair<Errc, int> wanted[] = {{Errc::invalid, 2},      {Errc::not_found, 2},   {Errc::conflict, 2},
                                         {Errc::unauthorized, 2}, {Errc::forbidden, 2},   {Errc::too_large, 2},
                                         {Errc::too_many, 4},     {Errc::io, 4},          {Errc::corrupt, 4},
                                         {Errc::timed_out, 4},    {Errc::unavailable, 4}, {Errc::unsupported, 4}};
  for (const auto& [code, exit_code] : wanted) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(complain({code, "it failed", "where", "fix"}), exit_code) << to_string(code);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "kernelgate: where: it failed (fix)\n");
  }
}

using Visit = std::function<void(const CLI::App&, const std::vector<std::string>& words)>;

// Every subcommand below `app`, with the words that lead to it.
void visit(CLI::App& app, const std::vector<std::string>& words, const Visit& take) {
  for (CLI::App* command : app.get_subcommands({})) {
    auto deeper = words;
    deeper.push_back(command->get_name());
    take(*command, deeper);
    visit(*command, deeper, take);
  }
}

TEST(EverySubcommand, SaysWhatItAndEachOfItsFlagsIsFor) {
  CLI::App app;
  int exit_code = 0;
  for (const AddCommand add : commands()) add(app, exit_code);
  int seen = 0;
  visit(app, {}, [&](const CLI::App& command, const std::vector<std::string>& words) {
    const std::string name = testing::PrintToString(words);
    EXPECT_NE(command.get_description(), "") << name;
    for (const CLI::Option* option : command.get_options())
      EXPECT_NE(option->get_description(), "") << name << " " << option->get_name();
    EXPECT_THAT(command.help(), HasSubstr(command.get_description().substr(0, 20))) << name;
    ++seen;
  });
  EXPECT_GT(seen, 50);
}

TEST(EverySubcommand, RefusesAFlagThatItDoesNotKnow) {
  CLI::App app;
  int exit_code = 0;
  for (const AddCommand add : commands()) add(app, exit_code);
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    const std::string name = command->get_name();
    const Outcome outcome = run_with({name.c_str(), "--no-such-flag=1"});
    EXPECT_EQ(outcome.exit_code, 2) << name;
    EXPECT_EQ(outcome.out, "") << name;
    EXPECT_THAT(outcome.err, testing::StartsWith("kernelgate: ")) << name;
    EXPECT_THAT(outcome.err, HasSubstr("Try 'kernelgate " + name + " --help'")) << name;
  }
}

struct Wrong {
  std::vector<const char*> arguments;
  const char* said;
};

TEST(Flags, ThatContradictOrLackEachOtherAreNamed) {
  const std::vector<const char*> there{"bisect", "--server", "http://127.0.0.1:1", "--repository", "r"};
  const auto asking = [&](std::initializer_list<const char*> more) {
    auto out = there;
    out.insert(out.end(), more);
    return out;
  };
  const Wrong cases[] = {
      {{"bisect"}, "which commit is good is not said"},
      {{"bisect", "--list"}, "there is no server to ask"},
      {{"bisect", "--good", "a", "--wait"}, "there is no server to ask"},
      {{"bisect", "--server", "http://127.0.0.1:1", "--list"}, "no token for http://127.0.0.1:1"},
      {{"bisect", "--good", "a", "--until", "faster"}, "faster not in {regressed,broken}"},
      {asking({"--list", "--show", "1"}), "--list excludes --show"},
      {asking({"--show", "1", "--cancel", "2"}), "excludes --"},
      {asking({"--cancel", "2", "--backfill"}), "excludes --"},
      {asking({"--show", "0"}), "'0' is not a whole number from 1 on"},
      {asking({"--cancel", "-7"}), "'-7' is not a whole number from 1 on"},
      {{"export"}, "--run or --baselines is required"},
      {{"export", "--run", "1"}, "--run requires --output"},
      {{"export", "--output", "f"}, "--output requires --run"},
      {{"export", "--run", "0", "--output", "f"}, "'0' is not a whole number from 1 on"},
      {{"export", "--run", "1", "--output", "f", "--token-file", "t"}, "--token-file requires --server"},
      {{"export", "--output", "f", "--baselines", "g"}, "excludes --"},
      {{"doctor", "--suite", "s"}, "--suite requires --calibrate"},
      {{"doctor", "--calibrate", "--server", "http://127.0.0.1:1"}, "--server requires --"},
      {{"run", "--work-tree", "--head", "x"}, "--head excludes --work-tree"},
      {{"sweep", "--repository", "x"}, "no flag '--repository'"},
      {{"run", "-C", "/none", "--base", "HEAD"}, "/none"},
      {{"simulate", "--series", "f", "--rule", "ours"}, "--rule excludes --series"},
      {{"simulate", "--scenario", "all", "--noise", "2"}, "--noise excludes --scenario"},
      {{"simulate", "--rule", "coin"}, "unknown rule 'coin'"},
      {{"token", "create", "--db", "f", "--name", "n"}, "--role is required"},
      {{"token", "create", "--db", "f", "--name", "n", "--role", "root"}, "root not in {badge,"},
      {{"token", "list", "--db", "/proc/no/store.db"}, "there is no store"},
      {{"token", "revoke", "--db", "/proc/no/store.db", "--name", "n"}, "there is no store"},
      {{"backup", "--db", "f"}, "say what to do"},
      {{"backup", "--db", "f", "--to", "g", "--check"}, "--to excludes --check"},
      {{"prune", "--older-than", "90"}, "not an age such as 90d"},
      {{"prune", "--older-than", "0d"}, "not an age such as 90d"},
      {{"compare"}, "--head is required"},
      {{"compare", "--base", "/proc/no/a", "--head", "/proc/no/b"}, "/proc/no/a"},
      {{"replay", "/proc/no/bundle"}, "/proc/no/bundle"},
      {{"import", "/proc/no/file"}, "/proc/no/file"},
  };
  for (const Wrong& wrong : cases) {
    const Outcome outcome = run_with(wrong.arguments);
    EXPECT_EQ(outcome.exit_code, 2) << testing::PrintToString(wrong.arguments) << outcome.err;
    EXPECT_EQ(outcome.out, "") << testing::PrintToString(wrong.arguments);
    EXPECT_THAT(outcome.err, HasSubstr(wrong.said)) << testing::PrintToString(wrong.arguments);
  }
}

// The numbers just outside; what lies within would start the command.
TEST(Flags, NumbersHaveLimits) {
  struct Numbers {
    std::vector<const char*> command;
    const char* flag;
    std::int64_t least, most;
  };
  const Numbers cases[] = {{{"bisect", "--good", "a"}, "--limit", 1, limits::kBackfillMax},
                           {{"run"}, "--gpu", 0, limits::kDeviceNumberMax},
                           {{"simulate"}, "--trials", 1, limits::kSimulationTrialsMax},
                           {{"simulate"}, "--looks", 2, limits::kPairsMax},
                           {{"history", "--benchmark", "b"}, "--points", 1, limits::kHistoryPointsMax},
                           {{"audit"}, "--days", 1, limits::kDaysMax},
                           {{"audit"}, "--limit", 1, 500},
                           {{"runs", "list"}, "--limit", 1, 500},
                           {{"outbox", "list"}, "--limit", 1, 500},
                           {{"deliveries", "list"}, "--limit", 1, 500},
                           {{"doctor", "--calibrate"}, "--pairs", 2, limits::kPairsMax}};
  for (const Numbers& numbers : cases)
    for (const std::string& value : {std::to_string(numbers.least - 1), std::to_string(numbers.most + 1),
                                     std::string("1.5"), std::string("many"), std::string("99999999999999999999")}) {
      const std::string word = std::string(numbers.flag) + "=" + value;
      auto arguments = numbers.command;
      arguments.push_back(word.c_str());
      const Outcome outcome = run_with(arguments);
      EXPECT_EQ(outcome.exit_code, 2) << testing::PrintToString(arguments);
      EXPECT_EQ(outcome.out, "") << testing::PrintToString(arguments);
      EXPECT_THAT(outcome.err, HasSubstr(numbers.flag)) << testing::PrintToString(arguments);
    }
}

}  // namespace cli_test
}  // namespace kernelgate::cli
