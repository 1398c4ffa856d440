// SPDX-License-Identifier: Apache-2.0
// Accounts: logins and the audit log.
#include "core/wire/accounts.hpp"
#include "core/units/limits.hpp"
#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {
namespace {}  // namespace

template <class V, Describes<LoginRequest> M>
void fields(V& v, M& m) {
  v.must("token", m.token);
  v.range("token", static_cast<std::int64_t>(m.token.size()), 1, limits::kTokenMax);
}

template <class V, Describes<Caller> M>
void fields(V& v, M& m) {
  v.must("name", m.name);
  v.must("role", m.role);
  v.must("by", m.by);
  v.may("csrf_token", m.csrf_token);
  v.may("expires_at", m.expires_at);
}

template <class V, Describes<RevokeRequest> M>
void fields(V& v, M& m) {
  v.must("reason", m.reason);
  v.range("reason", static_cast<std::int64_t>(m.reason.size()), 1, limits::kReasonMax);
}

template <class V, Describes<LoggedAction> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.must("at", m.at);
  v.must("actor", m.actor);
  v.must("act", m.act);
  v.must("subject", m.subject);
  v.may("detail", m.detail);
}

template <class V, Describes<ActPage> M>
void fields(V& v, M& m) {
  v.must("acts", m.acts);
  v.may("next", m.next);
}

KG_WIRE_CODEC(LoginRequest);
KG_WIRE_CODEC(Caller);
KG_WIRE_CODEC(RevokeRequest);
KG_WIRE_CODEC(ActPage);

}  // namespace kernelgate::wire
