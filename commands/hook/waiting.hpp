// SPDX-License-Identifier: Apache-2.0
#pragma once

// Follows a run to its end and shows it to a person. Shared by hooks and `kernelgate trigger`.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

#include "client/client.hpp"
#include "commands/hook/settings.hpp"
#include "core/units/result.hpp"

namespace kernelgate::hook {

// One line, "kernelgate: …"; further lines of `text` are indented. Flushed, since git buffers nothing for us.
void say(std::FILE* out, const std::string& text);

// Waits for the run, saying on `progress` whenever its state or progress changes.
[[nodiscard]] Result<wire::Run> follow(Client& client, std::int64_t run, std::chrono::seconds most,
                                       std::FILE* progress);

// Waits, prints the table and what it means for the push. False if the head was judged as failed; with `fail_closed`
// also where there is no verdict: not judged in time, infrastructure, cancelled.
[[nodiscard]] bool lets_through(Client& client, const wire::TriggerReply& asked, const Git& git,
                                const Settings& settings, bool fail_closed, std::FILE* out);

}  // namespace kernelgate::hook
