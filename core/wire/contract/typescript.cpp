// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>

#include "core/wire/contract/contract.hpp"
#include "core/wire/contract/messages_of.hpp"

namespace kernelgate::wire {
namespace {

std::string_view base_type(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::boolean: return "boolean";
    case ShapeKind::integer:
    case ShapeKind::number: return "number";
    case ShapeKind::text:
    case ShapeKind::instant: return "string";
    case ShapeKind::word:
    case ShapeKind::message: break;
  }
  return shape.type;
}

std::string type_of(const Shape& shape) {
  std::string out(base_type(shape));
  if (shape.has_null_items) out = "(" + out + " | null)";
  for (int i = 0; i < shape.lists; ++i) out += "[]";
  if (shape.is_map) out = "Record<string, " + out + ">";
  if (shape.is_blank && shape.kind == ShapeKind::word) out += " | ''";
  if (shape.is_nullable) out += " | null";
  return out;
}

std::string comment(std::string_view text, std::string_view indent) {
  return text.empty() ? std::string() : fmt::format("{}// {}\n", indent, text);
}

// Prettier's form: on one line where it fits.
std::string enum_type(std::string_view name, const std::vector<std::string_view>& words) {
  const std::string line = fmt::format("export type {} = '{}';\n", name, fmt::join(words, "' | '"));
  if (line.size() <= 121) return line;
  return fmt::format("export type {} =\n  | '{}';\n", name, fmt::join(words, "'\n  | '"));
}

std::string interface_of(const ListedMessage& message) {
  std::string out = comment(message.schema->about, "") + fmt::format("export interface {} {{\n", message.schema->name);
  for (const Field& field : message.schema->fields) {
    out += comment(field.about, "  ");
    out += fmt::format("  {}{}: {};\n", field.name, field.is_required || message.is_answered ? "" : "?",
                       type_of(field.shape));
  }
  return out + "}\n";
}

}  // namespace

std::string typescript_page() {
  std::string out =
      "// SPDX-License-Identifier: Apache-2.0\n"
      "// The API's messages. Printed from core/wire by tools/generate; see docs/API.md.\n";
  const std::vector<ListedMessage> messages = all_messages();
  std::map<std::string_view, std::vector<std::string_view>> enums;
  for (const ListedMessage& message : messages)
    for (const Field& field : message.schema->fields)
      if (field.shape.kind == ShapeKind::word) enums[field.shape.type] = field.shape.words;
  out += "\n";
  for (const auto& [name, words] : enums) out += enum_type(name, words);
  for (const ListedMessage& message : messages) out += "\n" + interface_of(message);
  return out;
}

}  // namespace kernelgate::wire
