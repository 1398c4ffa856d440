// SPDX-License-Identifier: Apache-2.0
#include "server/assets/files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <fstream>
#include <iterator>
#include <regex>

namespace kernelgate::assets {
namespace files_test {

std::string unpacked(const std::string& gzip, std::size_t size) {
  std::string out(size, '\0');
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, MAX_WBITS + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(gzip.data()));
  stream.avail_in = static_cast<uInt>(gzip.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  inflateEnd(&stream);
  return out;
}

TEST(Files, AreTheBytesOfTheBundle) {
  ASSERT_FALSE(embedded_files().empty());
  for (const EmbeddedFile& file : embedded_files()) {
    std::ifstream in(std::string(KG_DASHBOARD_DIST "/") + std::string(file.name), std::ios::binary);
    EXPECT_EQ(file.text, std::string(std::istreambuf_iterator<char>(in), {})) << file.name;
  }
}

TEST(Files, EveryOneIsServedWithItsType) {
  const Files files = Files::embedded();
  for (const EmbeddedFile& file : embedded_files()) {
    const auto found = files.find(file.name);
    ASSERT_TRUE(found) << file.name;
    EXPECT_EQ(found->immutable, file.name != "index.html") << file.name;
    EXPECT_THAT(found->etag, testing::MatchesRegex("\"[0-9a-f]+\""));
    EXPECT_EQ(unpacked(found->gzip, file.text.size()), file.text) << file.name;
  }
  EXPECT_EQ(files.find("index.html")->content_type, "text/html; charset=utf-8");
}

TEST(Files, TheStartPageNamesOnlyFilesOfItsOwn) {
  const std::string page = Files::embedded().find("index.html")->text;
  const std::regex reference("(?:src|href)=\"([^\"?][^\"]*)\"");
  int count = 0;
  for (auto at = std::sregex_iterator(page.begin(), page.end(), reference); at != std::sregex_iterator(); ++at, ++count)
    EXPECT_TRUE(Files::embedded().find((*at)[1].str().substr(1))) << (*at)[1];
  EXPECT_GE(count, 3);
  EXPECT_EQ(page.find("<script>"), std::string::npos);
  EXPECT_EQ(page.find("<style"), std::string::npos);
}

TEST(Files, NamesThatLeaveTheFolderAreNotFound) {
  for (const Files& files : {Files::embedded(), *Files::in_folder(KG_DASHBOARD_DIST), Files{}})
    for (const char* name : {"", "assets/", "../package.json", "assets/../index.html", "/etc/passwd.html", ".html",
                             "assets/.svg", "assets/x/y.js", "index.html/", "assets/none.js"})
      EXPECT_FALSE(files.find(name)) << name;
}

TEST(Files, AFolderIsReadAnewAndNothingInItIsForEver) {
  const auto files = Files::in_folder(KG_DASHBOARD_DIST);
  ASSERT_TRUE(files);
  for (const EmbeddedFile& file : embedded_files()) {
    EXPECT_EQ(files->find(file.name)->text, file.text);
    EXPECT_FALSE(files->find(file.name)->immutable);
    EXPECT_TRUE(files->find(file.name)->gzip.empty());
  }
  EXPECT_EQ(Files::in_folder("/nowhere").error().code, Errc::invalid);
}

}  // namespace files_test
}  // namespace kernelgate::assets
