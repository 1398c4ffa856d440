// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads members of a payload by JSON pointer. Private to server/webhooks.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units/result.hpp"
#include "core/units/time.hpp"

namespace kernelgate::webhooks {

// Thrown by must_*, caught by parse_event.
struct MissingMember {
  std::string pointer;
  std::string what;
};

class Fields {
 public:
  [[nodiscard]] static Result<Fields> parse(std::string_view body);
  ~Fields();
  Fields(Fields&&) noexcept;
  Fields& operator=(Fields&&) noexcept;

  [[nodiscard]] bool has(const std::string& pointer) const;          // and is not null
  [[nodiscard]] std::string text(const std::string& pointer) const;  // empty where there is none
  [[nodiscard]] std::string must_text(const std::string& pointer) const;
  [[nodiscard]] std::string must_commit(const std::string& pointer) const;
  [[nodiscard]] std::int64_t must_number(const std::string& pointer) const;
  [[nodiscard]] bool truth(const std::string& pointer) const;  // false where there is none
  // Seconds since the epoch, or ISO 8601 in UTC without fractions.
  [[nodiscard]] std::optional<Instant> instant(const std::string& pointer) const;
  // `member` of each element of a list.
  [[nodiscard]] std::vector<std::string> texts(const std::string& list, const std::string& member) const;

 private:
  struct Document;
  explicit Fields(std::unique_ptr<Document> document);
  std::unique_ptr<Document> document_;
};

}  // namespace kernelgate::webhooks
