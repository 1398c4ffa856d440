// SPDX-License-Identifier: Apache-2.0
#include "commands/demo/git_call.hpp"

#include <cstdlib>

#include "platform/process/process.hpp"

namespace kernelgate::demo {

Result<std::string> git(const GitRun& run) {
  ProcessSpec spec;
  spec.argv = {"git", "-c", "core.autocrlf=false", "-c", "safe.directory=*"};
  spec.argv.insert(spec.argv.end(), run.args.begin(), run.args.end());
  const char* path = std::getenv("PATH");
  spec.env = {std::string("PATH=") + (path ? path : "/usr/local/bin:/usr/bin:/bin"),
              "HOME=/nonexistent",
              "LC_ALL=C.UTF-8",
              "GIT_CONFIG_NOSYSTEM=1",
              "GIT_CONFIG_GLOBAL=/dev/null",
              "GIT_TERMINAL_PROMPT=0"};
  spec.env.insert(spec.env.end(), run.env.begin(), run.env.end());
  spec.cwd = run.folder;
  spec.stdin_text = run.stdin_text;
  spec.merge_stderr = true;
  const auto done = run_process(spec);
  if (!done) {
    return fail(Errc::unsupported, "git cannot be started: " + done.error().what, {}, "install git");
  }
  if (!done->ok())
    return fail(Errc::io, "git " + run.args.front() + ": " + describe_end(*done) + ": " + done->out, run.folder);
  return done->out;
}

}  // namespace kernelgate::demo
