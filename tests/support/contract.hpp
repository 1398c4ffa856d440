// SPDX-License-Identifier: Apache-2.0
#pragma once

// docs/openapi.yaml as tests read it. The page keeps to plain block style (two spaces a level, one
// line per `required`), so that a few lines of code suffice; the project needs no YAML library.

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

namespace kernelgate::api {

// Content type to the name of its schema, a component; empty: not described. No content type: no body.
using ContractResponse = std::map<std::string, std::string>;
struct ContractSchema {
  std::set<std::string> required, members;
};
struct Contract {
  // "GET /api/v1/runs/{id}" -> status -> response
  std::map<std::string, std::map<int, ContractResponse>> operations;
  std::map<std::string, std::string> roles;  // of an operation: its x-role
  std::map<std::string, ContractSchema> schemas;
};

[[nodiscard]] const Contract& contract();  // read once

// "" where the answer is what the page declares, else what is wrong with it.
[[nodiscard]] std::string contract_breach(const std::string& method, const std::string& target, int status,
                                          const std::string& content_type, const nlohmann::json& body);

}  // namespace kernelgate::api
