// SPDX-License-Identifier: Apache-2.0
#include "core/wire/contract/messages_of.hpp"

#include <map>

#include "core/wire/endpoints.hpp"
#include "core/wire/messages.hpp"
#include "core/wire/run_parts.hpp"

namespace kernelgate::wire {
namespace {

using Found = std::map<std::string_view, ListedMessage>;

void visit(Found& found, const Schema& schema, bool ListedMessage::*use) {
  ListedMessage& here = found[schema.name];
  if (here.*use) return;
  here.schema = &schema;
  here.*use = true;
  for (const Field& field : schema.fields)
    if (field.shape.message) visit(found, field.shape.message(), use);
}

}  // namespace

std::vector<ListedMessage> all_messages() {
  Found found;
  visit(found, schema<Problem>(), &ListedMessage::is_answered);
  visit(found, schema<RunEvent>(), &ListedMessage::is_answered);
  for (const EndpointRow& row : endpoints()) {
    if (row.answer.schema) visit(found, row.answer.schema(), &ListedMessage::is_answered);
    if (row.body.schema) visit(found, row.body.schema(), &ListedMessage::is_sent_to_us);
  }
  std::vector<ListedMessage> out;
  for (const auto& [name, message] : found) out.push_back(message);
  return out;
}

}  // namespace kernelgate::wire
