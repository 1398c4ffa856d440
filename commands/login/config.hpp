// SPDX-License-Identifier: Apache-2.0
#pragma once

// The person's own configuration: which server commands ask where neither flag nor environment names one, and with
// which token. $XDG_CONFIG_HOME/kernelgate/config.toml (default: ~/.config), mode 0600.

#include <filesystem>
#include <optional>
#include <string>

#include "core/units/result.hpp"

namespace kernelgate::login {

struct Config {
  std::string server;                // http://HOST:PORT
  std::filesystem::path token_file;  // absolute
};

// Empty where the environment names no home.
[[nodiscard]] std::filesystem::path config_folder();

// Nothing where there is no such file. invalid: others may read it, or it is no configuration.
[[nodiscard]] Result<std::optional<Config>> read_config();
[[nodiscard]] Status write_config(const Config& config);

// Fills in what no flag and no variable of the environment said. The token goes to the server of the configuration
// alone, never to another that a flag names. invalid: no server, or no token for it.
[[nodiscard]] Status complete(std::string& server, std::filesystem::path& token_file);
[[nodiscard]] Status complete(std::string& server, std::string& token_file);

}  // namespace kernelgate::login
