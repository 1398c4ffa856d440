// SPDX-License-Identifier: Apache-2.0
// Accounts: logins and the audit log.
#include "core/wire/accounts.hpp"
#include "core/units/limits.hpp"
#include "core/wire/json_fields.hpp"

namespace kernelgate::wire {

template <class V, Describes<LoginRequest> M>
void fields(V& v, M& m) {
  v.must("token", m.token);
  v.range("token", static_cast<std::int64_t>(m.token.size()), 1, limits::kTokenMax);
}

template <class V, Describes<Caller> M>
void fields(V& v, M& m) {
  v.must("name", m.name);
  v.must("role", m.role);
  v.must("by", m.by, "token, login, or public: reading that needs neither");
  v.may("csrf_token", m.csrf_token, "of a login: goes into X-CSRF-Token of every request that changes state");
  v.may("expires_at", m.expires_at, "of a login");
}

template <class V, Describes<Token> M>
void fields(V& v, M& m) {
  v.must("name", m.name);
  v.must("role", m.role);
  v.must("created_at", m.created_at);
  v.may("last_used_at", m.last_used_at);
  v.may("revoked_at", m.revoked_at);
}

template <class V, Describes<TokenPage> M>
void fields(V& v, M& m) {
  v.must("tokens", m.tokens);
  v.may("next", m.next);
}

template <class V, Describes<RevokeRequest> M>
void fields(V& v, M& m) {
  v.must("reason", m.reason, "goes into the audit log; not empty");
  v.range("reason", static_cast<std::int64_t>(m.reason.size()), 1, limits::kReasonMax);
}

template <class V, Describes<LoggedAction> M>
void fields(V& v, M& m) {
  v.must("id", m.id);
  v.must("at", m.at);
  v.must("actor", m.actor);
  v.must("action", m.action);
  v.must("subject", m.subject);
  v.may("detail", m.detail);
}

template <class V, Describes<ActionPage> M>
void fields(V& v, M& m) {
  v.must("actions", m.actions);
  v.may("next", m.next);
}

KG_WIRE_CODEC(LoginRequest);
KG_WIRE_CODEC(Caller);
KG_WIRE_CODEC(RevokeRequest);
KG_WIRE_CODEC(TokenPage);
KG_WIRE_CODEC(LoggedAction);
KG_WIRE_CODEC(ActionPage);

}  // namespace kernelgate::wire
