// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "commands/commands.hpp"
#include "core/units/role.hpp"
#include "core/units/time.hpp"
#include "server/app/tokens.hpp"
#include "service/accounts/tokens.hpp"

namespace kernelgate::cli::cmd_token {
namespace {

struct Flags {
  std::string file, name, role = "read";
};

int with_store(const Flags& flags, const std::function<Status(service::Store)>& work) {
  const auto store = service::OpenStore::open(flags.file);
  if (!store) return complain(store.error());
  const Status done = work(*store);
  return done ? 0 : complain(done.error());
}

int create(const Flags& flags) {
  return with_store(flags, [&](service::Store store) -> Status {
    const auto text = create_token(store, flags.name, *parse_role(flags.role), SystemClock{}.now());
    if (!text) return pass_on(text);
    std::printf("%s\n", text->c_str());
    return {};
  });
}

// A mistyped path must not become a new, empty store.
int with_present_store(const Flags& flags, const std::function<Status(service::Store)>& work) {
  if (!std::filesystem::exists(flags.file))
    return complain({Errc::not_found, "there is no store", flags.file, "give --db the server's store"});
  return with_store(flags, work);
}

int list(const Flags& flags) {
  return with_present_store(flags, [](service::Store store) -> Status {
    const auto text = describe_tokens(store);
    if (!text) return pass_on(text);
    std::fputs(text->c_str(), stdout);
    return {};
  });
}

int revoke(const Flags& flags) {
  return with_present_store(flags, [&](service::Store store) {
    return service::revoke_token(store, flags.name, {}, "command line", SystemClock{}.now());
  });
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("token", "Make, list and revoke the tokens of a store");
  command->require_subcommand(1);
  CLI::App* make = command->add_subcommand("create", "Make a token and print it, this once");
  CLI::App* show = command->add_subcommand("list", "Show every token but its text");
  CLI::App* end = command->add_subcommand("revoke", "Refuse a token from now on");
  for (CLI::App* one : {make, show, end})
    one->add_option("--db", flags->file, "The server's store; the server may be running")->required();
  for (CLI::App* one : {make, end}) one->add_option("--name", flags->name, "The token's name")->required();
  make->add_option("--role", flags->role, "badge, read, trigger, runner or admin")
      ->check(CLI::IsMember({"badge", "read", "trigger", "runner", "admin"}))
      ->required();
  make->callback([flags, &exit_code] { exit_code = create(*flags); });
  show->callback([flags, &exit_code] { exit_code = list(*flags); });
  end->callback([flags, &exit_code] { exit_code = revoke(*flags); });
}

}  // namespace kernelgate::cli::cmd_token
