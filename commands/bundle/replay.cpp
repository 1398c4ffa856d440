// SPDX-License-Identifier: Apache-2.0
#include "commands/bundle/replay.hpp"

#include <fstream>

#include "commands/bundle/claims.hpp"
#include "commands/bundle/same.hpp"
#include "core/decision/decide.hpp"
#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"
#include "service/runs/queries.hpp"

namespace kernelgate::bundle {
namespace {

Result<std::string> read_whole(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    return fail(Errc::invalid, "is a folder, not a bundle", file.string());
  std::ifstream in(file, std::ios::binary);
  if (!in) return fail(Errc::not_found, "cannot be opened", file.string());
  // Counted while it is read: a pipe has no size, and a device no end.
  std::string text;
  std::string block(1u << 20, '\0');
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0) {
    text.append(block, 0, static_cast<std::size_t>(in.gcount()));
    if (text.size() > limits::kBundleMax.value)
      return fail(Errc::too_large, "is over " + std::to_string(limits::kBundleMax.value) + " bytes", file.string());
  }
  if (in.bad()) return fail(Errc::io, "cannot be read", file.string());
  return text;
}

std::string title_of(const wire::BundleRun& run) {
  std::string out = "run " + std::to_string(run.id) + " of " + run.repository + ": " + run.commit.substr(0, 10);
  return run.base_commit.empty() ? out : out + " against " + run.base_commit.substr(0, 10);
}

Result<Replay> replay(const wire::Bundle& bundle, const std::string& program) {
  const auto policy = policy_of(bundle);
  if (!policy) return pass_on(policy);
  if (const Status sound = check_claims(bundle); !sound) return pass_on(sound);
  auto stored = wire::decode<RunDecision>(bundle.decision);
  if (!stored) return fail(Errc::corrupt, "holds no decision: " + to_string(stored.error()), "bundle");
  Replay out{.run = bundle.run.id,
             .title = title_of(bundle.run),
             .decided_by = bundle.program,
             .replayed_by = program,
             .rule_version = bundle.rule_version,
             .thinned_at = bundle.run.thinned_at,
             .differences = {},
             .decision = decide_run(bundle.evidence, *policy, bundle.stored)};
  if (wire::encode(out.decision) == bundle.decision) {
    out.same = Sameness::bytes;
    return out;
  }
  if (!out.thinned_at.empty())  // of tails and modes the quantiles tell nothing
    for (RunDecision* decision : {&*stored, &out.decision})
      for (Comparison& comparison : decision->comparisons) comparison.distribution.reset();
  out.differences = differences(*stored, out.decision);
  out.same = out.differences.empty() ? Sameness::figures : Sameness::differs;
  return out;
}

}  // namespace

Result<Replay> replay_file(const std::filesystem::path& file, const std::string& program) {
  const auto text = read_whole(file);
  if (!text) return pass_on(text);
  const auto bundle = service::unpack_bundle(*text);
  auto replayed = bundle ? replay(*bundle, program) : Result<Replay>(pass_on(bundle));
  if (replayed) return replayed;
  Error error = replayed.error();
  error.where = error.where == "bundle" ? file.string() : file.string() + ": " + error.where;
  return tl::unexpected<Error>(std::move(error));
}

int exit_code(const Replay& replay) {
  if (replay.same == Sameness::differs) return 1;
  const bool should_be_bytes = replay.decided_by == replay.replayed_by && replay.thinned_at.empty();
  return replay.same == Sameness::figures && should_be_bytes ? 1 : 0;
}

}  // namespace kernelgate::bundle
