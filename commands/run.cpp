// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "commands/commands.hpp"
#include "commands/completion.hpp"
#include "commands/logging.hpp"
#include "commands/version.hpp"
#include "core/decision/evidence/verdict.hpp"
#include "core/manifest/problems.hpp"

namespace kernelgate::cli {
namespace {

constexpr int kExitInfrastructure = 4;

constexpr const char* kFooter =
    "Exit codes:\n"
    "  0  passed\n"
    "  1  regressed, broken, or the head does not build\n"
    "  2  bad input: an unknown flag, file, commit or manifest key\n"
    "  3  undecided: the budget ended before the evidence sufficed\n"
    "  4  infrastructure: the machine, the network or kernelgate itself\n\n"
    "Log lines go to stderr; --log-level or KERNELGATE_LOG chooses how many.";

// Which subcommand the user was in when parsing failed: its help is the useful one.
const CLI::App& innermost(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : innermost(*chosen.back());
}

std::string full_name(const CLI::App& app) {
  return app.get_parent() ? full_name(*app.get_parent()) + " " + app.get_name() : app.get_name();
}

bool takes_subcommands(const CLI::App& app) {
  return !app.get_subcommands([](const CLI::App*) { return true; }).empty();
}

// "no command 'rnu' (did you mean 'run'?)"; empty where it is neither an unknown command nor an unknown flag.
std::string mistyped(const CLI::App& app) {
  const CLI::App& at = innermost(app);
  const std::vector<std::string> left = app.remaining(true);
  if (left.empty()) return "";
  const std::string word = left.front().substr(0, left.front().find('='));
  const bool flag = word.rfind("--", 0) == 0;
  const bool command = !flag && word.rfind('-', 0) != 0 && at.get_subcommands().empty() && takes_subcommands(at);
  if (!flag && !command) return "";
  std::vector<std::string> known;
  if (command)
    for (const CLI::App* one : at.get_subcommands([](const CLI::App*) { return true; }))
      known.push_back(one->get_name());
  else
    for (const CLI::App* of : {&at, &app})
      for (const CLI::Option* one : of->get_options())
        for (const std::string& name : one->get_lnames()) known.push_back("--" + name);
  std::string meant(manifest::nearest(word, known));
  // Two letters that changed places are far for the count of edits in a short word.
  const auto same_letters = [&word](const std::string& one) {
    return one.size() == word.size() && std::is_permutation(one.begin(), one.end(), word.begin());
  };
  if (const auto swapped = std::find_if(known.begin(), known.end(), same_letters);
      meant.empty() && swapped != known.end())
    meant = *swapped;
  return (flag ? "no flag '" : "no command '") + word + "'" + (meant.empty() ? "" : " (did you mean '" + meant + "'?)");
}

int explain(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version: printed on stdout
  if (const std::string said = mistyped(app); !said.empty()) {
    std::fprintf(stderr, "kernelgate: %s\nTry '%s --help'.\n", said.c_str(), full_name(innermost(app)).c_str());
    return kExitBadInput;
  }
  std::fprintf(stderr, "kernelgate: %s\nTry '%s --help'.\n", error.what(), full_name(innermost(app)).c_str());
  return kExitBadInput;
}

int parse_and_run(int argc, const char* const* argv) {
  CLI::App app{"Performance-regression CI for GPU kernels.", "kernelgate"};
  app.footer(kFooter);
  app.set_version_flag("--version", version_line());
  app.require_subcommand(1);
  app.fallthrough();
  std::string level = "info";
  app.add_option("--log-level", level, "debug, info, warn, error or off")
      ->envname("KERNELGATE_LOG")
      ->check(CLI::IsMember({"debug", "info", "warn", "error", "off"}))
      ->capture_default_str();
  app.parse_complete_callback([&] { start_logging(level); });
  int exit_code = 0;
  for (const AddCommand add : commands()) add(app, exit_code);
  if (argc > 1 && std::string_view(argv[1]) == "__complete") {
    const std::vector<std::string> words(argv + 2, argv + argc);
    for (const std::string& one : completions(app, words)) std::puts(one.c_str());
    return 0;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return explain(app, error);
  }
  return exit_code;
}

}  // namespace

int complain(const Error& error) {
  std::fprintf(stderr, "kernelgate: %s\n", to_string(error).c_str());
  switch (error.code) {
    case Errc::invalid:
    case Errc::not_found:
    case Errc::conflict:
    case Errc::unauthorized:
    case Errc::forbidden:
    case Errc::too_large: return kExitBadInput;
    case Errc::too_many:
    case Errc::unavailable:
    case Errc::timed_out:
    case Errc::io:
    case Errc::corrupt:
    case Errc::unsupported: return kExitInfrastructure;
  }
  return kExitInfrastructure;
}

int run(int argc, const char* const* argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kernelgate: internal error: %s\n", error.what());
    return kExitInfrastructure;
  }
}

}  // namespace kernelgate::cli
