// SPDX-License-Identifier: Apache-2.0
#pragma once

// The seccomp filter of a sandboxed program: system calls that no build, check or suite needs and that have opened
// kernels before (namespaces, mounts, modules, keys, BPF, io_uring) fail with EPERM or ENOSYS. Private to
// runner/sandbox.

#include "core/units/result.hpp"
#include "platform/files/descriptor.hpp"

namespace kernelgate {

// The filter as bubblewrap's --seccomp reads it, in a file in memory at its start. A descriptor serves one reader.
[[nodiscard]] Result<Descriptor> system_call_filter();

}  // namespace kernelgate
