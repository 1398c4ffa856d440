// SPDX-License-Identifier: Apache-2.0
#include "core/report/text.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/report/ascii.hpp"

namespace kernelgate::report {
namespace text_test {

struct Pair {
  std::string in, out;
};

TEST(Harmless, RemovesWhatATerminalWouldObey) {
  const std::vector<Pair> cases{
      {"bsr_gemm/wgmma/8192", "bsr_gemm/wgmma/8192"},
      {"red \x1B[31mtext\x1B[0m", "red text"},
      {"title \x1B]0;owned\x07 set", "title  set"},
      {"title \x1B]0;owned\x1B\\ set", "title  set"},
      {"reset \x1B"
       "c",
       "reset "},
      {"ends in escape \x1B", "ends in escape "},
      {"cut sequence \x1B[", "cut sequence "},
      {"a\nb\tc\r", "a b c "},
      {std::string("nul\0byte", 8), "nulbyte"},
      {"C1 \xC2\x9B"
       "31m",
       "C1 31m"},
      {"turned \xE2\x80\xAEround", "turned round"},
      {"µ and 日本語 stay", "µ and 日本語 stay"},
      {"broken \xFF\xC3", "broken \xEF\xBF\xBD\xEF\xBF\xBD"},
      {"overlong \xC0\xAF", "overlong \xEF\xBF\xBD\xEF\xBF\xBD"},
      {"surrogate \xED\xA0\x80", "surrogate \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
  };
  for (const Pair& c : cases) EXPECT_EQ(harmless(c.in), c.out) << c.in;
}

TEST(Shorten, CutsTheMiddleByCharacters) {
  EXPECT_EQ(shorten("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(shorten("abcdefghij", 7), "abc…hij");
  EXPECT_EQ(shorten("µµµµµµ", 4), "µµ…µ");
  EXPECT_EQ(shorten("abc", 1), "…");
  EXPECT_EQ(shorten("abc", 0), "");
}

TEST(Padding, CountsCharactersNotBytes) {
  EXPECT_EQ(pad_right("µs", 4), "µs  ");
  EXPECT_EQ(pad_left("µs", 4), "  µs");
  EXPECT_EQ(pad_left("longer", 3), "longer");
}

TEST(Wrap, BreaksBetweenWords) {
  EXPECT_EQ(wrap("one two  three", 8), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("incomprehensible", 5), (std::vector<std::string>{"in…le"}));
  EXPECT_EQ(wrap("within 3 % of it", 8), (std::vector<std::string>{"within", "3 % of", "it"}));
  EXPECT_TRUE(wrap("", 5).empty());
}

TEST(Markdown, NothingForeignIsMarkup) {
  const std::vector<Pair> cases{
      {"a|b", "a\\|b"},
      {"`x` *y* _z_", "\\`x\\` \\*y\\* \\_z\\_"},
      {"<img src=x>", "&#60;img src=x&#62;"},
      {"&amp; @all #7", "&#38;amp; &#64;&#8203;all &#35;&#8203;7"},
      {"fixes GH-7", "fixes GH&#45;&#8203;7"},
      {"[t](https://x.example)", "\\[t\\](https&#58;//x.example)"},
      {"www.x.example", "www&#46;x.example"},
      {"two\nlines\x1B[31m", "two lines"},
  };
  for (const Pair& c : cases) EXPECT_EQ(markdown_escape(c.in), c.out) << c.in;
}

TEST(EscapeHtml, LeavesNoMarkup) {
  EXPECT_EQ(escape_html("<a href=\"x\">'&amp;'</a>"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;&#39;&lt;/a&gt;");
}

TEST(Duration, HasThreeDigitsInTheUnitThatSuits) {
  struct Case {
    double ns;
    const char* text;
  };
  const std::vector<Case> cases{{0, "0.00 ns"},
                                {0.5, "0.50 ns"},
                                {12.34, "12.3 ns"},
                                {999.4, "999 ns"},
                                {999.6, "1.00 µs"},
                                {1234, "1.23 µs"},
                                {45678, "45.7 µs"},
                                {9996000, "10.0 ms"},
                                {2.5e9, "2.50 s"},
                                {7.2e12, "7200 s"},
                                {std::numeric_limits<double>::quiet_NaN(), "–"}};
  for (const Case& c : cases) EXPECT_EQ(duration(c.ns), c.text);
}

TEST(Ascii, KeepsColumnsAndMeaning) {
  EXPECT_EQ(to_ascii("▁▂▃▄▅▆▇█"), "_.:-=+*#");
  EXPECT_EQ(to_ascii("12.3 µs → 17.4 µs, – … ×2 ±0.1 %"), "12.3 us > 17.4 us, - ~ x2 ~0.1 %");
  EXPECT_EQ(to_ascii("größe 漢字 😀"), "gr??e ?? ?");
  EXPECT_EQ(to_ascii("\xff\xe2\x82"), "??");
  EXPECT_EQ(to_ascii("\x1B[31mplain\n"), "\x1B[31mplain\n");
  for (const char* text : {"a µ→b", "▁é"}) EXPECT_EQ(to_ascii(text).size(), width(text));
}

TEST(Ascii, TheLocaleDecides) {
  EXPECT_TRUE(writes_utf8("", "", "en_GB.UTF-8"));
  EXPECT_TRUE(writes_utf8("C.utf8", "", "C"));
  EXPECT_TRUE(writes_utf8("", "de_DE.UTF-8@euro", "POSIX"));
  EXPECT_FALSE(writes_utf8("C", "", "en_GB.UTF-8"));
  EXPECT_FALSE(writes_utf8("", "", "de_DE.ISO-8859-1"));
  EXPECT_FALSE(writes_utf8("", "", ""));
}

}  // namespace text_test
}  // namespace kernelgate::report
