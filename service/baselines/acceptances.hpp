// SPDX-License-Identifier: Apache-2.0
#pragma once

// Regressions that somebody accepts, and acceptances that somebody revokes. Private to service/; call inside a Database
// work.

#include "db/baselines/acknowledgements.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::service {

// invalid: no regular expression, no reason, a time that is past. conflict: the run is not done, belongs to another
// repository or to an epoch that is over, none of its regressed benchmarks matches, or they are accepted already in the
// same words and for as long. Other words or another expiry replace that acceptance. Logged as regression.accept.
[[nodiscard]] Result<db::AcknowledgementId> accept_regressions(db::Connection& connection,
                                                               const db::Acceptance& acceptance, Instant now);

// not_found: no such acknowledgement of this repository. conflict: it was revoked before. Logged as regression.revoke.
[[nodiscard]] Status revoke_acceptance(db::Connection& connection, const db::Revocation& wanted, Instant now);

}  // namespace kernelgate::service
