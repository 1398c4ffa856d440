// SPDX-License-Identifier: Apache-2.0
#include "commands/login/config.hpp"

#include <cstdlib>

#include "core/manifest/toml_reader.hpp"
#include "core/units/limits.hpp"
#include "platform/files/secret_file.hpp"

namespace kernelgate::login {
namespace {

namespace fs = std::filesystem;

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string without_slashes(std::string url) {
  while (!url.empty() && url.back() == '/') url.pop_back();
  return url;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

Result<Config> parse(const std::string& text, const fs::path& file) {
  manifest::Problems problems(file.string());
  const auto table = manifest::parse_toml(text, problems);
  if (!table) {
    Error error = problems.to_error();
    error.fix = "'kernelgate login URL' writes it anew";
    return tl::unexpected<Error>(std::move(error));
  }
  manifest::TableReader reader(*table, "", problems);
  Config out;
  if (const auto server = reader.text("server")) out.server = without_slashes(*server);
  if (const auto token = reader.text("token_file")) out.token_file = file.parent_path() / *token;
  reader.require("server", "the server that commands ask");
  reader.refuse_unknown();
  if (!problems.empty()) return tl::unexpected<Error>(problems.to_error());
  return out;
}

}  // namespace

fs::path config_folder() {
  const fs::path own = from_environment("XDG_CONFIG_HOME");
  if (own.is_absolute()) return own / "kernelgate";
  const fs::path home = from_environment("HOME");
  return home.is_absolute() ? home / ".config" / "kernelgate" : fs::path();
}

Result<std::optional<Config>> read_config() {
  const fs::path folder = config_folder();
  std::error_code ignored;
  if (folder.empty() || !fs::exists(folder / "config.toml", ignored)) return std::nullopt;
  const auto text = read_secret_file(folder / "config.toml", "configuration", limits::kManifestMax.value);
  if (!text) return pass_on(text);
  auto config = parse(*text, folder / "config.toml");
  if (!config) return pass_on(config);
  return std::move(*config);
}

Status write_config(const Config& config) {
  const fs::path folder = config_folder();
  if (folder.empty())
    return fail(Errc::invalid, "there is no place for a configuration", "HOME", "set HOME or XDG_CONFIG_HOME");
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail(Errc::io, "cannot make the folder: " + error.message(), folder.string());
  return write_secret_file(folder / "config.toml",
                           "# Written by 'kernelgate login'. Flags and KERNELGATE_SERVER, KERNELGATE_TOKEN_FILE win.\n"
                           "server = " +
                               quoted(config.server) + "\ntoken_file = " + quoted(config.token_file.string()) + "\n");
}

Status complete(std::string& server, fs::path& token_file) {
  if (!server.empty() && !token_file.empty()) return {};
  const auto config = read_config();
  if (!config) return pass_on(config);
  const bool named = !server.empty();
  if (!named && *config) server = (*config)->server;
  if (server.empty())
    return fail(Errc::invalid, "no server is named", "--server",
                "give --server URL, set KERNELGATE_SERVER, or 'kernelgate login URL' once");
  if (token_file.empty() && *config && without_slashes(server) == (*config)->server) token_file = (*config)->token_file;
  if (token_file.empty())
    return fail(Errc::invalid, "no token for " + server, "--token-file",
                "give --token-file FILE, set KERNELGATE_TOKEN_FILE, or 'kernelgate login " + server + "' once");
  return {};
}

Status complete(std::string& server, std::string& token_file) {
  fs::path file = token_file;
  const Status done = complete(server, file);
  token_file = file.string();
  return done;
}

}  // namespace kernelgate::login
