// SPDX-License-Identifier: Apache-2.0
#include "commands/up/state.hpp"

#include <fstream>

#include "client/token_file.hpp"
#include "commands/hook/settings.hpp"
#include "core/units/digest.hpp"
#include "core/units/time.hpp"
#include "platform/files/secret_file.hpp"
#include "server/app/tokens.hpp"
#include "service/accounts/tokens.hpp"

namespace kernelgate::up {
namespace {

namespace fs = std::filesystem;

// Whether the store knows the token in the file and has not revoked it.
Result<bool> is_known(service::Store store, const fs::path& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return false;
  const auto text = read_token_file(file);
  if (!text) return pass_on(text);
  const auto token = service::find_token(store, sha256_hex(*text));
  if (!token) return pass_on(token);
  return token->has_value();
}

}  // namespace

Result<State> State::open(const Git& git) {
  const auto common = hook::common_folder(git);
  if (!common) return pass_on(common);
  const fs::path folder = *common / "kernelgate" / "up";
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) fs::permissions(folder, fs::perms::owner_all, error);
  if (error) return fail(Errc::io, "cannot make the folder: " + error.message(), folder.string());
  return State{folder, folder / "data", folder / "work", Background("server", folder), Background("runner", folder)};
}

std::string State::address() const {
  std::ifstream file(folder / "address");
  std::string out;
  file >> out;
  return out;
}

Status State::keep_address(const std::string& address) const {
  std::ofstream file(folder / "address", std::ios::trunc);
  file << address << '\n';
  if (!file.flush()) return fail(Errc::io, "cannot write the file", (folder / "address").string());
  return {};
}

Result<fs::path> State::token(Role role) const {
  const fs::path file = folder / (std::string(to_string(role)) + ".token");
  std::error_code error;
  fs::create_directories(data, error);
  if (error) return fail(Errc::io, "cannot make the folder: " + error.message(), data.string());
  const auto store = service::OpenStore::open(data / "kernelgate.sqlite");
  if (!store) return pass_on(store);
  const auto known = is_known(*store, file);
  if (!known) return pass_on(known);
  if (*known) return file;
  const std::string name = "up-" + std::string(to_string(role)) + "-" + random_hex(4);
  const auto text = create_token(*store, name, role, SystemClock{}.now());
  if (!text) return pass_on(text);
  if (const Status written = write_secret_file(file, *text + "\n"); !written) return pass_on(written);
  return file;
}

}  // namespace kernelgate::up
