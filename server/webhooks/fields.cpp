// SPDX-License-Identifier: Apache-2.0
#include "server/webhooks/fields.hpp"

#include <nlohmann/json.hpp>

#include <ctime>

#include "core/units/git_hash.hpp"

namespace kernelgate::webhooks {

using Json = nlohmann::json;

// Its implicit move is that of Json, which is noexcept. NOLINTNEXTLINE(bugprone-exception-escape)
struct Fields::Document {
  Json json;
  [[nodiscard]] const Json* find(const std::string& pointer) const {
    const Json::json_pointer at(pointer);
    return json.contains(at) && !json[at].is_null() ? &json[at] : nullptr;
  }
};

Fields::Fields(std::unique_ptr<Document> document) : document_(std::move(document)) {}
Fields::~Fields() = default;
Fields::Fields(Fields&&) noexcept = default;
Fields& Fields::operator=(Fields&&) noexcept = default;

Result<Fields> Fields::parse(std::string_view body) {
  auto document = std::make_unique<Document>();
  document->json = Json::parse(body, nullptr, false);
  if (!document->json.is_object())
    return fail(Errc::invalid, "the payload is not a JSON object", "body",
                "choose the content type application/json in the webhook's settings");
  return Fields(std::move(document));
}

bool Fields::has(const std::string& pointer) const { return document_->find(pointer) != nullptr; }

std::string Fields::text(const std::string& pointer) const {
  const Json* value = document_->find(pointer);
  return value && value->is_string() ? value->get<std::string>() : std::string();
}

std::string Fields::must_text(const std::string& pointer) const {
  std::string out = text(pointer);
  if (out.empty()) throw MissingMember{pointer, "the payload lacks a text"};
  return out;
}

std::string Fields::must_commit(const std::string& pointer) const {
  std::string out = must_text(pointer);
  if (!is_git_hash(out)) throw MissingMember{pointer, "not a full commit hash"};
  return out;
}

std::int64_t Fields::must_number(const std::string& pointer) const {
  const Json* value = document_->find(pointer);
  if (!value || !value->is_number_integer() || value->get<std::int64_t>() < 1)
    throw MissingMember{pointer, "the payload lacks a number above 0"};
  return value->get<std::int64_t>();
}

bool Fields::truth(const std::string& pointer) const {
  const Json* value = document_->find(pointer);
  return value && value->is_boolean() && value->get<bool>();
}

std::optional<Instant> Fields::instant(const std::string& pointer) const {
  const Json* value = document_->find(pointer);
  if (!value) return std::nullopt;
  if (value->is_number_integer()) {
    constexpr std::int64_t kYear10000 = 253402300800;
    const auto seconds = value->get<std::int64_t>();
    if (seconds < 0 || seconds >= kYear10000) return std::nullopt;
    return Instant{std::chrono::seconds(seconds)};
  }
  if (!value->is_string()) return std::nullopt;
  std::tm parts{};
  const char* end = strptime(value->get_ref<const std::string&>().c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return Instant{std::chrono::seconds(timegm(&parts))};
}

std::vector<std::string> Fields::texts(const std::string& list, const std::string& member) const {
  std::vector<std::string> out;
  const Json* values = document_->find(list);
  if (!values || !values->is_array()) return out;
  for (const Json& value : *values)
    if (value.is_object() && value.contains(member) && value[member].is_string())
      out.push_back(value[member].get<std::string>());
  return out;
}

}  // namespace kernelgate::webhooks
