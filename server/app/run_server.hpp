// SPDX-License-Identifier: Apache-2.0
#pragma once

// A whole server, from options to its clean stop on SIGTERM, SIGINT or `stop`.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/units/limits.hpp"
#include "core/units/result.hpp"

namespace kernelgate {

struct ServerOptions {
  std::string listen = "127.0.0.1:8080";   // port 0: the system chooses
  std::filesystem::path data_dir;          // holds the lock, and the store unless `database` is set
  std::filesystem::path database;          // empty: <data_dir>/kernelgate.sqlite
  bool public_read = false;                // reading needs no token
  bool open_metrics = false;               // nor do figures for Prometheus
  std::vector<std::string> hosts;          // names beside its own that a request may ask for
  std::string public_url;                  // in links of replies; empty: the address it listens on
  std::filesystem::path config;            // docs/GITHUB.md; empty: no forge is told of anything
  std::filesystem::path port_file;         // empty: none; else the port, once it listens
  std::filesystem::path admin_token_file;  // empty: none; see ensure_admin_token
  bool access_log = true;
  std::filesystem::path assets;                         // folder of the dashboard's files; empty: those it carries
  std::string program = "kernelgate";                   // this one's version line, kept with every verdict
  int keep_samples_days = 0;                            // 0: for ever; else older runs are thinned
  std::chrono::seconds lease = limits::kLeaseDuration;  // a runner not heard of for so long is lost
  std::chrono::milliseconds lease_check_every{1000};
};

// Where it listens, and how another thread of this process stops it.
struct RunningServer {
  std::string url;
  std::function<void()> stop;
};

// Returns after the stop. `started` is called once, when requests are accepted.
[[nodiscard]] Status run_server(const ServerOptions& options,
                                const std::function<void(const RunningServer&)>& started = {});

}  // namespace kernelgate
