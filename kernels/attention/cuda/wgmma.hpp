// SPDX-License-Identifier: Apache-2.0
#pragma once

// The wgmma variant of attention on a Hopper card: depths of 64, 128 and 256, any number of queries and keys.

#include <span>
#include <string>

#include "kernels/attention/cuda/variants.hpp"
#include "kernels/attention/cuda/wgmma_kernels.hpp"

namespace kernels::attention {

struct WgmmaPlan {
  bool dynamic = true;                    // blocks take the next tile when they are ready, not in turn
  std::size_t section_bytes = 16u << 20;  // of keys and values whose heads are computed at once; causal only
};

// Why the variant cannot take a problem, null where it can: the copy engine wants strides of a multiple of 16 bytes.
[[nodiscard]] const char* wgmma_refusal(const Problem& problem);

// The same for one form.
[[nodiscard]] const char* form_refusal(const Problem& problem, const WgmmaForm& form);

// The compiled forms, the same for both types, and a form's name: ROWSxCOLUMNS of its tile, behind packed/ or sparse/.
[[nodiscard]] std::span<const WgmmaForm> wgmma_forms(DataType type, Layout layout);
[[nodiscard]] std::string to_string(const WgmmaForm& form);

// Index in wgmma_forms() of the form to take unmeasured. Throws where there is none.
[[nodiscard]] std::size_t default_form(const Problem& problem, int multiprocessors);

// Throws std::runtime_error where the GPU or the program has no wgmma. Launches of one plan must follow each other.
[[nodiscard]] Launch prepare_wgmma_as(const Problem& problem, const WgmmaForm& form, const WgmmaPlan& plan = {});

}  // namespace kernels::attention
