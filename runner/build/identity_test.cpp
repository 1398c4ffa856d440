// SPDX-License-Identifier: Apache-2.0
#include "runner/build/identity.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/test_repository.hpp"

namespace kernelgate {
namespace identity_test {

namespace fs = std::filesystem;

class IdentityTest : public testing::Test {
 protected:
  void compile(const std::string& source, const std::string& output, std::vector<std::string> flags = {}) const {
    fs::create_directories((folder.path / output).parent_path());
    std::ofstream(folder.path / "source.c") << source;
    ProcessSpec spec;
    spec.argv = {"cc", "-O1", "source.c", "-o", output, "-Wl,--build-id"};
    spec.argv.insert(spec.argv.end(), flags.begin(), flags.end());
    spec.env = {"PATH=/usr/local/bin:/usr/bin:/bin"};
    spec.cwd = folder.path;
    const auto result = run_process(spec);
    if (!result || !result->ok()) throw std::runtime_error(result ? result->err : to_string(result.error()));
  }
  std::optional<SuiteIdentity> identity(const std::string& build,
                                        const std::string& line = "{build}/bench --x=1") const {
    auto found = suite_identity(folder.path / build, line);
    if (!found) throw std::runtime_error(to_string(found.error()));
    return *found;
  }
  TemporaryFolder folder{"identity"};
};

constexpr const char* kProgram = "int main(int n, char** v) { (void)v; return n * 3; }\n";

TEST_F(IdentityTest, ACommentOrDebugInformationChangesNothing) {
  compile(kProgram, "a/bench");
  compile(std::string("/* a comment */ ") + kProgram, "b/bench");
  compile(kProgram, "c/bench", {"-g"});
  ASSERT_TRUE(identity("a"));
  EXPECT_EQ(identity("a"), identity("b"));
  EXPECT_EQ(identity("a"), identity("c"));
}

TEST_F(IdentityTest, ABuildIdChangesNothing) {
  compile(kProgram, "a/bench");
  compile(kProgram, "b/bench", {"-Wl,--build-id=0x1234567812345678123456781234567812345678"});
  EXPECT_EQ(identity("a"), identity("b"));
}

TEST_F(IdentityTest, CodeAndDataCount) {
  compile(kProgram, "a/bench");
  compile("int main(int n, char** v) { (void)v; return n * 5; }\n", "b/bench");
  compile("const char* text = \"1\"; int main(int n, char** v) { (void)v; return n * 3; }\n", "c/bench");
  compile("const char* text = \"2\"; int main(int n, char** v) { (void)v; return n * 3; }\n", "d/bench");
  EXPECT_NE(identity("a"), identity("b"));
  EXPECT_NE(identity("c"), identity("d"));
}

TEST_F(IdentityTest, SharedLibrariesAndDeviceCodeInTheBuildFolderCount) {
  for (const char* build : {"a", "b", "c"}) compile(kProgram, std::string(build) + "/bench");
  compile("int f(void) { return 1; }\n", "a/lib/libk.so", {"-shared", "-fPIC"});
  compile("int f(void) { return 1; } // same\n", "b/lib/libk.so", {"-shared", "-fPIC"});
  compile("int f(void) { return 2; }\n", "c/lib/libk.so", {"-shared", "-fPIC"});
  EXPECT_EQ(identity("a"), identity("b"));
  EXPECT_NE(identity("a"), identity("c"));
  std::ofstream(folder.path / "a/k.ptx") << ".version 8.0";
  std::ofstream(folder.path / "b/k.ptx") << ".version 8.1";
  EXPECT_NE(identity("a"), identity("b"));
  std::ofstream(folder.path / "b/k.ptx") << ".version 8.0";
  EXPECT_EQ(identity("a"), identity("b"));
}

TEST_F(IdentityTest, WhatCanNotBeProvenHasNoIdentity) {
  compile(kProgram, "a/bench");
  std::ofstream(folder.path / "a/script") << "#!/bin/sh\nexec ./bench\n";
  for (const char* line : {"{build}/script", "python3 {source}/bench.py", "{build}/bench {build}/data", "bench",
                           "cd x && {build}/bench", "cd {source} && {build}/script", "{build}/bench | tee log",
                           "{build}/bench $(cat x)", "{build}/../bench", "{build}/"})
    EXPECT_EQ(identity("a", line), std::nullopt) << line;
  EXPECT_EQ(suite_identity(folder.path / "a", "{build}/missing").error().code, Errc::not_found);
}

TEST_F(IdentityTest, AFolderAndWhatIsReadOfTheSourceHideNoProgram) {
  compile(kProgram, "a/bench");
  const auto plain = identity("a", "{build}/bench");
  ASSERT_TRUE(plain);
  for (const char* line :
       {"cd {source} && {build}/bench", "cd {build} && {build}/bench --x", "{build}/bench {source}/data"}) {
    EXPECT_EQ(identity("a", line), plain) << line;
    EXPECT_EQ(program_sha256(folder.path / "a", line), program_sha256(folder.path / "a", "{build}/bench")) << line;
  }
}

TEST_F(IdentityTest, DataIsWhatTheGlobsMatch) {
  const auto digest = [this](const std::string& tree, std::vector<std::string> globs) {
    const auto found = data_digest(folder.path / tree, globs);
    EXPECT_TRUE(found) << to_string(found.error());
    return *found;
  };
  const auto write = [this](const std::string& file, const std::string& text) {
    fs::create_directories((folder.path / file).parent_path());
    std::ofstream(folder.path / file) << text;
  };
  for (const char* tree : {"a", "b"}) {
    write(std::string(tree) + "/data/in.bin", "1");
    write(std::string(tree) + "/kernel.cu", tree);
  }
  EXPECT_EQ(digest("a", {"data/**"}), digest("b", {"data/**"}));
  EXPECT_EQ(digest("a", {}), digest("b", {}));
  EXPECT_NE(digest("a", {"**"}), digest("b", {"**"}));
  write("b/data/in.bin", "2");
  EXPECT_NE(digest("a", {"data/**"}), digest("b", {"data/**"}));
  write("b/data/in.bin", "1");
  write("b/data/more", "");
  EXPECT_NE(digest("a", {"data/**"}), digest("b", {"data/**"})) << "a file more is other data";
  fs::create_symlink("../kernel.cu", folder.path / "b/data/link");
  EXPECT_EQ(digest("b", {"data/**"}), std::nullopt) << "what the link leads to is not matched";
}

TEST_F(IdentityTest, DamagedFilesAreNamedAndNeverRead) {
  compile(kProgram, "a/bench");
  std::ifstream whole(folder.path / "a/bench", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(whole), {}};
  for (std::size_t size = 0; size < bytes.size(); size += 97) {
    std::ofstream(folder.path / "cut", std::ios::binary) << bytes.substr(0, size);
    EXPECT_EQ(hash_elf(folder.path, "cut").error().code, Errc::corrupt) << size;
  }
  for (std::size_t at = 0; at < bytes.size(); at += 101) {  // any answer will do, as long as there is one
    auto bad = bytes;
    bad[at] = static_cast<char>(~bad[at]);
    std::ofstream(folder.path / "bad", std::ios::binary) << bad;
    (void)hash_elf(folder.path, "bad").has_value();
  }
}

}  // namespace identity_test
}  // namespace kernelgate
