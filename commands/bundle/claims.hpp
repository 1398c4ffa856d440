// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether the members of a bundle contradict each other. What nothing else in the file can show is believed:
// docs/BUNDLE.md lists those claims. Pure.

#include "core/decision/evidence/policy.hpp"
#include "core/units/result.hpp"
#include "core/wire/bundle.hpp"

namespace kernelgate::bundle {

// Errc::corrupt, naming the member: hashes that are none, one commit with two trees, a base that there was not by the
// evidence, sides in another order than the seed draws.
[[nodiscard]] Status check_claims(const wire::Bundle& bundle);

// The manifest's policy, against what the run says; the default where the run never got as far as a manifest.
// Errc::corrupt: the manifest is not the one whose SHA-256 the run has, or does not have the run's policy.
[[nodiscard]] Result<Policy> policy_of(const wire::Bundle& bundle);

}  // namespace kernelgate::bundle
