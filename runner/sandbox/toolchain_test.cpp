// SPDX-License-Identifier: Apache-2.0
#include "runner/sandbox/toolchain.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "platform/process/command_line.hpp"
#include "runner/sandbox/sandbox.hpp"
#include "tests/support/test_repository.hpp"

namespace kernelgate {
namespace toolchain_test {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::UnorderedElementsAre;

class ToolchainTest : public testing::Test {
 protected:
  ToolchainTest() {
    fs::permissions(root.path, fs::perms(0755));
    fs::create_directories(home);
    environment["HOME"] = home.string();
  }
  fs::path folder(const std::string& name) const {
    fs::create_directories(root.path / name);
    return root.path / name;
  }
  fs::path tool(const std::string& name, const std::string& says) const {
    const fs::path file = root.path / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "#!/bin/sh\necho " << says << "\n";
    fs::permissions(file, fs::perms(0755));
    return file;
  }
  Toolchain found() const {
    auto out = local_toolchain({}, environment);
    EXPECT_TRUE(out);
    return out ? *out : Toolchain();
  }
  std::string says(const Toolchain& tools, const std::string& line) const {
    const auto sandbox = Sandbox::open({.toolchain = tools});
    if (!sandbox) return to_string(sandbox.error());
    const auto ended = sandbox->run({.argv = shell_argv(line), .cwd = "/tmp"}, {});
    return ended ? ended->out + ended->err : to_string(ended.error());
  }

  TemporaryFolder root{"toolchain"};
  const fs::path home = root.path / "people/me";
  Environment environment;
};

TEST_F(ToolchainTest, ANamedFolderIsReadOnlyAtItsOwnPathAndItsProgramsComeFirst) {
  tool("opt/kit/bin/cmake", "my cmake");
  const auto tools = named_toolchain({root.path / "opt/kit"}, home);
  ASSERT_TRUE(tools) << to_string(tools.error());
  EXPECT_THAT(tools->folders, ElementsAre(root.path / "opt/kit"));
  EXPECT_EQ(says(*tools, "cmake"), "my cmake\n");
  const std::string kit = shell_quote((root.path / "opt/kit").string());
  EXPECT_THAT(says(*tools, "echo x > " + kit + "/new || echo refused"), HasSubstr("refused"));
  EXPECT_EQ(says({}, "ls " + kit + " 2>/dev/null || echo hidden"), "hidden\n") << "without it, it is not there";
  EXPECT_THAT(says(*tools, "ls " + shell_quote(home.string())), HasSubstr("No such file"));
}

TEST_F(ToolchainTest, AFolderThatIsNeverShownIsNamed) {
  EXPECT_THAT(named_toolchain({root.path / "nowhere"}, home).error().what, HasSubstr("not a folder"));
  EXPECT_THAT(named_toolchain({home}, home).error().what, HasSubstr("it holds the home folder"));
  EXPECT_THAT(named_toolchain({home.parent_path()}, home).error().what, HasSubstr("it holds the home folder"));
  EXPECT_THAT(named_toolchain({"/"}, home).error().what, HasSubstr("more than tools"));
  EXPECT_THAT(named_toolchain({"/etc/ssl"}, home).error().what, HasSubstr("one of its own"));
  EXPECT_THAT(named_toolchain({folder("people/me/.ssh")}, home).error().what, HasSubstr("keys and passwords"));
  const fs::path open = folder("opt/open");
  fs::permissions(open, fs::perms(0777));
  EXPECT_THAT(named_toolchain({open}, home).error().what, HasSubstr("any user may write"));
  const auto system = named_toolchain({"/usr/lib"}, home);
  ASSERT_TRUE(system);
  EXPECT_THAT(system->folders, IsEmpty()) << "it is shown already";
}

TEST_F(ToolchainTest, ALinkLeadsToNothingHidden) {
  fs::create_directory_symlink(folder("people/me/.ssh"), folder("opt") / "keys");
  EXPECT_FALSE(named_toolchain({root.path / "opt/keys"}, home));
  fs::create_directory_symlink(home, root.path / "opt/home");
  EXPECT_FALSE(named_toolchain({root.path / "opt/home"}, home));
}

TEST_F(ToolchainTest, PathNamesInstallations) {
  tool("opt/cmake/bin/cmake", "cmake");
  folder("opt/cmake/share");
  tool("opt/alone/bin/ninja", "ninja");
  tool("people/me/bin/mine", "mine");
  tool("people/me/.local/bin/pip", "pip");
  folder("people/me/.local/lib");
  tool("people/me/.cargo/bin/cargo", "cargo");
  const std::string at = root.path.string();
  environment["PATH"] = at + "/opt/cmake/bin:relative:" + at + "/opt/alone/bin:/usr/bin:" + at + "/people/me/bin";
  environment["PATH"] += ":" + at + "/people/me/.local/bin:" + at + "/people/me/.cargo/bin:" + at + "/nowhere";
  const Toolchain tools = found();
  EXPECT_THAT(tools.folders, UnorderedElementsAre(root.path / "opt/cmake", root.path / "opt/alone/bin", home / "bin",
                                                  home / ".local/bin", home / ".cargo/bin"));
  EXPECT_THAT(tools.path, ElementsAre(at + "/opt/cmake/bin", at + "/opt/alone/bin", "/usr/bin", at + "/people/me/bin",
                                      at + "/people/me/.local/bin", at + "/people/me/.cargo/bin"));
  EXPECT_EQ(says(tools, "cmake; mine"), "cmake\nmine\n");
}

TEST_F(ToolchainTest, AVirtualEnvironmentBringsItsInterpreter) {
  tool("opt/python/bin/python3.12", "python of opt");
  folder("opt/python/lib");
  const fs::path venv = folder("people/me/project/.venv");
  folder("people/me/project/.venv/bin");
  std::ofstream(venv / "pyvenv.cfg") << "home = " << (root.path / "opt/python/bin").string() << "\nversion = 3.12\n";
  fs::create_symlink(root.path / "opt/python/bin/python3.12", venv / "bin/python");
  environment["VIRTUAL_ENV"] = venv.string();
  environment["PATH"] = (venv / "bin").string() + ":/usr/bin";
  const Toolchain tools = found();
  EXPECT_THAT(tools.folders, UnorderedElementsAre(venv, root.path / "opt/python"));
  EXPECT_THAT(tools.env, ElementsAre(Pair("VIRTUAL_ENV", venv.string())));
  EXPECT_EQ(says(tools, "python && echo \"$VIRTUAL_ENV\""), "python of opt\n" + venv.string() + "\n");
  environment.erase("VIRTUAL_ENV");
  EXPECT_THAT(found().folders, UnorderedElementsAre(venv, root.path / "opt/python")) << "by PATH alone";
}

TEST_F(ToolchainTest, AnEnvironmentThatNamesItselfEnds) {
  const fs::path venv = folder("opt/loop");
  std::ofstream(venv / "pyvenv.cfg") << "home = " << (venv / "bin").string() << "\n";
  folder("opt/loop/bin");
  environment["VIRTUAL_ENV"] = venv.string();
  EXPECT_THAT(found().folders, ElementsAre(venv));
}

TEST_F(ToolchainTest, LibrariesAndModules) {
  const fs::path lib = folder("opt/mpi/lib"), include = folder("opt/mpi/include"), package = folder("opt/fftw");
  environment["LD_LIBRARY_PATH"] = lib.string() + "::" + (root.path / "none").string();
  environment["CPATH"] = include.string();
  environment["EBROOTFFTW"] = package.string();
  environment["SECRET_DIR"] = folder("people/me/.aws").string();
  EXPECT_THAT(found().env, ElementsAre(Pair("LD_LIBRARY_PATH", lib.string()))) << "no module is loaded";
  environment["LOADEDMODULES"] = "mpi/5";
  const Toolchain tools = found();
  EXPECT_THAT(tools.env, UnorderedElementsAre(Pair("LD_LIBRARY_PATH", lib.string()), Pair("CPATH", include.string()),
                                              Pair("EBROOTFFTW", package.string())));
  EXPECT_THAT(tools.folders, UnorderedElementsAre(root.path / "opt/mpi", package));
  EXPECT_THAT(tools.left_out, Contains(HasSubstr(".aws: keys and passwords")));
}

// The loader obeys LD_LIBRARY_PATH also in setpriv, which still has capabilities.
TEST_F(ToolchainTest, WhatTheLoaderObeysIsSetWhenNothingOfOursRunsAnyMore) {
  Toolchain tools;
  tools.env = {{"LD_LIBRARY_PATH", "/opt/x/lib"}};
  const auto argv = bubblewrap_argv({.toolchain = tools}, SandboxMode::root_drop, {.argv = {"true"}});
  const auto at = [&argv](const std::string& word) { return std::find(argv.begin(), argv.end(), word); };
  ASSERT_NE(at("LD_LIBRARY_PATH=/opt/x/lib"), argv.end());
  EXPECT_LT(at("setpriv"), at("env"));
  EXPECT_LT(at("env"), at("LD_LIBRARY_PATH=/opt/x/lib"));
  EXPECT_THAT(std::vector<std::string>(argv.begin(), at("setpriv")), Not(Contains(HasSubstr("LD_LIBRARY_PATH"))));
}

TEST_F(ToolchainTest, WithoutASandboxNamedToolsComeFirst) {
  tool("opt/kit/bin/cmake", "my cmake");
  const auto sandbox = Sandbox::open({.none = true, .toolchain = *named_toolchain({root.path / "opt/kit"}, home)});
  ASSERT_TRUE(sandbox);
  const auto ended = sandbox->run({.argv = shell_argv("cmake"), .cwd = "/tmp"}, {});
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->out, "my cmake\n");
  EXPECT_EQ(sandbox->where_tools_are(), "");
}

}  // namespace toolchain_test
}  // namespace kernelgate
