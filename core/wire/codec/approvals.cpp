// SPDX-License-Identifier: Apache-2.0
#include "core/wire/approvals.hpp"
#include "core/units/limits.hpp"
#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {

template <class V, Describes<RefuseRequest> M>
void fields(V& v, M& m) {
  v.must("reason", m.reason, "shown with the run; not empty");
  v.range("reason", static_cast<std::int64_t>(m.reason.size()), 1, limits::kReasonMax);
}

KG_WIRE_CODEC(RefuseRequest);

}  // namespace kernelgate::wire
