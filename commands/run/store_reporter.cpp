// SPDX-License-Identifier: Apache-2.0
#include "commands/run/store_reporter.hpp"

#include "core/units/time.hpp"
#include "service/runs/work.hpp"

namespace kernelgate::local {

Status StoreReporter::state(RunState state, const std::string& progress) {
  if (progress_) progress_(progress);
  return service::report_progress(store_, run_, state, progress);
}

Result<std::optional<std::int64_t>> StoreReporter::resolved(const wire::Resolved& facts) {
  const auto run = service::resolve(store_, run_, facts, whole_, {}, SystemClock().now());
  if (!run) return pass_on(run);
  if (!run->reused_from) return std::optional<std::int64_t>();
  return std::optional(run->reused_from->value);
}

Status StoreReporter::process(const Process& process) {
  const auto stored = service::upload(store_, run_, {&process, 1}, {}, SystemClock().now());
  if (!stored) return pass_on(stored);
  return {};
}

Status StoreReporter::log(const std::string& name, const std::string& text) {
  return service::keep_log(store_, run_, name, text, {}, SystemClock().now());
}

}  // namespace kernelgate::local
