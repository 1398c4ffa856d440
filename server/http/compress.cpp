// SPDX-License-Identifier: Apache-2.0
#include "server/http/compress.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <new>
#include <stdexcept>

#include "core/units/limits.hpp"

namespace kernelgate::http {
namespace {

// Level 1 of both, measured by kg_compress_bench: higher ones take several times as long and save a tenth.
constexpr int kGzipLevel = 1;
constexpr int kZstdLevel = 1;
constexpr int kGzipWrapper = 16;  // what zlib adds to the window's bits for a gzip header

constexpr std::array<std::string_view, 6> kTexts = {"application/json", "application/problem+json", "text/html",
                                                    "text/css",         "text/javascript",          "image/svg+xml"};

bool is_text(std::string_view type) {
  type = type.substr(0, type.find(';'));
  return type.substr(0, 5) == "text/" || std::find(kTexts.begin(), kTexts.end(), type) != kTexts.end();
}

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// "gzip;q=0.5" in thousandths; a weight that cannot be read counts as 0.
int weight_of(std::string_view parameters) {
  const auto at = parameters.find('=');
  if (at == std::string_view::npos) return 1000;
  const std::string_view text = trimmed(parameters.substr(at + 1));
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size() || !(value >= 0 && value <= 1)) return 0;
  return static_cast<int>(value * 1000);
}

// What the header says of a coding; of one that it does not name, what it says of all others.
int weight_of(std::string_view accept_encoding, Coding coding) {
  int others = 0;
  while (!accept_encoding.empty()) {
    const auto comma = std::min(accept_encoding.find(','), accept_encoding.size());
    const std::string_view one = accept_encoding.substr(0, comma);
    accept_encoding.remove_prefix(std::min(comma + 1, accept_encoding.size()));
    const auto semicolon = std::min(one.find(';'), one.size());
    const std::string_view name = trimmed(one.substr(0, semicolon));
    const int weight = weight_of(one.substr(semicolon));
    if (same_word(name, to_string(coding))) return weight;
    if (name == "*") others = weight;
  }
  return others;
}

std::string gzipped(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, kGzipLevel, Z_DEFLATED, MAX_WBITS + kGzipWrapper, MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw std::bad_alloc();
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // zlib only reads it
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int ended = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (ended != Z_STREAM_END) throw std::runtime_error("zlib ended early");
  return out;
}

std::string as_zstd(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress(out.data(), out.size(), text.data(), text.size(), kZstdLevel);
  if (ZSTD_isError(size)) throw std::runtime_error(std::string("zstd: ") + ZSTD_getErrorName(size));
  out.resize(size);
  return out;
}

std::string* header_of(Response& response, std::string_view name) {
  for (auto& [key, value] : response.headers)
    if (same_word(key, name)) return &value;
  return nullptr;
}

}  // namespace

std::string_view to_string(Coding coding) {
  return coding == Coding::gzip ? "gzip" : coding == Coding::zstd ? "zstd" : "identity";
}

bool takes(std::string_view accept_encoding, Coding coding) { return weight_of(accept_encoding, coding) > 0; }

Coding coding_for(std::string_view accept_encoding) {
  const int gzip = weight_of(accept_encoding, Coding::gzip);
  const int zstd = weight_of(accept_encoding, Coding::zstd);
  if (gzip == 0 && zstd == 0) return Coding::identity;
  return zstd >= gzip ? Coding::zstd : Coding::gzip;
}

std::string compressed(std::string_view text, Coding coding) {
  if (coding == Coding::gzip) return gzipped(text);
  return coding == Coding::zstd ? as_zstd(text) : std::string(text);
}

void compress(Response& response, std::string_view accept_encoding) {
  if ((response.status != 200 && response.status != 304) || !is_text(response.content_type)) return;
  response.headers.emplace_back("Vary", "Accept-Encoding");
  if (!header_of(response, "Content-Encoding")) {
    const Coding coding = coding_for(accept_encoding);
    const std::size_t size = response.body.size();
    if (coding == Coding::identity || size < kCompressFrom || size > limits::kCompressMax) return;
    response.body = compressed(response.body, coding);
    response.headers.emplace_back("Content-Encoding", to_string(coding));
  }
  if (std::string* etag = header_of(response, "ETag"); etag && etag->substr(0, 2) != "W/") etag->insert(0, "W/");
}

}  // namespace kernelgate::http
