// SPDX-License-Identifier: Apache-2.0
#include "server/app/run_server.hpp"

#include <malloc.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <optional>

#include "core/log/log.hpp"
#include "server/api/accounts/browser.hpp"
#include "server/api/service.hpp"
#include "server/app/server_lock.hpp"
#include "server/app/tokens.hpp"
#include "server/forge/github.hpp"
#include "server/forge/sender.hpp"
#include "server/http/server.hpp"
#include "service/store/store.hpp"

namespace kernelgate {
namespace {

// Whoever waits for the file sees it whole. A pipe or a device, such as /dev/stdout, is written to and never replaced.
Status write_port(const std::filesystem::path& file, std::uint16_t port) {
  std::error_code error;
  const bool replaced = !std::filesystem::exists(file, error) || std::filesystem::is_regular_file(file, error);
  const std::filesystem::path partial = replaced ? file.string() + ".partial" : file.string();
  std::ofstream out(partial, std::ios::trunc);
  out << port << '\n';
  out.close();
  error.clear();
  if (out && replaced) std::filesystem::rename(partial, file, error);
  if (!out || error) return fail(Errc::io, "cannot write the port", file.string());
  return {};
}

bool is_loopback(const std::string& address) { return address == "::1" || address.compare(0, 4, "127.") == 0; }

// This machine's own names, the address and the public URL, and what --host adds. Another site's page, whose name was
// made to lead here, is asked for by that name (DNS rebinding).
std::vector<std::string> hosts_of(const ServerOptions& options, const std::string& address,
                                  const std::string& public_url) {
  std::vector<std::string> out{"localhost", "127.0.0.1", "::1", address};
  out.insert(out.end(), options.hosts.begin(), options.hosts.end());
  if (const auto start = public_url.find("://"); start != std::string::npos) {
    std::string host = public_url.substr(start + 3, public_url.find('/', start + 3) - start - 3);
    const bool bracketed = host.starts_with('[');
    const auto end = bracketed ? host.find(']') : host.rfind(':');
    out.push_back(bracketed ? host.substr(1, end - 1) : host.substr(0, end));
  }
  for (std::string& host : out)
    std::transform(host.begin(), host.end(), host.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

// What --config names, and what is made of it. Outlives every call of the API.
struct Forges {
  forge::Config config;
  std::optional<forge::Github> github;
  std::optional<forge::Sender> sender;

  [[nodiscard]] Status open(const std::filesystem::path& file, const Clock& clock) {
    if (file.empty()) return {};
    auto read = forge::read_config(file);
    if (!read) return pass_on(read);
    config = std::move(*read);
    if (config.github) github.emplace(*config.github, clock, config.delivery.timeout);
    return {};
  }
};

// Large blocks (bodies, answers) go back to the system when they are freed. Left to itself glibc keeps them in a heap
// that the largest burst of requests has made, and that only grows.
void return_large_blocks() { (void)::mallopt(M_MMAP_THRESHOLD, 128 << 10); }

Result<assets::Files> dashboard_of(const ServerOptions& options) {
  return options.assets.empty() ? assets::Files::embedded() : assets::Files::in_folder(options.assets);
}

Status prepare(service::Store store, api::Service& service, const ServerOptions& options, const Clock& clock) {
  if (!options.admin_token_file.empty()) {
    const Status made = ensure_admin_token(store, options.admin_token_file, clock.now());
    if (!made) return made;
  }
  return service.forgive_absence();
}

}  // namespace

// The store closes when no session is left, the sender has stopped, and before the pool is joined; the lock
// goes last (docs/adr/0006 and 0013).
Status run_server(const ServerOptions& options, const std::function<void(const RunningServer&)>& started) {
  return_large_blocks();
  auto config = http::parse_listen(options.listen);
  if (!config) return pass_on(config);
  config->access_log = options.access_log;
  const auto public_url = api::clean_public_url(options.public_url);
  if (!public_url) return pass_on(public_url);
  config->hosts = hosts_of(options, config->address, *public_url);
  const auto lock = ServerLock::take(options.data_dir);
  if (!lock) return pass_on(lock);
  const auto file = options.database.empty() ? options.data_dir / "kernelgate.sqlite" : options.database;
  const auto store_lock = ServerLock::take_store(file);
  if (!store_lock) return pass_on(store_lock);
  auto store = service::OpenStore::open(file, {.reserved_readers = limits::kReservedReaders});
  if (!store) return pass_on(store);
  const auto dashboard = dashboard_of(options);
  if (!dashboard) return pass_on(dashboard);
  const SystemClock clock;
  Forges forges;
  if (const Status opened = forges.open(options.config, clock); !opened) return opened;
  api::Service service(*store, clock,
                       api::Settings{.public_read = options.public_read,
                                     .open_metrics = options.open_metrics,
                                     .public_url = *public_url,
                                     .program = options.program,
                                     .keep_samples_days = options.keep_samples_days,
                                     .lease = options.lease,
                                     .forges = &forges.config,
                                     .github = forges.github ? &*forges.github : nullptr,
                                     .dashboard = *dashboard});
  if (const Status ready = prepare(*store, service, options, clock); !ready) return ready;
  const auto server = http::Server::listen(*config, service.app());
  if (!server) return pass_on(server);
  service.attach(**server, options.lease_check_every);
  if (!options.port_file.empty())
    if (const Status written = write_port(options.port_file, (*server)->port()); !written) return written;
  if (!is_loopback(config->address))
    log_warn("listening on " + config->address + " without TLS: let a reverse proxy with TLS stand before it");
  const std::string url = public_url->empty() ? (*server)->url() : *public_url;
  const bool plots = options.public_read && !public_url->empty();
  forges.sender.emplace(*store, clock, forges.config, forges.github ? &*forges.github : nullptr, url, plots);
  forges.sender->start();
  log_info("listening on " + (*server)->url());
  if (started) started(RunningServer{(*server)->url(), [&server] { (*server)->stop(); }});
  (*server)->run();
  forges.sender->stop();
  store->stop();
  log_info("stopped");
  return {};
}

}  // namespace kernelgate
