// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "core/wire/contract/contract.hpp"
#include "core/wire/contract/endpoint_notes.hpp"
#include "core/wire/contract/messages_of.hpp"
#include "core/wire/endpoints.hpp"

namespace kernelgate::wire {
namespace {

constexpr std::string_view kMark = "  # From here on printed by tools/generate.\n";

class Yaml {
 public:
  void line(int depth, std::string_view text) {
    fmt::format_to(std::back_inserter(text_), "{:{}}{}\n", "", 2 * depth, text);
  }
  void text(int depth, std::string_view key, std::string_view value) {
    std::string quoted;
    for (const char c : value) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    line(depth, fmt::format("{}: \"{}\"", key, quoted));
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string reference(std::string_view schema) { return fmt::format("$ref: \"#/components/schemas/{}\"", schema); }

void add_limits(Yaml& out, int depth, const Shape& shape, std::string_view least, std::string_view most) {
  if (shape.least.value_or(0) != 0) out.line(depth, fmt::format("{}: {}", least, *shape.least));
  if (shape.most) out.line(depth, fmt::format("{}: {}", most, *shape.most));
}

void add_value(Yaml& out, int depth, const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::boolean: out.line(depth, "type: boolean"); break;
    case ShapeKind::integer: out.line(depth, "type: integer"); break;
    case ShapeKind::number: out.line(depth, "type: number"); break;
    case ShapeKind::text: out.line(depth, "type: string"); break;
    case ShapeKind::instant:
      out.line(depth, "type: string");
      if (!shape.is_blank) out.line(depth, "format: date-time");
      break;
    case ShapeKind::word:
      out.line(depth, "type: string");
      out.line(depth, fmt::format("enum: [{}{}]", fmt::join(shape.words, ", "), shape.is_blank ? ", \"\"" : ""));
      break;
    case ShapeKind::message: out.line(depth, reference(shape.type)); break;
  }
}

void add_shape(Yaml& out, int depth, const Shape& shape) {
  if (shape.is_map) {
    out.line(depth, "type: object");
    out.line(depth, "additionalProperties:");
    return add_value(out, depth + 1, shape);
  }
  if (shape.lists > 0) {
    out.line(depth, "type: array");
    add_limits(out, depth, shape, "minItems", "maxItems");
    out.line(depth, "items:");
    for (int i = 1; i < shape.lists; ++i) {
      out.line(++depth, "type: array");
      out.line(depth, "items:");
    }
    if (shape.has_null_items) out.line(depth + 1, "nullable: true");
    return add_value(out, depth + 1, shape);
  }
  if (shape.is_nullable) out.line(depth, "nullable: true");
  if (shape.is_nullable && shape.message) {
    out.line(depth, "allOf:");
    return out.line(depth + 1, "- " + reference(shape.type));
  }
  add_value(out, depth, shape);
  const bool is_text = shape.kind == ShapeKind::text;
  add_limits(out, depth, shape, is_text ? "minLength" : "minimum", is_text ? "maxLength" : "maximum");
}

void add_message(Yaml& out, const ListedMessage& message) {
  out.line(2, fmt::format("{}:", message.schema->name));
  out.line(3, "type: object");
  if (!message.schema->about.empty()) out.text(3, "description", message.schema->about);
  std::vector<std::string_view> required;
  for (const Field& field : message.schema->fields)
    if (field.is_required || !message.is_sent_to_us) required.push_back(field.name);
  if (!required.empty()) out.line(3, fmt::format("required: [{}]", fmt::join(required, ", ")));
  out.line(3, "properties:");
  for (const Field& field : message.schema->fields) {
    out.line(4, fmt::format("{}:", field.name));
    add_shape(out, 5, field.shape);
    // Beside a reference nothing else counts.
    const bool is_reference =
        field.shape.message && !field.shape.is_nullable && field.shape.lists == 0 && !field.shape.is_map;
    if (!field.about.empty() && !is_reference) out.text(5, "description", field.about);
  }
}

void add_parameter(Yaml& out, std::string_view name, std::string_view in, bool is_required, std::string_view type,
                   std::string_view about) {
  out.line(4, fmt::format("- name: {}", name));
  out.line(5, fmt::format("in: {}", in));
  out.line(5, fmt::format("required: {}", is_required));
  if (!about.empty()) out.text(5, "description", about);
  out.line(5, "schema:");
  out.line(6, fmt::format("type: {}", type));
}

std::vector<std::string_view> names_in(std::string_view path) {
  std::vector<std::string_view> out;
  for (std::size_t at = path.find('{'); at != path.npos; at = path.find('{', at + 1))
    out.push_back(path.substr(at + 1, path.find('}', at) - at - 1));
  return out;
}

void add_parameters(Yaml& out, std::string_view path, const std::vector<Parameter>& query) {
  const auto names = names_in(path);
  if (names.empty() && query.empty()) return;
  out.line(3, "parameters:");
  for (const std::string_view name : names) add_parameter(out, name, "path", true, "string", "");
  for (const Parameter& one : query)
    add_parameter(out, one.name, "query", one.is_required, one.kind == ShapeKind::integer ? "integer" : "string",
                  one.about);
}

void add_content(Yaml& out, int depth, const Content& content, std::string_view also = {}) {
  if (content.type.empty()) return;
  out.line(depth, "content:");
  if (!also.empty()) {
    out.line(depth + 1, fmt::format("\"{}\":", also));
    out.line(depth + 2, "schema:");
    out.line(depth + 3, "type: string");
  }
  out.line(depth + 1, fmt::format("\"{}\":", content.type));
  out.line(depth + 2, "schema:");
  if (content.schema)
    out.line(depth + 3, reference(content.schema().name));
  else
    out.line(depth + 3, content.type == ForeignEvent::kType ? "type: object" : "type: string");
}

std::set<int> problems_of(const EndpointRow& row, const EndpointNotes& notes) {
  std::set<int> out(notes.problems.begin(), notes.problems.end());
  out.insert({500, 503});
  if (row.access != Access::open) out.insert({401, 403});
  if (!names_in(row.path).empty()) out.insert(404);
  if (!notes.query.empty() || !row.body.type.empty()) out.insert(400);
  if (!row.body.type.empty()) out.insert(413);
  return out;
}

void add_operation(Yaml& out, const EndpointRow& row, const EndpointNotes& notes) {
  std::string method(to_string(row.method));
  std::transform(method.begin(), method.end(), method.begin(), [](unsigned char c) { return std::tolower(c); });
  out.line(2, method + ":");
  if (!row.name.empty()) out.line(3, fmt::format("operationId: {}", row.name));
  out.text(3, "summary", row.summary);
  if (!notes.about.empty()) out.text(3, "description", notes.about);
  out.line(3, fmt::format("x-role: {}", to_string(row.access)));
  if (row.access == Access::open) out.line(3, "security: []");
  add_parameters(out, row.path, notes.query);
  if (!row.body.type.empty()) {
    out.line(3, "requestBody:");
    out.line(4, "required: true");
    add_content(out, 4, row.body);
  }
  out.line(3, "responses:");
  for (const auto& [status, about] : notes.answers) {
    out.line(4, fmt::format("\"{}\":", status));
    out.text(5, "description", about);
    if (status != 204 && status != 304) add_content(out, 5, row.answer, notes.also);
  }
  for (const int status : problems_of(row, notes)) {
    out.line(4, fmt::format("\"{}\":", status));
    out.line(5, "$ref: \"#/components/responses/Problem\"");
  }
}

EndpointRow row_of(const PagePath& page) {
  return {.name = {},
          .path = page.path,
          .access = Access::open,
          .body = {},
          .answer = {.type = "text/html"},
          .summary = page.summary};
}

void add_paths(Yaml& out) {
  out.line(0, "paths:");
  const EndpointNotes page_notes{
      .answers = {{200, "The page"}, {304, "The page that the browser has is the present one"}}, .problems = {404}};
  for (const PagePath& page : kPages) {
    out.line(1, fmt::format("{}:", page.path));
    EndpointRow row = row_of(page);
    add_operation(out, row, page_notes);
  }
  std::set<std::string_view> done;
  for (const EndpointRow& row : endpoints()) {
    if (!done.insert(row.path).second) continue;
    out.line(1, fmt::format("{}:", row.path));
    for (const EndpointRow& other : endpoints())
      if (other.path == row.path) add_operation(out, other, notes_of(other.name));
  }
}

}  // namespace

std::string openapi_page(std::string_view present) {
  Yaml out;
  out.line(1, "schemas:");
  for (const ListedMessage& message : all_messages()) add_message(out, message);
  add_paths(out);
  return std::string(present.substr(0, present.find(kMark))) + std::string(kMark) + out.take();
}

}  // namespace kernelgate::wire
