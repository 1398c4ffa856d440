// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstdio>
#include <memory>
#include <string>

#include "commands/commands.hpp"
#include "service/store/backup.hpp"

namespace kernelgate::cli::cmd_backup {
namespace {

int copy_store(const std::string& store, const std::string& to) {
  const auto report = service::back_up(store, to);
  if (!report) return complain(report.error());
  std::printf("%s: %llu bytes, schema %d, checked whole\n", to.c_str(),
              static_cast<unsigned long long>(report->size.value), report->schema_version);
  return 0;
}

int check_store(const std::string& store) {
  const Status whole = service::check_integrity(store);
  if (!whole) return complain(whole.error());
  std::printf("%s: whole\n", store.c_str());
  return 0;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  struct Flags {
    std::string store, to;
    bool check = false;
  };
  auto flags = std::make_shared<Flags>();
  auto* command = app.add_subcommand("backup", "Copy a store that may be in use, or check that it is whole");
  command->add_option("--db", flags->store, "The store's file")->required();
  auto* to = command->add_option("--to", flags->to, "The copy; must not exist");
  auto* check = command->add_flag("--check", flags->check, "Only check the store");
  to->excludes(check);
  command->callback([flags, to, check, &exit_code] {
    if (to->count() + check->count() == 0) {
      exit_code = complain(Error{Errc::invalid, "say what to do", "backup", "give --to FILE or --check"});
    } else {
      exit_code = flags->check ? check_store(flags->store) : copy_store(flags->store, flags->to);
    }
  });
}

}  // namespace kernelgate::cli::cmd_backup
