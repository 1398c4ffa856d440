// SPDX-License-Identifier: Apache-2.0
#include "commands/baseline/baseline.hpp"
#include "commands/login_name.hpp"
#include "core/units/time.hpp"
#include "core/wire/codec.hpp"
#include "service/baselines/baselines.hpp"
#include "service/baselines/verdicts.hpp"
#include "service/history/histories.hpp"
#include "service/runs/queries.hpp"

namespace kernelgate::local {
namespace {

// The limits of a request are those that a server would hold it to.
template <class Message>
Result<Message> within_limits(Message request) {
  request.repository = kRepositoryName;
  return wire::decode<Message>(wire::encode(request));
}

class LocalBaselines final : public Baselines {
 public:
  LocalBaselines(BaselineTarget target, std::filesystem::path file)
      : target_(std::move(target)), file_(std::move(file)) {}

  Result<BaselineList> list() override {
    return in_store([](service::Store store, const std::string& name, Instant) -> Result<BaselineList> {
      const service::Page page{.limit = limits::kPageMax};
      const auto baselines = service::list_baselines(store, name, page);
      if (!baselines) return pass_on(baselines);
      auto accepted = service::list_acknowledgements(store, name, page);
      if (!accepted) return pass_on(accepted);
      BaselineList out;
      for (const service::Baseline& one : *baselines) out.baselines.push_back(to_wire(one).baseline);
      out.acknowledgements = std::move(*accepted);
      return out;
    });
  }

  Result<wire::WholeBaseline> promote(wire::Promotion promotion) override {
    if (const auto good = within_limits(promotion); !good) return pass_on(good);
    return in_store([&](service::Store store, const std::string& name, Instant now) -> Result<wire::WholeBaseline> {
      promotion.repository = name;
      const auto made = service::promote(store, promotion, login_name(), now);
      if (!made) return pass_on(made);
      return to_wire(*made);
    });
  }

  Result<wire::RemeasureReply> remeasure(const Remeasure& wanted, const RunProgress& progress,
                                         std::stop_token stop) override {
    if (!target_.repository.empty())
      return fail(Errc::invalid, "only the repository at hand can be timed here", "--repository",
                  "leave it out, or add --server URL");
    const auto found = in_store([&](service::Store store, const std::string& name, Instant) {
      return service::remeasurable(store, name, wanted.name);
    });
    if (!found) return pass_on(found);
    wire::RemeasureReply reply;
    for (const service::Remeasurable& one : *found) {
      auto line = measure(one, wanted, progress, stop);
      if (!line) return pass_on(line);
      reply.baselines.push_back(std::move(*line));
    }
    return reply;
  }

  Result<wire::AcknowledgementRecord> accept(wire::AcceptRequest request) override {
    if (const auto good = within_limits(request); !good) return pass_on(good);
    return in_store([&](service::Store store, const std::string& name, Instant now) {
      request.repository = name;
      return service::accept(store, request, login_name(), now);
    });
  }

  Result<wire::AcknowledgementRecord> revoke(std::int64_t id, wire::RevokeAcceptanceRequest request) override {
    if (const auto good = within_limits(request); !good) return pass_on(good);
    return in_store([&](service::Store store, const std::string& name, Instant now) {
      request.repository = name;
      return service::revoke(store, id, request, login_name(), now);
    });
  }

  Result<wire::BaselineDiff> diff(const std::string& a, const std::string& b) override {
    return in_store([&](service::Store store, const std::string& name, Instant) {
      return service::diff_baselines(store, name, a, b);
    });
  }

  Result<std::string> export_text(const std::string& baseline) override {
    return in_store([&](service::Store store, const std::string& name, Instant) {
      return service::export_baselines(store, name, baseline, target_.program);
    });
  }

  Result<wire::ImportReply> import_text(const std::string& text, const std::string& testbed) override {
    return in_store([&](service::Store store, const std::string& name, Instant now) {
      return service::import_baselines(store, name, testbed, text, login_name(), now);
    });
  }

  Result<std::vector<wire::QuarantineRecord>> quarantines(bool released) override {
    using Records = std::vector<wire::QuarantineRecord>;
    return in_store([&](service::Store store, const std::string& name, Instant) -> Result<Records> {
      Records out;
      for (service::Page page{.limit = limits::kPageMax};; page.before = out.back().id) {
        const auto rows = service::list_quarantines(store, name, released, page);
        if (!rows) return pass_on(rows);
        out.insert(out.end(), rows->begin(), rows->end());
        if (rows->size() < static_cast<std::size_t>(page.limit)) return out;
      }
    });
  }

  Result<wire::QuarantineRecord> quarantine(wire::QuarantineRequest request) override {
    if (const auto good = within_limits(request); !good) return pass_on(good);
    return in_store([&](service::Store store, const std::string& name, Instant now) {
      request.repository = name;
      return service::quarantine(store, request, login_name(), now);
    });
  }

  Result<wire::QuarantineRecord> release(std::int64_t id, wire::ReleaseRequest request) override {
    if (const auto good = within_limits(request); !good) return pass_on(good);
    return in_store([&](service::Store store, const std::string& name, Instant now) {
      request.repository = name;
      return service::release_quarantine(store, id, request, login_name(), now);
    });
  }

 private:
  // The store is open only meanwhile: a run opens it for itself.
  template <class Call>
  auto in_store(Call call) -> std::invoke_result_t<Call&, service::Store, const std::string&, Instant> {
    const auto store = service::OpenStore::open(file_);
    if (!store) return pass_on(store);
    const std::string name = target_.repository.empty() ? kRepositoryName : target_.repository;
    if (!service::find_repository(*store, name))
      return fail(Errc::not_found, "the store has no such repository", file_.string(),
                  "kernelgate run makes that of --repo; name another with --repository");
    return call(*store, name, SystemClock().now());
  }

  Result<wire::Remeasured> measure(const service::Remeasurable& one, const Remeasure& wanted,
                                   const RunProgress& progress, const std::stop_token& stop) {
    wire::Remeasured line{.name = one.baseline.name, .commit = one.baseline.commit, .run = {}, .why_not = one.why_not};
    if (!line.why_not.empty()) return line;
    RunOptions options;
    options.repository = target_.folder;
    options.database = target_.database;
    options.head = one.baseline.commit;
    options.session = wanted.processes;
    options.no_sandbox = wanted.no_sandbox;
    options.cpus = wanted.cpus;
    const auto outcome = run_here(options, progress, stop);
    if (!outcome) return pass_on(outcome);
    line.run = outcome->run;
    if (outcome->decision.conclusion != Conclusion::passed) line.why_not = outcome->decision.summary;
    const auto run = in_store([&](service::Store store, const std::string&, Instant) {
      return service::get_run(store, RunId{outcome->run});
    });
    if (!run) return pass_on(run);
    if (run->epoch != one.baseline.epoch)
      line.why_not = "the machine has changed since it was promoted: promote a run of the present epoch";
    return line;
  }

  const BaselineTarget target_;
  const std::filesystem::path file_;
};

// A mistyped path must not become a new, empty store.
Result<std::filesystem::path> store_of(const BaselineTarget& target) {
  std::filesystem::path file = target.database;
  if (file.empty()) {
    auto own = local_store(target.folder);
    if (!own) return pass_on(own);
    file = std::move(*own);
  }
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    return fail(Errc::not_found, "there is no local store", file.string(), "kernelgate run comes first");
  return file;
}

}  // namespace

Result<std::unique_ptr<Baselines>> open_local_baselines(const BaselineTarget& target) {
  auto file = store_of(target);
  if (!file) return pass_on(file);
  return std::make_unique<LocalBaselines>(target, std::move(*file));
}

Result<wire::PruneReply> prune_local(const BaselineTarget& target, const wire::PruneRequest& request) {
  if (const auto good = wire::decode<wire::PruneRequest>(wire::encode(request)); !good) return pass_on(good);
  const auto file = store_of(target);
  if (!file) return pass_on(file);
  const auto store = service::OpenStore::open(*file);
  if (!store) return pass_on(store);
  return service::prune(*store, request, login_name(), SystemClock().now());
}

}  // namespace kernelgate::local
