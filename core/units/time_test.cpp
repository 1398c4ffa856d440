// SPDX-License-Identifier: Apache-2.0
#include "core/units/time.hpp"

#include <gtest/gtest.h>

#include <random>

namespace kernelgate {
namespace time_test {

TEST(Time, PrintsIso8601InUtc) {
  EXPECT_EQ(to_iso8601(from_millis(0)), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(to_iso8601(from_millis(1795257666123)), "2026-11-21T10:41:06.123Z");
  EXPECT_EQ(to_iso8601(from_millis(-1)), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(to_iso8601(from_millis(951782400000)), "2000-02-29T00:00:00.000Z");
  EXPECT_EQ(to_iso8601(from_millis(253402300799999)), "9999-12-31T23:59:59.999Z");
  EXPECT_EQ(to_iso8601(from_millis(253402300800000)), "10000-01-01T00:00:00.000Z");
}

TEST(Time, IsReadAsItIsWritten) {
  std::mt19937_64 random(13);
  std::uniform_int_distribution<std::int64_t> any(-62167219200000, 253402300799999);  // of the years 0 to 9999
  for (int i = 0; i < 2000; ++i) {
    const Instant at = from_millis(any(random));
    const std::string text = to_iso8601(at);
    EXPECT_EQ(parse_iso8601(text), at) << text;
    EXPECT_EQ(parse_iso8601(text.substr(0, 19) + "Z"), std::chrono::floor<std::chrono::seconds>(at)) << text;
  }
}

TEST(Time, TextSortsAsInstantsDo) {
  std::mt19937_64 random(14);
  std::uniform_int_distribution<std::int64_t> any(-62167219200000, 253402300799999);
  for (int i = 0; i < 500; ++i) {
    const Instant a = from_millis(any(random)), b = from_millis(any(random));
    EXPECT_EQ(a < b, to_iso8601(a) < to_iso8601(b)) << to_iso8601(a) << " " << to_iso8601(b);
  }
}

struct Written {
  const char* text;
  const char* wanted;  // as we write it; empty: refused
};

TEST(ForeignTime, IsReadWholeOrNotAtAll) {
  const Written cases[] = {{"2026-11-21T10:41:06Z", "2026-11-21T10:41:06.000Z"},
                           {"2026-11-21T10:41:06.007Z", "2026-11-21T10:41:06.007Z"},
                           {"2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"},
                           {"2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"},  // a leap second
                           {"", ""},
                           {"2026-11-21", ""},
                           {"2026-11-21T10:41Z", ""},
                           {"2026-13-21T10:41:06Z", ""},
                           {"2026-00-21T10:41:06Z", ""},
                           {"2025-02-29T00:00:00Z", ""},
                           {"2026-11-31T00:00:00Z", ""},
                           {"2026-11-21T24:00:00Z", ""},
                           {"2026-11-21T10:60:00Z", ""},
                           {"2026-11-21T10:41:61Z", ""},
                           {"2026-11-21T10:41:06", ""},
                           {"2026-11-21T10:41:06Z ", ""},
                           {" 2026-11-21T10:41:06Z", ""},
                           {"2026-11-21t10:41:06z", ""},
                           {"2026-11-21 10:41:06Z", ""},
                           {"2026-11-21T10:41:06+00:00", ""},
                           {"2026-1-2T3:4:5Z", ""},
                           // Five tenths are no five milliseconds, and microseconds are not cut in silence.
                           {"2026-11-21T10:41:06.5Z", ""},
                           {"2026-11-21T10:41:06.123456Z", ""},
                           {"2026-11-21T10:41:06.Z", ""},
                           {"2026-11-21T10:41:06.-12Z", ""},
                           {"+026-11-21T10:41:06Z", ""},
                           {"-026-11-21T10:41:06Z", ""},
                           {"2026-+1-21T10:41:06Z", ""},
                           {"2026-11-21T +:41:06Z", ""},
                           {"10000-01-01T00:00:00.000Z", ""}};
  for (const auto& [text, wanted] : cases) {
    const auto at = parse_iso8601(text);
    EXPECT_EQ(at ? to_iso8601(*at) : std::string(), wanted) << "'" << text << "'";
  }
}

TEST(Time, TextWithAZeroByteIsRefused) {
  EXPECT_FALSE(parse_iso8601(std::string("2026-11-21T10:41:06Z\0", 21)));
  EXPECT_FALSE(parse_iso8601(std::string("2026-11-21\0T10:41:06Z", 21)));
}

TEST(SystemClock, NeverGoesBack) {
  const SystemClock clock;
  const Instant before = clock.steady();
  EXPECT_LE(before, clock.steady());
  EXPECT_GE(clock.now(), from_millis(1767225600000)) << "2026 began";
}

}  // namespace time_test
}  // namespace kernelgate
