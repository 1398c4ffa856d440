// SPDX-License-Identifier: Apache-2.0
#include "commands/completion.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace kernelgate::cli {
namespace {

const CLI::App* command_of(const CLI::App& app, const std::string& name) {
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; }))
    if (one->get_name() == name) return one;
  return nullptr;
}

// The option that takes the word after this one as its value.
bool takes_a_value(const CLI::App& at, const CLI::App& app, const std::string& word) {
  for (const CLI::App* of : {&at, &app})
    if (const CLI::Option* option = word.rfind('-', 0) == 0 ? of->get_option_no_throw(word) : nullptr)
      return option->get_items_expected_max() > 0;
  return false;
}

}  // namespace

std::vector<std::string> completions(const CLI::App& app, std::span<const std::string> words) {
  std::vector<std::string> out;
  if (words.empty()) return out;
  const CLI::App* at = &app;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (takes_a_value(*at, app, words[i])) {
      if (i + 2 == words.size()) return out;
      ++i;
    } else if (const CLI::App* next = command_of(*at, words[i])) {
      at = next;
    }
  }
  const auto offer = [&](const std::string& name) {
    if (name.starts_with(words.back())) out.push_back(name);
  };
  if (words.back().starts_with('-')) {
    for (const CLI::App* of : {at, &app}) {
      for (const CLI::Option* option : of->get_options())
        for (const std::string& name : option->get_lnames()) offer("--" + name);
      if (at == &app) break;
    }
  } else {
    for (const CLI::App* one : at->get_subcommands([](const CLI::App*) { return true; })) offer(one->get_name());
  }
  return out;
}

}  // namespace kernelgate::cli
