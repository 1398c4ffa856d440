// SPDX-License-Identifier: Apache-2.0
#include "server/http/compress.hpp"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

namespace kernelgate::http {
namespace compress_test {

std::string from_gzip(const std::string& bytes, std::size_t size) {
  std::string out(size, '\0');
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, MAX_WBITS + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  inflateEnd(&stream);
  return out;
}

std::string from_zstd(const std::string& bytes, std::size_t size) {
  std::string out(size, '\0');
  EXPECT_EQ(ZSTD_decompress(out.data(), out.size(), bytes.data(), bytes.size()), size);
  return out;
}

std::string header(const Response& response, const std::string& name) {
  for (const auto& [key, value] : response.headers)
    if (key == name) return value;
  return {};
}

std::string long_text() {
  std::string out;
  for (int i = 0; i < 500; ++i) out += "{\"median_ns\":" + std::to_string(i * 7919) + "},";
  return out;
}

Response answer_of(std::string body, std::string type = "application/json") {
  return {.status = 200, .content_type = std::move(type), .body = std::move(body), .headers = {{"ETag", "\"a\""}}};
}

TEST(Compress, TheAskersWeightsDecide) {
  struct Case {
    const char* accept;
    Coding want;
  };
  const Case cases[] = {
      {"", Coding::identity},
      {"identity", Coding::identity},
      {"br", Coding::identity},
      {"gzip", Coding::gzip},
      {"GZIP ; q=1", Coding::gzip},
      {"gzip, deflate, br, zstd", Coding::zstd},
      {"gzip;q=1, zstd;q=0.5", Coding::gzip},
      {"zstd;q=0, gzip;q=0.001", Coding::gzip},
      {"gzip;q=0", Coding::identity},
      {"*", Coding::zstd},
      {"*;q=0.1, zstd;q=0", Coding::gzip},
      {"*;q=0", Coding::identity},
      {"gzip;q=nan, zstd;q=2", Coding::identity},
      {"gzip;q=", Coding::identity},
      {",,;,=", Coding::identity},
      {"gzipped, zstandard", Coding::identity},
  };
  for (const Case& one : cases) EXPECT_EQ(coding_for(one.accept), one.want) << one.accept;
  EXPECT_TRUE(takes("gzip;q=0.1, zstd", Coding::gzip));
  EXPECT_FALSE(takes("gzip;q=0, *", Coding::gzip));
}

TEST(Compress, WhatIsUnpackedIsWhatWasWritten) {
  for (const std::string& text : {std::string(), std::string("x"), long_text(), std::string(3000000, 'a')}) {
    EXPECT_EQ(from_gzip(compressed(text, Coding::gzip), text.size()), text);
    EXPECT_EQ(from_zstd(compressed(text, Coding::zstd), text.size()), text);
    EXPECT_EQ(compressed(text, Coding::identity), text);
  }
}

TEST(Compress, LongTextsAreCompressedAndSaySo) {
  Response zstd = answer_of(long_text());
  compress(zstd, "gzip, zstd");
  EXPECT_EQ(header(zstd, "Content-Encoding"), "zstd");
  EXPECT_EQ(header(zstd, "Vary"), "Accept-Encoding");
  EXPECT_EQ(header(zstd, "ETag"), "W/\"a\"");
  EXPECT_EQ(from_zstd(zstd.body, long_text().size()), long_text());
  for (const char* type : {"text/html; charset=utf-8", "text/plain", "image/svg+xml"}) {
    Response gzip = answer_of(long_text(), type);
    compress(gzip, "gzip");
    EXPECT_EQ(from_gzip(gzip.body, long_text().size()), long_text()) << type;
  }
}

TEST(Compress, ShortAnswersVaryAndStayAsTheyAre) {
  Response brief = answer_of(std::string(kCompressFrom - 1, 'x'));
  compress(brief, "gzip");
  EXPECT_EQ(brief.body.size(), kCompressFrom - 1);
  EXPECT_EQ(header(brief, "Content-Encoding"), "");
  EXPECT_EQ(header(brief, "ETag"), "\"a\"");
  EXPECT_EQ(header(brief, "Vary"), "Accept-Encoding");
  Response unasked = answer_of(long_text());
  compress(unasked, "");
  EXPECT_EQ(unasked.body, long_text());
  EXPECT_EQ(header(unasked, "Vary"), "Accept-Encoding");
  Response known{.status = 304, .content_type = "text/html", .body = {}, .headers = {}};
  compress(known, "gzip");
  EXPECT_EQ(header(known, "Vary"), "Accept-Encoding");
}

TEST(Compress, WhatIsNoTextOrIsPackedAlreadyIsLeftAlone) {
  for (const char* type : {"application/zstd", "image/png", "application/octet-stream", ""}) {
    Response binary = answer_of(long_text(), type);
    compress(binary, "gzip");
    EXPECT_EQ(binary.body, long_text()) << type;
    EXPECT_EQ(header(binary, "Vary"), "") << type;
  }
  Response packed = answer_of("packed when the program was built");
  packed.headers.emplace_back("Content-Encoding", "gzip");
  compress(packed, "zstd");
  EXPECT_EQ(packed.body, "packed when the program was built");
  EXPECT_EQ(header(packed, "ETag"), "W/\"a\"");
  Response refused{.status = 404, .content_type = "application/problem+json", .body = long_text(), .headers = {}};
  compress(refused, "gzip");
  EXPECT_EQ(refused.body, long_text());
}

}  // namespace compress_test
}  // namespace kernelgate::http
