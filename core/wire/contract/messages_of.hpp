// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every message that the table of endpoints names, problems and events, and every one that stands in such a message.

#include <vector>

#include "core/wire/schema.hpp"

namespace kernelgate::wire {

struct ListedMessage {
  const Schema* schema = nullptr;
  bool is_sent_to_us = false;  // part of a body: a reader's defaults count
  bool is_answered = false;    // part of an answer, which has every member
};
[[nodiscard]] std::vector<ListedMessage> all_messages();  // by name

}  // namespace kernelgate::wire
