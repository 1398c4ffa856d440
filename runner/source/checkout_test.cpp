// SPDX-License-Identifier: Apache-2.0
#include "runner/source/checkout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/support/test_repository.hpp"

namespace kernelgate {
namespace checkout_test {

namespace fs = std::filesystem;
using testing::HasSubstr;

class CheckoutTest : public testing::Test {
 protected:
  fs::path fresh(const std::string& name) const {
    fs::create_directories(folder.path / name);
    return folder.path / name;
  }
  static std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  Status check_out(const CommitHash& commit, const fs::path& into) const {
    auto git = pool.fetch(url, commit);
    if (!git) return pass_on(git);
    return checkout(*git, {commit, std::nullopt, {}}, into, {&pool, url});
  }
  std::string inputs_of(const Source& source, const std::vector<std::string>& globs) const {
    return hash_inputs(*list_source(repository.open(), source), globs);
  }
  TemporaryFolder folder{"checkout"};
  TestRepository repository{folder.path / "repo"};
  MirrorPool pool = *MirrorPool::open(folder.path / "mirrors");
  std::string url = repository.path.string();
};

TEST_F(CheckoutTest, WritesFilesModesAndLinksAndNoRepository) {
  repository.write("run.sh", "#!/bin/sh\n");
  fs::permissions(repository.path / "run.sh", fs::perms::owner_all);
  fs::create_symlink("/etc/passwd", repository.path / "link");
  const auto head = repository.commit("files", {{"dir/naïve name", std::string("a\r\n\0b", 5)}});
  const auto into = fresh("out");
  const auto done = check_out(head, into);
  ASSERT_TRUE(done) << to_string(done.error());
  EXPECT_EQ(read(into / "dir/naïve name"), std::string("a\r\n\0b", 5));
  EXPECT_NE(fs::status(into / "run.sh").permissions() & fs::perms::owner_exec, fs::perms::none);
  EXPECT_EQ(fs::read_symlink(into / "link"), "/etc/passwd");
  EXPECT_FALSE(fs::exists(into / ".git"));
  EXPECT_EQ(check_out(head, into).error().code, Errc::conflict);  // not empty any more
}

TEST_F(CheckoutTest, TheOverlayComesFromHead) {
  const auto base = repository.commit("base", {{"kernels/k.cu", "1"}, {"bench/old.cpp", "old"}, {"bench/b.cpp", "1"}});
  const auto head = repository.commit(
      "head", {{"kernels/k.cu", "2"}, {"bench/old.cpp", ""}, {"bench/b.cpp", "2"}, {"bench/new.cpp", "new"}});
  const Source source{base, head, {"bench/**"}};
  const auto into = fresh("out");
  ASSERT_TRUE(checkout(repository.open(), source, into, {&pool, url}));
  EXPECT_EQ(read(into / "kernels/k.cu"), "1");
  EXPECT_EQ(read(into / "bench/b.cpp"), "2");
  EXPECT_EQ(read(into / "bench/new.cpp"), "new");
  EXPECT_FALSE(fs::exists(into / "bench/old.cpp"));
  EXPECT_NE(inputs_of(source, {"**"}), inputs_of({base, {}, {}}, {"**"}));
  EXPECT_EQ(inputs_of(source, {"kernels/**"}), inputs_of({base, {}, {}}, {"kernels/**"}));
}

TEST_F(CheckoutTest, OnlyInputsAndTheManifestCount) {
  const auto first =
      repository.commit("1", {{"kernels/k.cu", "1"}, {"README", "1"}, {"kernelgate.toml", "schema = 1"}});
  const auto text = repository.commit("2", {{"README", "2"}});
  const auto code = repository.commit("3", {{"kernels/k.cu", "2"}});
  const auto rules = repository.commit("4", {{"kernelgate.toml", "schema = 1 # x"}});
  const std::vector<std::string> inputs{"kernels/**"};
  const auto hash = [&](const CommitHash& commit) { return inputs_of({commit, {}, {}}, inputs); };
  EXPECT_EQ(hash(first), hash(text));
  EXPECT_NE(hash(text), hash(code));
  EXPECT_NE(hash(code), hash(rules));
  EXPECT_NE(inputs_of({first, {}, {}}, {"**"}), inputs_of({text, {}, {}}, {"**"}));
  fs::permissions(repository.path / "kernels/k.cu", fs::perms::owner_all);
  EXPECT_NE(hash(rules), hash(repository.commit("mode")));
}

TEST_F(CheckoutTest, SubmodulesAreFilledRecursively) {
  const TestRepository inner(folder.path / "inner");
  inner.commit("inner", {{"inner.txt", "deep"}});
  const TestRepository middle(folder.path / "middle");
  middle.commit("middle", {{"middle.txt", "mid"}});
  middle.git({"submodule", "--quiet", "add", "../inner", "deps/inner"});
  middle.commit("with inner");
  repository.commit("one", {{"a", "1"}});
  repository.git({"submodule", "--quiet", "add", "../middle", "third party/middle"});
  const auto head = repository.commit("with middle");
  const auto into = fresh("out");
  const auto done = check_out(head, into);
  ASSERT_TRUE(done) << to_string(done.error());
  EXPECT_EQ(read(into / "third party/middle/middle.txt"), "mid");
  EXPECT_EQ(read(into / "third party/middle/deps/inner/inner.txt"), "deep");

  const auto before = inputs_of({head, {}, {}}, {"third party/middle/**"});
  middle.commit("next", {{"middle.txt", "changed"}});
  repository.git({"-C", "third party/middle", "pull", "-q", "origin", "main"});
  const auto next = repository.commit("newer submodule");
  EXPECT_NE(inputs_of({next, {}, {}}, {"third party/middle/**"}), before);
}

TEST_F(CheckoutTest, ASubmoduleThatCannotBeReachedIsLeftOutUnlessItIsNamed) {
  const TestRepository inner(folder.path / "inner"), gone(folder.path / "gone");
  inner.commit("inner", {{"inner.txt", "deep"}});
  gone.commit("gone", {{"gone.txt", "x"}});
  inner.git({"submodule", "--quiet", "add", "../gone", "deps/gone"});
  inner.commit("with gone");
  repository.commit("one", {{"a", "1"}});
  repository.git({"submodule", "--quiet", "add", "../inner", "inner"});
  repository.git({"submodule", "--quiet", "add", "../gone", "gone"});
  const auto head = repository.commit("both");
  fs::rename(folder.path / "gone", folder.path / "moved");
  Source source{head, std::nullopt, {}};
  const auto origin = CheckoutOrigin{&pool, url};
  const auto git = repository.open();
  const auto missing = unreachable_submodules(git, source, origin);
  ASSERT_TRUE(missing) << to_string(missing.error());
  EXPECT_THAT(missing->paths, testing::UnorderedElementsAre("gone", "inner/deps/gone"));
  EXPECT_THAT(missing->reasons, testing::Contains(HasSubstr("submodule gone")));
  EXPECT_FALSE(checkout(git, source, fresh("all"), origin)) << "nobody said what is left out";
  source.left_out = missing->paths;
  ASSERT_TRUE(checkout(git, source, fresh("some"), origin));
  EXPECT_EQ(read(folder.path / "some/inner/inner.txt"), "deep");
  EXPECT_TRUE(fs::is_empty(folder.path / "some/gone"));
  EXPECT_TRUE(fs::is_empty(folder.path / "some/inner/deps/gone"));

  source.left_out.clear();
  source.submodules = {false, {}};
  EXPECT_THAT(unreachable_submodules(git, source, origin)->paths, testing::IsEmpty());
  ASSERT_TRUE(checkout(git, source, fresh("none"), origin));
  EXPECT_TRUE(fs::is_empty(folder.path / "none/inner"));
  source.submodules.paths = {"gone"};
  EXPECT_EQ(unreachable_submodules(git, source, origin).error().code, Errc::unavailable);
  source.submodules.paths = {"nowhere"};
  EXPECT_EQ(checkout(git, source, fresh("nowhere"), origin).error().code, Errc::invalid);
}

TEST_F(CheckoutTest, ASubmoduleFromAForbiddenPlaceIsRefused) {
  repository.commit("one", {{"a", "1"}});
  repository.write(".gitmodules", "[submodule \"x\"]\n\tpath = x\n\turl = ext::sh -c 'touch /tmp/kg_owned'\n");
  repository.git({"add", "--all"});
  repository.git({"update-index", "--add", "--cacheinfo", "160000," + repository.head().str() + ",x"});
  repository.git({"commit", "-q", "-m", "trap"});
  const auto done = check_out(repository.head(), fresh("out"));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Errc::invalid);
  EXPECT_THAT(to_string(done.error()), HasSubstr("submodule x"));
  EXPECT_FALSE(fs::exists("/tmp/kg_owned"));
}

TEST_F(CheckoutTest, ALargeFilePointerIsNeverBuiltAsIfItWereTheFile) {
  const std::string pointer =
      "version https://git-lfs.github.com/spec/v1\noid sha256:" + std::string(64, 'a') + "\nsize 5\n";
  const auto head = repository.commit(
      "lfs", {{".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n"}, {"weights.bin", pointer}});
  const auto done = check_out(head, fresh("out"));
  ASSERT_FALSE(done);  // git-lfs is not installed, or the object does not exist
  EXPECT_THAT(to_string(done.error()), HasSubstr("weights.bin"));
  const auto plain = repository.commit("plain text that looks like one", {{".gitattributes", ""}});
  EXPECT_TRUE(check_out(plain, fresh("plain")));
}

TEST_F(CheckoutTest, AFileThatStandsWhereTheOverlayNeedsAFolderGivesWay) {
  fs::create_directory_symlink("/tmp", repository.path / "bench");
  const auto base = repository.commit("base", {{"a", "1"}});
  fs::remove(repository.path / "bench");
  const auto head = repository.commit("head", {{"bench/b.cpp", "2"}});
  const auto into = fresh("out");
  const auto done = checkout(repository.open(), {base, head, {"bench/**"}}, into, {&pool, url});
  ASSERT_TRUE(done) << to_string(done.error());
  EXPECT_FALSE(fs::is_symlink(into / "bench"));
  EXPECT_EQ(read(into / "bench/b.cpp"), "2");
}

}  // namespace checkout_test
}  // namespace kernelgate
