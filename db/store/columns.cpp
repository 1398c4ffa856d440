// SPDX-License-Identifier: Apache-2.0
#include "db/store/columns.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <nlohmann/json.hpp>

namespace kernelgate::db {
namespace {

using Json = nlohmann::json;
static_assert(std::endian::native == std::endian::little, "samples are packed little-endian");
static_assert(std::numeric_limits<double>::is_iec559);

// Bytes that are no UTF-8 are replaced, never refused: losing a run for a strange name would be
// worse.
std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// Counters may be anything a suite computes; JSON has no word for the infinities.
Json counter_json(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : (value > 0 ? "inf" : "-inf");
}
double counter_value(const Json& json) {
  if (json.is_number()) return json.get<double>();
  const auto text = json.get<std::string>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  return text == "inf" ? infinity : -infinity;
}

template <class Read>
auto decoded(std::string_view text, Read read) {
  try {
    return read(Json::parse(text));
  } catch (const Json::exception& error) {
    throw_corrupt(error.what());
  }
}

}  // namespace

void throw_corrupt(std::string_view what) {
  throw DbError(Error{Errc::corrupt, "the store: " + std::string(what), {}, "restore the last backup"});
}

std::span<const std::byte> pack(std::span<const double> samples) { return std::as_bytes(samples); }

std::vector<double> unpack(std::span<const std::byte> blob) {
  if (blob.size() % sizeof(double) != 0) throw_corrupt("a series is cut short");
  std::vector<double> samples(blob.size() / sizeof(double));
  if (!samples.empty()) std::memcpy(samples.data(), blob.data(), blob.size());
  return samples;
}

std::string encode_strings(const std::vector<std::string>& strings) { return dump(Json(strings)); }
std::vector<std::string> decode_strings(std::string_view json) {
  return decoded(json, [](const Json& array) { return array.get<std::vector<std::string>>(); });
}

std::string encode_counters(const std::map<std::string, double>& counters) {
  if (counters.empty()) return "{}";  // of most series: one is stored for each benchmark of each process
  Json object = Json::object();
  for (const auto& [name, value] : counters) object[name] = counter_json(value);
  return dump(object);
}
std::map<std::string, double> decode_counters(std::string_view json) {
  return decoded(json, [](const Json& object) {
    std::map<std::string, double> counters;
    for (const auto& [name, value] : object.items()) counters[name] = counter_value(value);
    return counters;
  });
}

double real_or_nan(const Statement& row, int column) {
  return row.maybe_real(column).value_or(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace kernelgate::db
