// SPDX-License-Identifier: Apache-2.0
#pragma once

// The API over one store: gives the http server its routes, its identities and its answers, and
// looks after leases. Owns neither the database nor the server; both outlive its last call.

#include <memory>

#include "server/api/context.hpp"

namespace kernelgate::api {

class Service {
 public:
  Service(service::Store store, const Clock& clock, Settings settings);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  [[nodiscard]] http::App app();
  // Before the server runs: whom to tell about changes; chores are given to it.
  void attach(http::Server& server, std::chrono::milliseconds lease_check_every);

  // After the server itself was away: runners get a whole lease to come back with what they have.
  [[nodiscard]] Status forgive_absence();
  // Runs older than Settings::keep_samples_days keep quantiles instead of samples.
  [[nodiscard]] Status thin_old_runs();
  // Jobs whose runner was lost go back to the queue, or end as infrastructure after
  // kClaimAttemptsMax.
  [[nodiscard]] Status expire_leases();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace kernelgate::api
