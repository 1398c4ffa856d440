// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>

#include "core/wire/contract/contract.hpp"
#include "core/wire/contract/endpoint_notes.hpp"
#include "core/wire/contract/messages_of.hpp"
#include "core/wire/endpoints.hpp"

namespace kernelgate::wire {
namespace {

std::string name_of(const Content& content) {
  if (content.type.empty()) return "";
  if (!content.schema) return fmt::format("`{}`", content.type);
  const std::string_view name = content.schema().name;
  std::string anchor;
  for (const char c : name) anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return fmt::format("[{}](#{})", name, anchor);
}

std::string query_of(const EndpointNotes& notes) {
  std::string out;
  for (const Parameter& one : notes.query) out += fmt::format("{}{}=", out.empty() ? '?' : '&', one.name);
  return out;
}

std::string endpoint_table() {
  std::string out = "| method and path | role | body | answer | | repeated |\n|---|---|---|---|---|---|\n";
  for (const PagePath& page : kPages)
    out += fmt::format("| `GET {}` | open | | `text/html` | {} | |\n", page.path, page.summary);
  for (const EndpointRow& row : endpoints())
    out += fmt::format("| `{} {}{}` | {} | {} | {} | {} | {} |\n", to_string(row.method), row.path,
                       query_of(notes_of(row.name)), to_string(row.access), name_of(row.body), name_of(row.answer),
                       row.summary, notes_of(row.name).repeated);
  return out;
}

std::string kind_name(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::boolean: return "true or false";
    case ShapeKind::integer: return "integer";
    case ShapeKind::number: return "number";
    case ShapeKind::text: return "text";
    case ShapeKind::instant: return "time";
    case ShapeKind::word: return fmt::format("`{}`", fmt::join(shape.words, "`, `"));
    case ShapeKind::message: break;
  }
  return name_of({.type = "application/json", .schema = shape.message});
}

std::string type_name_of(const Field& field) {
  const Shape& shape = field.shape;
  std::string out = kind_name(shape);
  if (shape.has_null_items) out += " or null";
  if (shape.lists > 0) out = (shape.lists == 1 ? "list of " : "list of lists of ") + out;
  if (shape.is_map) out = "object of " + out;
  if (shape.is_blank) out += " or \"\"";
  if (shape.is_nullable) out += " or null";
  if (shape.most) {
    const std::string unit = shape.lists > 0 ? " items" : shape.kind == ShapeKind::text ? " bytes" : "";
    out += fmt::format(", {} to {}{}", shape.least.value_or(0), *shape.most, unit);
  }
  return field.is_required ? out + ", must" : out;
}

std::string message_table(const Schema& schema) {
  std::string out = fmt::format("\n### {}\n\n", schema.name);
  if (!schema.about.empty()) out += fmt::format("{}.\n\n", schema.about);
  out += "| member | type | meaning |\n|---|---|---|\n";
  for (const Field& field : schema.fields)
    out += fmt::format("| `{}` | {} | {} |\n", field.name, type_name_of(field), field.about);
  return out;
}

}  // namespace

std::string api_page() {
  std::string out =
      "<!-- SPDX-License-Identifier: Apache-2.0. Printed from core/wire by tools/generate. -->\n"
      "# The HTTP API: endpoints and messages\n\n"
      "[WIRE.md](WIRE.md) says how they are used; [openapi.yaml](openapi.yaml) is the same for programs. A member "
      "marked\n"
      "**must** has to be there in a body; the others have a default. An answer has every member.\n\n"
      "## Endpoints\n\n";
  out += endpoint_table() + "\n## Messages\n";
  for (const ListedMessage& message : all_messages()) out += message_table(*message.schema);
  return out;
}

}  // namespace kernelgate::wire
