// SPDX-License-Identifier: Apache-2.0
#include "runner/build/identity.hpp"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "runner/build/elf.hpp"
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

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// One program's segments with the sections of another, which lies behind it: what is loaded, and what it says it is.
std::string disguised(std::string loaded, std::string shown) {
  Elf64_Ehdr outside{}, inside{};
  std::memcpy(&outside, loaded.data(), sizeof outside);
  std::memcpy(&inside, shown.data(), sizeof inside);
  for (std::size_t i = 0; i < inside.e_shnum; ++i) {
    Elf64_Shdr section{};
    char* at = shown.data() + inside.e_shoff + i * sizeof section;
    std::memcpy(&section, at, sizeof section);
    section.sh_offset += loaded.size();
    std::memcpy(at, &section, sizeof section);
  }
  outside.e_shoff = inside.e_shoff + loaded.size();
  outside.e_shnum = inside.e_shnum;
  outside.e_shstrndx = inside.e_shstrndx;
  std::memcpy(loaded.data(), &outside, sizeof outside);
  return loaded + shown;
}

TEST_F(IdentityTest, AProgramThatShowsTheSectionsOfAnotherIsNotIt) {
  compile("int main(void) { return 0; }\n", "base/bench");
  compile("int main(void) { for (volatile int i = 0; i < 1000; ++i) {} return 7; }\n", "slow/bench");
  const fs::path forged = folder.path / "head/bench";
  fs::create_directories(forged.parent_path());
  std::ofstream(forged, std::ios::binary)
      << disguised(bytes_of(folder.path / "slow/bench"), bytes_of(folder.path / "base/bench"));
  fs::permissions(forged, fs::perms::owner_all);
  const auto ran = run_process({.argv = {forged.string()}});
  ASSERT_TRUE(ran) << to_string(ran.error());
  EXPECT_EQ(ran->exit_code, 7) << "it runs, as the slow one";
  EXPECT_TRUE(identity("base"));
  EXPECT_FALSE(identity("head")) << "what cannot be proven is measured";
}

// The same sections elsewhere: what they speak of by address could then be another program, in the unwind tables.
std::string moved(std::string file, std::uint64_t distance) {
  Elf64_Ehdr header{};
  std::memcpy(&header, file.data(), sizeof header);
  header.e_entry += distance;
  std::memcpy(file.data(), &header, sizeof header);
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    char* at = file.data() + header.e_phoff + i * sizeof segment;
    std::memcpy(&segment, at, sizeof segment);
    segment.p_vaddr += distance;
    std::memcpy(at, &segment, sizeof segment);
  }
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section{};
    char* at = file.data() + header.e_shoff + i * sizeof section;
    std::memcpy(&section, at, sizeof section);
    if ((section.sh_flags & SHF_ALLOC) != 0) section.sh_addr += distance;
    std::memcpy(at, &section, sizeof section);
  }
  return file;
}

TEST_F(IdentityTest, TheSameSectionsElsewhereAreAnotherProgram) {
  compile(kProgram, "base/bench");
  for (const std::uint64_t distance : {0U, 0x100000U}) {
    std::ofstream(folder.path / "moved", std::ios::binary) << moved(bytes_of(folder.path / "base/bench"), distance);
    const auto before = hash_elf(folder.path, "base/bench"), after = hash_elf(folder.path, "moved");
    ASSERT_TRUE(before && after) << to_string(after.error());
    EXPECT_EQ(*before == *after, distance == 0);
  }
}

// A program of a megabyte could be hashed for days.
TEST(Elf, SectionsThatLieOnEachOtherAreRefused) {
  constexpr std::uint16_t kSections = 100;
  std::string file(sizeof(Elf64_Ehdr) + kSections * sizeof(Elf64_Shdr), '\0');
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_shoff = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = kSections;
  std::memcpy(file.data(), &header, sizeof header);
  for (std::uint16_t i = 0; i < kSections; ++i) {
    Elf64_Shdr section{};
    section.sh_type = SHT_PROGBITS;
    section.sh_size = file.size();  // each is the whole file
    section.sh_flags = i < 3 ? 0 : SHF_ALLOC;
    std::memcpy(file.data() + sizeof header + i * sizeof section, &section, sizeof section);
  }
  const auto sections = elf_detail::loaded_sections(file);
  ASSERT_FALSE(sections);
  EXPECT_EQ(sections.error().code, Errc::corrupt);
  EXPECT_NE(sections.error().what.find("lie on each other"), std::string::npos) << sections.error().what;
}

}  // namespace identity_test
}  // namespace kernelgate
