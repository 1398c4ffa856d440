// SPDX-License-Identifier: Apache-2.0
#include "commands/login/login.hpp"

#include <fmt/format.h>
#include <termios.h>
#include <unistd.h>

#include "client/client.hpp"
#include "client/token_file.hpp"
#include "commands/login/config.hpp"
#include "core/wire/accounts.hpp"
#include "platform/files/secret_file.hpp"

namespace kernelgate::login {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInLink = "/#token=";
constexpr const char* kTokenName = "token";  // of the file beside the configuration

// What is typed is not shown while one lives.
class NoEcho {
 public:
  explicit NoEcho(int file) : file_(file), on_(isatty(file) == 1 && tcgetattr(file, &before_) == 0) {
    if (!on_) return;
    struct termios silent = before_;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    tcsetattr(file_, TCSAFLUSH, &silent);
  }
  ~NoEcho() {
    if (on_) tcsetattr(file_, TCSAFLUSH, &before_);
  }
  NoEcho(const NoEcho&) = delete;
  NoEcho& operator=(const NoEcho&) = delete;

 private:
  int file_;
  struct termios before_ {};
  bool on_;
};

std::string line_of(std::FILE* in) {
  if (isatty(fileno(in)) == 1) std::fputs("Token (kg_…, it is not shown): ", stderr);
  const NoEcho silent(fileno(in));
  char text[256] = {};
  if (std::fgets(text, sizeof text, in) == nullptr) return "";
  const std::string line = text;
  return line.substr(0, line.find_first_of(" \t\r\n"));
}

// The server's word on who this is.
Result<wire::Caller> caller_of(const std::string& url, const std::string& token) {
  auto client = Client::create({.server = url, .token = token, .retry_for = std::chrono::seconds(2)});
  if (!client) return pass_on(client);
  auto caller = client->call(wire::endpoint::get_session);
  if (!caller) return pass_on(caller);
  if (caller->by != "token")
    return fail(Errc::unauthorized, "the server did not take the token", url,
                "give one of role read, trigger or admin");
  if (caller->role == Role::runner || caller->role == Role::badge)
    return fail(Errc::forbidden, "a token of role " + std::string(to_string(caller->role)) + " is not a person's", url,
                "give one of role read, trigger or admin");
  return std::move(*caller);
}

}  // namespace

Result<std::string> log_in(const Request& request) {
  Config config{.server = request.url, .token_file = request.token_file};
  std::string token;
  if (const std::size_t at = request.url.find(kInLink); at != request.url.npos) {
    config.server = request.url.substr(0, at);
    token = request.url.substr(at + std::string_view(kInLink).size());
  }
  while (!config.server.empty() && config.server.back() == '/') config.server.pop_back();
  if (!config.token_file.empty()) {
    config.token_file = fs::absolute(config.token_file);
    auto text = read_token_file(config.token_file);
    if (!text) return pass_on(text);
    token = std::move(*text);
  } else if (token.empty()) {
    token = line_of(request.in);
  }
  if (token.empty())
    return fail(Errc::invalid, "no token was given", {}, "give --token-file FILE, a login link, or a line on stdin");
  const auto caller = caller_of(config.server, token);
  if (!caller) return pass_on(caller);
  if (config.token_file.empty()) {
    config.token_file = config_folder() / kTokenName;
    if (const Status kept = write_config(config); !kept) return pass_on(kept);  // makes the folder
    if (const Status kept = write_secret_file(config.token_file, token + "\n"); !kept) return pass_on(kept);
  } else if (const Status kept = write_config(config); !kept) {
    return pass_on(kept);
  }
  return fmt::format("logged in to {} as {} ({}); kept in {}", config.server, caller->name, to_string(caller->role),
                     (config_folder() / "config.toml").string());
}

Result<bool> log_out() {
  std::error_code error;
  const bool had = fs::remove(config_folder() / "config.toml", error);
  if (!error) fs::remove(config_folder() / kTokenName, error);
  if (error) return fail(Errc::io, "cannot remove the configuration: " + error.message(), config_folder().string());
  return had;
}

}  // namespace kernelgate::login
