// SPDX-License-Identifier: Apache-2.0
#pragma once

// A bundle as a file: its JSON in one zstd frame that knows its size and carries a checksum. Pure.

#include <string>
#include <string_view>

#include "core/units/result.hpp"
#include "core/wire/bundle.hpp"

namespace kernelgate::db {

// Errc::too_large over limits::kBundleMax, packed or not.
[[nodiscard]] Result<std::string> pack_bundle(const wire::Bundle& bundle);

// What was read was written by others: Errc::invalid: no bundle at all; corrupt: damaged or cut short; too_large: over
// limits::kBundleMax; unsupported: a form, or a rule, that this program does not know.
[[nodiscard]] Result<wire::Bundle> unpack_bundle(std::string_view file);

}  // namespace kernelgate::db
