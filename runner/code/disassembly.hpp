// SPDX-License-Identifier: Apache-2.0
#pragma once

// What `cuobjdump --dump-resource-usage` and `--dump-sass` print, as one KernelCode for each kernel and architecture.
// Pure; the text is of a foreign program, so it may be anything.

#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/evidence.hpp"
#include "core/units/result.hpp"

namespace kernelgate {

// The hash of a kernel's SASS takes each instruction with its encoding, scheduling bits included; it leaves out
// offsets, header flags and blank lines. Names are demangled; one that the compiler made unique by a hash of the file
// loses it. Errc::too_large beyond kKernelsMax kernels. Text of no device code gives an empty list.
[[nodiscard]] Result<std::vector<KernelCode>> parse_device_code(std::string_view resource_usage, std::string_view sass);

// The class under which an instruction is counted: "LDG.128" of "LDG.E.128.CONSTANT", "HGMMA" of
// "HGMMA.64x128x16.F32.BF16". Empty: not counted by itself.
[[nodiscard]] std::string instruction_class(std::string_view opcode);

[[nodiscard]] std::string demangle(const std::string& name);

}  // namespace kernelgate
