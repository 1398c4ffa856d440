// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the last stopped run of a repository had measured, in a file beside the local store. Private to commands/run.

#include <filesystem>
#include <string>
#include <vector>

#include "core/units/result.hpp"
#include "runner/job/job.hpp"

namespace kernelgate::local {

// Nothing where there is no file, or one that cannot be read: then all is measured.
[[nodiscard]] KeptSamples load_stopped(const std::filesystem::path& file);
[[nodiscard]] Status save_stopped(const std::filesystem::path& file, const KeptSamples& samples);

}  // namespace kernelgate::local
