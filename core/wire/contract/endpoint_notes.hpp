// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the table of endpoints (core/wire/endpoints.hpp) leaves to people: parameters of the query, the answers'
// statuses, and sentences. Read by the generated pages alone.

#include <string_view>
#include <utility>
#include <vector>

#include "core/wire/schema.hpp"

namespace kernelgate::wire {

struct Parameter {
  std::string_view name;
  ShapeKind kind = ShapeKind::text;
  bool is_required = false;
  std::string_view about;
};

struct EndpointNotes {
  std::string_view about{};
  std::vector<Parameter> query{};
  std::string_view repeated{};                            // what a second identical call does; empty: nothing more
  std::vector<std::pair<int, std::string_view>> answers;  // that are no problem, the usual one first
  std::string_view also{};                                // a second content type of the answer
  std::vector<int> problems{};                            // besides those that role, path and body imply
};

[[nodiscard]] const EndpointNotes& notes_of(std::string_view endpoint);

}  // namespace kernelgate::wire
