// SPDX-License-Identifier: Apache-2.0
#include "server/api/bodies.hpp"

#include <nlohmann/json.hpp>

#include "core/wire/json_fields.hpp"

namespace kernelgate::api {
namespace {

constexpr std::size_t kNameMax = 100;
constexpr std::size_t kReasonMax = 1000;

Result<std::string> text_of(const nlohmann::json& object, const char* name, std::size_t most) {
  const auto at = object.find(name);
  const std::string where = std::string("/") + name;
  if (at == object.end() || !at->is_string()) return fail(Errc::invalid, "not a text", where);
  auto text = at->get<std::string>();
  if (text.empty() || text.size() > most)
    return fail(Errc::invalid, "not 1 to " + std::to_string(most) + " bytes", where);
  return text;
}

}  // namespace

Result<PromotionBody> decode_promotion(std::string_view text) {
  const auto json = wire::parse_document(text);
  if (!json) return pass_on(json);
  if (!json->is_object()) return fail(Errc::invalid, "not a JSON object", "/");
  auto repository = text_of(*json, "repository", kNameMax);
  if (!repository) return pass_on(repository);
  auto name = text_of(*json, "name", kNameMax);
  if (!name) return pass_on(name);
  auto reason = text_of(*json, "reason", kReasonMax);
  if (!reason) return pass_on(reason);
  const auto run = json->find("run");
  if (run == json->end() || !run->is_number_integer())
    return fail(Errc::invalid, "not a whole number", "/run");
  return PromotionBody{.repository = std::move(*repository),
                       .run = run->get<std::int64_t>(),
                       .name = std::move(*name),
                       .reason = std::move(*reason)};
}

}  // namespace kernelgate::api
