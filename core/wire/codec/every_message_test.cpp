// SPDX-License-Identifier: Apache-2.0

// What holds for every message that somebody sends us: a document is made from its schema, and changed in one place.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/wire/accounts.hpp"
#include "core/wire/approvals.hpp"
#include "core/wire/attempts.hpp"
#include "core/wire/baseline_file.hpp"
#include "core/wire/baselines.hpp"
#include "core/wire/bisections.hpp"
#include "core/wire/bundle.hpp"
#include "core/wire/calibrations.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/endpoints.hpp"
#include "core/wire/epochs.hpp"
#include "core/wire/profiles.hpp"
#include "core/wire/schema.hpp"
#include "core/wire/upkeep.hpp"

namespace kernelgate::wire {
namespace every_message_test {

using Json = nlohmann::json;

struct Coded {
  const Schema* schema;
  std::function<Result<std::string>(const std::string&)> again;  // decoded and encoded
};

template <class... Messages>
std::vector<Coded> coded() {
  return {Coded{&schema<Messages>(), [](const std::string& text) -> Result<std::string> {
                  const Result<Messages> message = decode<Messages>(text);
                  if (!message) return pass_on(message);
                  return encode(*message);
                }}...};
}

// The bodies of all endpoints, and what stands in files.
std::vector<Coded> messages_sent() {
  return coded<AcceptRequest, AttemptChange, AttemptNote, BackfillRequest, BaselineFileHead, BaselineLine,
               BisectionRequest, BundleHead, BundleRun, CalibrationUpload, ClaimRequest, EpochUpload, Finish, Heartbeat,
               LogUpload, LoginRequest, ProcessUpload, ProfileEnd, ProfileRequest, Promotion, PruneRequest,
               QuarantineRequest, RefuseRequest, Release, ReleaseRequest, RemeasureRequest, RepositoryRequest, Resolved,
               RevokeAcceptanceRequest, RevokeRequest, RunDecision, RunEvidence, Trigger, WebhookSecret>();
}

void each(const std::function<void(const Coded&)>& check) {
  for (const Coded& coded : messages_sent()) {
    SCOPED_TRACE(coded.schema->name);
    check(coded);
  }
}

Json document_of(const Schema& schema);

Json item_of(const Shape& shape) {
  const bool is_single = shape.lists == 0 && !shape.is_map;
  const std::int64_t least = is_single ? shape.least.value_or(0) : 0;
  switch (shape.kind) {
    case ShapeKind::boolean: return true;
    case ShapeKind::integer: return least;
    case ShapeKind::number: return 1.5;
    case ShapeKind::text: return std::string(static_cast<std::size_t>(std::max<std::int64_t>(least, 1)), 'x');
    case ShapeKind::instant: return "2026-11-21T10:41:06.123Z";
    case ShapeKind::word: return std::string(shape.words.at(0));
    case ShapeKind::message: return document_of(shape.message());
  }
  return {};
}

Json value_of(const Shape& shape) {
  Json out = item_of(shape);
  for (int i = 0; i < shape.lists; ++i)
    out = Json::array_t(static_cast<std::size_t>(std::max<std::int64_t>(shape.least.value_or(1), 1)), out);
  if (shape.is_map) out = {{"key", out}};
  return out;
}

Json document_of(const Schema& schema) {
  Json out = Json::object();
  for (const Field& field : schema.fields) out[std::string(field.name)] = value_of(field.shape);
  return out;
}

using Visit = std::function<void(const std::string& object, const Field& field)>;

// Every member of the document, with the pointer of the object that it stands in.
void visit(const Schema& schema, const std::string& object, const Visit& take) {
  for (const Field& field : schema.fields) {
    take(object, field);
    std::string inner = object + "/" + std::string(field.name);
    if (field.shape.is_map) inner += "/key";
    for (int i = 0; i < field.shape.lists; ++i) inner += "/0";
    if (field.shape.message) visit(field.shape.message(), inner, take);
  }
}

Result<std::string> with(const Coded& coded, const Json& document, const std::string& pointer, const Json& value) {
  Json changed = document;
  changed[Json::json_pointer(pointer)] = value;
  return coded.again(changed.dump());
}

std::vector<Json> wrong_items(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::boolean: return {0, "true", Json::array()};
    case ShapeKind::integer: return {1.5, "1", true, 1e300};
    case ShapeKind::number: return {"1.5", false, Json::array()};
    case ShapeKind::text: return {1, true, Json::object()};
    case ShapeKind::instant: return {5, "yesterday", "2026-11-21T10:41:06.5Z"};
    case ShapeKind::word: return {5, "no such word", "BASE"};
    case ShapeKind::message: return {5, "text", Json::array()};
  }
  return {};
}

void expect_refused(const Coded& coded, const Json& document, const std::string& pointer, const Json& value) {
  const auto result = with(coded, document, pointer, value);
  ASSERT_FALSE(result) << coded.schema->name << pointer << " took " << value.dump().substr(0, 60);
  EXPECT_EQ(result.error().code, Errc::invalid);
  EXPECT_EQ(result.error().where.rfind(pointer, 0), 0U) << result.error().where << " is named for " << pointer;
}

TEST(EveryMessage, IsTheSameAfterAnotherTrip) {
  each([](const Coded& coded) {
    const Json document = document_of(*coded.schema);
    const auto once = coded.again(document.dump());
    ASSERT_TRUE(once) << to_string(once.error());
    EXPECT_EQ(Json::parse(*once), document);
    EXPECT_EQ(coded.again(*once).value(), *once);
  });
}

TEST(EveryMessage, RefusesAValueOfAnotherType) {
  each([](const Coded& coded) {
    const Json document = document_of(*coded.schema);
    visit(*coded.schema, "", [&](const std::string& object, const Field& field) {
      const Shape& shape = field.shape;
      std::string at = object + "/" + std::string(field.name);
      if (!shape.is_nullable) expect_refused(coded, document, at, nullptr);
      if (shape.is_map) {
        for (const Json& wrong : {Json::array(), Json("text"), Json(5)}) expect_refused(coded, document, at, wrong);
        at += "/key";
      }
      for (int i = 0; i < shape.lists; ++i) {
        for (const Json& wrong : {Json::object(), Json("text"), Json(5)}) expect_refused(coded, document, at, wrong);
        at += "/0";
      }
      for (const Json& wrong : wrong_items(shape.kind)) expect_refused(coded, document, at, wrong);
      if (shape.lists > 0 && !shape.has_null_items) expect_refused(coded, document, at, nullptr);
    });
  });
}

TEST(EveryMessage, TakesNoValueWhereItSaysSo) {
  each([](const Coded& coded) {
    const Json document = document_of(*coded.schema);
    visit(*coded.schema, "", [&](const std::string& object, const Field& field) {
      const std::string at = object + "/" + std::string(field.name);
      EXPECT_TRUE(!field.shape.is_nullable || with(coded, document, at, nullptr)) << at;
      EXPECT_TRUE(!field.shape.is_blank || with(coded, document, at, "")) << at;
    });
  });
}

TEST(EveryMessage, NamesTheMemberThatIsMissing) {
  each([](const Coded& coded) {
    const Json document = document_of(*coded.schema);
    visit(*coded.schema, "", [&](const std::string& object, const Field& field) {
      Json changed = document;
      changed[Json::json_pointer(object)].erase(std::string(field.name));
      const auto result = coded.again(changed.dump());
      if (field.is_required) {
        ASSERT_FALSE(result) << coded.schema->name << object << " without " << field.name;
        EXPECT_EQ(result.error().where, object);
        EXPECT_EQ(result.error().what, "member '" + std::string(field.name) + "' is missing");
      } else if (!result) {  // its default is outside its limits
        EXPECT_EQ(result.error().where, object + "/" + std::string(field.name)) << result.error().what;
      }
    });
  });
}

TEST(EveryMessage, IgnoresWhatALaterVersionAdds) {
  each([](const Coded& coded) {
    const Json document = document_of(*coded.schema);
    const std::string plain = coded.again(document.dump()).value();
    visit(*coded.schema, "", [&](const std::string& object, const Field&) {
      const auto result = with(coded, document, object + "/of_a_later_version", {{"x", {1, 2}}});
      ASSERT_TRUE(result) << object << ": " << to_string(result.error());
      EXPECT_EQ(*result, plain);
    });
  });
}

// A number, or a text or list of that length.
Json of_size(const Shape& shape, std::int64_t size) {
  const auto length = static_cast<std::size_t>(std::max<std::int64_t>(size, 0));
  if (shape.lists > 0) return Json::array_t(length, item_of(shape));
  if (shape.is_map) {
    Json out = Json::object();
    for (std::size_t i = 0; i < length; ++i) out[std::to_string(i)] = item_of(shape);
    return out;
  }
  if (shape.kind == ShapeKind::text) return std::string(length, 'x');
  return size;
}

TEST(EveryMessage, KeepsItsLimitsToTheEdge) {
  each([](const Coded& coded) {
    const Json document = document_of(*coded.schema);
    visit(*coded.schema, "", [&](const std::string& object, const Field& field) {
      const Shape& shape = field.shape;
      if (!shape.most) return;
      const std::string at = object + "/" + std::string(field.name);
      for (const std::int64_t inside : {*shape.least, *shape.most}) {
        const auto result = with(coded, document, at, of_size(shape, inside));
        EXPECT_TRUE(result || result.error().where != at) << coded.schema->name << at << " with " << inside;
      }
      const bool counts = shape.kind == ShapeKind::integer && shape.lists == 0;
      for (const std::int64_t outside : {*shape.least - 1, *shape.most}) {
        if (outside == *shape.most && outside == std::numeric_limits<std::int64_t>::max()) continue;
        const std::int64_t size = outside == *shape.most ? outside + 1 : outside;
        if (size < 0 && !counts) continue;
        const auto result = with(coded, document, at, of_size(shape, size));
        ASSERT_FALSE(result) << coded.schema->name << at << " with " << size;
        EXPECT_EQ(result.error().where, at);
        EXPECT_NE(result.error().what.find("allowed are"), std::string::npos) << result.error().what;
      }
    });
  });
}

TEST(EveryMessage, OfAnEndpointsBodyIsAmongThem) {
  const std::vector<Coded> sent = messages_sent();
  for (const EndpointRow& row : endpoints()) {
    if (!row.body.schema) continue;
    const Schema& body = row.body.schema();
    EXPECT_TRUE(std::any_of(sent.begin(), sent.end(), [&](const Coded& each) { return each.schema == &body; }))
        << body.name << " of " << row.path;
  }
}

}  // namespace every_message_test
}  // namespace kernelgate::wire
