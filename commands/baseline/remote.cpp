// SPDX-License-Identifier: Apache-2.0
#include "client/client.hpp"
#include "client/token_file.hpp"
#include "commands/baseline/baseline.hpp"

namespace kernelgate::local {
namespace {

class RemoteBaselines final : public Baselines {
 public:
  RemoteBaselines(Client client, std::string repository)
      : client_(std::move(client)), repository_(std::move(repository)) {}

  Result<BaselineList> list() override {
    BaselineList out;
    std::string before;
    do {
      auto page = client_.baselines(repository_, before);
      if (!page) return pass_on(page);
      std::move(page->baselines.begin(), page->baselines.end(), std::back_inserter(out.baselines));
      before = page->next.value_or("");
    } while (!before.empty());
    do {
      auto page = client_.acknowledgements(repository_, before);
      if (!page) return pass_on(page);
      std::move(page->acknowledgements.begin(), page->acknowledgements.end(), std::back_inserter(out.acknowledgements));
      before = page->next.value_or("");
    } while (!before.empty());
    return out;
  }

  Result<wire::WholeBaseline> promote(wire::Promotion promotion) override {
    promotion.repository = repository_;
    return client_.promote(promotion);
  }

  Result<wire::RemeasureReply> remeasure(const Remeasure& wanted, const RunProgress&, std::stop_token) override {
    return client_.remeasure({.repository = repository_, .name = wanted.name, .processes = wanted.processes});
  }

  Result<wire::AcknowledgementRecord> accept(wire::AcceptRequest request) override {
    request.repository = repository_;
    return client_.accept(request);
  }

  Result<wire::AcknowledgementRecord> revoke(std::int64_t id, wire::RevokeAcceptanceRequest request) override {
    request.repository = repository_;
    return client_.revoke(id, request);
  }

  Result<wire::BaselineDiff> diff(const std::string& a, const std::string& b) override {
    return client_.call(wire::endpoint::get_baseline_diff,
                        {.query = {{"repository", repository_}, {"a", a}, {"b", b}}});
  }

  Result<std::string> export_text(const std::string& name) override {
    return client_.call(wire::endpoint::get_baseline_export, {.query = {{"repository", repository_}, {"name", name}}});
  }

  Result<wire::ImportReply> import_text(const std::string& text, const std::string& testbed) override {
    return client_.call(wire::endpoint::post_baseline_import, text,
                        {.query = {{"repository", repository_}, {"testbed", testbed}}});
  }

  Result<std::vector<wire::QuarantineRecord>> quarantines(bool released) override {
    std::vector<wire::QuarantineRecord> out;
    std::string before;
    do {
      auto page =
          client_.call(wire::endpoint::get_quarantines,
                       {.query = {{"repository", repository_}, {"released", released ? "1" : ""}, {"before", before}}});
      if (!page) return pass_on(page);
      std::move(page->quarantines.begin(), page->quarantines.end(), std::back_inserter(out));
      before = page->next.value_or("");
    } while (!before.empty());
    return out;
  }

  Result<wire::QuarantineRecord> quarantine(wire::QuarantineRequest request) override {
    request.repository = repository_;
    return client_.call(wire::endpoint::post_quarantine, request);
  }

  Result<wire::QuarantineRecord> release(std::int64_t id, wire::ReleaseRequest request) override {
    request.repository = repository_;
    return client_.call(wire::endpoint::post_quarantine_release, request, at(id));
  }

 private:
  Client client_;
  std::string repository_;
};

Result<Client> connect(const BaselineTarget& target) {
  return open_client({.server = target.server, .retry_for = std::chrono::seconds(10)}, target.token_file);
}

}  // namespace

Result<std::unique_ptr<Baselines>> open_remote_baselines(const BaselineTarget& target) {
  auto client = connect(target);
  if (!client) return pass_on(client);
  return std::make_unique<RemoteBaselines>(std::move(*client), target.repository);
}

Result<wire::PruneReply> prune_remote(const BaselineTarget& target, const wire::PruneRequest& request) {
  auto client = connect(target);
  if (!client) return pass_on(client);
  return client->call(wire::endpoint::post_prune, request);
}

}  // namespace kernelgate::local
