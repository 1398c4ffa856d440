// SPDX-License-Identifier: Apache-2.0
#include "tests/support/contract.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "server/api/endpoints.hpp"
#include "server/http/target.hpp"

namespace kernelgate::api {
namespace {

struct Line {
  std::size_t depth = 0;  // in levels of two spaces
  std::string key, value;
};

std::string unquoted(std::string text) {
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'')) text = text.substr(1, text.size() - 2);
  return text;
}

std::vector<Line> read_lines() {
  std::ifstream in(KERNELGATE_OPENAPI);
  if (!in) throw std::runtime_error("cannot read " KERNELGATE_OPENAPI);
  std::vector<Line> out;
  for (std::string text; std::getline(in, text);) {
    const auto start = text.find_first_not_of(' ');
    if (start == std::string::npos || text[start] == '#' || text[start] == '-') continue;
    auto colon = text.find(": ", start);
    if (colon == std::string::npos) colon = text.size() - 1;
    Line line{start / 2, unquoted(text.substr(start, colon - start)), {}};
    if (colon + 2 < text.size()) line.value = unquoted(text.substr(colon + 2));
    out.push_back(std::move(line));
  }
  return out;
}

std::string last_part(const std::string& reference) { return reference.substr(reference.rfind('/') + 1); }

std::set<std::string> names_in(const std::string& list) {
  std::set<std::string> out;
  std::string name;
  for (const char c : list) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      name += c;
    } else if (!name.empty()) {
      out.insert(std::exchange(name, {}));
    }
  }
  return out;
}

// "GET /api/v1/runs"
std::string operation_of(const std::vector<std::string>& at) {
  std::string method = at[2];
  for (char& c : method) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return method + " " + at[1];
}

// Keeps the keys on the way from the root to the present line.
Contract parse() {
  Contract out;
  std::vector<std::string> at;
  for (const Line& line : read_lines()) {
    at.resize(line.depth);
    at.push_back(line.key);
    if (at[0] == "paths" && at.size() == 4 && line.key == "x-role") out.roles[operation_of(at)] = line.value;
    if (at[0] == "paths" && at.size() >= 5 && at[3] == "responses") {
      ContractResponse& response = out.operations[operation_of(at)][std::stoi(at[4])];
      if (line.key == "$ref" && at.size() == 6) {
        response = {{"application/problem+json", "Problem"}};
      } else if (at.size() == 7 && at[5] == "content") {
        response[line.key] = "";
      } else if (line.key == "$ref" && at.size() > 7) {
        response[at[6]] = last_part(line.value);
      }
    }
    if (at[0] == "components" && at.size() >= 4 && at[1] == "schemas") {
      ContractSchema& schema = out.schemas[at[2]];
      if (at.size() == 4 && line.key == "required") schema.required = names_in(line.value);
      if (at.size() == 5 && at[3] == "properties") schema.members.insert(line.key);
    }
  }
  return out;
}

std::string check_members(const ContractSchema& schema, const nlohmann::json& body) {
  if (!body.is_object()) return "the body is not an object";
  for (const std::string& name : schema.required)
    if (!body.contains(name)) return "member '" + name + "' is missing";
  for (const auto& [name, value] : body.items())
    if (!schema.members.count(name)) return "member '" + name + "' is not declared";
  return "";
}

}  // namespace

const Contract& contract() {
  static const Contract instance = parse();
  return instance;
}

std::string contract_breach(const std::string& method, const std::string& target, int status,
                            const std::string& content_type, const nlohmann::json& body) {
  const auto parsed = http::parse_target(target);
  if (!parsed) return status == 400 ? "" : "a malformed target was answered";
  const auto verb = method == "POST"     ? http::Method::post
                    : method == "PUT"    ? http::Method::put
                    : method == "PATCH"  ? http::Method::patch
                    : method == "DELETE" ? http::Method::delete_
                    : method == "HEAD"   ? http::Method::head
                    : method == "GET"    ? http::Method::get
                                         : http::Method::other;
  const http::Match found = http::match(routes(), verb, *parsed);
  if (!found.route) return status == 404 || status == 405 ? "" : "an unknown path was answered";
  const http::Route& route = routes()[*found.route];
  const std::string name = std::string(to_string(route.method)) + " " + std::string(route.pattern);
  const auto operation = contract().operations.find(name);
  if (operation == contract().operations.end()) return name + " is not declared";
  const auto response = operation->second.find(status);
  if (response == operation->second.end()) return "status " + std::to_string(status) + " is not declared";
  const ContractResponse& declared = response->second;
  const auto content = std::find_if(declared.begin(), declared.end(), [&](const auto& one) {
    return one.first == "*/*" || content_type.compare(0, one.first.size(), one.first) == 0;
  });
  if (content == declared.end()) return declared.empty() ? "" : "content type " + content_type + " is not declared";
  const auto schema = contract().schemas.find(content->second);
  if (schema == contract().schemas.end() || method == "HEAD") return "";
  return check_members(schema->second, body);
}

}  // namespace kernelgate::api
